// The launch rule on 240 lists of kernels.
#include <skt/host/graph_data.hpp>
#include <skt/model/launch.hpp>

#include <catch.hpp>

#include <cstdlib>
#include <string>

namespace {

using namespace skt;

struct launch_case {
    const char* kernels;
    const char* incumbent;
    const char* kit;
};

constexpr launch_case cases[] = {
#include "launch_cases.inc"
};
constexpr int case_count = static_cast<int>(sizeof cases / sizeof cases[0]);
static_assert(case_count == 240, "every row is here");

constexpr kernel_type type_of(char letter)
{
    return letter == 'V'   ? kernel_type::aiv_only
           : letter == 'C' ? kernel_type::aic_only
           : letter == 'v' ? kernel_type::mix_aiv_1_0
           : letter == 'c' ? kernel_type::mix_aic_1_0
           : letter == '1' ? kernel_type::mix_aic_1_1
                           : kernel_type::mix_aic_1_2;
}

/// Reads "type blocks" at `text` and moves behind it.
constexpr launch_shape read_shape(const char*& text)
{
    launch_shape l{type_of(*text++), 0};
    for (; *text >= '0' && *text <= '9'; ++text) {
        l.blocks = 10 * l.blocks + (*text - '0');
    }
    return l;
}

constexpr launch_shape launch_of_case(const launch_case& c)
{
    kernel_desc kernels[64] = {};
    graph g{};
    const char* at = c.kernels;
    while (*at != '\0') {
        const launch_shape k = read_shape(at);
        kernels[g.kernel_count].type = k.type;
        kernels[g.kernel_count++].blocks = k.blocks;
        at += *at == ' ';
    }
    g.kernels = kernels;
    return launch_of(g);
}

constexpr bool holds(const launch_case& c)
{
    const char* kit = c.kit;
    return launch_of_case(c) == read_shape(kit);
}

constexpr int holding(int from, int to)
{
    int n = 0;
    for (int i = from; i < to; ++i) {
        n += holds(cases[i]);
    }
    return n;
}
static_assert(holding(0, 60) == 60, "the launch rule holds in constant expressions");

} // namespace

TEST_CASE("launch cases: every row gives the kit's shape")
{
    for (const launch_case& c : cases) {
        INFO(c.kernels);
        const launch_shape l = launch_of_case(c);
        INFO(to_string(l.type) << ' ' << l.blocks);
        CHECK(holds(c));
    }
}

TEST_CASE("launch cases: the shape differs from the incumbent's only where it loses a 1:2 kernel's vector cores")
{
    int differ = 0;
    for (const launch_case& c : cases) {
        INFO(c.kernels);
        const char* theirs = c.incumbent;
        const launch_shape incumbent = read_shape(theirs);
        const launch_shape kit = launch_of_case(c);
        if (incumbent != kit) {
            ++differ;
            CHECK(incumbent.type == kernel_type::mix_aic_1_1);
            CHECK(kit.type == kernel_type::mix_aic_1_2);
            CHECK(std::string(c.kernels).find('2') != std::string::npos);
        }
    }
    CHECK(differ > 0);
}

TEST_CASE("a forced launch shape is at least what was asked")
{
    host::graph_data d;
    d.add_kernel("v", kernel_type::aiv_only, 4);
    CHECK(launch_of(d.view()) == launch_shape{kernel_type::mix_aiv_1_0, 4});
    d.policy.at_least_aiv = 48;
    CHECK(launch_of(d.view()) == launch_shape{kernel_type::mix_aiv_1_0, 48});
    d.policy.at_least_aic = 24;
    CHECK(launch_of(d.view()) == launch_shape{kernel_type::mix_aic_1_2, 24});
    d.policy.at_least_aiv = 0;
    CHECK(launch_of(d.view()) == launch_shape{kernel_type::mix_aic_1_1, 24});
}
