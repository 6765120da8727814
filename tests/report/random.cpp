// Reports of random graphs with every feature: nothing is left unexplained, every drawing is well formed.
#include <skt/report/dot.hpp>
#include <skt/report/explain.hpp>
#include <skt/report/flow_svg.hpp>
#include <skt/report/html.hpp>
#include <skt/report/markdown.hpp>
#include <skt/report/predict.hpp>
#include <skt/report/timeline_svg.hpp>

#include "../plan/graphs.hpp"
#include "xml.hpp"

#include <catch.hpp>

#include <string>

namespace {

bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("every barrier, hazard and flush of a random plan has its reason")
{
    for (unsigned seed = 0; seed < 400; ++seed) {
        skt::test::flavour f;
        f.most_kernels = 9;
        skt::host::graph_data data = skt::test::graph_maker(seed, f).make();
        for (const skt::sync_policy policy : {skt::sync_policy::planned, skt::sync_policy::every_pair}) {
            data.policy.sync = policy;
            const skt::graph g = data.view();
            const skt::host::planned p = skt::host::plan(g);
            const auto findings = skt::host::prove(g, p.view());
            const bool unordered = std::any_of(findings.begin(), findings.end(), [](const skt::finding& x) {
                return x.broken == skt::rule::unordered_hazard;
            });
            const std::string text = skt::report::explain(g, p);
            INFO("seed " << seed << "\n" << text);
            CHECK(has(text, "NOT ORDERED") == unordered);
            CHECK_FALSE(has(text, "nothing declared asks for it"));
            CHECK_FALSE(has(text, "it keeps flag ids apart"));
            CHECK_FALSE(has(text, "?"));
            if (policy == skt::sync_policy::planned && !p.fell_back) {
                CHECK_FALSE(has(text, "no hazard needs it"));
            }
        }
    }
}

TEST_CASE("every output of a random plan is well formed")
{
    for (unsigned seed = 0; seed < 150; ++seed) {
        skt::test::flavour f;
        f.least_kernels = 1;
        f.most_kernels = 12;
        const skt::host::graph_data data = skt::test::graph_maker(1000 + seed, f).make();
        const skt::graph g = data.view();
        const skt::host::planned p = skt::host::plan(g);
        INFO("seed " << seed);
        const auto flow = xml::read(skt::report::flow_svg(g, p));
        CHECK(xml::all(flow, "g", "kernel").size() == static_cast<std::size_t>(g.kernel_count));
        CHECK(xml::all(flow, "text", "bartext").size() == p.barriers.size());
        const auto times = skt::report::nominal_times(g, 1000);
        const skt::report::timeline t = skt::report::modelled_schedule(g, p, times);
        const auto drawn = xml::read(skt::report::timeline_svg({t}));
        CHECK(xml::all(drawn, "rect", "bar").size() == static_cast<std::size_t>(g.kernel_count));
        CHECK(has(skt::report::dot(g, p), "digraph"));
        CHECK(has(skt::report::markdown(g, p), "## counts"));
        // A page is no XML as a whole, but its report part is.
        CHECK_FALSE(xml::read("<div>" + skt::report::to_html(skt::report::summary_of(g, p)) + "</div>").empty());
        const skt::report::prediction r = skt::report::predict(g, p, times);
        CHECK(r.fused > 0);
        CHECK(r.because.size() > 20);
        CHECK(std::abs((r.stream - r.saved_launches - r.overlap + r.sync + r.flush) - r.fused) < 1);
    }
}
