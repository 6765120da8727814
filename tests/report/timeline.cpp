#include <skt/report/chrome_trace.hpp>
#include <skt/report/schedule.hpp>
#include <skt/report/timeline_svg.hpp>

#include "wide.hpp"
#include "xml.hpp"

#include <catch.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace skt::report;

/// A fused run of two kernels on one cube and two vector cores, as the emulator would trace it.
skt::emu::run_result fused_run()
{
    skt::emu::run_result r;
    r.cores = wide::core_names(1, 2);
    r.virtual_ns = 9000;
    for (int c = 1; c < 3; ++c) {
        r.trace.push_back({c, "MTE2", "DataCopy", 5000, 5600, 0});
        r.trace.push_back({c, "V", "Add", 5600, 6000, 0});
        r.trace.push_back({c, "kernel", "norm", 5000, 6000, 0});
        r.trace.push_back({c, "flag", "set 12 mode 2", 6000, 6005, -1});
    }
    r.trace.push_back({0, "flag", "wait 12", 5000, 6505, -1});
    r.trace.push_back({0, "M", "Mmad", 6505, 9000, 1});
    r.trace.push_back({0, "kernel", "norm", 6505, 9000, 1}); // the same name again
    // The scalar unit reaches its next wait while the cube unit still works.
    r.trace.push_back({0, "flag", "wait 9", 6510, 9000, -1});
    return r;
}

std::vector<bar> of_kind(const timeline& t, bar_kind k)
{
    std::vector<bar> out;
    for (const bar& b : t.bars) {
        if (b.kind == k) {
            out.push_back(b);
        }
    }
    return out;
}

} // namespace

TEST_CASE("a fused run becomes bars by core")
{
    const skt::emu::run_result r = fused_run();
    const timeline t = timeline_of(r);
    CHECK(t.title == "fused");
    CHECK(t.kernels == std::vector<std::string>{"norm", "norm#2"});
    CHECK(t.ns == 9000);
    CHECK(t.launches == 1);
    CHECK(of_kind(t, bar_kind::kernel).size() == 3);
    CHECK(of_kind(t, bar_kind::instruction).size() == 5);
    CHECK(of_kind(t, bar_kind::set).size() == 2);
    REQUIRE(of_kind(t, bar_kind::launch).size() == 3);
    CHECK(of_kind(t, bar_kind::launch)[0].end == 5000);
    const std::vector<bar> waits = of_kind(t, bar_kind::wait);
    REQUIRE(waits.size() == 2);
    CHECK(waits[0].idle_from == 5000);
    CHECK(waits[1].start == 6510);
    CHECK(waits[1].idle_from == 9000); // the cube unit was busy all the time
    CHECK(std::is_sorted(t.bars.begin(), t.bars.end(), [](const bar& a, const bar& b) { return a.core < b.core; }));
}

TEST_CASE("launches one after the other share an axis and their cores")
{
    const skt::host::graph_data g = wide::layer();
    const skt::emu::run_result vector = wide::alone(g.kernels[0], 3000);
    const skt::emu::run_result cube = wide::alone(g.kernels[1], 6000);
    const timeline t = timeline_of({{"a", &vector}, {"b", &cube}, {"a", &vector}});
    CHECK(t.kernels == std::vector<std::string>{"a", "b", "a#2"});
    CHECK(t.launches == 3);
    CHECK(t.cores.size() == 4 + 48);
    CHECK(t.cores.front() == "aic0");
    CHECK(t.cores[4] == "aiv0");
    CHECK(t.cores.back() == "aiv47");
    CHECK(std::fabs(t.ns - (2 * vector.virtual_ns + cube.virtual_ns)) < 1e-6);
    for (const bar& b : of_kind(t, bar_kind::kernel)) {
        CHECK((b.core < 4) == (b.kernel == 1));
        if (b.kernel == 2) {
            CHECK(b.start >= vector.virtual_ns + cube.virtual_ns);
            CHECK(b.name == "a#2");
        }
    }
}

TEST_CASE("a kernel launched without the kit gets its bar from its first to its last instruction")
{
    skt::emu::run_result r;
    r.cores = wide::core_names(0, 1);
    r.virtual_ns = 5000;
    r.trace.push_back({0, "MTE2", "DataCopy", 4000, 4400, -1});
    r.trace.push_back({0, "V", "Add", 4400, 5000, -1});
    const timeline t = timeline_of({{"plain", &r}});
    const std::vector<bar> kernels = of_kind(t, bar_kind::kernel);
    REQUIRE(kernels.size() == 1);
    CHECK(kernels[0].name == "plain");
    CHECK(kernels[0].start == 4000);
    CHECK(kernels[0].end == 5000);
}

