/// @file
/// Timelines as self-contained SVG and HTML: cores as rows, pipes as lanes, kernels coloured, waits hatched. Host only.
#pragma once

#include <skt/report/svg.hpp>
#include <skt/report/timeline.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace skt::report {

namespace detail {

/// The pipes that are drawn, from top to bottom of a core's row.
inline const std::vector<const char*>& lanes_of(bool cube)
{
    static const std::vector<const char*> c{"MTE2", "MTE1", "M", "FIX", "S"};
    static const std::vector<const char*> v{"MTE2", "V", "MTE3", "S"};
    return cube ? c : v;
}

/// A round step for about `wanted` ticks over `range`.
inline double tick_step(double range, int wanted)
{
    const double raw = range / wanted;
    const double power = std::pow(10.0, std::floor(std::log10(raw > 0 ? raw : 1)));
    const double mantissa = raw / power;
    return (mantissa <= 1 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10) * power;
}

/// Draws runs one under the other on one scale.
class timeline_drawing {
public:
    explicit timeline_drawing(const std::vector<timeline>& runs) : runs_(runs)
    {
        for (const timeline& t : runs_) {
            longest_ = std::max(longest_, t.ns);
            for (const std::string& k : t.kernels) {
                gutter_ = std::max(gutter_, std::min(text_width(k, 11), 210.0) + 20);
            }
        }
        scale_ = longest_ > 0 ? chart / longest_ : 1;
    }

    std::string draw()
    {
        std::string body;
        double y = 58;
        for (const timeline& t : runs_) {
            y = draw_run(body, t, y) + 26;
        }
        y = draw_legend(body, y);
        const double width = gutter_ + chart + 90;
        std::string out = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
            "{1:.0f}\" role=\"img\" aria-label=\"timeline of emulator runs\">\n<style>{2}{3}</style>\n",
            width, y, palette_css(), css());
        out += "<defs><pattern id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
               "patternTransform=\"rotate(45)\"><rect width=\"5\" height=\"5\" class=\"hatchback\"/><path d=\"M0 0V5\" "
               "class=\"hatchline\"/></pattern></defs>\n";
        out += fmt::format("<rect class=\"bg\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", width, y);
        out += fmt::format("<text class=\"title\" x=\"16\" y=\"24\">{}</text>\n<text class=\"soft\" x=\"16\" "
                           "y=\"41\">{}</text>\n",
                           xml_escape(headline()), xml_escape(modelled_note));
        return out + body + "</svg>\n";
    }

private:
    static constexpr double chart = 1280;
    static constexpr double lane_height = 3;
    static constexpr double strip_row = 15;

    static std::string css()
    {
        return "text{font-family:system-ui,'DejaVu Sans',sans-serif;fill:var(--ink)}.bg{fill:var(--bg)}"
               ".title{font-size:15px;font-weight:600}.soft{fill:var(--soft);font-size:11px}"
               ".run{font-size:13px;font-weight:600}.core{font-size:9px;fill:var(--soft)}.label{font-size:11px}"
               ".grid{stroke:var(--line);stroke-width:.6}.row{fill:var(--panel)}"
               ".span{fill:var(--k);opacity:.22}.solid{fill:var(--k);opacity:.8}.busy{fill:var(--k)}.bar{fill:var(--k);"
               "opacity:.9}"
               ".wait{fill:url(#hatch)}.hatchback{fill:var(--wait);opacity:.22}.hatchline{stroke:var(--wait);"
               "stroke-width:2}.launch{fill:var(--soft);opacity:.28}.end{stroke:var(--ink);stroke-width:1.2;"
               "stroke-dasharray:4 3}.busy:hover,.span:hover,.wait:hover{stroke:var(--ink);stroke-width:1}";
    }

    std::string headline() const
    {
        std::string out;
        for (const timeline& t : runs_) {
            out += fmt::format("{}{} {}", out.empty() ? "" : ", ", t.title, time_text(t.ns));
        }
        return out + " (modelled)";
    }

    double x_of(double ns) const { return gutter_ + ns * scale_; }

    static double row_height(bool cube) { return lane_height * static_cast<double>(lanes_of(cube).size()) + 2; }

    /// Draws one run; answers the y below it.
    double draw_run(std::string& out, const timeline& t, double y)
    {
        out += fmt::format("<g class=\"timeline\"><text class=\"run\" x=\"16\" y=\"{:.1f}\">{}</text>\n", y + 10,
                           xml_escape(fmt::format("{}: {} in {} launch{}, {} cores", t.title, time_text(t.ns),
                                                  t.launches, t.launches == 1 ? "" : "es", t.cores.size())));
        y += 20;
        double rows = 0;
        for (const std::string& c : t.cores) {
            rows += row_height(is_cube_core(c));
        }
        const double strip = strip_row * static_cast<double>(t.kernels.size());
        const double bottom = y + 14 + strip + 8 + rows;
        draw_grid(out, y, bottom);
        y += 14;
        draw_strip(out, t, y);
        y += strip + 8;
        draw_cores(out, t, y);
        const double x = x_of(t.ns);
        out += fmt::format("<path class=\"end\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/><text class=\"label\" x=\"{3:.1f}\" "
                           "y=\"{4:.1f}\">{5}</text></g>\n",
                           x, y - strip - 8, bottom, x + 5, y - strip - 1, time_text(t.ns));
        return bottom;
    }

