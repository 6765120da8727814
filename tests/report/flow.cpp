#include <skt/report/dot.hpp>
#include <skt/report/flow_svg.hpp>
#include <skt/report/layered.hpp>
#include <skt/report/markdown.hpp>

#include "layer.hpp"
#include "wide.hpp"
#include "xml.hpp"

#include <catch.hpp>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace {

std::size_t count(const std::string& text, const std::string& part)
{
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++n;
    }
    return n;
}

struct box {
    double left, top, right, bottom;
};
bool meet(const box& a, const box& b)
{
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
box box_of(const xml::element& e)
{
    return {e.number("x"), e.number("y"), e.number("x") + e.number("width"), e.number("y") + e.number("height")};
}

/// The edges of a flow graph as "from>to".
std::vector<std::string> edges_of(const skt::graph& g, const skt::report::flow_graph& f)
{
    const auto name = [&](int n) {
        const skt::report::flow_node& x = f.nodes[static_cast<std::size_t>(n)];
        return x.is_kernel ? skt::report::kernel_text(g, x.index) : skt::report::buffer_text(g, x.index);
    };
    std::vector<std::string> out;
    for (const skt::report::flow_edge& e : f.edges) {
        out.push_back(name(e.from) + (e.kind == skt::report::flow_kind::order ? "~" : ">") + name(e.to));
    }
    return out;
}

bool holds(const std::vector<std::string>& list, const std::string& what)
{
    return std::find(list.begin(), list.end(), what) != list.end();
}

} // namespace

TEST_CASE("the data flow has a node for each version of a buffer")
{
    const skt::report::named_graph_data g = skt::report::named_graph<layer::super>();
    const skt::report::flow_graph f = skt::report::flow_of(g.view(), skt::report::planned_of<layer::super>());
    const std::vector<std::string> edges = edges_of(g.view(), f);
    CHECK(holds(edges, "x>rms_norm"));
    CHECK(holds(edges, "rms_norm>h"));
    CHECK(holds(edges, "h>quantise"));
    CHECK(holds(edges, "quantise>h"));
    CHECK(holds(edges, "h>matmul"));
    CHECK(holds(edges, "offsets>combine"));
    CHECK_FALSE(holds(edges, "rms_norm~quantise"));
    int versions_of_h = 0;
    for (const auto& n : f.nodes) {
        versions_of_h += !n.is_kernel && skt::report::buffer_text(g.view(), n.index) == "h" ? 1 : 0;
    }
    CHECK(versions_of_h == 2);
}

TEST_CASE("accumulations add to one version, overwriting is order without data")
{
    using skt::access;
    skt::host::graph_data g;
    const int sum = g.add_buffer("sum");
    for (const char* name : {"first", "second"}) {
        g.add_kernel(name, skt::kernel_type::aiv_only, 8);
        g.add_effect(sum, access::accumulate);
    }
    g.add_kernel("reader", skt::kernel_type::aiv_only, 8);
    g.add_effect(sum, access::in);
    g.add_kernel("clear", skt::kernel_type::aiv_only, 8);
    g.add_effect(sum, access::out);
    g.place_workspace();
    const skt::host::planned p = skt::host::plan(g.view());
    const skt::report::flow_graph f = skt::report::flow_of(g.view(), p);
    const std::vector<std::string> edges = edges_of(g.view(), f);
    CHECK(std::count(edges.begin(), edges.end(), "sum>first") == 1);
    CHECK(std::count(edges.begin(), edges.end(), "sum>second") == 1);
    CHECK(holds(edges, "first>sum"));
    CHECK(holds(edges, "second>sum"));
    CHECK(holds(edges, "sum>reader"));
    CHECK(holds(edges, "reader~clear"));
    CHECK_FALSE(holds(edges, "first~second"));
    int read_by[2] = {-1, -2};
    for (const skt::report::flow_edge& e : f.edges) {
        if (e.to < 2) {
            read_by[e.to] = e.from;
        }
    }
    CHECK(read_by[0] == read_by[1]); // both add to what was there, neither to what the other made
    CHECK(f.nodes.size() == 4 + 3);  // what was there, the sum, the cleared
}

