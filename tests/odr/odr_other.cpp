#include SKT_ODR_UMBRELLA

#include <skt/version.hpp>

const void* version_seen_by_other()
{
    static const int version = SKT_VERSION_MAJOR;
    return &version;
}
