/// @file
/// Inputs of the layer, made from a seed, and what a double-precision computation makes of them. Host only.
#pragma once

#include "shape.hpp"

#include <kernel_operator.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace moe {

/// A small generator with one stream per seed: the inputs are the same on every machine.
class random_stream {
public:
    explicit random_stream(std::uint64_t seed) : state_(seed) {}
    std::uint64_t bits()
    {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    /// Even in [-1, 1).
    float even() { return static_cast<float>(static_cast<std::int64_t>(bits()) >> 40) / 8388608.0f; }

private:
    std::uint64_t state_;
};

/// What the host hands to the layer.
struct host_inputs {
    std::vector<half> x;
    std::vector<half> gamma;
    std::vector<half> next_gamma;
    std::vector<half> router_weights;
    std::vector<half> gate_up_weights;
    std::vector<std::int8_t> down_weights;
    std::vector<float> down_scale;
    std::vector<half> shared_gate_up_weights;
    std::vector<half> shared_down_weights;
};

/// Inputs with the spread of a trained layer: every intermediate result is about one.
host_inputs make_inputs(std::uint64_t seed);

/// What the layer answers.
struct host_outputs {
    std::vector<std::int32_t> expert_of;
    std::vector<float> weight_of;
    std::vector<half> out;
    std::vector<half> next;
};

/// The layer in double precision.
struct reference_outputs {
    std::vector<double> out;
    std::vector<double> next;
    /// How far a chosen expert's score lies behind that of one left out, at worst; below zero if never. Two scores that
    /// are nearly equal may come out in another order in half precision; then either choice is right.
    double worst_choice = -1e300;
    double weight_error = 0; ///< Largest difference of a routing weight.
};

/// Computes the layer for the experts in `got.expert_of`, and how good that choice was.
reference_outputs reference_of(const host_inputs& in, const host_outputs& got, decode_step step);

} // namespace moe