TEST_CASE("spreading keeps order and distance and moves as little as it can")
{
    const std::vector<double> got = skt::report::detail::spread({5, 5, 5}, {2, 2});
    REQUIRE(got.size() == 3);
    CHECK(std::fabs(got[0] - 3) < 1e-9);
    CHECK(std::fabs(got[1] - 5) < 1e-9);
    CHECK(std::fabs(got[2] - 7) < 1e-9);
    CHECK(skt::report::detail::spread({0, 10}, {2}) == std::vector<double>{0, 10});
}

TEST_CASE("a crossing that can be avoided is avoided")
{
    skt::report::layered_input in;
    in.nodes = {{0, 10}, {0, 10}, {1, 10}, {1, 10}};
    in.edges = {{0, 3}, {1, 2}};
    const skt::report::layered_places p = skt::report::place_layers(in);
    CHECK((p.centre[0] < p.centre[1]) == (p.centre[3] < p.centre[2]));
}

TEST_CASE("the drawing of the data flow is well formed, complete and free of overlaps")
{
    const skt::host::graph_data data = wide::layer();
    const skt::graph g = data.view();
    for (const skt::sync_policy policy : {skt::sync_policy::planned, skt::sync_policy::every_pair}) {
        skt::graph chosen = g;
        chosen.policy.sync = policy;
        const skt::host::planned p = skt::host::plan(chosen);
        const std::string svg = skt::report::flow_svg(chosen, p);
        const std::vector<xml::element> e = xml::read(svg);
        CHECK(xml::all(e, "g", "kernel").size() == 12);
        std::size_t barrier_lines = xml::all(e, "text", "bartext").size();
        CHECK(barrier_lines == p.barriers.size());

        std::vector<box> boxes;
        for (std::size_t i = 0; i < e.size(); ++i) {
            if (e[i].is("kernel") || e[i].is("pill")) {
                const box b = box_of(xml::children(e, i, "rect").at(0));
                for (const box& other : boxes) {
                    CHECK_FALSE(meet(b, other));
                }
                boxes.push_back(b);
                for (const xml::element& t : xml::children(e, i, "text")) {
                    const double half = skt::report::text_width(t.text, t.is("name")   ? 13
                                                                        : t.is("kind") ? 10.5
                                                                                       : 11) /
                                        2;
                    CHECK(t.number("x") - half >= b.left);
                    CHECK(t.number("x") + half <= b.right);
                }
            }
        }
        const double width = e[0].number("width");
        const double height = e[0].number("height");
        for (const box& b : boxes) {
            CHECK(b.left >= 0);
            CHECK(b.right <= width);
            CHECK(b.bottom <= height);
            for (const xml::element& band : xml::all(e, "rect", "band")) {
                if (band.attributes.count("height") != 0 && band.number("height") > 12) {
                    CHECK_FALSE(meet(b, box_of(band)));
                }
            }
        }
    }
}

TEST_CASE("tooltips of the drawing answer why")
{
    const std::string svg = skt::report::flow_svg<layer::super>();
    CHECK(svg.find("because matmul reads h, which quantise reads and writes (raw, AIV to AIC)") != std::string::npos);
    CHECK(svg.find("block by block") == std::string::npos); // no band where there is no barrier
    CHECK(svg.find("quantise reads and writes h, which rms_norm writes (waw, AIV to AIV): on the same core") !=
          std::string::npos);
    CHECK(svg.find("prefers-color-scheme: dark") != std::string::npos);
}

TEST_CASE("the drawing escapes names")
{
    const skt::host::graph_data data = wide::layer();
    const std::string svg = skt::report::flow_svg(data.view(), skt::host::plan(data.view()));
    CHECK(svg.find("gate &amp; up &lt;weights&gt;") != std::string::npos);
    CHECK(svg.find("<weights>") == std::string::npos);
}

