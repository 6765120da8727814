/// @file
/// Declarations of the few runtime calls that the device example's host program makes, and what clang's CUDA mode needs
/// to parse a launch.
#pragma once

#include <cstddef>
#include <cstdint>

using aclError = int;
using aclrtStream = void*;
enum aclrtMemMallocPolicy { ACL_MEM_MALLOC_HUGE_FIRST, ACL_MEM_MALLOC_HUGE_ONLY, ACL_MEM_MALLOC_NORMAL_ONLY };
enum aclrtMemcpyKind {
    ACL_MEMCPY_HOST_TO_HOST,
    ACL_MEMCPY_HOST_TO_DEVICE,
    ACL_MEMCPY_DEVICE_TO_HOST,
    ACL_MEMCPY_DEVICE_TO_DEVICE
};
#define ACL_SUCCESS 0

extern "C" {
aclError aclInit(const char* config);
aclError aclFinalize();
aclError aclrtSetDevice(int32_t device);
aclError aclrtResetDevice(int32_t device);
aclError aclrtCreateStream(aclrtStream* stream);
aclError aclrtDestroyStream(aclrtStream stream);
aclError aclrtSynchronizeStream(aclrtStream stream);
aclError aclrtMalloc(void** address, size_t bytes, aclrtMemMallocPolicy policy);
aclError aclrtFree(void* address);
aclError aclrtMemcpy(void* target, size_t room, const void* source, size_t bytes, aclrtMemcpyKind kind);
}

/// A launch `entry<<<blocks, nullptr, stream>>>(...)`: the vendor takes a block count, a pointer that is null, and a
/// stream.
unsigned __cudaPushCallConfiguration(unsigned blocks, std::nullptr_t, aclrtStream stream);
/// The same where clang finds no CUDA toolkit on the machine and takes it for an old one.
int cudaConfigureCall(unsigned blocks, std::nullptr_t, aclrtStream stream);
extern "C" int cudaLaunchKernel(const void* entry, unsigned blocks, unsigned threads, void** arguments, size_t bytes,
                                void* stream);
