/// @file
/// Everything a kernel source needs. Device-safe. Include it in place of `kernel_operator.h`, which it includes with
/// the macros that a super kernel needs.
#pragma once

#include <skt/device/api.hpp>

#include <skt/device/ascendc.hpp>
#include <skt/device/entry.hpp>
#include <skt/super_kernel.hpp>
#include <skt/version.hpp>
