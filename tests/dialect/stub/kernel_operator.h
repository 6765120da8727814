/// @file
/// Declarations of the part of the Ascend C API (NPU architecture 2201) that this project uses: names, template
/// arguments and argument types as the public API has them, and no bodies. The tests compile the kit's device code
/// against it, so that a wrong name or a lost address space is an error without the vendor's headers.
///
/// In clang's CUDA mode `__aicore__` is the device attribute and the memories are address spaces; on a host both are
/// nothing. Which side is compiled is told as the vendor's compiler tells it: `__DAV_CUBE__` or `__DAV_VEC__`.
#pragma once

/// The vendor's include guard, which tells whether its header has been read.
#define ASCENDC_MODULE_OPERATOR_H

#include "detail/dialect.h"
#include "detail/types.h"

#include "detail/tensor.h"

#include "detail/cache.h"
#include "detail/cube.h"
#include "detail/data_copy.h"
#include "detail/pipe.h"
#include "detail/sk_bind.h"
#include "detail/sync.h"
#include "detail/system.h"
#include "detail/vector.h"
