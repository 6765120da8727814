// Placement of temp buffers in the workspace.
#include <skt/model/workspace.hpp>

#include <catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

namespace {

using namespace skt;

/// A graph of temps, written as lifetimes.
struct temps {
    std::vector<buffer_desc> buffers;
    std::vector<kernel_desc> kernels;
    std::vector<effect> effects;
    std::vector<int> first, last;

    void add(std::int64_t bytes, int from, int to)
    {
        buffer_desc b;
        b.region = static_cast<int>(buffers.size());
        b.temp = true;
        b.bytes = bytes;
        buffers.push_back(b);
        first.push_back(from);
        last.push_back(to);
    }
    std::int64_t place(bool share)
    {
        const int n = last.empty() ? 0 : *std::max_element(last.begin(), last.end()) + 1;
        kernels.clear();
        effects.clear();
        for (int k = 0; k < n; ++k) {
            kernel_desc d;
            d.first_effect = static_cast<int>(effects.size());
            for (std::size_t b = 0; b < buffers.size(); ++b) {
                if (first[b] == k || last[b] == k) {
                    effect e;
                    e.buffer = static_cast<int>(b);
                    effects.push_back(e);
                }
            }
            d.effect_count = static_cast<int>(effects.size()) - d.first_effect;
            kernels.push_back(d);
        }
        std::vector<temp_slot> slots(buffers.size());
        return place_temps(buffers.data(), static_cast<int>(buffers.size()), kernels.data(), n, effects.data(), share,
                           slots.data());
    }
    bool together(std::size_t a, std::size_t b) const { return first[a] <= last[b] && first[b] <= last[a]; }
    bool meet(std::size_t a, std::size_t b) const
    {
        return buffers[a].offset < buffers[b].offset + buffers[b].bytes &&
               buffers[b].offset < buffers[a].offset + buffers[a].bytes;
    }
    /// The most bytes alive at one kernel: no placement needs less.
    std::int64_t most_alive() const
    {
        std::int64_t most = 0;
        for (int at : first) {
            std::int64_t sum = 0;
            for (std::size_t b = 0; b < buffers.size(); ++b) {
                sum += first[b] <= at && at <= last[b] ? skt::detail::workspace_aligned(buffers[b].bytes) : 0;
            }
            most = std::max(most, sum);
        }
        return most;
    }
    void check(std::int64_t total, bool share) const
    {
        for (std::size_t a = 0; a < buffers.size(); ++a) {
            bool meets_any = false;
            REQUIRE(buffers[a].offset % workspace_alignment == 0);
            REQUIRE(buffers[a].offset + buffers[a].bytes <= total);
            for (std::size_t b = 0; b < buffers.size(); ++b) {
                if (a != b) {
                    REQUIRE(!(meet(a, b) && (!share || together(a, b))));
                    meets_any = meets_any || meet(a, b);
                }
            }
            REQUIRE((buffers[a].shared || !meets_any));
        }
        REQUIRE(total >= most_alive());
    }
};

constexpr bool chain_at_compile_time()
{
    // k0 -> a -> k1 -> b -> k2 -> c -> k3: a and c are never alive together.
    buffer_desc buffers[3] = {};
    kernel_desc kernels[4] = {};
    effect effects[6] = {};
    for (int i = 0; i < 3; ++i) {
        buffers[i].region = i;
        buffers[i].temp = true;
        buffers[i].bytes = 1000 * (i + 1);
        effects[2 * i].buffer = i;
        effects[2 * i + 1].buffer = i;
    }
    for (int k = 0; k < 4; ++k) {
        kernels[k].first_effect = k == 0 ? 0 : 2 * k - 1;
        kernels[k].effect_count = k == 0 || k == 3 ? 1 : 2;
    }
    const std::int64_t total = place_temps(buffers, 3, kernels, 4, effects, true);
    return total == 3072 + 2048 && buffers[0].offset == buffers[2].offset && buffers[0].shared && buffers[2].shared &&
           !buffers[1].shared;
}
static_assert(chain_at_compile_time(), "placement works in constant expressions");

} // namespace

TEST_CASE("a growing chain packs into its two largest neighbours")
{
    temps t;
    t.add(10 * 512, 1, 2);
    t.add(1 * 512, 2, 3);
    t.add(20 * 512, 3, 4);
    CHECK(t.place(true) == 21 * 512);
    t.check(21 * 512, true);
    CHECK(t.place(false) == 31 * 512);
}

TEST_CASE("aliased temps take one place, alive as long as either")
{
    temps t;
    t.add(100, 0, 1);
    t.add(3000, 3, 4);
    t.add(700, 1, 2);
    t.buffers[1].region = 0;
    const std::int64_t total = t.place(true);
    CHECK(t.buffers[0].offset == t.buffers[1].offset);
    CHECK(t.buffers[2].offset >= 3072);
    CHECK(total == 3072 + 1024);
    CHECK(t.buffers[0].shared);
    CHECK(t.buffers[1].shared);
    CHECK(!t.buffers[2].shared);
}

TEST_CASE("random temps never meet while alive together")
{
    std::mt19937 random(11);
    for (int round = 0; round < 300; ++round) {
        temps t;
        const auto count = 1 + random() % (round % 10 == 0 ? 150 : 20);
        for (unsigned i = 0; i < count; ++i) {
            const int from = static_cast<int>(random() % 40);
            t.add(1 + static_cast<std::int64_t>(random() % 5000), from, from + static_cast<int>(random() % 5));
        }
        const std::int64_t shared = t.place(true);
        t.check(shared, true);
        for (auto& b : t.buffers) {
            b.shared = false;
        }
        const std::int64_t apart = t.place(false);
        t.check(apart, false);
        REQUIRE(shared <= apart);
    }
}
