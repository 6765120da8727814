/// @file
/// `skt::report::explain`: what a super kernel does and why, as text. Host only.
#pragma once

#include <skt/report/subject.hpp>
#include <skt/report/summary.hpp>
#include <skt/report/text.hpp>

#include <string>

namespace skt::report {

/// Explains a plan of `g`: launch shape, sub-kernels, the program of each side, why each boundary has the barriers it
/// has or none, flushes, counts against a barrier at every pair.
inline std::string explain(const graph& g, const host::planned& p, style s = style::plain)
{
    return to_text(summary_of(g, p), s);
}

/// Explains a `SuperKernel` type: `std::cout << skt::report::explain<Layer>(skt::report::style_for(stdout));`.
template <class SK>
std::string explain(style s = style::plain)
{
    const named_graph_data g = named_graph<SK>();
    return explain(g, planned_of<SK>(), s);
}

} // namespace skt::report
