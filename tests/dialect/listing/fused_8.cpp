#include <skt/skt.hpp>

#include "listing_8.hpp"

namespace tag {
struct x;
struct h;
struct router_weight;
struct logits;
struct experts;
struct up_weight;
struct up;
struct rows;
struct act;
struct down_weight;
struct down;
struct shared_weight;
struct shared;
} // namespace tag

/// The 1:1 kernel asks the task view for its block.
struct shared_expert_body {
    __aicore__ static void run(const skt::task_view& task, GM_ADDR h, GM_ADDR weight, GM_ADDR out)
    {
        shared_expert(task.block_idx(), task.block_num(), h, weight, out);
    }
};

using k_norm = skt::kernel<skt::fn<&rms_norm>, skt::aiv<40>, skt::in<tag::x>, skt::out<tag::h>>;
using k_router =
    skt::kernel<skt::fn<&router>, skt::aic<8>, skt::in<tag::h>, skt::in<tag::router_weight>, skt::out<tag::logits>>;
using k_top_k =
    skt::kernel<skt::fn<&top_k>, skt::aiv<1>, skt::in<tag::logits>, skt::out<tag::experts, skt::via_scalar>>;
using k_up =
    skt::kernel<skt::fn<&expert_up>, skt::mix<1, 2, 20>, skt::in<tag::h>, skt::in<tag::experts, skt::via_scalar>,
                skt::in<tag::up_weight>, skt::out<tag::up>, skt::scalar<tag::rows, uint32_t>>;
using k_activate = skt::kernel<skt::fn<&activate>, skt::mix_aiv<40>, skt::in<tag::up>, skt::out<tag::act>,
                               skt::sync_all<1>, skt::idle<skt::idle_policy::feed>>;
using k_down = skt::kernel<skt::fn<&expert_down>, skt::mix_aic<24>, skt::in<tag::act>,
                           skt::in<tag::experts, skt::via_scalar>, skt::in<tag::down_weight>, skt::out<tag::down>>;
using k_shared =
    skt::kernel<skt::task_fn<shared_expert_body>, skt::mix<1, 1, 16>, skt::in<tag::h>, skt::in<tag::shared_weight>,
                skt::out<tag::shared>, skt::ratio<skt::ratio_policy::aiv0_only>>;
using k_combine =
    skt::kernel<skt::fn<&combine>, skt::aiv<48>, skt::in<tag::down>, skt::in<tag::shared>, skt::inout<tag::x>>;

using fused = skt::SuperKernel<k_norm, k_router, k_top_k, k_up, k_activate, k_down, k_shared, k_combine>;

extern "C" __global__ __mix__(1, 2) __schedmode__(1) void listing(LISTING_PARAMETERS)
{
    fused::run(LISTING_ARGUMENTS);
}
