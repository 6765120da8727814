// Plan files, sentences and option strings.
#include <skt/host/option_sentence.hpp>
#include <skt/host/plan_json.hpp>

#include <catch.hpp>

#include <cstdio>
#include <string>

using namespace skt;

namespace {

std::string error_of(const std::string& text)
{
    try {
        host::read_plan(text);
    } catch (const host::input_error& e) {
        return e.what();
    }
    return "";
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

std::string one_kernel(const std::string& more)
{
    return R"({"kernels":[{"name":"k","type":"mix_aic_1_2","blocks":4)" + more + "}]}";
}

} // namespace

TEST_CASE("plan files: every member is read")
{
    const host::graph_data d = host::read_plan(R"({
        "soc": "atlas_a2_25",
        "kernels": [
          {"name": "a", "type": "mix_aic_1_1", "blocks": 7, "dynamic": true, "sync_all": 2, "sync_all_scope": "all",
           "cross_core": [{"flag": 3, "mode": 2, "from": "aic", "times": 4}, {"flag": 4, "mode": 0, "from": "aiv"}],
           "matmul_objects": 1, "pipes": 3, "signals_next": true, "awaits_previous": true, "cache": "line_on_access",
           "ratio": "adaptive", "idle_at_sync_all": "feed",
           "args": [{"buffer": "x", "effect": "in"},
                    {"buffer": "y", "effect": "accumulate", "via": "both", "side": "aiv", "slice": "rows"}]},
          {"name": "b", "type": "aic_only", "blocks": 2},
          {"name": "c", "type": "aiv_only", "blocks": "dynamic", "args": [{"buffer": "z", "effect": "opaque"}]}],
        "aliases": [["x", "z"]],
        "policy": {"sync": "every_pair", "launch_at_least": {"aic": 5, "aiv": 6}}})");
    CHECK(std::string(d.chip.name) == "atlas_a2_25");
    REQUIRE(d.kernels.size() == 3);
    const kernel_desc& a = d.kernels[0];
    CHECK(std::string(a.name) == "a");
    CHECK(a.type == kernel_type::mix_aic_1_1);
    CHECK(a.blocks == 7);
    CHECK(a.dynamic);
    CHECK(!a.opaque);
    CHECK(a.sync_all == 2);
    CHECK(a.scope == sync_scope::all);
    CHECK(a.matmul_objects == 1);
    CHECK(a.pipes == 3);
    CHECK(a.signals_next);
    CHECK(a.awaits_previous);
    CHECK(a.cache == cache_policy::line_on_access);
    CHECK(a.ratio == ratio_policy::adaptive);
    CHECK(a.idle == idle_policy::feed);
    REQUIRE(d.cross_core.size() == 2);
    CHECK(d.cross_core[0].flag == 3);
    CHECK(d.cross_core[0].from == side::aic);
    CHECK(d.cross_core[0].times == 4);
    CHECK(d.cross_core[1].mode == 0);
    CHECK(d.cross_core[1].times == 1);
    REQUIRE(d.effects.size() == 3);
    CHECK(d.effects[1].what == access::accumulate);
    CHECK(d.effects[1].how == via::both);
    CHECK(d.effects[1].sides == on_aiv_bit);
    CHECK(d.effects[1].partition == 0);
    CHECK(d.effects[2].how == via::both);
    CHECK(d.kernels[1].opaque);
    CHECK(d.kernels[2].dynamic);
    CHECK(d.kernels[2].blocks == 50);
    CHECK(d.buffers[0].region == d.buffers[2].region);
    CHECK(d.buffers[0].shared);
    CHECK(!d.buffers[1].shared);
    CHECK(d.policy.sync == sync_policy::every_pair);
    CHECK(d.policy.at_least_aic == 5);
    CHECK(d.policy.at_least_aiv == 6);
}

