/// @file
/// Everything a host program or test needs. Host only.
#pragma once

#include <skt/emu/device.hpp>
#include <skt/emu/hooks.hpp>
