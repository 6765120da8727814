/// @file
/// The layer as sub-kernel types, and the super kernel they make. Device-safe.
#pragma once

#include "kernels/combine.hpp"
#include "kernels/dispatch.hpp"
#include "kernels/down.hpp"
#include "kernels/gate_up.hpp"
#include "kernels/rms_norm.hpp"
#include "kernels/route.hpp"
#include "kernels/router.hpp"
#include "kernels/shared_expert.hpp"
#include "kernels/swiglu.hpp"

#include <skt/skt.hpp>

namespace moe {

// ---- buffers of the caller: arguments of the super kernel ----

struct x;                      // [tokens, hidden] half: what comes in
struct gamma;                  // [hidden] half: of the norm ahead of the layer
struct router_weights;         // [experts, hidden] half
struct expert_of;              // [tokens, 8] int32: the chosen experts, for statistics on the host
struct weight_of;              // [tokens, 8] float: their weights
struct shared_gate_up_weights; // [2 · shared_width, hidden] half
struct gate_up_weights;        // [experts, 2 · expert_width, hidden] half
struct shared_down_weights;    // [hidden, shared_width] half
struct down_weights;           // [experts, hidden, expert_width] int8
struct down_scale;             // [experts, hidden] float: of the weights' rows
struct out;                    // [tokens, hidden] half: what goes out
struct next_gamma;             // [hidden] half: of the norm behind the layer
struct next;                   // [tokens, hidden] half: what goes out, normed
struct step;                   // by value

// ---- buffers between sub-kernels: the kit places them in one workspace ----

namespace tag {
struct normed;
struct logits;
struct row_of;
struct first_row;
struct grouped;
struct hidden_rows;
struct act;
struct act_scale;
struct down_tiles;
struct expert_rows;
struct shared_tiles;
struct shared_act;
struct shared_rows;
struct delta;
} // namespace tag

using normed = skt::temp<tag::normed, max_tokens * hidden * 2>;                   // half
using logits = skt::temp<tag::logits, max_tokens * experts * 4>;                  // float
using row_of = skt::temp<tag::row_of, max_tokens * route_stride * 4>;             // int32: rows of a token's experts
using first_row = skt::temp<tag::first_row, first_row_count * 4>;                 // int32: of each expert
using grouped = skt::temp<tag::grouped, max_rows * hidden * 2>;                   // half: rows by expert
using hidden_rows = skt::temp<tag::hidden_rows, max_rows * 2 * expert_width * 2>; // half: gate and up
using act = skt::temp<tag::act, max_rows * expert_width>;                         // int8
using act_scale = skt::temp<tag::act_scale, max_rows * 4>;                        // float: of each row
using down_tiles = skt::temp<tag::down_tiles, down_blocks * down_rounds * down_tile * 4>; // int32
using expert_rows = skt::temp<tag::expert_rows, max_rows * hidden * 2>;                   // half: rows by expert
using shared_tiles = skt::temp<tag::shared_tiles, shared_blocks * 2 * shared_gate_up::tile_size * 4>; // float
using shared_act = skt::temp<tag::shared_act, max_tokens * shared_width * 2>;                         // half
using shared_rows = skt::temp<tag::shared_rows, max_tokens * hidden * 4>;                             // float
using delta = skt::temp<tag::delta, max_tokens * hidden * 4>;                                         // float

/// Block i touches the rows of its own tokens only. Kernels over the same number of vector cores that cut a buffer this
/// way depend on each other core by core, without any barrier.
struct by_token {};

using step_by_value = skt::tiling<step, decode_step>;
using vector_cores = skt::aiv<token_blocks>;

// ---- sub-kernels, in order ----

using norm_kernel = skt::kernel<skt::init_process<rms_norm>, vector_cores, skt::in<x, skt::sliced<by_token>>,
                                skt::in<gamma>, skt::out<normed, skt::sliced<by_token>>, step_by_value>;

using router_kernel = skt::kernel<skt::fn<&router>, skt::aic<router_blocks>, skt::in<normed>, skt::in<router_weights>,
                                  skt::out<logits>, step_by_value>;

/// Its cores meet once, so it is a mix kernel without a cube part; in a wider launch the idle cores join the meeting.
using route_kernel =
    skt::kernel<skt::init_process<route>, skt::mix_aiv<token_blocks>, skt::in<logits, skt::sliced<by_token>>,
                skt::inout<expert_of>, skt::out<weight_of, skt::sliced<by_token>>,
                skt::out<row_of, skt::sliced<by_token>>, skt::out<first_row>, step_by_value, skt::sync_all<1>,
                skt::idle<skt::idle_policy::feed>>;

/// One cube core and one vector core per block, in a launch that has two vector cores per AI core.
using shared_gate_up_kernel =
    skt::kernel<skt::task_fn<shared_gate_up>, skt::mix<1, 1, shared_blocks>, skt::in<normed, skt::on_aic>,
                skt::in<shared_gate_up_weights, skt::on_aic>, skt::inout<shared_tiles>,
                skt::out<shared_act, skt::on_aiv>, step_by_value,
                skt::cross_core<shared_tiles_ready, 2, skt::side::aic, 1>, skt::ratio<skt::ratio_policy::aiv0_only>>;

using dispatch_kernel =
    skt::kernel<skt::fn<&dispatch>, vector_cores, skt::in<normed, skt::sliced<by_token>>,
                skt::in<row_of, skt::sliced<by_token>, skt::via_scalar>, skt::out<grouped>, step_by_value>;

using gate_up_kernel =
    skt::kernel<skt::functor<gate_up>, skt::mix_aic<gate_up_blocks>, skt::in<grouped>,
                skt::in<first_row, skt::via_scalar>, skt::in<gate_up_weights>, skt::out<hidden_rows>>;

using swiglu_kernel = skt::kernel<skt::fn<&swiglu_quant>, skt::aiv<swiglu_blocks>, skt::in<hidden_rows>, skt::out<act>,
                                  skt::out<act_scale>, step_by_value>;

/// The cube cores are free while the vector cores quantise.
using shared_down_kernel = skt::kernel<skt::fn<&shared_down>, skt::aic<shared_blocks>, skt::in<shared_act>,
                                       skt::in<shared_down_weights>, skt::out<shared_rows>, step_by_value>;

using down_kernel =
    skt::kernel<skt::init_process<down>, skt::mix<1, 2, down_blocks>, skt::in<act, skt::on_aic>,
                skt::in<act_scale, skt::on_aiv, skt::via_scalar>, skt::in<first_row, skt::via_scalar>,
                skt::in<down_weights, skt::on_aic>, skt::in<down_scale, skt::on_aiv>, skt::inout<down_tiles>,
                skt::out<expert_rows, skt::on_aiv>, skt::cross_core<down_tile_ready, 2, skt::side::aic, down_rounds>>;

using combine_kernel = skt::kernel<skt::fn<&combine>, vector_cores, skt::in<shared_rows, skt::sliced<by_token>>,
                                   skt::in<expert_rows>, skt::in<row_of, skt::sliced<by_token>, skt::via_scalar>,
                                   skt::in<weight_of, skt::sliced<by_token>, skt::via_scalar>,
                                   skt::out<delta, skt::sliced<by_token>>, step_by_value>;

using residual_kernel =
    skt::kernel<skt::fn<&residual>, vector_cores, skt::in<x, skt::sliced<by_token>>,
                skt::in<delta, skt::sliced<by_token>>, skt::out<out, skt::sliced<by_token>>, step_by_value>;

/// The first sub-kernel of the next layer, drawn into this one: the same code on other buffers.
using next_norm_kernel = skt::kernel<skt::init_process<rms_norm>, vector_cores, skt::in<out, skt::sliced<by_token>>,
                                     skt::in<next_gamma>, skt::out<next, skt::sliced<by_token>>, step_by_value>;

/// With bytes of their own the temp buffers take a sixth more workspace than when they share, and the plan five
/// barriers less: a buffer that takes over another's bytes has to wait for its readers.
using layer_sharing_workspace =
    skt::SuperKernel<norm_kernel, router_kernel, route_kernel, shared_gate_up_kernel, dispatch_kernel, gate_up_kernel,
                     swiglu_kernel, shared_down_kernel, down_kernel, combine_kernel, residual_kernel, next_norm_kernel>;
using layer = layer_sharing_workspace::with<skt::separate_temps>;

} // namespace moe
