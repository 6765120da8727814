// A libFuzzer target: any bytes as a plan file. Build it by hand with clang++ -fsanitize=fuzzer,address,undefined.
#include <skt/host/option_sentence.hpp>
#include <skt/host/plan_json.hpp>
#include <skt/report/explain.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace skt;
    const std::string text(reinterpret_cast<const char*>(data), size);
    // What stands before the first brace is an option string as well.
    const std::string options = text.substr(0, text.find('{')).c_str();
    try {
        host::graph_data plan = host::read_plan(text.substr(text.find('{') == std::string::npos ? 0 : text.find('{')));
        const option_result r = apply_options(options.c_str(), parse_options(options.c_str()), plan.policy,
                                              plan.kernels.data(), static_cast<int>(plan.kernels.size()));
        if (!r.ok() && host::sentence(options, r).empty()) {
            std::abort();
        }
        const graph g = plan.view();
        const host::planned p = host::plan(g);
        const auto findings = host::findings_of(g, p.view());
        if (host::plan_json(g, p, findings).dump().empty() || (g.kernel_count > 0 && report::explain(g, p).empty())) {
            std::abort();
        }
    } catch (const host::input_error&) {
    }
    return 0;
}
