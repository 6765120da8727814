// A rule that has stopped working: nothing fails.
// VERDICT: wrongly accepted
// EXPECT: some rule
int main() {}
