// One decode step of a mixture-of-experts layer: twelve sub-kernels of all six kernel types, each launched by itself
// and then fused into one super kernel, on the emulator.
//
// Checked: both runs agree bit for bit, agree with a double-precision computation, and leave no finding of the
// emulator. The exit code is 0 only if all of that holds.
#include "entries.hpp"
#include "host_data.hpp"
#include "layer.hpp"

#include <skt/host.hpp>
#include <skt/report/explain.hpp>
#include <skt/report/folder.hpp>

#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace emu = skt::emu;
using moe::layer;
using skt::kernel_type;

struct settings {
    std::uint32_t tokens = moe::max_tokens;
    std::uint64_t seed = 1;     ///< Of the inputs.
    std::uint64_t schedule = 0; ///< Of the emulator.
    double tolerance = 6e-2;    ///< Rounding activations to int8 leaves errors up to 0.05 where values are about one.
    bool explain = true;
    std::string report = "out/moe_decode"; ///< Folder of the report; empty: none.
};

constexpr const char* usage =
    "usage: moe_decode [--tokens 1..32] [--seed N] [--schedule N] [--tolerance X] [--no-plan]\n"
    "                  [--report FOLDER] [--no-report]\n"
    "  --tokens     tokens of the decode step (32)\n"
    "  --seed       seed of the inputs (1)\n"
    "  --schedule   seed of the emulator's schedule (0)\n"
    "  --tolerance  largest error against the reference that passes (0.06)\n"
    "  --no-plan    do not print the plan\n"
    "  --report     where the report is written: plan, drawings, timeline, prediction (out/moe_decode)\n"
    "  --no-report  write none, and keep no trace\n";

settings parse(int argc, char** argv)
{
    settings s;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        if (name == "--no-plan") {
            s.explain = false;
            continue;
        }
        if (name == "--no-report") {
            s.report.clear();
            continue;
        }
        if (i + 1 == argc) {
            throw std::invalid_argument(fmt::format("{} is no option, or lacks its value", name));
        }
        const std::string value = argv[++i];
        if (name == "--tokens") {
            s.tokens = static_cast<std::uint32_t>(std::stoul(value));
        } else if (name == "--seed") {
            s.seed = std::stoull(value);
        } else if (name == "--schedule") {
            s.schedule = std::stoull(value);
        } else if (name == "--report") {
            s.report = value;
        } else if (name == "--tolerance") {
            s.tolerance = std::stod(value);
        } else {
            throw std::invalid_argument(fmt::format("{} is no option", name));
        }
    }
    if (s.tokens < 1 || s.tokens > moe::max_tokens) {
        throw std::invalid_argument(
            fmt::format("{} tokens asked for, a decode step has 1 to {}", s.tokens, moe::max_tokens));
    }
    return s;
}

/// Text that must be seen before the next long computation.
template <class... Args>
void say(fmt::format_string<Args...> text, Args&&... args)
{
    fmt::print(text, std::forward<Args>(args)...);
    std::fflush(stdout);
}

class stopwatch {
public:
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The caller's buffers in GM that no run changes.
struct device_inputs {
    device_inputs(emu::device& npu, const moe::host_inputs& in)
        : x(npu.from(in.x, "x")), gamma(npu.from(in.gamma, "gamma")), next_gamma(npu.from(in.next_gamma, "next_gamma")),
          router_weights(npu.from(in.router_weights, "router_weights")),
          gate_up_weights(npu.from(in.gate_up_weights, "gate_up_weights")),
          down_weights(npu.from(in.down_weights, "down_weights")), down_scale(npu.from(in.down_scale, "down_scale")),
          shared_gate_up_weights(npu.from(in.shared_gate_up_weights, "shared_gate_up_weights")),
          shared_down_weights(npu.from(in.shared_down_weights, "shared_down_weights"))
    {
    }
    emu::gm_buffer<half> x;
    emu::gm_buffer<half> gamma;
    emu::gm_buffer<half> next_gamma;
    emu::gm_buffer<half> router_weights;
    emu::gm_buffer<half> gate_up_weights;
    emu::gm_buffer<std::int8_t> down_weights;
    emu::gm_buffer<float> down_scale;
    emu::gm_buffer<half> shared_gate_up_weights;
    emu::gm_buffer<half> shared_down_weights;
};

/// The results of one run in GM.
struct device_outputs {
    explicit device_outputs(emu::device& npu)
        : expert_of(npu.alloc<std::int32_t>(moe::max_tokens * moe::route_stride, "expert_of")),
          weight_of(npu.alloc<float>(moe::max_tokens * moe::route_stride, "weight_of")),
          out(npu.alloc<half>(moe::max_tokens * moe::hidden, "out")),
          next(npu.alloc<half>(moe::max_tokens * moe::hidden, "next"))
    {
    }
    moe::host_outputs get(std::uint32_t tokens) const
    {
        moe::host_outputs h{expert_of.get(), weight_of.get(), out.get(), next.get()};
        h.expert_of.resize(tokens * moe::route_stride);
        h.weight_of.resize(tokens * moe::route_stride);
        h.out.resize(tokens * moe::hidden);
        h.next.resize(tokens * moe::hidden);
        return h;
    }
    emu::gm_buffer<std::int32_t> expert_of;
    emu::gm_buffer<float> weight_of;
    emu::gm_buffer<half> out;
    emu::gm_buffer<half> next;
};

/// What is told about launches.
struct ledger {
    int launches = 0;
    int findings = 0;
    double modelled_ns = 0;
    std::vector<std::string> names;
    std::vector<emu::run_result> runs; ///< For the report.

