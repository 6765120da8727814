// It fails, for a reason other than the rule.
// VERDICT: wrong message
// EXPECT: blocks must fit
#ifdef SKT_EXPECT_FAIL
static_assert(sizeof(char) == 2, "another rule");
#endif
int main() {}
