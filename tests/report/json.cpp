#include <skt/report/json.hpp>

#include "layer.hpp"
#include "wide.hpp"

#include <catch.hpp>

#include <string>

using nlohmann::ordered_json;

TEST_CASE("the JSON of a type is what skt-plan prints, and says why")
{
    const ordered_json j = ordered_json::parse(skt::report::json<layer::super>().dump());
    CHECK(j.at("launch").at("type") == "mix_aic_1_2");
    CHECK(j.at("launch").at("blocks") == 24);
    CHECK(j.at("arguments") == ordered_json{"x", "gamma", "h", "offsets", "w", "y", "w2", "z", "workspace"});
    CHECK(j.at("program").at("aic").at(1).at("op") == "call");
    CHECK(j.at("program").at("aic").at(1).at("kernel") == "matmul");
    CHECK(j.at("counts").at("all_aiv") == 1);
    CHECK(j.at("findings").empty());

    const ordered_json& boundaries = j.at("why").at("boundaries");
    REQUIRE(boundaries.size() == 4);
    CHECK(boundaries[0].at("after") == "rms_norm");
    CHECK(boundaries[0].at("before") == "quantise");
    CHECK(boundaries[0].at("waits").empty());
    CHECK(boundaries[0].at("hazards").at(0).at("on_one_core") == true);
    CHECK(boundaries[0].at("text").at(0) == "no barrier: each core needs only what it did itself");
    REQUIRE(boundaries[1].at("waits").size() == 2);
    CHECK(boundaries[1].at("waits")[1].at("kind") == "aiv_to_aic");
    CHECK(boundaries[1].at("waits")[1].at("arrive_behind") == "quantise");
    CHECK(boundaries[1].at("hazards").at(0).at("ordered_by") == ordered_json{0, 1});
    CHECK(boundaries[1].at("hazards").at(0).at("buffer") == "h");
    const ordered_json& flush = j.at("why").at("flushes").at(0);
    CHECK(flush.at("after") == "quantise");
    CHECK(flush.at("buffer") == "offsets");
    CHECK(flush.at("cause") == "written_by_scalar");
}

TEST_CASE("but for the reasons the JSON is that of the plan")
{
    const skt::host::graph_data data = wide::layer();
    const skt::host::planned p = skt::host::plan(data.view());
    ordered_json j = skt::report::json(data.view(), p);
    CHECK(j.at("why").at("boundaries").size() == 11);
    j.erase("why");
    CHECK(j == skt::host::plan_json(data.view(), p, {}));
}

TEST_CASE("a plan of nothing has no reasons")
{
    const skt::host::graph_data nothing;
    const ordered_json j = skt::report::json(nothing.view(), skt::host::plan(nothing.view()));
    CHECK(j.at("why").at("launch").empty());
}