    void note(const char* name, skt::launch_shape shape, const emu::run_result& r, const stopwatch& watch)
    {
        ++launches;
        findings += static_cast<int>(r.findings.size());
        modelled_ns += r.virtual_ns;
        names.emplace_back(name);
        runs.push_back(r);
        say("  {:<16} {:<12} x {:<3} {:6.2f} s, {}\n", name, skt::to_string(shape.type), shape.blocks, watch.seconds(),
            r.ok() ? "no findings" : "FINDINGS:");
        if (!r.ok()) {
            say("{}", r.text());
        }
    }
};

/// Launches every sub-kernel by itself, with buffers of their own in between.
ledger run_unfused(emu::device& npu, const device_inputs& in, const device_outputs& to, moe::decode_step step)
{
    ledger book;
    const auto launch = [&](const char* name, kernel_type type, int blocks, auto* entry, const auto&... args) {
        const stopwatch watch;
        const skt::launch_shape shape{type, blocks};
        book.note(name, shape, npu.launch(shape, entry)(args...), watch);
    };
    const auto bytes = [&](std::uint64_t count, const char* name) { return npu.alloc<std::uint8_t>(count, name); };
    const auto normed = bytes(moe::normed::bytes, "normed");
    const auto logits = bytes(moe::logits::bytes, "logits");
    const auto row_of = bytes(moe::row_of::bytes, "row_of");
    const auto first_row = bytes(moe::first_row::bytes, "first_row");
    const auto grouped = bytes(moe::grouped::bytes, "grouped");
    const auto hidden_rows = bytes(moe::hidden_rows::bytes, "hidden_rows");
    const auto act = bytes(moe::act::bytes, "act");
    const auto act_scale = bytes(moe::act_scale::bytes, "act_scale");
    const auto down_tiles = bytes(moe::down_tiles::bytes, "down_tiles");
    const auto expert_rows = bytes(moe::expert_rows::bytes, "expert_rows");
    const auto shared_tiles = bytes(moe::shared_tiles::bytes, "shared_tiles");
    const auto shared_act = bytes(moe::shared_act::bytes, "shared_act");
    const auto shared_rows = bytes(moe::shared_rows::bytes, "shared_rows");
    const auto delta = bytes(moe::delta::bytes, "delta");

    using t = kernel_type;
    launch("rms_norm", t::aiv_only, moe::token_blocks, moe_rms_norm, in.x, in.gamma, normed, step);
    launch("router", t::aic_only, moe::router_blocks, moe_router, normed, in.router_weights, logits, step);
    launch("route", t::mix_aiv_1_0, moe::token_blocks, moe_route, logits, to.expert_of, to.weight_of, row_of, first_row,
           step);
    launch("shared_gate_up", t::mix_aic_1_1, moe::shared_blocks, moe_shared_gate_up, normed, in.shared_gate_up_weights,
           shared_tiles, shared_act, step);
    launch("dispatch", t::aiv_only, moe::token_blocks, moe_dispatch, normed, row_of, grouped, step);
    launch("gate_up", t::mix_aic_1_0, moe::gate_up_blocks, moe_gate_up, grouped, first_row, in.gate_up_weights,
           hidden_rows);
    launch("swiglu_quant", t::aiv_only, moe::swiglu_blocks, moe_swiglu_quant, hidden_rows, act, act_scale, step);
    launch("shared_down", t::aic_only, moe::shared_blocks, moe_shared_down, shared_act, in.shared_down_weights,
           shared_rows, step);
    launch("down", t::mix_aic_1_2, moe::down_blocks, moe_down, act, act_scale, first_row, in.down_weights,
           in.down_scale, down_tiles, expert_rows);
    launch("combine", t::aiv_only, moe::token_blocks, moe_combine, shared_rows, expert_rows, row_of, to.weight_of,
           delta, step);
    launch("residual", t::aiv_only, moe::token_blocks, moe_residual, in.x, delta, to.out, step);
    launch("rms_norm", t::aiv_only, moe::token_blocks, moe_rms_norm, to.out, in.next_gamma, to.next, step);
    return book;
}

/// Launches the super kernel.
ledger run_fused(emu::device& npu, const device_inputs& in, const device_outputs& to, moe::decode_step step)
{
    ledger book;
    const auto workspace = npu.alloc<std::uint8_t>(layer::workspace_bytes, "workspace");
    const stopwatch watch;
    book.note("the whole layer", layer::launch,
              npu.launch(layer::launch, moe_layer)(in.x, in.gamma, step, in.router_weights, to.expert_of, to.weight_of,
                                                   in.shared_gate_up_weights, in.gate_up_weights,
                                                   in.shared_down_weights, in.down_weights, in.down_scale, to.out,
                                                   in.next_gamma, to.next, workspace),
              watch);
    return book;
}

/// Elements whose bits differ.
template <class T>
std::size_t different(const std::vector<T>& a, const std::vector<T>& b)
{
    std::size_t n = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
        n += std::memcmp(&a[i], &b[i], sizeof(T)) != 0 ? 1 : 0;
    }
    return n;
}