TEST_CASE("plan files: what cannot be used is refused in one sentence that names the place")
{
    const struct {
        std::string text;
        const char* says;
    } cases[] = {
        {"", "not JSON"},
        {"{", "not JSON"},
        {std::string("\0\xff\x80 garbage", 12), "not JSON"},
        {std::string(100000, '['), "not JSON"},
        {R"({"kernels":[{"name":"\u00e9\ud800","type":"aiv_only","blocks":1}]})", "not JSON"},
        {R"({"kernels":[1e999]})", "not JSON"},
        {"[]", "must be an object"},
        {"null", "must be an object"},
        {"{}", "lacks the member 'kernels'"},
        {R"({"kernels":{}})", "'kernels' must be a list"},
        {R"({"kernels":[3]})", "Kernel number 0 must be an object"},
        {R"({"kernels":[{}]})", "lacks the member 'name'"},
        {R"({"kernels":[{"name":3}]})", "must be a name"},
        {R"({"kernels":[{"name":""}]})", "must be a name"},
        {R"({"kernels":[{"name":"a\u0000b"}]})", "control characters"},
        {R"({"kernels":[{"name":"k"}]})", "Kernel 'k' lacks the member 'type'"},
        {R"({"kernels":[{"name":"k","type":"aiv"}]})", "'type' of kernel 'k' must be one of aiv_only"},
        {R"({"kernels":[{"name":"k","type":"aiv_only"}]})", "lacks the member 'blocks'"},
        {R"({"kernels":[{"name":"k","type":"aiv_only","blocks":-1}]})", "must be 0 to 65535, and is -1"},
        {R"({"kernels":[{"name":"k","type":"aiv_only","blocks":1.5}]})", "must be a whole number, and is a fraction"},
        {R"({"kernels":[{"name":"k","type":"aiv_only","blocks":18446744073709551615}]})", "must be 0 to 65535"},
        {R"({"kernels":[{"name":"k","type":"aiv_only","blocks":"many"}]})", "must be a whole number"},
        {R"({"kernels":[{"name":"k","type":"aiv_only","blocks":1},{"name":"k","type":"aiv_only","blocks":1}]})",
         "Kernel 'k' is there twice"},
        {one_kernel(R"(,"blocks":5)"), "'blocks' is there twice"},
        {one_kernel(R"(,"colour":"red")"), "unknown member 'colour'"},
        {one_kernel(R"(,"sync_all":true)"), "'sync_all' of kernel 'k' must be a whole number"},
        {one_kernel(R"(,"signals_next":1)"), "must be true or false"},
        {one_kernel(R"(,"cache":"sometimes")"), "must be one of planned, around"},
        {one_kernel(R"(,"ratio":null)"), "must be one of"},
        {one_kernel(R"(,"args":{})"), "'args' of kernel 'k' must be a list"},
        {one_kernel(R"(,"args":[[]])"), "Argument number 0 of kernel 'k' must be an object"},
        {one_kernel(R"(,"args":[{"buffer":"x"}])"), "lacks the member 'effect'"},
        {one_kernel(R"(,"args":[{"buffer":"x","effect":"eat"}])"), "must be one of in, out"},
        {one_kernel(R"(,"args":[{"buffer":"x","effect":"in","via":"mail"}])"), "must be one of dma"},
        {one_kernel(R"(,"args":[{"buffer":"x","effect":"in","side":"left"}])"), "must be one of aic"},
        {one_kernel(R"(,"cross_core":[{"flag":1}])"), "lacks the member 'mode'"},
        {one_kernel(R"(,"cross_core":[{"flag":1,"mode":7,"from":"aic"}])"), "must be 0 to 2"},
        {R"({"kernels":[{"name":"k","type":"aiv_only","blocks":1,"args":[{"buffer":"x","effect":"in","side":"aic"}]}]})",
         "on a side that the kernel's type does not have"},
        {R"({"kernels":[],"soc":"atlas_z"})", "'soc' must be one of atlas_a2_20"},
        {R"({"kernels":[],"aliases":[["x"]]})", "must name two buffers"},
        {R"({"kernels":[],"aliases":[["x","y"]]})", "no kernel has"},
        {R"({"kernels":[],"policy":{"sync":"never"}})", "must be one of planned, every_pair"},
        {R"({"kernels":[],"policy":{"launch_at_least":{"aiv":-3}}})", "must be 0 to 65535"},
        {R"({"kernels":[],"policy":{"speed":1}})", "unknown member 'speed'"},
    };
    for (const auto& c : cases) {
        INFO(c.text.substr(0, 200));
        const std::string error = error_of(c.text);
        INFO(error);
        CHECK(contains(error, c.says));
        CHECK(!error.empty());
        CHECK(error.back() == '.');
    }
}

