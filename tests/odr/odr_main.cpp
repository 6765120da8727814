#include SKT_ODR_UMBRELLA

const void* version_seen_by_other();

int main()
{
    return version_seen_by_other() == nullptr ? 1 : 0;
}
