/// @file
/// Gives every element of an array its default value. Device-safe.
///
/// g++ 12 loses the default member initialisers of array elements: once a constant expression has written to an array
/// declared with
/// `= {}`, later uses of that initialiser, at compile time or at run time, give zeros. Assigning each element is right
/// on every compiler, so every array of a type with non-zero defaults is reset before use.
#pragma once

namespace skt {

template <class T, int N>
constexpr void reset(T (&array)[N])
{
    for (int i = 0; i < N; ++i) {
        array[i] = T{};
    }
}

} // namespace skt