TEST_CASE("many kernels and opaque ones can be drawn")
{
    skt::host::graph_data g;
    for (int k = 0; k < 60; ++k) {
        g.add_kernel("k" + std::to_string(k), k % 3 == 0 ? skt::kernel_type::aic_only : skt::kernel_type::aiv_only, 8);
    }
    for (skt::kernel_desc& k : g.kernels) {
        k.opaque = true;
    }
    g.place_workspace();
    const std::vector<xml::element> e = xml::read(skt::report::flow_svg(g.view(), skt::host::plan(g.view())));
    CHECK(xml::all(e, "g", "kernel").size() == 60);
    CHECK(xml::all(e, "path", "order").size() >= 59);
}

TEST_CASE("a kernel that does not wait is drawn beside what it runs beside")
{
    const skt::host::graph_data data = wide::layer();
    const skt::graph g = data.view();
    skt::host::planned p = skt::host::plan(g);
    // The vector side may wait already while the cube side runs a kernel that does not.
    int moved = 0;
    for (skt::barrier& b : p.barriers) {
        if (b.wait_at == 8 && target_of(b.kind) == skt::side::aiv) {
            b.arrive_at = 7;
            b.wait_at = 7;
            ++moved;
        }
    }
    REQUIRE(moved > 0);
    const std::vector<xml::element> e = xml::read(skt::report::flow_svg(g, p));
    double vector = -1;
    double cube = -2;
    for (std::size_t i = 0; i < e.size(); ++i) {
        if (e[i].is("kernel")) {
            const std::string name = xml::children(e, i, "text").at(0).text;
            const double y = xml::children(e, i, "rect").at(0).number("y");
            vector = name.find("swiglu_quant") != std::string::npos ? y : vector;
            cube = name.find("shared_expert") != std::string::npos ? y : cube;
        }
    }
    CHECK(vector == cube);
}

TEST_CASE("an edge that would pass very many layers is cut and its buffer drawn again")
{
    using skt::access;
    skt::host::graph_data g;
    const int kept = g.add_buffer("kept");
    int last = kept;
    for (int k = 0; k < 40; ++k) {
        g.add_kernel("k" + std::to_string(k), skt::kernel_type::aiv_only, 8);
        g.add_effect(last, access::in);
        if (k == 39) {
            g.add_effect(kept, access::in);
        }
        last = g.add_buffer("b" + std::to_string(k));
        g.add_effect(last, access::out);
    }
    g.place_workspace();
    const std::vector<xml::element> e = xml::read(skt::report::flow_svg(g.view(), skt::host::plan(g.view())));
    CHECK(xml::all(e, "g", "again").size() == 1);
    CHECK(xml::all(e, "g", "pill").size() == 42);
}

TEST_CASE("the Graphviz text names every kernel, version and barrier once")
{
    const std::string text = skt::report::dot<layer::super>();
    CHECK(text.rfind("digraph super_kernel {", 0) == 0);
    CHECK(count(text, "shape=box") == 5);
    CHECK(count(text, "shape=hexagon") == 4);
    CHECK(count(text, "label=\"0: rms_norm\\naiv_only x 48\"") == 1);
    CHECK(count(text, "label=\"barrier 1\\naiv_to_aic, flag 10\"") == 1);
    CHECK(count(text, "label=\"h\"") == 2);
    CHECK(count(text, "{") == count(text, "}"));
    const skt::host::graph_data data = wide::layer();
    CHECK(count(skt::report::dot(data.view(), skt::host::plan(data.view())), "shape=box") == 12);
}

TEST_CASE("Markdown says the same as text")
{
    const std::string text = skt::report::markdown<layer::super>();
    CHECK(text.rfind("# super kernel of 5 sub-kernels for atlas\\_a2\\_24\n", 0) == 0);
    CHECK(count(text, "\n## ") == 7);
    CHECK(count(text, "- `rms_norm` -> `quantise`\n  - **no barrier**: each core needs only what it did itself\n") ==
          1);
    CHECK(count(text, "    - because `matmul` reads `h`, which `quantise` reads and writes (raw, AIV to AIC)\n") == 1);
    CHECK(count(text, "| this plan | 1 | 1 | 1 | 1 | 4 | 1 | 4 | 0 |\n") == 1);
    CHECK(count(text, "```") == 4);
}
