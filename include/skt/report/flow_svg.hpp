/// @file
/// The data-flow graph with its barriers as a self-contained SVG. Host only.
///
/// From top to bottom: layers of kernels (boxes) and of versions of buffers (pills). Between two groups of kernels that
/// a wait separates lies a band; the margin beside it names its barriers.
#pragma once

#include <skt/report/flow.hpp>
#include <skt/report/layered.hpp>
#include <skt/report/subject.hpp>
#include <skt/report/svg.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace skt::report {

namespace detail {

/// Draws one plan.
class flow_drawing {
public:
    flow_drawing(const graph& g, const host::planned& p) : g_(g), p_(p), f_(flow_of(g, p)) {}

    std::string draw()
    {
        find_gates();
        find_layers();
        shorten_edges();
        find_sizes();
        layered_input in;
        for (std::size_t i = 0; i < f_.nodes.size(); ++i) {
            in.nodes.push_back({layer_[i], width_[i]});
        }
        for (const flow_edge& e : f_.edges) {
            in.edges.push_back({e.from, e.to});
        }
        places_ = place_layers(in);
        find_ends();
        find_rows();
        const double width = std::max(margin_ + places_.width + 24, 560.0);
        const double height = bottom_ + legend_height;
        std::string out = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
            "{1:.0f}\" role=\"img\" aria-label=\"data flow of a super kernel\">\n<style>{2}{3}</style>\n",
            width, height, palette_css(), css());
        out += fmt::format("<rect class=\"bg\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", width, height);
        out += fmt::format("<text class=\"title\" x=\"16\" y=\"26\">{}</text>\n",
                           xml_escape(fmt::format("{} sub-kernels, {}", g_.kernel_count, launch_text(p_.launch))));
        draw_bands(out, width);
        draw_edges(out);
        draw_nodes(out);
        draw_legend(out, bottom_ + 8);
        return out + "</svg>\n";
    }

private:
    static constexpr double kernel_height = 44;
    static constexpr double pill_height = 20;
    static constexpr double layer_gap = 22;
    static constexpr double bar_line = 15;
    static constexpr double top = 44;
    static constexpr double legend_height = 56;
    static constexpr int longest_edge = 48; ///< Layers.

    static std::string css()
    {
        return "text{font-family:system-ui,'DejaVu Sans',sans-serif;fill:var(--ink)}.bg{fill:var(--bg)}"
               ".title{font-size:15px;font-weight:600}.soft{fill:var(--soft);font-size:11px}"
               ".kernel rect{stroke-width:1.5}.kernel text{fill:var(--onkernel)}.name{font-size:13px;font-weight:600}"
               ".kind{font-size:10.5px}"
               ".cube{fill:var(--cube);stroke:var(--cube)}.vector{fill:var(--vector);stroke:var(--vector)}"
               ".mix{fill:var(--mix);stroke:var(--mix)}"
               ".pill rect{fill:var(--pill);stroke:var(--line)}.pill text{font-size:11px}"
               ".again rect{fill:var(--bg);stroke-dasharray:1 2}.given rect{fill:var(--bg);stroke-dasharray:3 "
               "2}.result rect{stroke:var(--ink);stroke-width:1.5}"
               ".edge{fill:none;stroke:var(--soft);stroke-width:1.2}.order{stroke-dasharray:4 3}"
               ".synced{stroke:var(--bar);stroke-width:1.6}"
               ".head{fill:var(--soft)}.head.synced{fill:var(--bar);stroke:none}"
               ".band{fill:var(--barfill);stroke:var(--bar);stroke-width:1}"
               ".bartext{font-size:11px}.barnumber{font-weight:600}";
    }

    /// Finds the first kernel that each barrier holds up: the next one on the waiting side, or one behind a barrier
    /// whose arrival hangs on it. A kernel of the other side in between does not wait and is drawn beside what it runs
    /// beside.
    void find_gates()
    {
        gates_.assign(p_.barriers.size(), g_.kernel_count);
        band_barriers_.resize(static_cast<std::size_t>(g_.kernel_count + 1));
        for (std::size_t i = p_.barriers.size(); i-- > 0;) {
            const barrier& b = p_.barriers[i];
            int k = b.wait_at;
            while (k < gates_[i] && !runs_on(g_.kernels[k].type, target_of(b.kind))) {
                ++k;
            }
            gates_[i] = k;
            if (b.after >= 0) {
                int& before = gates_[static_cast<std::size_t>(b.after)];
                before = std::min(before, k);
            }
        }
        for (std::size_t i = 0; i < gates_.size(); ++i) {
            band_barriers_[static_cast<std::size_t>(gates_[i])].push_back(static_cast<int>(i));
        }
    }

