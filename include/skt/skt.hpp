/// @file
/// Everything a kernel source needs. Device-safe. Include it instead of `kernel_operator.h`, which it includes.
#pragma once

#include <skt/device/ascendc.hpp>
#include <skt/super_kernel.hpp>
#include <skt/version.hpp>
