#include <skt/report/predict.hpp>

#include "layer.hpp"
#include "wide.hpp"

#include <catch.hpp>

#include <cmath>
#include <string>

namespace {

using namespace skt::report;

bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}
/// The line of `text` that begins with `name`, its runs of blanks as one.
std::string line_of(const std::string& text, const std::string& name)
{
    std::size_t at = text.find("\n  " + name + ' ');
    if (at == std::string::npos) {
        return {};
    }
    std::string out;
    for (at += 3; text[at] != '\n'; ++at) {
        if (text[at] != ' ' || out.back() != ' ') {
            out += text[at];
        }
    }
    return out;
}
bool near(double a, double b)
{
    return std::fabs(a - b) < 1e-6 * std::max(1.0, std::fabs(b));
}

/// Two vector kernels that declare nothing: ordered and flushed around.
skt::host::graph_data opaque_pair()
{
    skt::host::graph_data g;
    for (const char* name : {"first", "second"}) {
        g.add_kernel(name, skt::kernel_type::aiv_only, 48);
        g.kernels.back().opaque = true;
    }
    g.place_workspace();
    return g;
}

skt::emu::cost_table plain_costs()
{
    skt::emu::cost_table c;
    c.start_skew = 0;
    c.issue = 0;
    return c;
}

} // namespace

TEST_CASE("a plan is played with the costs of its steps")
{
    skt::host::graph_data g;
    const int x = g.add_buffer("x");
    g.add_kernel("a", skt::kernel_type::aiv_only, 48);
    g.add_effect(x, skt::access::out);
    g.add_kernel("b", skt::kernel_type::aiv_only, 48);
    g.add_effect(x, skt::access::in);
    g.place_workspace();
    const skt::host::planned p = skt::host::plan(g.view());
    std::vector<kernel_time> times = nominal_times(g.view(), 1000);
    times[1].ns[1] = 3000;
    const skt::emu::cost_table c = plain_costs();
    // Launch, a, flag, drain, b.
    CHECK(near(modelled_ns(g.view(), p, times, c), c.launch + 1000 + c.cross_core_flag + c.drain + 3000));
    const timeline t = modelled_schedule(g.view(), p, times, c);
    CHECK(near(t.ns, modelled_ns(g.view(), p, times, c)));
    CHECK(t.kernels == std::vector<std::string>{"a", "b"});
    CHECK(t.cores.size() == 48);
}

TEST_CASE("cube and vector kernels without a hazard overlap in the schedule")
{
    skt::host::graph_data g;
    const int x = g.add_buffer("x");
    const int y = g.add_buffer("y");
    g.add_kernel("cube", skt::kernel_type::aic_only, 24);
    g.add_effect(x, skt::access::out);
    g.add_kernel("vector", skt::kernel_type::aiv_only, 48);
    g.add_effect(y, skt::access::out);
    g.place_workspace();
    const skt::host::planned p = skt::host::plan(g.view());
    const skt::emu::cost_table c = plain_costs();
    CHECK(near(modelled_ns(g.view(), p, nominal_times(g.view(), 5000), c), c.launch + c.launch_mix_extra + 5000));
    predict_options o;
    o.cost = c;
    const prediction r = predict(g.view(), p, nominal_times(g.view(), 5000), o);
    CHECK(near(r.overlap, 5000));
    CHECK(r.says == verdict::fuse);
    CHECK(has(r.because, "cube and vector kernels overlap for 5.0 µs"));
}

TEST_CASE("fusing wins where launches cost more than barriers")
{
    const skt::host::graph_data g = wide::layer();
    const skt::host::planned p = skt::host::plan(g.view());
    const prediction r = predict(g.view(), p, nominal_times(g.view(), 3000));
    CHECK(r.says == verdict::fuse);
    CHECK(r.fused < r.stream);
    CHECK(r.fused <= r.every_pair);
    CHECK(has(r.because, "in 12 launches one after the other: "));
    // What it changes adds up to the difference.
    CHECK(std::fabs((r.stream - r.saved_launches - r.overlap + r.sync + r.flush) - r.fused) < 1);
}

TEST_CASE("fusing loses where flushes cost more than the launch they save, and it is said so")
{
    const skt::host::graph_data g = opaque_pair();
    const skt::host::planned p = skt::host::plan(g.view());
    const std::vector<kernel_time> times = nominal_times(g.view(), 3000);
    const prediction r = predict(g.view(), p, times);
    CHECK(r.fused > r.stream);
    double flushes = 0;
    for (const flush_reason& f : flush_reasons_of(g.view(), p)) {
        flushes += 300 + (f.after ? 2000 : 0);
    }
    CHECK(near(r.flush, flushes));
    CHECK(flushes > 4000);
    CHECK(r.says == verdict::do_not_fuse);
    CHECK(has(r.because, "cache flushes cost "));
    CHECK(has(r.because, "2 sub-kernels declare no data and are flushed around"));
    const std::string text = to_text(prediction_document(g.view(), r, times));
    CHECK(has(text, "do not fuse: fused "));
    CHECK(has(text, "modelled, not measured"));
}

