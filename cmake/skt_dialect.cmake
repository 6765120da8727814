# The device-dialect check: device code compiled by clang's CUDA mode, device side only and without CUDA's headers, as a strict
# stand-in for the vendor's compiler. `__aicore__` is the device attribute, memories are address spaces, the side is told by
# the vendor's own macros. It needs Clang as the build's compiler.
#
#   SKT_ASCENDC_INCLUDE_DIRS   folders of the vendor's headers: the same sources are checked against them, too

set(SKT_ASCENDC_INCLUDE_DIRS "" CACHE STRING "Folders with the vendor's kernel_operator.h and what it includes")

set(skt_dialect_flags
    -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -Wno-unknown-cuda-version -std=c++17
    -fno-exceptions -fno-rtti -Xclang -fno-cuda-host-device-constexpr "-DSKT_AICORE=__attribute__((device))"
    "-DSKT_HOST_AICORE=__attribute__((host)) __attribute__((device))" -D__NPU_ARCH__=2201 -Wall -Wextra -Wconversion
    -Wshadow -Werror)
set(skt_dialect_side_aic -D__DAV_CUBE__)
set(skt_dialect_side_aiv -D__DAV_VEC__)
list(APPEND skt_dialect_flags -I${PROJECT_SOURCE_DIR}/include)
foreach(dir IN LISTS Boost_INCLUDE_DIRS)
  # Naming a folder that the compiler searches anyway would change the order of the standard headers.
  if(NOT dir IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    list(APPEND skt_dialect_flags -isystem ${dir})
  endif()
endforeach()

# Against the vendor's headers.
set(skt_dialect_vendor_flags ${skt_dialect_flags} -include ${PROJECT_SOURCE_DIR}/tests/dialect/vendor/builtins.h)
foreach(dir IN LISTS SKT_ASCENDC_INCLUDE_DIRS)
  list(APPEND skt_dialect_vendor_flags -I${dir})
endforeach()
list(JOIN skt_dialect_vendor_flags "|" skt_dialect_vendor_flags_joined)

# Against the declaration-only stub of the tests.
list(APPEND skt_dialect_flags -I${PROJECT_SOURCE_DIR}/tests/dialect/stub)
list(JOIN skt_dialect_flags "|" skt_dialect_flags_joined)

# The host pass over a source that launches kernels.
set(skt_dialect_host_flags ${skt_dialect_flags})
list(TRANSFORM skt_dialect_host_flags REPLACE "^--cuda-device-only$" "--cuda-host-only")
list(REMOVE_ITEM skt_dialect_host_flags -fno-exceptions -fno-rtti)
list(APPEND skt_dialect_host_flags "-D__host__=__attribute__((host))" "-D__device__=__attribute__((device))" -include cstdlib
     -I${PROJECT_SOURCE_DIR}/tests/dialect/host_stub)
