/// @file
/// The data-flow graph of a super kernel: kernels, and every version of every buffer between them. Host only.
#pragma once

#include <skt/report/summary.hpp>
#include <skt/report/why.hpp>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace skt::report {

/// A kernel, or one version of a buffer: what a kernel wrote, or what the caller passed.
struct flow_node {
    bool is_kernel = false;
    int index = -1;     ///< Kernel or buffer.
    bool given = false; ///< A buffer that no kernel wrote before.
    bool last = false;  ///< A version that no kernel reads.
    bool again = false; ///< Stands for a version that is drawn further up.
};

/// How an edge binds its ends.
enum class flow_kind {
    data, ///< Bytes flow.
    order ///< No bytes flow, but the second kernel must not come first (it overwrites, or declares nothing).
};

/// An edge from a buffer to a kernel, from a kernel to a buffer, or (order) from kernel to kernel.
struct flow_edge {
    int from = -1;
    int to = -1;
    flow_kind kind = flow_kind::data;
    std::vector<int> hazards; ///< Into a kernel: the hazards it stands for, as indices into `reasons::hazards`.
};

struct flow_graph {
    std::vector<flow_node> nodes; ///< The kernels first, in order.
    std::vector<flow_edge> edges;
    reasons why;
};

namespace detail {

/// Versions of buffers while the kernels are walked.
class flow_builder {
public:
    flow_builder(const graph& g, const host::planned& p) : g_(g), newest_(static_cast<std::size_t>(g.buffer_count))
    {
        out_.why = reasons_of(g, p);
        for (std::size_t i = 0; i < out_.why.hazards.size(); ++i) {
            const hazard& h = out_.why.hazards[i].what;
            between_[{h.from, h.to}].push_back(static_cast<int>(i));
        }
        for (int k = 0; k < g.kernel_count; ++k) {
            flow_node n;
            n.is_kernel = true;
            n.index = k;
            out_.nodes.push_back(n);
        }
    }

    flow_graph build()
    {
        for (int k = 0; k < g_.kernel_count; ++k) {
            const kernel_desc& kernel = g_.kernels[k];
            const int end = kernel.opaque ? 0 : kernel.effect_count;
            for (int i = 0; i < end; ++i) {
                const effect& e = g_.effects[kernel.first_effect + i];
                if (e.what != access::out) {
                    read(k, e.buffer, e.what);
                }
            }
            for (int i = 0; i < end; ++i) {
                const effect& e = g_.effects[kernel.first_effect + i];
                if (writes(e.what)) {
                    write(k, e.buffer, e.what);
                }
            }
        }
        add_order_edges();
        mark_last();
        return std::move(out_);
    }

private:
    struct version {
        int node = -1;
        std::vector<int> producers;
        bool summed = false; ///< Made by accumulations: further ones add to the same version.
        int base = -1;       ///< The version that the accumulations add to.
    };

    int add_buffer(int buffer, bool given)
    {
        flow_node n;
        n.index = buffer;
        n.given = given;
        out_.nodes.push_back(n);
        return static_cast<int>(out_.nodes.size()) - 1;
    }

    void read(int k, int buffer, access what)
    {
        version& v = newest_[static_cast<std::size_t>(buffer)];
        if (v.node < 0) {
            v.node = add_buffer(buffer, true);
        }
        const bool adds_too = what == access::accumulate && v.summed;
        const int node = adds_too ? v.base : v.node;
        if (node < 0 || !drawn_.insert({node, k}).second) {
            return;
        }
        flow_edge e{node, k, flow_kind::data, {}};
        if (!adds_too) {
            for (const int p : v.producers) {
                const auto found = between_.find({p, k});
                if (found != between_.end()) {
                    e.hazards.insert(e.hazards.end(), found->second.begin(), found->second.end());
                    connected_.insert({p, k});
                }
            }
        }
        out_.edges.push_back(std::move(e));
    }

    void write(int k, int buffer, access what)
    {
        version& v = newest_[static_cast<std::size_t>(buffer)];
        const bool adds = what == access::accumulate;
        if (!(adds && v.summed) && !(!v.producers.empty() && v.producers.back() == k)) {
            const int base = adds ? v.node : -1;
            v = version{add_buffer(buffer, false), {}, adds, base};
        }
        if (drawn_.insert({k, v.node}).second) {
            v.producers.push_back(k);
            out_.edges.push_back({k, v.node, flow_kind::data, {}});
        }
    }

    void add_order_edges()
    {
        for (const auto& [pair, hazards] : between_) {
            if (connected_.count(pair) == 0) {
                out_.edges.push_back({pair.first, pair.second, flow_kind::order, hazards});
            }
        }
    }

    void mark_last()
    {
        std::vector<bool> read(out_.nodes.size());
        for (const flow_edge& e : out_.edges) {
            read[static_cast<std::size_t>(e.from)] = true;
        }
        for (std::size_t i = 0; i < out_.nodes.size(); ++i) {
            out_.nodes[i].last = !out_.nodes[i].is_kernel && !read[i];
        }
    }

    const graph& g_;
    std::vector<version> newest_;
    std::map<std::pair<int, int>, std::vector<int>> between_; ///< Hazards by pair of kernels.
    std::set<std::pair<int, int>> connected_;                 ///< Pairs of kernels that a buffer version connects.
    std::set<std::pair<int, int>> drawn_;
    flow_graph out_;
};

} // namespace detail

/// The data-flow graph of a plan of `g`.
inline flow_graph flow_of(const graph& g, const host::planned& p)
{
    return detail::flow_builder(g, p).build();
}

} // namespace skt::report
