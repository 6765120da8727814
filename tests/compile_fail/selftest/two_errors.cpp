// The right sentence, followed by noise.
// VERDICT: 2 errors where one would do
// EXPECT: blocks must fit
#ifdef SKT_EXPECT_FAIL
static_assert(sizeof(char) == 2, "blocks must fit");
static_assert(sizeof(char) == 3, "noise");
#endif
int main() {}
