/// @file
/// Numbers for types: equal types get equal numbers, in order of first appearance. Device-safe.
///
/// Types become a hash of their printed name and an address; sorting the hashes and comparing addresses inside a run of
/// equal hashes is exact and costs n log n, where comparing every pair of types costs a template instantiation each.
#pragma once

#include <cstddef>
#include <cstdint>

namespace skt::detail {

template <class T>
inline constexpr char type_address = 0;

/// FNV-1a over the compiler's name of `T`.
template <class T>
constexpr std::uint64_t hash_of_name()
{
    std::uint64_t h = 14695981039346656037ull;
    for (const char* c = __PRETTY_FUNCTION__; *c != '\0'; ++c) {
        h = (h ^ static_cast<unsigned char>(*c)) * 1099511628211ull;
    }
    return h;
}

/// One type in a list that is being numbered.
struct type_key {
    std::uint64_t hash = 0;
    const void* address = nullptr;
};

template <class T>
inline constexpr type_key key_of{hash_of_name<T>(), &type_address<T>};

/// Numbers of `N` keys.
template <int N>
struct type_numbers {
    int number[N > 0 ? N : 1] = {}; ///< Per key.
    int first[N > 0 ? N : 1] = {};  ///< Per number: the first key that has it.
    int count = 0;
};

/// Sorts positions by hash, positions of equal hash in order (merge sort: no bad case).
template <int N>
constexpr void sort_positions(const type_key* keys, int (&order)[N])
{
    int other[N] = {};
    for (int i = 0; i < N; ++i) {
        order[i] = i;
    }
    for (int width = 1; width < N; width *= 2) {
        for (int start = 0; start < N; start += 2 * width) {
            const int middle = start + width < N ? start + width : N;
            const int end = start + 2 * width < N ? start + 2 * width : N;
            int a = start;
            int b = middle;
            for (int i = start; i < end; ++i) {
                const bool left = a < middle && (b >= end || keys[order[a]].hash <= keys[order[b]].hash);
                other[i] = left ? order[a++] : order[b++];
            }
        }
        for (int i = 0; i < N; ++i) {
            order[i] = other[i];
        }
    }
}

template <int N>
constexpr type_numbers<N> number_types(const type_key* keys)
{
    type_numbers<N> out{};
    if constexpr (N > 0) {
        int order[N] = {};
        int representative[N] = {};
        sort_positions<N>(keys, order);
        for (int i = 0; i < N; ++i) {
            int found = order[i];
            for (int j = i - 1; j >= 0 && keys[order[j]].hash == keys[order[i]].hash; --j) {
                if (keys[order[j]].address == keys[order[i]].address) {
                    found = representative[order[j]];
                    break;
                }
            }
            representative[order[i]] = found;
        }
        for (int i = 0; i < N; ++i) {
            if (representative[i] == i) {
                out.first[out.count] = i;
                out.number[i] = out.count++;
            } else {
                out.number[i] = out.number[representative[i]];
            }
        }
    }
    return out;
}

} // namespace skt::detail