    void find_layers()
    {
        layer_.assign(f_.nodes.size(), 0);
        std::vector<std::vector<int>> into(f_.nodes.size());
        std::vector<std::vector<int>> producers(f_.nodes.size());
        for (const flow_edge& e : f_.edges) {
            if (f_.nodes[static_cast<std::size_t>(e.to)].is_kernel) {
                into[static_cast<std::size_t>(e.to)].push_back(e.from);
            } else {
                producers[static_cast<std::size_t>(e.to)].push_back(e.from);
            }
        }
        std::vector<bool> wait(static_cast<std::size_t>(g_.kernel_count + 1));
        for (const int k : gates_) {
            wait[static_cast<std::size_t>(k)] = true;
        }
        int base = 1;
        int deepest = 0;
        for (int k = 0; k < g_.kernel_count; ++k) {
            if (k > 0 && wait[static_cast<std::size_t>(k)]) {
                bands_.push_back({k, deepest});
                base = deepest + 2; // a layer for what the caller passes, then the kernels
            }
            int& mine = layer_[static_cast<std::size_t>(k)];
            mine = base;
            for (const int from : into[static_cast<std::size_t>(k)]) {
                const std::size_t i = static_cast<std::size_t>(from);
                int above = f_.nodes[i].is_kernel ? layer_[i] : f_.nodes[i].given ? -1 : 0;
                for (const int made : producers[i]) {
                    above = std::max(above, layer_[static_cast<std::size_t>(made)] + 1);
                }
                mine = std::max(mine, above + 1);
            }
            deepest = std::max(deepest, mine + 1); // its results lie below it
        }
        for (std::size_t i = 0; i < f_.nodes.size(); ++i) {
            if (f_.nodes[i].is_kernel) {
                continue;
            }
            for (const int made : producers[i]) {
                layer_[i] = std::max(layer_[i], layer_[static_cast<std::size_t>(made)] + 1);
            }
        }
        for (std::size_t i = 0; i < f_.nodes.size(); ++i) {
            if (f_.nodes[i].is_kernel || !f_.nodes[i].given) {
                continue;
            }
            int first = deepest + 1;
            for (const flow_edge& e : f_.edges) {
                if (e.from == static_cast<int>(i)) {
                    first = std::min(first, layer_[static_cast<std::size_t>(e.to)]);
                }
            }
            layer_[i] = first - 1;
        }
        if (wait[static_cast<std::size_t>(g_.kernel_count)]) {
            bands_.push_back({g_.kernel_count, deepest});
        }
        layers_ = deepest + 1;
        for (const int l : layer_) {
            layers_ = std::max(layers_, l + 1);
        }
    }

    /// Where an edge would pass very many layers, its buffer is drawn once more beside the kernel that reads it. Order
    /// without data is not drawn so far: its reason stands in the tooltip of the band.
    void shorten_edges()
    {
        const std::size_t drawn = f_.edges.size();
        std::vector<flow_edge> kept;
        for (std::size_t i = 0; i < drawn; ++i) {
            flow_edge e = f_.edges[i];
            const int to = layer_[static_cast<std::size_t>(e.to)];
            if (to - layer_[static_cast<std::size_t>(e.from)] > longest_edge) {
                if (e.kind == flow_kind::order) {
                    continue;
                }
                flow_node copy = f_.nodes[static_cast<std::size_t>(e.from)];
                copy.again = true;
                f_.nodes.push_back(copy);
                layer_.push_back(to - 1);
                e.from = static_cast<int>(f_.nodes.size()) - 1;
            }
            kept.push_back(std::move(e));
        }
        f_.edges = std::move(kept);
    }

    std::string kind_text(int k) const
    {
        const kernel_desc& x = g_.kernels[k];
        return fmt::format("{} x {}{}", to_string(x.type), x.blocks, x.opaque ? ", declares nothing" : "");
    }
    std::string name_text(int k) const { return fmt::format("{}  {}", k, kernel_text(g_, k)); }

    void find_sizes()
    {
        for (const flow_node& n : f_.nodes) {
            width_.push_back(
                n.is_kernel ? std::max(text_width(name_text(n.index), 13.6), text_width(kind_text(n.index), 10.5)) + 22
                            : text_width(buffer_text(g_, n.index), 11) + 18);
        }
        margin_ = 40;
        for (std::size_t i = 0; i < bands_.size(); ++i) {
            for (const auto& line : band_lines(bands_[i].boundary)) {
                margin_ = std::max(margin_, text_width(line, 11) + 44);
            }
        }
    }

