/// @file
/// Layered drawing of a directed graph: order within layers with few crossings, then places. Host only.
///
/// The usual steps: long edges get a bend in every layer they pass, layers are sorted by the mean place of their
/// neighbours until crossings stop falling, then every node moves towards its neighbours as far as its layer allows
/// (an exact least-squares fit that keeps order and distance).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace skt::report {

/// What is to be drawn. Every edge leads to a higher layer.
struct layered_input {
    struct node {
        int layer = 0;
        double width = 0;
    };
    std::vector<node> nodes;
    std::vector<std::pair<int, int>> edges;
    double gap = 14;     ///< Between neighbours of a layer.
    double bend_gap = 8; ///< Beside a passing edge.
};

/// Where things are. Horizontal places only; the caller gives layers their heights.
struct layered_places {
    std::vector<double> centre;             ///< Per node.
    std::vector<std::vector<double>> bends; ///< Per edge: one place for each layer it passes.
    double width = 0;
};

namespace detail {

/// The nearest values to `wanted` (least squares) that keep at least `distance[i]` between i and i + 1.
inline std::vector<double> spread(const std::vector<double>& wanted, const std::vector<double>& distance)
{
    struct pool {
        double sum;
        std::size_t count;
        double mean() const { return sum / static_cast<double>(count); }
    };
    std::vector<pool> pools;
    std::vector<double> offset(wanted.size(), 0);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        offset[i] = i == 0 ? 0 : offset[i - 1] + distance[i - 1];
        pools.push_back({wanted[i] - offset[i], 1});
        while (pools.size() > 1 && pools[pools.size() - 2].mean() >= pools.back().mean()) {
            pools[pools.size() - 2].sum += pools.back().sum;
            pools[pools.size() - 2].count += pools.back().count;
            pools.pop_back();
        }
    }
    std::vector<double> out;
    for (const pool& p : pools) {
        for (std::size_t i = 0; i < p.count; ++i) {
            out.push_back(p.mean() + offset[out.size()]);
        }
    }
    return out;
}

class layered_drawing {
public:
    explicit layered_drawing(const layered_input& in) : in_(in)
    {
        int layers = 0;
        for (const layered_input::node& n : in.nodes) {
            add(n.layer, n.width, in.gap);
            layers = std::max(layers, n.layer + 1);
        }
        for (const auto& [from, to] : in.edges) {
            std::vector<std::size_t> chain;
            std::size_t above = static_cast<std::size_t>(from);
            for (int l = in.nodes[above].layer + 1; l < in.nodes[static_cast<std::size_t>(to)].layer; ++l) {
                chain.push_back(add(l, 0, in.bend_gap));
                connect(above, chain.back());
                above = chain.back();
            }
            connect(above, static_cast<std::size_t>(to));
            chains_.push_back(std::move(chain));
        }
        layers_.resize(static_cast<std::size_t>(layers));
        for (std::size_t i = 0; i < items_.size(); ++i) {
            layers_[static_cast<std::size_t>(items_[i].layer)].push_back(i);
        }
    }

    layered_places draw()
    {
        number();
        sort_layers();
        place();
        layered_places out;
        double left = 0;
        double right = 0;
        for (const item& x : items_) {
            left = std::min(left, x.x - x.width / 2);
            right = std::max(right, x.x + x.width / 2);
        }
        for (std::size_t i = 0; i < in_.nodes.size(); ++i) {
            out.centre.push_back(items_[i].x - left);
        }
        for (const auto& chain : chains_) {
            std::vector<double> bends;
            for (const std::size_t i : chain) {
                bends.push_back(items_[i].x - left);
            }
            out.bends.push_back(std::move(bends));
        }
        out.width = right - left;
        return out;
    }

private:
    struct item {
        int layer;
        double width;
        double gap;
        double x = 0;
        double rank = 0;
        std::vector<std::size_t> above;
        std::vector<std::size_t> below;
    };

    std::size_t add(int layer, double width, double gap)
    {
        items_.push_back({layer, width, gap, 0, 0, {}, {}});
        return items_.size() - 1;
    }
    void connect(std::size_t above, std::size_t below)
    {
        items_[above].below.push_back(below);
        items_[below].above.push_back(above);
    }
    void number()
    {
        for (const auto& layer : layers_) {
            for (std::size_t i = 0; i < layer.size(); ++i) {
                items_[layer[i]].rank = static_cast<double>(i);
            }
        }
    }

