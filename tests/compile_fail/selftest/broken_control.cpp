// A typing error: it fails with and without SKT_EXPECT_FAIL.
// VERDICT: positive control
// EXPECT: nt
nt main() {}