TEST_CASE("the trace has the format of chrome://tracing and holds every interval once")
{
    const skt::host::graph_data g = wide::layer();
    const skt::emu::run_result fused = fused_run();
    const skt::emu::run_result alone = wide::alone(g.kernels[1], 6000);
    const std::vector<timeline> runs{timeline_of(fused), timeline_of({{"router", &alone}})};
    const nlohmann::json j = nlohmann::json::parse(chrome_trace(runs));
    REQUIRE(j.at("traceEvents").is_array());
    CHECK(j.at("displayTimeUnit") == "ns");
    CHECK(j.at("otherData").at("time").get<std::string>().find("not measured") != std::string::npos);

    std::map<int, std::string> process;
    std::map<std::pair<int, int>, std::string> thread;
    std::multiset<std::tuple<std::string, std::string, std::string, long, long>> got;
    for (const nlohmann::json& e : j.at("traceEvents")) {
        REQUIRE(e.at("pid").is_number_integer());
        REQUIRE(e.at("tid").is_number_integer());
        const int pid = e.at("pid");
        const int tid = e.at("tid");
        if (e.at("ph") == "M") {
            if (e.at("name") == "process_name") {
                CHECK(process.emplace(pid, e.at("args").at("name")).second);
            } else if (e.at("name") == "thread_name") {
                CHECK(thread.emplace(std::pair{pid, tid}, e.at("args").at("name")).second);
            }
            continue;
        }
        REQUIRE(e.at("ph") == "X");
        REQUIRE(e.at("ts").is_number());
        REQUIRE(e.at("dur").is_number());
        REQUIRE(e.at("dur").get<double>() >= 0);
        REQUIRE(process.count(pid) == 1);
        REQUIRE(thread.count({pid, tid}) == 1);
        got.emplace(process[pid], thread[{pid, tid}], e.at("name"), std::lround(e.at("ts").get<double>() * 1000),
                    std::lround(e.at("dur").get<double>() * 1000));
    }
    std::multiset<std::tuple<std::string, std::string, std::string, long, long>> wanted;
    for (const timeline& t : runs) {
        for (const bar& b : t.bars) {
            wanted.emplace(t.title + " " + t.cores[static_cast<std::size_t>(b.core)], b.lane, b.name,
                           std::lround(b.start), std::lround(b.end - b.start));
        }
    }
    CHECK(got == wanted);
    // What the emulator traced, and a launch bar per core.
    CHECK(got.size() == fused.trace.size() + fused.cores.size() + alone.trace.size() + alone.cores.size());
}

TEST_CASE("the drawing of a timeline is well formed and has a row for each core")
{
    const skt::host::graph_data g = wide::layer();
    const skt::host::planned p = skt::host::plan(g.view());
    std::vector<skt::emu::run_result> alone;
    for (const skt::kernel_desc& k : g.kernels) {
        alone.push_back(wide::alone(k, 3000));
    }
    std::vector<kernel_run> runs;
    for (std::size_t k = 0; k < alone.size(); ++k) {
        runs.push_back({g.kernels[k].name, &alone[k]});
    }
    const timeline fused = modelled_schedule(g.view(), p, emulated_times(g.view(), runs));
    const std::vector<timeline> both{fused, timeline_of(runs)};
    REQUIRE(fused.cores.size() == 72);
    REQUIRE(both[1].cores.size() == 72);
    const std::vector<xml::element> e = xml::read(timeline_svg(both));
    CHECK(xml::all(e, "g", "timeline").size() == 2);
    int rows = 0;
    for (const xml::element& t : xml::all(e, "text", "core")) {
        rows += t.text.rfind("ai", 0) == 0 ? 1 : 0;
    }
    CHECK(rows == 2 * 72);
    CHECK(xml::all(e, "rect", "bar").size() == 2 * 12);
    CHECK(xml::all(e, "rect", "wait").size() >= 72);
    CHECK(xml::all(e, "rect", "launch").size() >= 72 + alone.size());
    // One scale: a nanosecond is as wide above as below.
    const auto width_of = [&e](const char* title) {
        for (std::size_t i = 0; i < e.size(); ++i) {
            if (e[i].is("bar")) {
                for (const xml::element& t : xml::children(e, i, "title")) {
                    if (t.text.rfind(title, 0) == 0) {
                        return e[i].number("width");
                    }
                }
            }
        }
        return -1.0;
    };
    CHECK(width_of("count: ") > 0);
    // Rows do not overlap and lie inside the drawing.
    double last = 0;
    for (const xml::element& t : xml::all(e, "text", "core")) {
        if (t.text.rfind("ai", 0) == 0) {
            CHECK(t.number("y") >= last + 9);
            last = t.number("y");
        }
    }
    CHECK(last < e[0].number("height"));
    // Labels end where the chart begins.
    for (const xml::element& t : xml::all(e, "text", "label")) {
        if (t.attributes.count("text-anchor") != 0) {
            CHECK(t.number("x") - text_width(t.text, 11) >= 0);
        }
    }
}

TEST_CASE("both runs of a drawing have one scale")
{
    const skt::host::graph_data g = wide::layer();
    const skt::emu::run_result once = wide::alone(g.kernels[0], 3000);
    const std::vector<xml::element> e = xml::read(
        timeline_svg({timeline_of({{"a", &once}}, "short"), timeline_of({{"a", &once}, {"b", &once}}, "long")}));
    const std::vector<xml::element> bars = xml::all(e, "rect", "bar");
    REQUIRE(bars.size() == 3);
    CHECK(bars[0].number("width") == bars[1].number("width"));
    CHECK(bars[0].number("x") == bars[1].number("x"));
    CHECK(bars[2].number("x") > bars[1].number("x") + bars[1].number("width"));
}

TEST_CASE("a wait is hatched only while the core has nothing to do")
{
    const skt::emu::run_result r = fused_run();
    const std::vector<xml::element> e = xml::read(timeline_svg({timeline_of(r)}));
    const std::vector<xml::element> waits = xml::all(e, "rect", "wait");
    REQUIRE(waits.size() == 2); // one, and the legend's
    CHECK(xml::all(e, "pattern").size() == 1);
}
