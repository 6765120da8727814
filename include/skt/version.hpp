/// @file
/// The version of the kit. CMake reads it from here; nothing else states it. Device-safe.
#pragma once

#define SKT_VERSION_MAJOR 0
#define SKT_VERSION_MINOR 1
#define SKT_VERSION_PATCH 0
