/// @file
/// The emulator's stand-in for the vendor's kernel_operator.h: kernel sources that include it compile for the host
/// unchanged and run on skt::emu::device. Names and signatures follow the public API of dav-2201; what is missing does
/// not compile. Host only.
#pragma once

#include <skt/emu/ascendc/detail/convert.hpp>
#include <skt/emu/ascendc/detail/cube.hpp>
#include <skt/emu/ascendc/detail/data_copy.hpp>
#include <skt/emu/ascendc/detail/dialect.hpp>
#include <skt/emu/ascendc/detail/queue.hpp>
#include <skt/emu/ascendc/detail/reduce.hpp>
#include <skt/emu/ascendc/detail/soft_sync.hpp>
#include <skt/emu/ascendc/detail/sync.hpp>
#include <skt/emu/ascendc/detail/system.hpp>
#include <skt/emu/ascendc/detail/tensor.hpp>
#include <skt/emu/ascendc/detail/types.hpp>
#include <skt/emu/ascendc/detail/vector.hpp>