/// The largest difference, where it is, and the root mean square of all. A value that is no number counts as infinitely
/// wrong.
struct deviation {
    double error = 0;
    std::size_t at = 0;
    double mean = 0;
};
double root_mean_square(const std::vector<double>& v)
{
    double sum = 0;
    for (const double x : v) {
        sum += x * x;
    }
    return std::sqrt(sum / static_cast<double>(v.size()));
}
deviation deviation_of(const std::vector<half>& got, const std::vector<double>& wanted)
{
    deviation d;
    std::vector<double> errors(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double e = std::fabs(static_cast<double>(got[i]) - wanted[i]);
        errors[i] = std::isnan(e) ? HUGE_VAL : e;
        if (errors[i] > d.error) {
            d.error = errors[i];
            d.at = i;
        }
    }
    d.mean = root_mean_square(errors);
    return d;
}

/// A mistake in a few columns shows in the largest error, a small one everywhere in the mean.
bool report_error(const char* name, const std::vector<half>& got, const std::vector<double>& wanted, double tolerance)
{
    const deviation d = deviation_of(got, wanted);
    const bool ok = d.error <= tolerance && d.mean <= tolerance / 6;
    say("largest error against the reference, {:<4}: {:.5f} (token {}, column {}: {:.5f} instead of {:.5f}), "
        "root mean square {:.5f} where values have {:.2f}{}\n",
        name, d.error, d.at / moe::hidden, d.at % moe::hidden, static_cast<double>(got[d.at]), wanted[d.at], d.mean,
        root_mean_square(wanted), ok ? "" : fmt::format(": MORE THAN {} AND {:.3f}", tolerance, tolerance / 6));
    return ok;
}

/// Writes the plan, the drawings, both timelines and the prediction into a folder.
void write_report(const std::string& folder, const ledger& unfused, const ledger& fused)
{
    skt::report::report_runs runs;
    runs.fused = &fused.runs.front();
    for (std::size_t k = 0; k < unfused.runs.size(); ++k) {
        runs.unfused.push_back({unfused.names[k], &unfused.runs[k]});
    }
    const auto page = skt::report::write_report<layer>(folder, runs);
    const auto times = skt::report::emulated_times(skt::report::named_graph<layer>().view(), runs.unfused);
    runs.options.emulated_fused_ns = fused.modelled_ns;
    const skt::report::prediction p = skt::report::predict<layer>(times, runs.options);
    say("does fusing pay (modelled)? {}: {}\n", skt::report::to_string(p.says), p.because);
    say("report: {}, with timeline.svg, flow.svg, trace.json (for Perfetto) and more beside it\n",
        std::filesystem::absolute(page).string());
}

