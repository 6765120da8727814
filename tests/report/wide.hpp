/// @file
/// Twelve kernels on 24 cube and 48 vector cores, as a run-time graph, and emulator results made up for them.
#pragma once

#include <skt/emu/run_result.hpp>
#include <skt/host/graph_data.hpp>
#include <skt/host/plan.hpp>
#include <skt/report/schedule.hpp>
#include <skt/report/timeline.hpp>

#include <string>
#include <vector>

namespace wide {

/// A chain with a side branch on the cube cores, scalar offsets, and results cut by token.
inline skt::host::graph_data layer()
{
    using skt::access;
    using skt::kernel_type;
    using skt::via;
    skt::host::graph_data g;
    const auto buffer = [&g](const char* name) { return g.add_buffer(name); };
    const int x = buffer("x");
    const int normed = buffer("normed");
    const int logits = buffer("logits");
    const int experts = buffer("experts");
    const int offsets = buffer("offsets");
    const int grouped = buffer("grouped");
    const int weights = buffer("gate & up <weights>");
    const int hidden = buffer("hidden");
    const int act = buffer("act");
    const int down = buffer("down");
    const int shared = buffer("shared_act");
    const int shared_out = buffer("shared_out");
    const int delta = buffer("delta");
    const int out = buffer("out");
    const int next = buffer("next");
    g.partitions.push_back({"by_token", true});
    const auto cut = [](skt::effect& e) { e.partition = 0; };

    g.add_kernel("rms_norm", kernel_type::aiv_only, 48);
    g.add_effect(x, access::in);
    g.add_effect(normed, access::out);
    g.add_kernel("router", kernel_type::aic_only, 4);
    g.add_effect(normed, access::in);
    g.add_effect(logits, access::out);
    g.add_kernel("route", kernel_type::mix_aiv_1_0, 32);
    g.add_effect(logits, access::in);
    g.add_effect(experts, access::out);
    g.add_kernel("count", kernel_type::aiv_only, 1);
    g.add_effect(experts, access::in);
    g.add_effect(offsets, access::out, via::scalar);
    g.add_kernel("dispatch", kernel_type::aiv_only, 48);
    g.add_effect(normed, access::in);
    g.add_effect(offsets, access::in, via::scalar);
    g.add_effect(grouped, access::out);
    g.add_kernel("gate_up", kernel_type::mix_aic_1_0, 24);
    g.add_effect(grouped, access::in);
    g.add_effect(weights, access::in);
    g.add_effect(hidden, access::out);
    g.add_kernel("swiglu_quant", kernel_type::aiv_only, 48);
    g.add_effect(hidden, access::in);
    g.add_effect(act, access::out);
    g.add_kernel("shared_expert_with_a_long_name", kernel_type::aic_only, 24);
    g.add_effect(normed, access::in);
    g.add_effect(shared, access::out);
    g.add_kernel("down", kernel_type::mix_aic_1_2, 24);
    g.add_effect(act, access::in);
    g.add_effect(down, access::out);
    g.add_kernel("shared_down", kernel_type::aic_only, 24);
    g.add_effect(shared, access::in);
    g.add_effect(shared_out, access::out);
    g.add_kernel("combine", kernel_type::aiv_only, 48);
    g.add_effect(down, access::in);
    g.add_effect(shared_out, access::in);
    cut(g.add_effect(delta, access::out));
    g.add_kernel("residual", kernel_type::aiv_only, 48);
    cut(g.add_effect(x, access::in));
    cut(g.add_effect(delta, access::in));
    cut(g.add_effect(out, access::out));
    (void)next;
    g.place_workspace();
    return g;
}

/// Core names as the emulator gives them.
inline std::vector<std::string> core_names(int aic, int aiv)
{
    std::vector<std::string> out;
    for (int i = 0; i < aic; ++i) {
        out.push_back("aic" + std::to_string(i));
    }
    for (int i = 0; i < aiv; ++i) {
        out.push_back("aiv" + std::to_string(i));
    }
    return out;
}

/// What the emulator would give for one kernel alone: some copies, some work, one sub-kernel bar per core.
inline skt::emu::run_result alone(const skt::kernel_desc& k, double ns)
{
    skt::emu::run_result r;
    const int aic = skt::cores_of(k.type, k.blocks, skt::side::aic);
    const int aiv = skt::cores_of(k.type, k.blocks, skt::side::aiv);
    r.cores = core_names(aic, aiv);
    for (int c = 0; c < aic + aiv; ++c) {
        const double start = 4000 + 5 * c;
        r.trace.push_back({c, "MTE2", "DataCopy", start, start + ns / 3, 0});
        r.trace.push_back({c, c < aic ? "M" : "V", "work", start + ns / 3, start + 2 * ns / 3, 0});
        r.trace.push_back({c, c < aic ? "FIX" : "MTE3", "DataCopy", start + 2 * ns / 3, start + ns, 0});
        r.trace.push_back({c, "kernel", k.name, start, start + ns, 0});
    }
    r.virtual_ns = 4000 + 5.0 * (aic + aiv - 1) + ns;
    return r;
}

/// What the emulator would give for the fused run: the plan played through, with work on the pipes in each kernel.
inline skt::emu::run_result played(const skt::graph& g, const skt::host::planned& p,
                                   const std::vector<skt::report::kernel_time>& times)
{
    const skt::report::timeline t = skt::report::modelled_schedule(g, p, times);
    skt::emu::run_result r;
    r.cores = t.cores;
    r.virtual_ns = t.ns;
    for (const skt::report::bar& b : t.bars) {
        if (b.kind == skt::report::bar_kind::kernel) {
            const bool cube = t.cores[static_cast<std::size_t>(b.core)][2] == 'c';
            const double third = (b.end - b.start) / 3;
            r.trace.push_back({b.core, "MTE2", "DataCopy", b.start, b.start + third, b.kernel});
            r.trace.push_back({b.core, cube ? "M" : "V", "work", b.start + third, b.end - third, b.kernel});
            r.trace.push_back({b.core, cube ? "FIX" : "MTE3", "DataCopy", b.end - third, b.end, b.kernel});
            r.trace.push_back({b.core, "kernel", b.name, b.start, b.end, b.kernel});
        } else if (b.kind == skt::report::bar_kind::wait || b.kind == skt::report::bar_kind::set) {
            r.trace.push_back({b.core, "flag", b.name, b.start, b.end, -1});
        }
    }
    return r;
}

} // namespace wide