    std::vector<std::string> band_lines(int boundary) const
    {
        std::vector<std::string> out;
        for (const int b : band_barriers_[static_cast<std::size_t>(boundary)]) {
            const barrier& x = p_.barriers[static_cast<std::size_t>(b)];
            const bool earlier = x.arrive_at < boundary && x.arrive_at > 0;
            out.push_back(fmt::format("{} {}, flag {}{}", b, to_string(x.kind), x.flag,
                                      earlier ? ", since " + kernel_text(g_, x.arrive_at - 1) : std::string()));
        }
        return out;
    }

    /// Gives every layer its top and height, and room for the bands.
    void find_rows()
    {
        std::vector<double> height(static_cast<std::size_t>(layers_), 0);
        for (std::size_t i = 0; i < f_.nodes.size(); ++i) {
            double& h = height[static_cast<std::size_t>(layer_[i])];
            h = std::max(h, f_.nodes[i].is_kernel ? kernel_height : pill_height);
        }
        double y = top;
        std::size_t next = 0;
        for (int l = 0; l < layers_; ++l) {
            top_.push_back(y);
            height_.push_back(height[static_cast<std::size_t>(l)]);
            y += height_.back() > 0 ? height_.back() + layer_gap : 0;
            for (; next < bands_.size() && bands_[next].after == l; ++next) {
                const double needed = bar_line * static_cast<double>(band_lines(bands_[next].boundary).size()) + 10;
                bands_[next].y = y - layer_gap / 2;
                bands_[next].height = needed;
                y += needed;
            }
        }
        bottom_ = y;
    }

    void draw_bands(std::string& out, double width) const
    {
        for (const band& b : bands_) {
            out += fmt::format("<g class=\"barrier\"><title>{}</title>\n", xml_escape(band_title(b.boundary)));
            out +=
                fmt::format("<rect class=\"band\" x=\"8\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"4\"/>\n",
                            b.y, width - 16, b.height);
            double y = b.y + 16;
            for (const std::string& line : band_lines(b.boundary)) {
                const std::size_t blank = line.find(' ');
                out += fmt::format("<text class=\"bartext\" x=\"16\" y=\"{:.1f}\"><tspan class=\"barnumber\">{}</tspan>"
                                   "{}</text>\n",
                                   y, xml_escape(line.substr(0, blank)), xml_escape(line.substr(blank)));
                y += bar_line;
            }
            out += "</g>\n";
        }
    }

    std::string band_title(int boundary) const
    {
        std::vector<int> asked{boundary};
        for (const int b : band_barriers_[static_cast<std::size_t>(boundary)]) {
            const int at = p_.barriers[static_cast<std::size_t>(b)].wait_at;
            if (std::find(asked.begin(), asked.end(), at) == asked.end()) {
                asked.push_back(at);
            }
        }
        std::sort(asked.begin(), asked.end());
        std::string out;
        for (const int k : asked) {
            if (k > 0) {
                const item i = boundary_item(g_, p_, f_.why, k);
                out += (out.empty() ? "" : "\n") + i.head.text();
                for (const phrase& line : i.details) {
                    out += '\n' + line.text();
                }
            }
        }
        return out;
    }

    double centre_of(int node) const { return margin_ + places_.centre[static_cast<std::size_t>(node)]; }

    /// Spreads the ends of edges along the nodes they touch, in the order of where they come from.
    void find_ends()
    {
        ends_.assign(f_.edges.size(), {0, 0});
        std::vector<std::vector<std::size_t>> at[2]; // per node: edges that leave it, edges that enter it
        at[0].resize(f_.nodes.size());
        at[1].resize(f_.nodes.size());
        for (std::size_t i = 0; i < f_.edges.size(); ++i) {
            at[0][static_cast<std::size_t>(f_.edges[i].from)].push_back(i);
            at[1][static_cast<std::size_t>(f_.edges[i].to)].push_back(i);
        }
        for (int side = 0; side < 2; ++side) {
            const auto far_end = [this, side](std::size_t i) {
                const std::vector<double>& bends = places_.bends[i];
                const flow_edge& e = f_.edges[i];
                return bends.empty() ? centre_of(side == 0 ? e.to : e.from)
                                     : margin_ + (side == 0 ? bends.front() : bends.back());
            };
            for (std::size_t n = 0; n < f_.nodes.size(); ++n) {
                std::vector<std::size_t>& edges = at[side][n];
                if (edges.empty()) {
                    continue;
                }
                std::sort(edges.begin(), edges.end(),
                          [&](std::size_t a, std::size_t b) { return far_end(a) < far_end(b); });
                const double centre = centre_of(static_cast<int>(n));
                const double room = std::max(width_[n] / 2 - 9, 0.0);
                const double apart =
                    edges.size() < 2 ? 0 : std::min(10.0, 2 * room / static_cast<double>(edges.size() - 1));
                std::vector<double> wanted;
                for (const std::size_t i : edges) {
                    wanted.push_back(std::clamp(far_end(i), centre - room, centre + room));
                }
                std::vector<double> found = spread(wanted, std::vector<double>(edges.size() - 1, apart));
                const double shift =
                    std::max(centre - room - found.front(), 0.0) + std::min(centre + room - found.back(), 0.0);
                for (std::size_t i = 0; i < edges.size(); ++i) {
                    ends_[edges[i]][static_cast<std::size_t>(side)] = found[i] + shift;
                }
            }
        }
    }

