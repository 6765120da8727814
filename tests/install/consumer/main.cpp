// A host program outside the kit's own build.
#include <skt/model/kernel_type.hpp>
#include <skt/version.hpp>

#include <fmt/format.h>

int main()
{
    constexpr skt::launch_shape shape{skt::kernel_type::mix_aic_1_2, 24};
    fmt::print("skt {}.{}.{}: {} at {} blocks\n", SKT_VERSION_MAJOR, SKT_VERSION_MINOR, SKT_VERSION_PATCH,
               skt::to_string(shape.type), shape.blocks);
    return 0;
}