TEST_CASE("against a captured graph the gaps are all there is to save")
{
    skt::host::graph_data g;
    const int x = g.add_buffer("x");
    for (const char* name : {"a", "b", "c"}) {
        g.add_kernel(name, skt::kernel_type::aiv_only, 48);
        g.add_effect(x, skt::access::inout);
    }
    g.place_workspace();
    const skt::host::planned p = skt::host::plan(g.view());
    const std::vector<kernel_time> times = nominal_times(g.view(), 1000);
    predict_options o;
    o.against = unfused_as::graph;
    o.cost.cross_core_flag = 2000; // slow flags
    const prediction slow = predict(g.view(), p, times, o);
    CHECK(slow.says == verdict::do_not_fuse);
    CHECK(has(slow.because, "in a captured graph"));
    CHECK(has(slow.because, "its 2 barriers and 2 drains cost "));
    o.against = unfused_as::stream;
    const prediction stream = predict(g.view(), p, times, o);
    CHECK(stream.says == verdict::fuse);
    REQUIRE(stream.notes.size() == 1);
    CHECK(has(stream.notes[0], "against that, do not fuse"));
    o.against = unfused_as::graph;
    o.cost.cross_core_flag = 500 - o.cost.issue * 2; // a flag and a drain cost what a gap costs
    CHECK(predict(g.view(), p, times, o).says == verdict::tie);
}

TEST_CASE("one launch of both sides may cost more than it saves")
{
    skt::host::graph_data g;
    const int x = g.add_buffer("x");
    g.add_kernel("cube", skt::kernel_type::aic_only, 24);
    g.add_effect(x, skt::access::out);
    g.add_kernel("vector", skt::kernel_type::aiv_only, 48);
    g.add_effect(x, skt::access::in);
    g.place_workspace();
    predict_options o;
    o.cost.launch = 500;
    o.cost.launch_mix_extra = 5000;
    const prediction r = predict(g.view(), skt::host::plan(g.view()), nominal_times(g.view(), 1000), o);
    CHECK(r.says == verdict::do_not_fuse);
    CHECK(has(r.because, "one launch of both cube and vector cores costs "));
}

TEST_CASE("measured times replace modelled ones and are named so")
{
    const skt::host::graph_data g = wide::layer();
    std::vector<skt::emu::run_result> alone;
    std::vector<kernel_run> runs;
    for (const skt::kernel_desc& k : g.kernels) {
        alone.push_back(wide::alone(k, 3000));
    }
    for (std::size_t k = 0; k < alone.size(); ++k) {
        runs.push_back({g.kernels[k].name, &alone[k]});
    }
    std::vector<kernel_time> times = emulated_times(g.view(), runs);
    CHECK(near(times[0].ns[1], 3000));
    CHECK(times[0].ns[0] == 0);
    CHECK(near(times[8].ns[0], 3000));
    const double before = modelled_ns(g.view(), skt::host::plan(g.view()), times);
    set_measured(times, g.view(), 5, 50000);
    CHECK(near(times[5].ns[0], 50000));
    CHECK(modelled_ns(g.view(), skt::host::plan(g.view()), times) > before + 40000);
    const prediction r = predict(g.view(), skt::host::plan(g.view()), times);
    const std::string text = to_text(prediction_document(g.view(), r, times));
    CHECK(line_of(text, "gate_up") == "gate_up 50.0 µs - measured");
    CHECK(line_of(text, "rms_norm") == "rms_norm - 3.0 µs emulated");
}

TEST_CASE("the emulator's own run decides where all times are the emulator's")
{
    const skt::host::graph_data g = opaque_pair();
    const skt::host::planned p = skt::host::plan(g.view());
    std::vector<kernel_time> times = nominal_times(g.view(), 3000);
    predict_options o;
    o.emulated_fused_ns = 8000;
    CHECK(predict(g.view(), p, times, o).says == verdict::do_not_fuse);
    for (kernel_time& t : times) {
        t.source = time_source::emulated;
    }
    CHECK(predict(g.view(), p, times, o).says == verdict::fuse);
}

TEST_CASE("a long narrow kernel and code beyond the instruction cache are noted")
{
    const skt::host::graph_data g = wide::layer();
    const skt::host::planned p = skt::host::plan(g.view());
    std::vector<kernel_time> times = nominal_times(g.view(), 2000);
    times[3].ns[1] = 20000;
    predict_options o;
    o.code.assign(12, {4 << 10, 1 << 10});
    const prediction r = predict(g.view(), p, times, o);
    REQUIRE(r.notes.size() >= 2);
    CHECK(has(r.notes[0], "count runs on 1 of the 72 launched cores"));
    CHECK(has(r.notes[1], "the AIC side has 48 KiB of code and its instruction cache 32 KiB"));
    for (const std::string& n : predict(g.view(), p, nominal_times(g.view(), 2000)).notes) {
        CHECK_FALSE(has(n, "launched cores"));
        CHECK_FALSE(has(n, "KiB"));
    }
}

TEST_CASE("every assumption is listed")
{
    const std::vector<kernel_time> times = nominal_times(named_graph<layer::super>().view(), 2000);
    const std::string text = prediction_text<layer::super>(times);
    CHECK(has(text, "launch on a stream 4.0 µs, on both sides 1.0 µs more"));
    CHECK(has(text, "cross-core flag 500 ns from set to wait, drain 300 ns"));
    CHECK(has(text, "cache flush 300 ns, with dirty lines 2.0 µs more, one line 200 ns"));
    CHECK(line_of(text, "rms_norm") == "rms_norm - 2.0 µs nominal");
}
