// The sentence stands in the offending line, but is not what the compiler says.
// VERDICT: wrong message
// EXPECT: blocks must fit
#ifdef SKT_EXPECT_FAIL
int x = undeclared + sizeof("blocks must fit");
#endif
int main() {}
