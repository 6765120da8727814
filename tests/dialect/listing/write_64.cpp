// Writes the 64-kernel sequence out as plain calls of the device API, one statement per step of the program, without
// the kit: what a patient person would type.
#include "chain_64.hpp"

#include <cstdio>

namespace {

void write_condition(const skt::core_range& cores, int everyone)
{
    if (cores.first == 0 && cores.stride == 1 && cores.count >= everyone) {
        std::printf("        {\n");
    } else {
        std::printf("        if (GetBlockIdx() < %d) {\n", cores.count);
    }
}

const char* pipe_name(skt::arrive_pipe p)
{
    return p == skt::arrive_pipe::fix ? "PIPE_FIX" : "PIPE_MTE3";
}

bool write_side(skt::side s)
{
    const int everyone = skt::cores_of(fused::launch, s);
    std::printf("    if ASCEND_IS_%s {\n", s == skt::side::aic ? "AIC" : "AIV");
    for (int i = 0; i < fused::program.count[static_cast<int>(s)]; ++i) {
        const skt::step& x = fused::program.steps[static_cast<int>(s)][i];
        if (x.cores.first != 0 || x.cores.stride != 1 || x.skip.count != 0) {
            return false; // this sequence has no such step
        }
        write_condition(x.cores, everyone);
        switch (x.what) {
        case skt::op::call:
            std::printf("            g_super_kernel_dynamic_block_num = %d;\n            stage<%d>(b%d, b%d);\n",
                        fused::details::input.kernels[x.kernel].blocks, x.kernel, x.kernel % ring,
                        (x.kernel + 1) % ring);
            break;
        case skt::op::arrive:
            std::printf("            CrossCoreSetFlag<%d, %s>(%d);\n", skt::mode_of(x.kind), pipe_name(x.pipe), x.flag);
            break;
        case skt::op::wait:
            std::printf("            CrossCoreWaitFlag<%d>(%d);\n", skt::mode_of(x.kind), x.flag);
            break;
        case skt::op::drain:
            std::printf("            PipeBarrier<PIPE_ALL>();\n");
            break;
        default:
            return false;
        }
        std::printf("        }\n");
    }
    std::printf("    }\n");
    return true;
}

} // namespace

int main()
{
    std::printf(
        "#define __SUPER_KERNEL_DYNAMIC_BLOCK_NUM__\n#include \"listing_64.hpp\"\n\nusing namespace AscendC;\n\n"
        "extern \"C\" __global__ __mix__(1, 2) __schedmode__(1) void listing(LISTING_PARAMETERS)\n{\n    "
        "g_super_kernel_early_start_config = 0;\n");
    const bool ok = write_side(skt::side::aic) && write_side(skt::side::aiv);
    std::printf("}\n");
    return ok ? 0 : 1;
}
