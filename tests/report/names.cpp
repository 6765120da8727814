#include <skt/report/names.hpp>
#include <skt/report/subject.hpp>

#include "layer.hpp"

#include <catch.hpp>

#include <string>
#include <vector>

namespace outer::inner {
struct plain {};
template <class T, int N>
struct holder {
    struct nested {};
};
template <int N>
void repeated()
{
}
void once() {}
} // namespace outer::inner

namespace {
struct hidden {};
void local_function() {}
} // namespace

using skt::report::function_name;
using skt::report::type_name;

TEST_CASE("types are named without their qualifiers")
{
    CHECK(type_name<outer::inner::plain>() == "plain");
    CHECK(type_name<hidden>() == "hidden");
    CHECK(type_name<outer::inner::holder<outer::inner::plain, 3>>() == "holder<plain,3>");
    CHECK(type_name<outer::inner::holder<hidden, 3>::nested>() == "nested");
    CHECK(type_name<unsigned int>() == "unsigned int");
}

TEST_CASE("functions are named without qualifiers and template arguments")
{
    CHECK(function_name<&outer::inner::once>() == "once");
    CHECK(function_name<&outer::inner::repeated<3>>() == "repeated");
    CHECK(function_name<&local_function>() == "local_function");
}

TEST_CASE("kernels are named after what runs")
{
    using skt::report::kernel_name;
    CHECK(kernel_name<skt::kernel<skt::fn<&outer::inner::once>, skt::aiv<1>>>::value() == "once");
    CHECK(kernel_name<skt::kernel<skt::init_process<outer::inner::plain>, skt::aiv<1>>>::value() == "plain");
    CHECK(kernel_name<skt::kernel<skt::task_fn<hidden>, skt::aiv<1>>>::value() == "hidden");
    CHECK(kernel_name<skt::kernel<skt::functor<hidden>, skt::aiv<1>>>::value() == "hidden");
    CHECK(kernel_name<outer::inner::plain>::value() == "plain");
}

TEST_CASE("equal names are numbered")
{
    std::vector<std::string> names{"a", "b", "a", "a"};
    skt::report::make_unique(names);
    CHECK(names == std::vector<std::string>{"a", "b", "a#2", "a#3"});
}

TEST_CASE("the graph of a super kernel has names")
{
    const skt::report::named_graph_data named = skt::report::named_graph<layer::super>();
    const skt::graph& g = named.view();
    REQUIRE(g.kernel_count == 5);
    CHECK(std::string(g.kernels[0].name) == "rms_norm");
    CHECK(std::string(g.kernels[2].name) == "matmul");
    CHECK(std::string(g.kernels[4].name) == "combine");
    std::vector<std::string> buffers;
    for (int b = 0; b < g.buffer_count; ++b) {
        buffers.push_back(g.buffers[b].name);
    }
    CHECK(buffers == std::vector<std::string>{"x", "gamma", "h", "offsets", "w", "y", "w2", "side_sum_", "z"});
    REQUIRE(g.effects[2].partition >= 0);
    CHECK(std::string(g.partitions[g.effects[2].partition].name) == "rows");
    CHECK(skt::report::argument_names<layer::super>() ==
          std::vector<std::string>{"x", "gamma", "h", "offsets", "w", "y", "w2", "z", "workspace"});
}