    void draw_edges(std::string& out) const
    {
        for (std::size_t i = 0; i < f_.edges.size(); ++i) {
            const flow_edge& e = f_.edges[i];
            std::vector<double> bends;
            for (const double x : places_.bends[i]) {
                bends.push_back(margin_ + x);
            }
            const std::size_t from = static_cast<std::size_t>(layer_[static_cast<std::size_t>(e.from)]);
            const std::size_t to = static_cast<std::size_t>(layer_[static_cast<std::size_t>(e.to)]);
            const double x0 = ends_[i][0];
            const double x1 = ends_[i][1];
            const double node_height =
                f_.nodes[static_cast<std::size_t>(e.from)].is_kernel ? kernel_height : pill_height;
            double x = x0;
            double y = top_[from] + (height_[from] + node_height) / 2;
            std::string path = fmt::format("M{:.1f} {:.1f}", x, y);
            const auto curve_to = [&](double nx, double ny) {
                path += fmt::format("C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", x, (y + ny) / 2, nx, (y + ny) / 2, nx,
                                    ny);
                x = nx;
                y = ny;
            };
            for (std::size_t b = 0; b < bends.size(); ++b) {
                const std::size_t l = from + 1 + b;
                if (height_[l] > 0) {
                    curve_to(bends[b], top_[l]);
                    path += fmt::format("V{:.1f}", top_[l] + height_[l]);
                    y = top_[l] + height_[l];
                }
            }
            const double target_height =
                f_.nodes[static_cast<std::size_t>(e.to)].is_kernel ? kernel_height : pill_height;
            const double end = top_[to] + (height_[to] - target_height) / 2;
            curve_to(x1, end - 5);
            const bool synced = std::any_of(e.hazards.begin(), e.hazards.end(), [this](int h) {
                return !f_.why.hazards[static_cast<std::size_t>(h)].barriers.empty();
            });
            out += fmt::format("<path class=\"edge{}{}\" d=\"{}\"><title>{}</title></path>"
                               "<path class=\"head{}\" d=\"M{:.1f} {:.1f}l-3.5 -6h7z\"/>\n",
                               e.kind == flow_kind::order ? " order" : "", synced ? " synced" : "", path,
                               xml_escape(edge_title(e)), synced ? " synced" : "", x1, end);
        }
    }

    std::string node_text(int node) const
    {
        const flow_node& n = f_.nodes[static_cast<std::size_t>(node)];
        return n.is_kernel ? kernel_text(g_, n.index) : buffer_text(g_, n.index);
    }

    std::string edge_title(const flow_edge& e) const
    {
        std::string out = node_text(e.from) + " -> " + node_text(e.to);
        for (const int h : e.hazards) {
            const hazard_reason& r = f_.why.hazards[static_cast<std::size_t>(h)];
            hazard_group one{r.what, {}, {}, r.on_one_core, r.ordered, r.barriers};
            one.from[static_cast<int>(r.what.from_side)] = true;
            one.to[static_cast<int>(r.what.to_side)] = true;
            out += '\n' + hazard_phrase(g_, one).text();
            out += r.on_one_core ? ": on the same core" : r.ordered ? ": " + barrier_list(r.barriers) : ": not ordered";
        }
        return out;
    }