bool run(const settings& s)
{
    const moe::decode_step step{s.tokens, 1e-6f};
    say("moe_decode: one decode step of a mixture-of-experts layer on an emulated {} ({} cube and {} vector cores)\n"
        "{} tokens, hidden {}, {} experts of width {}, top {}, a shared expert of width {}; half, second projection "
        "int8\n\n",
        layer::details::data.chip.name, layer::details::data.chip.aic_cores, layer::details::data.chip.aiv_cores,
        s.tokens, moe::hidden, moe::experts, moe::expert_width, moe::top_k, moe::shared_width);
    if (s.explain) {
        say("{}\n", skt::report::explain<layer>(skt::report::style_for(stdout)));
    }

    stopwatch watch;
    say("[1/4] making inputs (seed {})...", s.seed);
    const moe::host_inputs host = moe::make_inputs(s.seed);
    emu::device_options options;
    options.trace = !s.report.empty();
    emu::device npu(options);
    npu.seed(s.schedule);
    const device_inputs in(npu, host);
    say(" {:.2f} s\n[2/4] unfused: each sub-kernel by itself (schedule {})\n", watch.seconds(), s.schedule);
    const device_outputs unfused_buffers(npu);
    const ledger unfused_book = run_unfused(npu, in, unfused_buffers, step);
    say("[3/4] fused: one launch\n");
    const device_outputs fused_buffers(npu);
    const ledger fused_book = run_fused(npu, in, fused_buffers, step);
    const moe::host_outputs unfused = unfused_buffers.get(s.tokens);
    const moe::host_outputs fused = fused_buffers.get(s.tokens);
    watch = stopwatch{};
    say("[4/4] the same in double precision...");
    const moe::reference_outputs reference = moe::reference_of(host, unfused, step);
    say(" {:.2f} s\n\n", watch.seconds());

    bool ok = true;
    const int findings = unfused_book.findings + fused_book.findings;
    if (findings > 0) {
        ok = false;
        say("FINDINGS OF THE EMULATOR: {}, see above\n", findings);
    }
    if (!(reference.worst_choice < 1e-2)) {
        ok = false;
        say("AN EXPERT WAS LEFT OUT whose score is {:.4f} above a chosen one's\n", reference.worst_choice);
    }
    if (!(reference.weight_error < 5e-3)) {
        ok = false;
        say("A ROUTING WEIGHT IS WRONG by {:.4f}\n", reference.weight_error);
    }
    ok = report_error("out", unfused.out, reference.out, s.tolerance) && ok;
    ok = report_error("next", unfused.next, reference.next, s.tolerance) && ok;

    using incumbent = layer::with<skt::sync<skt::sync_policy::every_pair>>;
    say("barriers: {} planned, {} with one at every pair, {} if the temp buffers shared bytes ({} instead of {} "
        "bytes)\n",
        skt::barrier_total(layer::counts), skt::barrier_total(incumbent::counts),
        skt::barrier_total(moe::layer_sharing_workspace::counts), moe::layer_sharing_workspace::workspace_bytes,
        layer::workspace_bytes);
    say("modelled time: {:.0f} us fused, {:.0f} us in {} launches (from assumed costs, not measured)\n",
        fused_book.modelled_ns / 1000, unfused_book.modelled_ns / 1000, unfused_book.launches);

    if (!s.report.empty()) {
        try {
            write_report(s.report, unfused_book, fused_book);
        } catch (const std::exception& e) { // a folder that cannot be written says nothing about the layer
            say("no report: {}\n", e.what());
        }
    }

    const std::size_t bits = different(fused.expert_of, unfused.expert_of) +
                             different(fused.weight_of, unfused.weight_of) + different(fused.out, unfused.out) +
                             different(fused.next, unfused.next);
    if (bits == 0) {
        say("fused equals unfused, bit for bit\n");
    } else {
        ok = false;
        say("FUSED DIFFERS FROM UNFUSED in {} elements\n", bits);
    }
    return ok;
}

} // namespace

int main(int argc, char** argv)
{
    settings s;
    try {
        s = parse(argc, argv);
    } catch (const std::exception& e) {
        fmt::print(stderr, "moe_decode: {}\n{}", e.what(), usage);
        return 2;
    }
    try {
        return run(s) ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const std::exception& e) {
        fmt::print(stderr, "\nmoe_decode: {}\n", e.what());
        return EXIT_FAILURE;
    }
}
