/// @file
/// Everything a host program or test needs. Host only.
#pragma once

#include <skt/emu/device.hpp>
#include <skt/emu/hooks.hpp>
#include <skt/host/plan.hpp>
#include <skt/report/explain.hpp>
#include <skt/version.hpp>