    /// Pairs of edges that cross between neighbouring layers, counted by insertion (exact, quadratic at worst).
    std::size_t crossings() const
    {
        std::size_t n = 0;
        for (const auto& layer : layers_) {
            std::vector<double> ends;
            for (const std::size_t i : layer) {
                std::vector<double> mine;
                for (const std::size_t j : items_[i].below) {
                    mine.push_back(items_[j].rank);
                }
                std::sort(mine.begin(), mine.end());
                for (const double m : mine) {
                    n += static_cast<std::size_t>(ends.end() - std::upper_bound(ends.begin(), ends.end(), m));
                }
                for (const double m : mine) {
                    ends.insert(std::upper_bound(ends.begin(), ends.end(), m), m);
                }
            }
        }
        return n;
    }

    void sort_layers()
    {
        std::vector<std::vector<std::size_t>> best = layers_;
        std::size_t fewest = crossings();
        for (int sweep = 0; sweep < 16 && fewest > 0; ++sweep) {
            const bool down = sweep % 2 == 0;
            for (std::size_t n = 0; n < layers_.size(); ++n) {
                auto& layer = layers_[down ? n : layers_.size() - 1 - n];
                std::vector<std::pair<double, std::size_t>> order;
                for (const std::size_t i : layer) {
                    const auto& near = down ? items_[i].above : items_[i].below;
                    double sum = 0;
                    for (const std::size_t j : near) {
                        sum += items_[j].rank;
                    }
                    order.push_back({near.empty() ? items_[i].rank : sum / static_cast<double>(near.size()), i});
                }
                std::stable_sort(order.begin(), order.end(),
                                 [](const auto& a, const auto& b) { return a.first < b.first; });
                for (std::size_t i = 0; i < order.size(); ++i) {
                    layer[i] = order[i].second;
                    items_[layer[i]].rank = static_cast<double>(i);
                }
            }
            const std::size_t now = crossings();
            if (now < fewest) {
                fewest = now;
                best = layers_;
            }
        }
        layers_ = std::move(best);
        number();
    }

    void place()
    {
        for (const auto& layer : layers_) {
            double x = 0;
            for (std::size_t i = 0; i < layer.size(); ++i) {
                x += i == 0 ? 0 : distance(layer[i - 1], layer[i]);
                items_[layer[i]].x = x;
            }
        }
        for (int pass = 0; pass < 64; ++pass) {
            const bool down = pass % 2 == 0;
            for (std::size_t n = 0; n < layers_.size(); ++n) {
                settle(layers_[down ? n : layers_.size() - 1 - n]);
            }
        }
    }

    double distance(std::size_t a, std::size_t b) const
    {
        return (items_[a].width + items_[b].width) / 2 + std::max(items_[a].gap, items_[b].gap);
    }

    void settle(const std::vector<std::size_t>& layer)
    {
        std::vector<double> wanted;
        std::vector<double> apart;
        for (std::size_t i = 0; i < layer.size(); ++i) {
            const item& x = items_[layer[i]];
            double sum = 0;
            const std::size_t n = x.above.size() + x.below.size();
            for (const std::size_t j : x.above) {
                sum += items_[j].x;
            }
            for (const std::size_t j : x.below) {
                sum += items_[j].x;
            }
            wanted.push_back(n == 0 ? x.x : sum / static_cast<double>(n));
            if (i > 0) {
                apart.push_back(distance(layer[i - 1], layer[i]));
            }
        }
        const std::vector<double> found = spread(wanted, apart);
        for (std::size_t i = 0; i < layer.size(); ++i) {
            items_[layer[i]].x = found[i];
        }
    }

    const layered_input& in_;
    std::vector<item> items_; ///< The nodes, then the bends.
    std::vector<std::vector<std::size_t>> chains_;
    std::vector<std::vector<std::size_t>> layers_;
};

} // namespace detail

/// Places the nodes of a layered graph.
inline layered_places place_layers(const layered_input& in)
{
    return detail::layered_drawing(in).draw();
}

} // namespace skt::report
