// Writes the report of a wide layer into a folder, for the browser test to open: twelve kernels, 72 cores, fused and
// unfused.
#include <skt/report/folder.hpp>

#include "wide.hpp"

#include <cstdio>
#include <exception>
#include <vector>

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fputs("usage: report_pages FOLDER\n", stderr);
        return 2;
    }
    try {
        using namespace skt::report;
        const skt::host::graph_data g = wide::layer();
        const skt::host::planned p = skt::host::plan(g.view());
        std::vector<skt::emu::run_result> alone;
        for (const skt::kernel_desc& k : g.kernels) {
            alone.push_back(wide::alone(k, 2000 + 500 * k.blocks));
        }
        report_runs runs;
        for (std::size_t k = 0; k < alone.size(); ++k) {
            runs.unfused.push_back({g.kernels[k].name, &alone[k]});
        }
        const skt::emu::run_result fused = wide::played(g.view(), p, emulated_times(g.view(), runs.unfused));
        runs.fused = &fused;
        std::puts(write_report(argv[1], g.view(), p, runs).string().c_str());
    } catch (const std::exception& e) {
        std::fprintf(stderr, "report_pages: %s\n", e.what());
        return 1;
    }
    return 0;
}