TEST_CASE("plan files: the output names launch, arguments, hazards, steps, counts and findings")
{
    const host::graph_data d = host::read_plan(R"({"kernels":[
        {"name":"norm","type":"aiv_only","blocks":48,"args":[{"buffer":"x","effect":"in"},{"buffer":"h","effect":"out"}]},
        {"name":"linear","type":"mix_aic_1_2","blocks":24,
         "args":[{"buffer":"h","effect":"in","side":"aic"},{"buffer":"y","effect":"out","side":"aic"}]},
        {"name":"sum","type":"aiv_only","blocks":8,"sync_all":1,"args":[{"buffer":"y","effect":"inout","via":"scalar"}]}]})");
    const graph g = d.view();
    const host::planned p = host::plan(g);
    const auto findings = host::findings_of(g, p.view());
    const auto out = nlohmann::json::parse(host::plan_json(g, p, findings).dump());
    CHECK(out["launch"]["type"] == "mix_aic_1_2");
    CHECK(out["launch"]["blocks"] == 24);
    CHECK(out["arguments"] == nlohmann::json({"x", "h", "y"}));
    CHECK(out["hazards"][0] ==
          nlohmann::json({{"kind", "raw"}, {"buffer", "h"}, {"from", "norm"}, {"to", "linear"}, {"scope", "all"}}));
    CHECK(out["hazards"].size() == 2);
    // V to C is one barrier among vector cores and one across; C to V likewise.
    CHECK(out["counts"]["all_aiv"].get<int>() + out["counts"]["all_aic"].get<int>() == 2);
    CHECK(out["counts"]["aiv_to_aic"] == 1);
    CHECK(out["counts"]["aic_to_aiv"] == 1);
    REQUIRE(out["findings"].size() == 1);
    CHECK(out["findings"][0]["rule"] == "sync-all-on-fewer-cores");
    CHECK(out["findings"][0]["severity"] == "error");
    CHECK(out["findings"][0]["kernels"] == nlohmann::json({"sum"}));
    const std::string message = out["findings"][0]["message"].get<std::string>();
    CHECK(contains(message, "8 of 48"));
    bool calls[2] = {false, false};
    for (const auto& x : out["program"]["aiv"]) {
        calls[0] = calls[0] || (x["op"] == "call" && x["kernel"] == "norm");
    }
    for (const auto& x : out["program"]["aic"]) {
        calls[1] = calls[1] || (x["op"] == "call" && x["kernel"] == "linear");
    }
    CHECK(calls[0]);
    CHECK(calls[1]);
}

TEST_CASE("sentences: a flag clash names both kernels and three free ids")
{
    host::graph_data d;
    d.add_kernel("prologue", kernel_type::mix_aic_1_2, 24);
    d.add_cross_core({0, 2, side::aiv, 1});
    d.add_cross_core({1, 2, side::aic, 1});
    d.add_kernel("attention", kernel_type::mix_aic_1_2, 24);
    d.add_cross_core({0, 2, side::aiv, 1});
    const graph g = d.view();
    const auto findings = host::findings_of(g, host::plan(g).view());
    REQUIRE(!findings.empty());
    CHECK(findings[0].broken == rule::flag_id_clash);
    const std::string s = host::sentence(g, findings[0]);
    INFO(s);
    CHECK(contains(s, "'prologue'"));
    CHECK(contains(s, "'attention'"));
    CHECK(contains(s, "2, 3, 4"));
}

TEST_CASE("sentences: every rule has one, whatever the finding points at")
{
    host::graph_data d;
    d.add_kernel("a", kernel_type::mix_aic_1_2, 2);
    d.add_buffer("b");
    const graph g = d.view();
    for (int r = 0; r < rule_count; ++r) {
        for (const int kernel : {-1, 0, 7}) {
            for (const int number : {-1, 0, 1}) {
                const finding f{static_cast<rule>(r), kernel, kernel, kernel, number, 1, side::aiv};
                const std::string s = host::sentence(g, f);
                INFO(name_of(f.broken));
                REQUIRE(s.size() > 20);
                CHECK(s.back() == '.');
                CHECK(s[0] >= 'A');
                CHECK(s[0] <= 'Z');
            }
        }
    }
}

