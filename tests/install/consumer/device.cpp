// A kernel source outside the kit's own build: the device-safe part alone.
#include <skt/model/kernel_type.hpp>

static_assert(skt::launch_shape{skt::kernel_type::mix_aic_1_2, 24} ==
              skt::launch_shape{skt::kernel_type::mix_aic_1_2, 24});