    void draw_grid(std::string& out, double y, double bottom) const
    {
        const double step = tick_step(longest_, 12);
        std::string path;
        for (double at = 0; at <= longest_ + step / 2 && step > 0; at += step) {
            const double x = x_of(at);
            if (x > gutter_ + chart + 1) {
                break;
            }
            path += fmt::format("M{:.1f} {:.1f}V{:.1f}", x, y + 12, bottom);
            out += fmt::format("<text class=\"core\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x,
                               y + 9, at == 0 ? "0" : time_text(at));
        }
        out += fmt::format("<path class=\"grid\" d=\"{}\"/>\n", path);
    }

    struct envelope {
        double first = -1;
        double last = 0;
        double longest = 0; ///< On one core.
        double sum = 0;
        int cores = 0;
        void add(double start, double end)
        {
            first = first < 0 ? start : std::min(first, start);
            last = std::max(last, end);
            longest = std::max(longest, end - start);
            sum += end - start;
            ++cores;
        }
    };

    static int colour(int kernel) { return kernel % 12; }

    /// One row per kernel: from its first core's start to its last core's end.
    void draw_strip(std::string& out, const timeline& t, double y) const
    {
        std::vector<envelope> spans(t.kernels.size());
        for (const bar& b : t.bars) {
            if (b.kind == bar_kind::kernel) {
                spans[static_cast<std::size_t>(b.kernel)].add(b.start, b.end);
            }
        }
        for (std::size_t k = 0; k < t.kernels.size(); ++k) {
            const envelope& s = spans[k];
            const std::string label = fitted(t.kernels[k], gutter_ - 14, 11);
            out += fmt::format("<text class=\"label\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                               gutter_ - 6, y + strip_row - 4, xml_escape(label));
            if (s.first >= 0) {
                const double x = x_of(s.first);
                const double width = std::max((s.last - s.first) * scale_, 1.5);
                out += fmt::format(
                    "<g class=\"k{}\"><rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                    "rx=\"2\"><title>{}</title></rect></g>\n",
                    colour(static_cast<int>(k)), x, y + 2, width, strip_row - 4,
                    xml_escape(fmt::format("{}: {} to {}\n{} from first start to last end; on one core at most {}, on "
                                           "average {}, {} cores",
                                           t.kernels[k], time_text(s.first), time_text(s.last),
                                           time_text(s.last - s.first), time_text(s.longest),
                                           time_text(s.sum / s.cores), s.cores)));
            }
            y += strip_row;
        }
    }

    void draw_cores(std::string& out, const timeline& t, double top) const
    {
        std::size_t next = 0;
        double y = top;
        for (std::size_t c = 0; c < t.cores.size(); ++c) {
            const bool cube = is_cube_core(t.cores[c]);
            const double height = row_height(cube);
            std::size_t end = next;
            while (end < t.bars.size() && t.bars[end].core == static_cast<int>(c)) {
                ++end;
            }
            out += fmt::format("<text class=\"core\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                               gutter_ - 6, y + height / 2 + 3, xml_escape(t.cores[c]));
            if (c % 2 == 0) {
                out +=
                    fmt::format("<rect class=\"row\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                                gutter_, y, chart, height);
            }
            draw_core(out, t, next, end, cube, y, height);
            next = end;
            y += height;
        }
    }

    /// Bars of one kernel on one lane, merged where they would touch on the screen.
    struct lane_path {
        std::string path;
        double busy = 0;
        int count = 0;
        double open = -1; ///< Start of the bar being grown, in pixels.
        double close = 0;
    };

    static void close_bar(lane_path& p, double y)
    {
        if (p.open >= 0) {
            p.path += fmt::format("M{:.1f} {:.1f}h{:.1f}v{:.1f}h{:.1f}z", p.open, y, std::max(p.close - p.open, 0.4),
                                  lane_height - 0.5, -std::max(p.close - p.open, 0.4));
        }
        p.open = -1;
    }

    void draw_core(std::string& out, const timeline& t, std::size_t begin, std::size_t end, bool cube, double y,
                   double height) const
    {
        const std::vector<const char*>& lanes = lanes_of(cube);
        std::string waits;
        std::map<std::pair<int, std::size_t>, lane_path> paths;
        // Where nothing is known of the pipes, the kernel itself is drawn full.
        const bool coarse = std::none_of(t.bars.begin() + static_cast<std::ptrdiff_t>(begin),
                                         t.bars.begin() + static_cast<std::ptrdiff_t>(end),
                                         [](const bar& b) { return b.kind == bar_kind::instruction && b.kernel >= 0; });
        const auto lane_y = [&](std::size_t lane) { return y + 1 + lane_height * static_cast<double>(lane); };
        for (std::size_t i = begin; i < end; ++i) {
            const bar& b = t.bars[i];
            const double x = x_of(b.start);
            const double width = (b.end - b.start) * scale_;
            switch (b.kind) {
            case bar_kind::launch:
                out += fmt::format("<rect class=\"launch\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                                   "height=\"{:.1f}\"/>\n",
                                   x, y + 1, width, height - 2);
                break;
            case bar_kind::kernel:
                out += fmt::format(
                    "<g class=\"k{}\"><rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                    "height=\"{:.1f}\"><title>{}</title></rect></g>\n",
                    colour(b.kernel), coarse ? "solid" : "span", x, y + 0.5, std::max(width, 0.6), height - 1,
                    xml_escape(fmt::format("{} on {}: {} to {} ({})", t.kernels[static_cast<std::size_t>(b.kernel)],
                                           t.cores[static_cast<std::size_t>(b.core)], time_text(b.start),
                                           time_text(b.end), time_text(b.end - b.start))));
                break;
            case bar_kind::wait:
                draw_wait(waits, t, b, y, height);
                break;
            case bar_kind::set:
                break;
            case bar_kind::instruction: {
                const auto lane = std::find_if(lanes.begin(), lanes.end(),
                                               [&b](const char* l) { return std::strcmp(l, b.lane) == 0; });
                if (lane == lanes.end()) {
                    break;
                }
                const std::size_t l = static_cast<std::size_t>(lane - lanes.begin());
                lane_path& p = paths[{b.kernel, l}];
                p.busy += b.end - b.start;
                ++p.count;
                if (p.open >= 0 && x - p.close > 0.7) {
                    close_bar(p, lane_y(l));
                }
                if (p.open < 0) {
                    p.open = x;
                    p.close = x;
                }
                p.close = std::max(p.close, x + width);
                break;
            }
            }
        }
        for (auto& [key, p] : paths) {
            close_bar(p, lane_y(key.second));
            const std::string what =
                key.first >= 0 ? t.kernels[static_cast<std::size_t>(key.first)] : "between sub-kernels";
            out += fmt::format(
                "<g class=\"{}\"><path class=\"{}\" d=\"{}\"><title>{}</title></path></g>\n",
                key.first >= 0 ? fmt::format("k{}", colour(key.first)) : "between", key.first >= 0 ? "busy" : "launch",
                p.path,
                xml_escape(fmt::format("{}, pipe {}: busy for {} in {} instruction{}", what, lanes[key.second],
                                       time_text(p.busy), p.count, p.count == 1 ? "" : "s")));
        }
        out += waits;
    }

    /// Hatches the part of a wait in which nothing else is going on in the core.
    void draw_wait(std::string& out, const timeline& t, const bar& b, double y, double height) const
    {
        const double width = (b.end - b.idle_from) * scale_;
        if (width < 0.5) {
            return;
        }
        out += fmt::format("<rect class=\"wait\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                           "height=\"{:.1f}\"><title>{}</title></rect>\n",
                           x_of(b.idle_from), y + 0.5, width, height - 1,
                           xml_escape(fmt::format("{} {}: {} to {} ({} with all pipes idle){}",
                                                  t.cores[static_cast<std::size_t>(b.core)], wait_text(b.name),
                                                  time_text(b.start), time_text(b.end), time_text(b.end - b.idle_from),
                                                  b.kernel >= 0 ? " in " + t.kernels[static_cast<std::size_t>(b.kernel)]
                                                                : std::string(" between sub-kernels"))));
    }

    /// "wait 9" as the trace has it, in words.
    static std::string wait_text(const std::string& name)
    {
        return name.rfind("wait ", 0) == 0 ? "waits for flag " + name.substr(5) : name;
    }

    double draw_legend(std::string& out, double y) const
    {
        double x = 16;
        const auto box = [&](const char* css_class, const std::string& text) {
            out += fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"18\" height=\"11\"/><text "
                               "class=\"soft\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                               css_class, x, y, x + 24, y + 10, xml_escape(text));
            x += 24 + text_width(text, 11) + 18;
        };
        box("wait", "waiting for a cross-core flag");
        box("launch", "launch, start of the cores, work between sub-kernels");
        y += 30;
        x = 16;
        for (const bool cube : {true, false}) {
            const std::vector<const char*>& lanes = lanes_of(cube);
            out += fmt::format(
                "<text class=\"soft\" x=\"{:.1f}\" y=\"{:.1f}\">lanes of a{} core, from the top: {}</text>\n", x, y,
                cube ? " cube" : " vector", fmt::join(lanes, ", "));
            y += 16;
        }
        out += fmt::format("<text class=\"soft\" x=\"{:.1f}\" y=\"{:.1f}\">pale: the kernel is running on the core; "
                           "full: the pipe is busy. Point at anything for figures.</text>\n",
                           x, y);
        return y + 18;
    }

    const std::vector<timeline>& runs_;
    double longest_ = 0;
    double gutter_ = 60;
    double scale_ = 1;
};

} // namespace detail

/// Draws runs one under the other on one scale, as one SVG file that needs nothing else.
inline std::string timeline_svg(const std::vector<timeline>& runs)
{
    return detail::timeline_drawing(runs).draw();
}

} // namespace skt::report
