// Inputs and reference of the layer.
#include "host_data.hpp"

#include <algorithm>
#include <stdexcept>

namespace moe {

namespace {

std::vector<half> halves(random_stream& r, std::size_t count, double deviation)
{
    const auto width = static_cast<float>(deviation * std::sqrt(3.0)); // of an even distribution
    std::vector<half> v(count);
    for (half& h : v) {
        h = half(r.even() * width);
    }
    return v;
}

std::vector<half> gammas(random_stream& r)
{
    std::vector<half> v(hidden);
    for (half& h : v) {
        h = half(1.0f + 0.25f * r.even());
    }
    return v;
}

double silu(double v)
{
    return v / (1 + std::exp(-v));
}

std::vector<double> wide(const std::vector<half>& v)
{
    return std::vector<double>(v.begin(), v.end());
}

/// Sum of products, in four parts so that the compiler may vectorise it.
template <class A, class B>
double dot(const A* a, const B* b, std::size_t n)
{
    double part[4] = {};
    for (std::size_t i = 0; i < n; i += 4) {
        for (std::size_t j = 0; j < 4; ++j) {
            part[j] += static_cast<double>(a[i + j]) * static_cast<double>(b[i + j]);
        }
    }
    return (part[0] + part[1]) + (part[2] + part[3]);
}

void norm(const double* x, const std::vector<double>& gamma, double epsilon, double* y)
{
    const double root = std::sqrt(dot(x, x, hidden) / hidden + epsilon);
    for (std::size_t i = 0; i < hidden; ++i) {
        y[i] = x[i] / root * gamma[i];
    }
}

/// An expert: gate and up rows of weights, `width` each, then `down`(column, act) for every column of the result.
template <class Down>
void expert(const double* x, const double* gate_up, std::size_t width, double weight, double* result, const Down& down)
{
    std::vector<double> act(width);
    for (std::size_t i = 0; i < width; ++i) {
        act[i] = silu(dot(x, gate_up + i * hidden, hidden)) * dot(x, gate_up + (width + i) * hidden, hidden);
    }
    for (std::size_t n = 0; n < hidden; ++n) {
        result[n] += weight * down(n, act.data());
    }
}

} // namespace

host_inputs make_inputs(std::uint64_t seed)
{
    random_stream r(seed);
    const double to_one = 1 / std::sqrt(static_cast<double>(hidden));
    host_inputs in;
    in.x = halves(r, std::size_t{max_tokens} * hidden, 1);
    in.gamma = gammas(r);
    in.next_gamma = gammas(r);
    in.router_weights = halves(r, std::size_t{experts} * hidden, 1.5 * to_one);
    in.gate_up_weights = halves(r, std::size_t{experts} * 2 * expert_width * hidden, to_one);
    in.shared_gate_up_weights = halves(r, std::size_t{2} * shared_width * hidden, to_one);
    in.shared_down_weights =
        halves(r, std::size_t{hidden} * shared_width, 1 / std::sqrt(static_cast<double>(shared_width)));
    in.down_weights.resize(std::size_t{experts} * hidden * expert_width);
    for (std::size_t i = 0; i < in.down_weights.size(); i += 8) {
        const std::uint64_t bits = r.bits();
        for (unsigned j = 0; j < 8; ++j) {
            const auto byte = static_cast<std::int8_t>(bits >> (8 * j));
            in.down_weights[i + j] = byte == -128 ? std::int8_t{0} : byte;
        }
    }
    in.down_scale.resize(std::size_t{experts} * hidden);
    const auto scale = static_cast<float>(std::sqrt(3.0 / expert_width) / 127);
    for (float& s : in.down_scale) {
        s = scale * (1.0f + 0.25f * r.even());
    }
    return in;
}

reference_outputs reference_of(const host_inputs& in, const host_outputs& got, decode_step step)
{
    const std::vector<double> x = wide(in.x);
    const std::vector<double> gamma = wide(in.gamma);
    const std::vector<double> next_gamma = wide(in.next_gamma);
    const std::vector<double> router = wide(in.router_weights);
    const std::vector<double> shared_gate_up = wide(in.shared_gate_up_weights);
    const std::vector<double> shared_down = wide(in.shared_down_weights);
    const std::size_t tokens = step.tokens;
    std::vector<double> normed(tokens * hidden);
    std::vector<double> delta(tokens * hidden);
    std::vector<double> weight(tokens * top_k);
    reference_outputs ref;

    for (std::size_t t = 0; t < tokens; ++t) {
        const double* row = normed.data() + t * hidden;
        norm(x.data() + t * hidden, gamma, static_cast<double>(step.epsilon), normed.data() + t * hidden);
        std::vector<double> score(experts);
        for (std::size_t e = 0; e < experts; ++e) {
            score[e] = dot(row, router.data() + e * hidden, hidden);
        }
        bool chosen[experts] = {};
        double total = 0;
        double worst = 1e300;
        for (std::size_t k = 0; k < top_k; ++k) {
            const auto e = static_cast<std::size_t>(got.expert_of[t * route_stride + k]);
            if (e >= experts || chosen[e]) {
                throw std::runtime_error("the layer chose an expert that does not exist, or one expert twice");
            }
            chosen[e] = true;
            worst = std::min(worst, score[e]);
            total += std::exp(score[e]);
        }
        for (std::size_t e = 0; e < experts; ++e) {
            if (!chosen[e]) {
                ref.worst_choice = std::max(ref.worst_choice, score[e] - worst);
            }
        }
        for (std::size_t k = 0; k < top_k; ++k) {
            const auto e = static_cast<std::size_t>(got.expert_of[t * route_stride + k]);
            weight[t * top_k + k] = std::exp(score[e]) / total;
            ref.weight_error =
                std::max(ref.weight_error,
                         std::fabs(weight[t * top_k + k] - static_cast<double>(got.weight_of[t * route_stride + k])));
        }
        expert(row, shared_gate_up.data(), shared_width, 1, delta.data() + t * hidden,
               [&](std::size_t n, const double* act) {
                   return dot(act, shared_down.data() + n * shared_width, shared_width);
               });
    }

    constexpr std::size_t weights_of_expert = std::size_t{2} * expert_width * hidden;
    std::vector<double> gate_up(weights_of_expert);
    std::vector<double> down(std::size_t{hidden} * expert_width);
    for (std::size_t e = 0; e < experts; ++e) {
        bool loaded = false;
        for (std::size_t i = 0; i < tokens * top_k; ++i) {
            const std::size_t t = i / top_k;
            if (static_cast<std::size_t>(got.expert_of[t * route_stride + i % top_k]) != e) {
                continue;
            }
            if (!loaded) {
                loaded = true;
                std::copy_n(in.gate_up_weights.begin() + static_cast<std::ptrdiff_t>(e * weights_of_expert),
                            weights_of_expert, gate_up.begin());
                std::copy_n(in.down_weights.begin() + static_cast<std::ptrdiff_t>(e * down.size()), down.size(),
                            down.begin());
            }
            expert(normed.data() + t * hidden, gate_up.data(), expert_width, weight[i], delta.data() + t * hidden,
                   [&](std::size_t n, const double* act) {
                       return dot(act, down.data() + n * expert_width, expert_width) *
                              static_cast<double>(in.down_scale[e * hidden + n]);
                   });
        }
    }

    ref.out.resize(tokens * hidden);
    ref.next.resize(tokens * hidden);
    for (std::size_t i = 0; i < ref.out.size(); ++i) {
        ref.out[i] = x[i] + delta[i];
    }
    for (std::size_t t = 0; t < tokens; ++t) {
        norm(ref.out.data() + t * hidden, next_gamma, static_cast<double>(step.epsilon), ref.next.data() + t * hidden);
    }
    return ref;
}

} // namespace moe
