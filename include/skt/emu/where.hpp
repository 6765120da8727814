/// @file
/// A place in the author's source. Host only.
#pragma once

namespace skt::emu {

/// File and line of a call. A function that ends with a parameter `where at = where::here()` learns its caller's place
/// (std::source_location is C++20; both compilers offer the builtins in C++17).
struct where {
    const char* file = "";
    int line = 0;

    /// The place of the caller.
    static constexpr where here(const char* file = __builtin_FILE(), int line = __builtin_LINE())
    {
        return {file, line};
    }
};

} // namespace skt::emu
