#include <skt/report/explain.hpp>

#include "layer.hpp"

#include <catch.hpp>

#include <string>

namespace {

bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

/// The lines of `text` from `head` up to the next line that is indented no deeper.
std::string under(const std::string& text, const std::string& head)
{
    const std::size_t at = text.find(head);
    if (at == std::string::npos) {
        return {};
    }
    std::size_t end = text.find('\n', at) + 1;
    while (text.compare(end, 6, "      ") == 0) {
        end = text.find('\n', end) + 1;
    }
    return text.substr(at, end - at);
}

} // namespace

TEST_CASE("explain says what is launched and why")
{
    const std::string text = skt::report::explain<layer::super>();
    CHECK(has(text, "super kernel of 5 sub-kernels for atlas_a2_24\n"));
    CHECK(has(text, "mix_aic_1_2 on 24 blocks: 24 AIC + 48 AIV\n"));
    CHECK(has(text, "1:2, because matmul uses two vector cores per cube core\n"));
    CHECK(has(text, "rms_norm is the widest on AIV: 48 cores\n"));
}

TEST_CASE("explain answers every boundary")
{
    const std::string text = skt::report::explain<layer::super>();
    CHECK(
        under(text, "  rms_norm -> quantise\n") ==
        "  rms_norm -> quantise\n"
        "      no barrier: each core needs only what it did itself\n"
        "        quantise reads and writes h, which rms_norm writes (waw, AIV to AIV): block by block on the same core "
        "(cut as rows)\n");
    CHECK(under(text, "  quantise -> matmul\n") ==
          "  quantise -> matmul\n"
          "      barrier 0: all_aiv, flag 10, arrived at behind quantise\n"
          "      barrier 1: aiv_to_aic, flag 10, arrived at behind quantise\n"
          "        because matmul reads h, which quantise reads and writes (raw, AIV to AIC)\n");
    CHECK(has(under(text, "  matmul -> side_product\n"),
              "no barrier: side_product touches nothing that an earlier sub-kernel writes"));
    const std::string last = under(text, "  side_product -> combine\n");
    CHECK(has(last, "barrier 2: all_aic, flag 9"));
    CHECK(has(last, "because combine reads y, which matmul writes (raw, AIC to AIV)"));
    CHECK(has(last, "because combine reads side_sum_, which side_product writes (raw, AIC to AIV)"));
    CHECK(has(last,
              "combine reads offsets, which quantise writes (raw, AIV to AIV): ordered by barrier 0 before matmul"));
}

TEST_CASE("explain gives the program of each side in readable form")
{
    const std::string text = skt::report::explain<layer::super>();
    CHECK(has(text, "program of 24 AIC cores\n"
                    "  wait    aiv_to_aic flag 10 (barrier 1)\n"
                    "  call    matmul\n"
                    "  drain   all pipes\n"
                    "  call    side_product, cores 0..7\n"));
    CHECK(has(text, "  flush   1 line of offsets\n"
                    "  arrive  all_aiv flag 10 on MTE3 (barrier 0)\n"));
}

TEST_CASE("explain says what a flush is for")
{
    CHECK(has(skt::report::explain<layer::super>(),
              "AIV after quantise, 1 line of offsets: its scalar writes to offsets stay in its cache until then, and "
              "combine needs them\n"));
}

TEST_CASE("explain counts against a barrier at every pair")
{
    const std::string text = skt::report::explain<layer::super>();
    CHECK(has(text, "  this plan         1        1           1           1         4 "));
    CHECK(has(text, "  every_pair        2        3           1           2         8 "));
}

TEST_CASE("explain tells barriers that nothing needs from those that something does")
{
    const skt::report::named_graph_data names = skt::report::named_graph<layer::super>();
    skt::graph g = names.view();
    g.policy.sync = skt::sync_policy::every_pair;
    const std::string text = skt::report::explain(g, skt::host::plan(g));
    CHECK(has(under(text, "  rms_norm -> quantise\n"),
              "no hazard needs it: the policy every_pair puts a barrier between all neighbours"));
    CHECK(has(under(text, "  quantise -> matmul\n"), "because matmul reads h"));
    CHECK(has(under(text, "  matmul -> side_product\n"), "because later combine reads y, which matmul writes"));
}

TEST_CASE("a hazard that nothing orders is told")
{
    const skt::report::named_graph_data names = skt::report::named_graph<layer::super>();
    skt::host::planned p = skt::report::planned_of<layer::super>();
    for (auto& steps : p.steps) {
        for (skt::step& x : steps) {
            if (x.what == skt::op::wait && x.barrier == 3) {
                x.what = skt::op::drain;
            }
        }
    }
    CHECK(has(skt::report::explain(names.view(), p), "which matmul writes (raw, AIC to AIV): NOT ORDERED"));
    CHECK(!has(skt::report::explain<layer::super>(), "NOT ORDERED"));
}

TEST_CASE("colour adds control characters and changes no word")
{
    const std::string plain = skt::report::explain<layer::super>(skt::report::style::plain);
    const std::string colour = skt::report::explain<layer::super>(skt::report::style::colour);
    CHECK(!has(plain, "\x1b"));
    CHECK(has(colour, "\x1b[36mrms_norm\x1b[0m"));
    std::string stripped;
    for (std::size_t i = 0; i < colour.size(); ++i) {
        if (colour[i] == '\x1b') {
            i = colour.find('m', i);
        } else {
            stripped += colour[i];
        }
    }
    CHECK(stripped == plain);
}
