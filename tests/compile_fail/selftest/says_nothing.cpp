// It fails, but the file does not say how it should.
// VERDICT: has to say how
#ifdef SKT_EXPECT_FAIL
static_assert(sizeof(char) == 2, "some rule");
#endif
int main() {}
