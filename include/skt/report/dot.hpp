/// @file
/// The data-flow graph with its barriers in Graphviz' language. Host only.
#pragma once

#include <skt/report/flow.hpp>
#include <skt/report/subject.hpp>

#include <fmt/format.h>

#include <string>

namespace skt::report {

namespace detail {

inline std::string dot_quoted(const std::string& text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '\n') {
            out += "\\n";
            continue;
        }
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        out += c;
    }
    return out + '"';
}

inline const char* side_colour(const kernel_desc& k)
{
    return is_mix(k.type) ? "#7c5cc4" : runs_on(k.type, side::aic) ? "#b7791f" : "#2b6cb0";
}

} // namespace detail

/// Draws a plan of `g` for `dot -Tsvg`: kernels as boxes, versions of buffers as ellipses, barriers as hexagons between
/// the kernel behind which cores arrive and the kernel before which they wait. Dashed: order without data.
inline std::string dot(const graph& g, const host::planned& p)
{
    const flow_graph f = flow_of(g, p);
    std::string out = "digraph super_kernel {\n"
                      "  graph [rankdir=TB, fontname=\"sans-serif\", bgcolor=\"transparent\"];\n"
                      "  node [fontname=\"sans-serif\", fontsize=11];\n"
                      "  edge [color=\"#718096\"];\n";
    for (std::size_t i = 0; i < f.nodes.size(); ++i) {
        const flow_node& n = f.nodes[i];
        if (n.is_kernel) {
            const kernel_desc& k = g.kernels[n.index];
            out += fmt::format(
                "  n{} [shape=box, style=\"rounded,filled\", fillcolor=\"{}\", fontcolor=white, label={}];\n", i,
                detail::side_colour(k),
                detail::dot_quoted(
                    fmt::format("{}: {}\n{} x {}", n.index, kernel_text(g, n.index), to_string(k.type), k.blocks)));
        } else {
            out += fmt::format("  n{} [shape=ellipse, style=\"filled{}\", fillcolor=\"#e2e8f0\", label={}];\n", i,
                               n.given ? ",dashed" : "", detail::dot_quoted(buffer_text(g, n.index)));
        }
    }
    for (const flow_edge& e : f.edges) {
        out += fmt::format("  n{} -> n{}{};\n", e.from, e.to, e.kind == flow_kind::order ? " [style=dashed]" : "");
    }
    for (std::size_t b = 0; b < p.barriers.size(); ++b) {
        const barrier& x = p.barriers[b];
        out += fmt::format("  b{} [shape=hexagon, style=filled, fillcolor=\"#f6ad55\", label={}];\n", b,
                           detail::dot_quoted(fmt::format("barrier {}\n{}, flag {}", b, to_string(x.kind), x.flag)));
        if (x.arrive_at > 0) {
            out += fmt::format("  n{} -> b{} [color=\"#dd6b20\", penwidth=2];\n", x.arrive_at - 1, b);
        }
        if (x.wait_at < g.kernel_count) {
            out += fmt::format("  b{} -> n{} [color=\"#dd6b20\", penwidth=2];\n", b, x.wait_at);
        }
    }
    return out + "}\n";
}

/// Draws a `SuperKernel` type for Graphviz.
template <class SK>
std::string dot()
{
    const named_graph_data g = named_graph<SK>();
    return dot(g, planned_of<SK>());
}

} // namespace skt::report
