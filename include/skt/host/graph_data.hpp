/// @file
/// A graph that owns what it is made of. Host only.
#pragma once

#include <skt/model/graph.hpp>
#include <skt/model/workspace.hpp>

#include <deque>
#include <string>
#include <vector>

namespace skt::host {

/// Owns the arrays and names behind a `graph`. Move it freely; copies would point into the original's names.
struct graph_data {
    std::vector<kernel_desc> kernels;
    std::vector<effect> effects;
    std::vector<buffer_desc> buffers;
    std::vector<partition_desc> partitions;
    std::vector<cross_core_use> cross_core;
    std::deque<std::string> names; ///< What the `name` pointers point into.
    soc chip = socs::atlas_a2_24;
    graph_policy policy{};
    std::int64_t workspace_bytes = 0; ///< Set by `place_workspace`.

    graph_data() = default;
    graph_data(graph_data&&) = default;
    graph_data& operator=(graph_data&&) = default;
    graph_data(const graph_data&) = delete;
    graph_data& operator=(const graph_data&) = delete;

    /// The graph as planner and prover read it; valid while the arrays are not changed.
    graph view() const
    {
        graph g{};
        g.kernels = kernels.data();
        g.kernel_count = static_cast<int>(kernels.size());
        g.effects = effects.data();
        g.effect_count = static_cast<int>(effects.size());
        g.buffers = buffers.data();
        g.buffer_count = static_cast<int>(buffers.size());
        g.partitions = partitions.data();
        g.partition_count = static_cast<int>(partitions.size());
        g.cross_core = cross_core.data();
        g.cross_core_count = static_cast<int>(cross_core.size());
        g.chip = chip;
        g.policy = policy;
        return g;
    }

    /// Keeps a name alive as long as this object.
    const char* keep(std::string name)
    {
        names.push_back(std::move(name));
        return names.back().c_str();
    }

    /// Adds a buffer that overlaps no other; answers its index.
    int add_buffer(std::string name)
    {
        buffer_desc b;
        b.name = keep(std::move(name));
        b.region = static_cast<int>(buffers.size());
        buffers.push_back(b);
        return b.region;
    }

    /// Adds a temp buffer of `bytes` bytes; answers its index. Its place is found by `place_workspace`.
    int add_temp(std::string name, std::int64_t bytes)
    {
        const int index = add_buffer(std::move(name));
        buffers.back().temp = true;
        buffers.back().bytes = bytes;
        return index;
    }

    /// Adds a kernel without effects; answers a reference that the next call to `add_kernel` invalidates. Effects and
    /// flag uses added next belong to it.
    kernel_desc& add_kernel(std::string name, kernel_type type, int blocks)
    {
        kernel_desc k;
        k.name = keep(std::move(name));
        k.type = type;
        k.blocks = blocks;
        k.first_effect = static_cast<int>(effects.size());
        k.first_cross_core = static_cast<int>(cross_core.size());
        kernels.push_back(k);
        return kernels.back();
    }

    /// Adds an effect to the newest kernel.
    effect& add_effect(int buffer, access what, via how = via::dma)
    {
        effect e;
        e.buffer = buffer;
        e.what = what;
        e.how = how;
        effects.push_back(e);
        ++kernels.back().effect_count;
        return effects.back();
    }

    /// Adds a cross-core flag use to the newest kernel.
    void add_cross_core(cross_core_use use)
    {
        cross_core.push_back(use);
        ++kernels.back().cross_core_count;
    }

    /// Declares that two buffers may overlap, and with them all that may overlap either.
    void alias(int a, int b)
    {
        const int from = buffers[static_cast<std::size_t>(b)].region;
        const int to = buffers[static_cast<std::size_t>(a)].region;
        for (buffer_desc& x : buffers) {
            x.region = x.region == from ? to : x.region;
        }
    }

    /// Finds places for the temps and marks what overlaps. Call it once kernels, buffers and aliases are complete.
    void place_workspace()
    {
        std::vector<temp_slot> slots(buffers.size());
        std::vector<int> members(buffers.size());
        workspace_bytes =
            place_temps(buffers.data(), static_cast<int>(buffers.size()), kernels.data(),
                        static_cast<int>(kernels.size()), effects.data(), policy.share_workspace, slots.data());
        for (const buffer_desc& b : buffers) {
            ++members[static_cast<std::size_t>(b.region)];
        }
        for (buffer_desc& b : buffers) {
            b.shared = b.shared || members[static_cast<std::size_t>(b.region)] > 1;
        }
    }
};

} // namespace skt::host