static_assert(options_ok("feed-sync-all=1:dcci-before-kernel-start=a,b:early-start=0:debug-sync-all=1"), "well formed");
static_assert(options_ok(""), "nothing is asked");
static_assert(parse_options("feed-sync-all").result.fault == option_fault::missing_equals, "");
static_assert(parse_options("feed-sync-al=1").result.fault == option_fault::unknown_option, "");
static_assert(parse_options("early-start=1:early-start=1").result.fault == option_fault::duplicate_option, "");
static_assert(parse_options("early-start=3").result.fault == option_fault::bad_value, "");
static_assert(parse_options("split-mode=4").result.fault == option_fault::not_for_a_plan, "");

TEST_CASE("options: each sets its policy")
{
    kernel_desc kernels[4] = {};
    const char* names[] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; ++i) {
        kernels[i].name = names[i];
    }
    graph_policy policy{};
    const char* text = "feed-sync-all=1: early-start = 0 :debug-sync-all=1:debug-dcci-all=1:debug-aic-num=20:"
                       "debug-aiv-num=40:preload-code=per-func:sync=every-pair:dcci-before-kernel-start=a,b:"
                       "dcci-after-kernel-end=b, c:dcci-disable-on-kernel=d";
    const option_result r = apply_options(text, parse_options(text), policy, kernels, 4);
    CHECK(host::sentence(text, r).empty());
    CHECK(r.ok());
    CHECK(!policy.early_start);
    CHECK(policy.sync_after_each);
    CHECK(policy.flush_after_each);
    CHECK(policy.at_least_aic == 20);
    CHECK(policy.at_least_aiv == 40);
    CHECK(policy.preload == preload_policy::per_kernel);
    CHECK(policy.sync == sync_policy::every_pair);
    CHECK(kernels[0].cache == cache_policy::before);
    CHECK(kernels[1].cache == cache_policy::around);
    CHECK(kernels[2].cache == cache_policy::after);
    CHECK(kernels[3].cache == cache_policy::none);
    for (const kernel_desc& k : kernels) {
        CHECK(k.idle == idle_policy::feed);
    }
}

TEST_CASE("options: what is wrong is said in one sentence")
{
    const struct {
        const char* text;
        option_fault fault;
        const char* says;
    } cases[] = {
        {"feed-sync-all", option_fault::missing_equals, "no '='"},
        {"feed-sync-all=1:", option_fault::missing_equals, "no '='"},
        {"::", option_fault::missing_equals, "no '='"},
        {"=1", option_fault::unknown_option, "is no option"},
        {"feed=1", option_fault::unknown_option, "'feed' is no option"},
        {"stream-fusion=1", option_fault::not_for_a_plan, "'stream-fusion'"},
        {"early-start=0:early-start=1", option_fault::duplicate_option, "'early-start' is given twice"},
        {"early-start=", option_fault::bad_value, "cannot be ''"},
        {"early-start=1x", option_fault::bad_value, "0, 1 or 2"},
        {"debug-aic-num=99999999999999999999", option_fault::bad_value, "0 to 65535"},
        {"debug-aic-num=-1", option_fault::bad_value, "0 to 65535"},
        {"preload-code=all", option_fault::bad_value, "none, per-func or max"},
        {"dcci-before-kernel-start=", option_fault::bad_value, "a list of kernel names"},
        {"dcci-before-kernel-start=a,z", option_fault::unknown_kernel, "'z'"},
        {"dcci-after-kernel-end=a,", option_fault::unknown_kernel, "''"},
    };
    for (const auto& c : cases) {
        INFO(c.text);
        kernel_desc kernel{};
        kernel.name = "a";
        graph_policy policy{};
        const option_result r = apply_options(c.text, parse_options(c.text), policy, &kernel, 1);
        CHECK(r.fault == c.fault);
        const std::string s = host::sentence(c.text, r);
        INFO(s);
        CHECK(contains(s, c.says));
    }
}