    void draw_nodes(std::string& out) const
    {
        for (std::size_t i = 0; i < f_.nodes.size(); ++i) {
            const flow_node& n = f_.nodes[i];
            const std::size_t l = static_cast<std::size_t>(layer_[i]);
            const double h = n.is_kernel ? kernel_height : pill_height;
            const double x = centre_of(static_cast<int>(i));
            const double y = top_[l] + (height_[l] - h) / 2;
            const std::string box = fmt::format("x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"",
                                                x - width_[i] / 2, y, width_[i], h);
            if (n.is_kernel) {
                const kernel_desc& k = g_.kernels[n.index];
                const char* kind = is_mix(k.type) ? "mix" : runs_on(k.type, side::aic) ? "cube" : "vector";
                out += fmt::format(
                    "<g class=\"kernel\"><title>{}</title><rect class=\"{}\" {} rx=\"6\"/><text class=\"name\" "
                    "x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text><text class=\"kind\" x=\"{:.1f}\" "
                    "y=\"{:.1f}\" text-anchor=\"middle\">{}</text></g>\n",
                    xml_escape(kernel_title(n.index)), kind, box, x, y + 19, xml_escape(name_text(n.index)), x, y + 34,
                    xml_escape(kind_text(n.index)));
            } else {
                out += fmt::format("<g class=\"pill{}{}\"><title>{}</title><rect {} rx=\"10\"/><text x=\"{:.1f}\" "
                                   "y=\"{:.1f}\" text-anchor=\"middle\">{}</text></g>\n",
                                   n.again   ? " again"
                                   : n.given ? " given"
                                             : "",
                                   n.last && !g_.buffers[n.index].temp ? " result" : "",
                                   xml_escape(buffer_text(g_, n.index) + pill_note(n)), box, x, y + 14,
                                   xml_escape(buffer_text(g_, n.index)));
            }
        }
    }

    std::string pill_note(const flow_node& n) const
    {
        const bool temp = g_.buffers[n.index].temp;
        return n.again   ? ": as drawn further up"
               : n.given ? temp ? ": bytes of the workspace that no sub-kernel wrote before" : ": passed by the caller"
               : n.last  ? temp ? ": not read again" : ": a result"
                         : "";
    }

    std::string kernel_title(int k) const
    {
        const kernel_desc& x = g_.kernels[k];
        std::string out = fmt::format("{}: {} on {} blocks", kernel_text(g_, k), to_string(x.type), x.blocks);
        for (const side s : {side::aic, side::aiv}) {
            const core_range r = cores_of(x, p_.launch, s);
            if (r.count > 0) {
                out += fmt::format("\n{} cores {}", side_text(s), range_text(r));
            }
        }
        const std::string data = data_phrase(g_, x).text();
        const std::string traits = traits_text(g_, x);
        return out + (data.empty() ? "" : "\n" + data) + (traits.empty() ? "" : "\n" + traits);
    }

    void draw_legend(std::string& out, double y) const
    {
        double x = 16;
        const auto box = [&](const char* css_class, const char* text) {
            out +=
                fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"12\" rx=\"3\"/><text "
                            "class=\"soft\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                            css_class, x, y, x + 17, y + 10, text);
            x += 17 + text_width(text, 11) + 16;
        };
        box("cube", "cube");
        box("vector", "vector");
        box("mix", "cube and vector");
        box("band", "barriers");
        const auto line = [&](const char* css_class, const char* text) {
            out += fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}h22\"/><text class=\"soft\" x=\"{:.1f}\" "
                               "y=\"{:.1f}\">{}</text>\n",
                               css_class, x, y + 6, x + 27, y + 10, text);
            x += 27 + text_width(text, 11) + 16;
        };
        x = 16;
        y += 20;
        line("edge", "no barrier needed");
        line("edge synced", "ordered by a barrier");
        line("edge order", "order without data");
    }

    struct band {
        int boundary = 0;
        int after = 0; ///< The layer above it.
        double y = 0;
        double height = 0;
    };

    const graph& g_;
    const host::planned& p_;
    flow_graph f_;
    std::vector<int> layer_;
    int layers_ = 0;
    std::vector<double> width_;
    std::vector<double> top_;
    std::vector<double> height_;
    std::vector<int> gates_;                      ///< Per barrier.
    std::vector<std::vector<int>> band_barriers_; ///< Per boundary: barriers drawn there.
    std::vector<band> bands_;
    double margin_ = 40;
    double bottom_ = 0;
    layered_places places_;
    std::vector<std::array<double, 2>> ends_; ///< Per edge: where it leaves, where it enters.
};

} // namespace detail

/// Draws the data flow of a plan of `g` as one SVG file that needs nothing else.
inline std::string flow_svg(const graph& g, const host::planned& p)
{
    return detail::flow_drawing(g, p).draw();
}

/// Draws the data flow of a `SuperKernel` type.
template <class SK>
std::string flow_svg()
{
    const named_graph_data g = named_graph<SK>();
    return flow_svg(g, planned_of<SK>());
}

} // namespace skt::report
