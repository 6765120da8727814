// Runs any planned graph on the emulator, with bodies that do exactly what the kernels declare, as adversarially as the
// declaration allows: reads of everything that may be read, writes by changing cores, work left in flight at the end.
#pragma once

#include "kernel_operator.h"

#include <skt/host.hpp>
#include <skt/host/graph_data.hpp>
#include <skt/host/plan.hpp>

#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <vector>

namespace skt::test {

namespace ac = AscendC;

class fused_graph {
public:
    static constexpr std::uint64_t slots = 24; ///< Places in a buffer; two cache lines each.
    static constexpr std::uint64_t slot_bytes = 128;

    explicit fused_graph(const graph& g) : g_(g) {}

    /// Where declarations leave it open which core writes which line, bodies go one way or the other.
    int variant = 0;

    /// Whether the bodies can act out the declarations: at most one effect per kernel and overlapping memory.
    bool playable() const
    {
        for (int k = 0; k < g_.kernel_count; ++k) {
            const kernel_desc& x = g_.kernels[k];
            for (int a = x.first_effect; a < x.first_effect + x.effect_count; ++a) {
                for (int b = a + 1; b < x.first_effect + x.effect_count; ++b) {
                    if (overlap(g_.buffers[g_.effects[a].buffer], g_.buffers[g_.effects[b].buffer])) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /// All contents after a run.
    using contents = std::vector<std::vector<std::int32_t>>;

    /// Runs a program.
    emu::run_result run(emu::device& npu, const program_view& p, contents& out)
    {
        prepare(npu);
        const auto r = npu.launch(p.launch, [&] { play(p); });
        collect(out);
        return r;
    }
    /// Runs every kernel in a launch of its own.
    void run_unfused(emu::device& npu, contents& out)
    {
        prepare(npu);
        for (int k = 0; k < g_.kernel_count; ++k) {
            const kernel_desc& x = g_.kernels[k];
            kernel_type t = x.type;
            t = t == kernel_type::aiv_only   ? kernel_type::mix_aiv_1_0
                : t == kernel_type::aic_only ? kernel_type::mix_aic_1_0
                                             : t;
            const bool checks = npu.options().checks;
            npu.options().checks = false;
            npu.launch(launch_shape{t, x.blocks}, [&] {
                const side s = my_side();
                const core_range mine = cores_of(x, launch_shape{t, x.blocks}, s);
                if (contains(mine, core_index())) {
                    g_super_kernel_early_start_config = 0;
                    body(k, s, mine);
                }
            });
            npu.options().checks = checks;
        }
        collect(out);
    }

private:
    static side my_side() { return emu::current_core().which; }
    static int core_index() { return emu::current_core().number; }

    void prepare(emu::device& npu)
    {
        memory_.clear();
        base_.assign(static_cast<std::size_t>(g_.buffer_count), nullptr);
        room_.assign(static_cast<std::size_t>(g_.buffer_count), slots);
        std::map<int, std::size_t> region;
        std::int64_t workspace = 0;
        for (int b = 0; b < g_.buffer_count; ++b) {
            workspace = std::max(workspace, g_.buffers[b].temp ? g_.buffers[b].offset + g_.buffers[b].bytes : 0);
        }
        const auto add = [&](std::size_t bytes) {
            std::vector<std::int32_t> v(bytes / 4 + 64);
            for (std::size_t i = 0; i < v.size(); ++i) {
                v[i] = static_cast<std::int32_t>(i * 2654435761u + memory_.size());
            }
            memory_.push_back(npu.from(v, "memory" + std::to_string(memory_.size())));
            return memory_.size() - 1;
        };
        const std::size_t pool = add(static_cast<std::size_t>(workspace));
        for (int b = 0; b < g_.buffer_count; ++b) {
            const buffer_desc& x = g_.buffers[b];
            const auto i = static_cast<std::size_t>(b);
            if (x.temp) {
                base_[i] = memory_[pool].addr() + x.offset;
                room_[i] = static_cast<std::uint64_t>(x.bytes) / slot_bytes;
            } else {
                if (region.find(x.region) == region.end()) {
                    region[x.region] = add(slots * slot_bytes);
                }
                base_[i] = memory_[region[x.region]].addr();
            }
        }
        memory_.push_back(
            npu.zeros<std::int32_t>(81 * 16, "private")); // a line for each core, and one that nobody writes
    }
    void collect(contents& out)
    {
        out.clear();
        for (std::size_t i = 0; i + 1 < memory_.size(); ++i) {
            out.push_back(memory_[i].get());
        }
    }

    // ---- one core's walk through the program ----

    void play(const program_view& p)
    {
        const side s = my_side();
        const int core = core_index();
        emu::core& c = emu::current_core();
        emu::machine& m = emu::current_machine();
        for (int i = 0; i < p.count[static_cast<int>(s)]; ++i) {
            const step& x = p.steps[static_cast<int>(s)][i];
            const bool skipped = x.skip.count > 0 && contains(x.skip, core);
            if (!contains(x.cores, core) || (skipped && x.what != op::call)) {
                continue;
            }
            switch (x.what) {
            case op::call:
                g_super_kernel_dynamic_block_num = static_cast<std::uint32_t>(g_.kernels[x.kernel].blocks);
                g_super_kernel_early_start_config = static_cast<std::uint32_t>(x.early);
                emu::kernel_begin(g_.kernels[x.kernel].name, x.kernel);
                body(x.kernel, s, x.cores);
                emu::kernel_end();
                break;
            case op::arrive:
                m.set_flag(c, mode_of(x.kind), x.pipe == arrive_pipe::fix ? emu::pipe::fix : emu::pipe::mte3, x.flag,
                           here());
                break;
            case op::wait:
                m.wait_flag(c, x.flag, here());
                break;
            case op::drain:
                ac::PipeBarrier<PIPE_ALL>();
                break;
            case op::flush:
                flush(x);
                break;
            case op::feed:
                emu::kernel_begin(g_.kernels[x.kernel].name, x.kernel);
                for (int t = 0; t < x.times; ++t) {
                    if (x.flag < 0) {
                        sync_all(g_.kernels[x.kernel]);
                    } else if (source_of(x.kind) == s) {
                        m.set_flag(c, 2, emu::pipe::mte3, x.flag, here());
                    } else {
                        m.wait_flag(c, x.flag, here());
                    }
                }
                emu::kernel_end();
                break;
            case op::preload:
                break;
            }
        }
    }
    static emu::where here() { return emu::where::here(); }
    void flush(const step& x)
    {
        ac::GlobalTensor<std::int32_t> t;
        if (x.buffer < 0) {
            t.SetGlobalBuffer(memory_[0].ptr());
            ac::DataCacheCleanAndInvalid<std::int32_t, ac::CacheLine::ENTIRE_DATA_CACHE, ac::DcciDst::CACHELINE_OUT>(t);
            return;
        }
        for (int l = 0; l < x.lines; ++l) {
            t.SetGlobalBuffer(word(x.buffer, static_cast<std::uint64_t>(l) * 64));
            ac::DataCacheCleanAndInvalid<std::int32_t, ac::CacheLine::SINGLE_CACHE_LINE, ac::DcciDst::CACHELINE_OUT>(t);
        }
    }
    static void sync_all(const kernel_desc& k)
    {
        if (k.scope == sync_scope::all) {
            ac::SyncAll<false>();
        } else if (my_side() == side::aiv) {
            ac::SyncAll<true>();
        }
    }

    // ---- a kernel's body ----

    std::int32_t* word(int buffer, std::uint64_t byte) const
    {
        return reinterpret_cast<std::int32_t*>(base_[static_cast<std::size_t>(buffer)] + byte);
    }
    static bool both_sides(const kernel_desc& k, const effect& e) { return is_mix(k.type) && e.sides == on_both_bits; }

    /// The slots that block `block` of `blocks` owns when kernel `k` writes.
    std::vector<std::uint64_t> own_slots(int k, side s, const effect& e, int block, int blocks) const
    {
        std::vector<std::uint64_t> v;
        const std::uint64_t room = room_[static_cast<std::size_t>(e.buffer)];
        const bool shared = both_sides(g_.kernels[k], e);
        for (std::uint64_t j = 0; j < room; ++j) {
            if (shared && (j + static_cast<std::uint64_t>(variant)) % 2 != static_cast<std::uint64_t>(s)) {
                continue;
            }
            const std::uint64_t n = shared ? j / 2 : j;
            const std::uint64_t turn = e.partition >= 0 ? static_cast<std::uint64_t>(blocks + 5 * e.partition + variant)
                                                        : static_cast<std::uint64_t>(3 * k + 1 + variant * (k / 2 + 1));
            if ((n + turn) % static_cast<std::uint64_t>(blocks) == static_cast<std::uint64_t>(block)) {
                v.push_back(j);
            }
        }
        return v;
    }

    void body(int k, side s, core_range mine)
    {
        const kernel_desc& x = g_.kernels[k];
        const bool paired =
            s == side::aiv && x.type == kernel_type::mix_aic_1_1 && mine.count == 2 * x.blocks; // adaptive
        const int place = (core_index() - mine.first) / mine.stride;
        const int block = paired ? place / 2 : place;
        const int blocks = paired ? x.blocks : mine.count;
        const bool writer = !paired || place % 2 == 0;
        use_scratch(false);
        if (x.awaits_previous) {
            ac::WaitPreTaskEnd<true>();
        }
        std::uint32_t seen = static_cast<std::uint32_t>(k) * 977u;
        std::vector<effect> effects;
        if (x.opaque) {
            std::set<int> regions;
            for (int b = 0; b < g_.buffer_count; ++b) {
                const buffer_desc& d = g_.buffers[b];
                if (!d.temp && regions.insert(d.region).second) {
                    effect e;
                    e.buffer = b;
                    e.what = access::inout;
                    e.how = via::both;
                    effects.push_back(e);
                }
            }
        } else {
            for (int i = x.first_effect; i < x.first_effect + x.effect_count; ++i) {
                effects.push_back(g_.effects[i]);
                if (effects.back().what == access::opaque) {
                    effects.back().what = access::inout;
                }
            }
        }
        for (const effect& e : effects) {
            if ((e.sides & mask_of(s)) == 0) {
                continue;
            }
            if (e.what == access::in) {
                read(x, e, seen, e.partition >= 0 ? own_slots(k, s, e, block, blocks) : every_slot(e));
            } else if (e.what == access::inout) {
                read(x, e, seen, own_slots(k, s, e, block, blocks));
            }
            drain();
        }
        for (int i = 0; i < x.sync_all; ++i) {
            sync_all(x);
        }
        for (int i = x.first_cross_core; i < x.first_cross_core + x.cross_core_count; ++i) {
            const cross_core_use& u = g_.cross_core[i];
            for (int t = 0; t < u.times; ++t) {
                if (u.from == s) {
                    emu::current_machine().set_flag(emu::current_core(), u.mode,
                                                    s == side::aic ? emu::pipe::fix : emu::pipe::mte3, u.flag, here());
                }
            }
            for (int t = 0; t < u.times; ++t) {
                if (u.from != s) {
                    emu::current_machine().wait_flag(emu::current_core(), u.flag, here());
                }
            }
        }
        for (const effect& e : effects) {
            if ((e.sides & mask_of(s)) == 0 || e.what == access::in || !writer) {
                continue;
            }
            if (e.what == access::accumulate && e.how != via::scalar) {
                accumulate(e, e.partition >= 0 ? own_slots(k, s, e, block, blocks) : every_slot(e));
            } else {
                write(e, seen, own_slots(k, s, e, block, blocks));
            }
        }
        use_scratch(true);
        // From here on nothing waits: what is in flight at the end is the plan's business.
        for (const effect& e : effects) {
            if ((e.sides & mask_of(s)) != 0 && e.what != access::in && writer &&
                (e.what != access::accumulate || e.how == via::scalar)) {
                write_scalar(x, e, seen, own_slots(k, s, e, block, blocks));
            }
        }
        // Reads that nobody waits for: the next kernel must not overwrite what they read.
        std::uint64_t room = 0;
        for (const effect& e : effects) {
            const bool all = e.what == access::in && e.partition < 0;
            if ((e.sides & mask_of(s)) == 0 || !uses_dma(e.how) || (e.what != access::in && e.what != access::inout)) {
                continue;
            }
            for (const std::uint64_t j : all ? every_slot(e) : own_slots(k, s, e, block, blocks)) {
                // A line that this kernel's scalar unit writes is not read as well.
                const std::uint64_t from = e.what == access::inout && e.how == via::both ? 64 : 0;
                emu::copy_in(near(), 0x8000 + room, {slot_bytes - from}, word(e.buffer, j * slot_bytes + from),
                             {slot_bytes - from}, "late read", here());
            }
            room += slot_bytes;
        }
        for (const effect& e : effects) {
            if ((e.sides & mask_of(s)) != 0 && uses_scalar(e.how) && e.what == access::in) {
                read_scalar(x, e, seen, e.partition >= 0 ? own_slots(k, s, e, block, blocks) : every_slot(e));
            }
        }
        if (x.signals_next) {
            ac::SetNextTaskStart<PIPE_MTE3, PIPE_FIX, true>();
        }
    }
    /// Every kernel uses on-chip memory: its first instruction writes some, its last one still reads it when the kernel
    /// ends.
    void use_scratch(bool last)
    {
        if (!last) {
            {
                emu::instr i(unit(), "scratch", here());
                i.writes(out(), 0x1C000, {64});
            }
            emu::instr i(my_side() == side::aiv ? emu::pipe::v : emu::pipe::mte1, "scratch", here());
            i.writes(near(), 0x1D000, {64});
        } else {
            drain();
            std::int32_t* mine = memory_.back().ptr() + emu::current_core().index * 16;
            emu::copy_in(near(), 0x1D000, {64}, memory_.back().ptr() + 80 * 16, {64}, "last read", here());
            emu::copy_out(mine, {64}, out(), 0x1C000, {64}, "last write", here());
        }
    }
    std::vector<std::uint64_t> every_slot(const effect& e) const
    {
        std::vector<std::uint64_t> v(room_[static_cast<std::size_t>(e.buffer)]);
        for (std::uint64_t j = 0; j < v.size(); ++j) {
            v[j] = j;
        }
        return v;
    }

    // Where a side works, and with which pipes.
    static emu::mem near() { return my_side() == side::aiv ? emu::mem::ub : emu::mem::l1; }
    static emu::mem out() { return my_side() == side::aiv ? emu::mem::ub : emu::mem::l0c; }
    static emu::pipe unit() { return my_side() == side::aiv ? emu::pipe::v : emu::pipe::m; }
    static void drain() { ac::PipeBarrier<PIPE_ALL>(); }

    /// Whether the scalar unit may touch line `line` of the buffer.
    static bool scalar_line(const effect& e, std::uint64_t line)
    {
        return uses_scalar(e.how) && (e.scalar_lines == 0 || line < static_cast<std::uint64_t>(e.scalar_lines));
    }
    static void line_flush(const kernel_desc& x, ac::GlobalTensor<std::int32_t>& t)
    {
        if (x.cache == cache_policy::line_on_access) {
            ac::DataCacheCleanAndInvalid<std::int32_t, ac::CacheLine::SINGLE_CACHE_LINE, ac::DcciDst::CACHELINE_OUT>(t);
        }
    }

    void read(const kernel_desc& x, const effect& e, std::uint32_t& seen, const std::vector<std::uint64_t>& list)
    {
        for (const std::uint64_t j : list) {
            if (uses_dma(e.how)) {
                emu::copy_in(near(), j * slot_bytes, {slot_bytes}, word(e.buffer, j * slot_bytes), {slot_bytes}, "read",
                             here());
            }
        }
        drain();
        for (const std::uint64_t j : list) {
            if (uses_dma(e.how)) {
                emu::instr i(unit(), "fold", here());
                const std::byte* d = i.reads(near(), j * slot_bytes, {slot_bytes});
                for (std::uint64_t w = 0; w < slot_bytes; w += 4) {
                    std::uint32_t v = 0;
                    std::memcpy(&v, d + w, 4);
                    // In a slot that both units share the first line is the scalar unit's.
                    seen = e.how == via::both && e.what == access::inout && scalar_line(e, 2 * j) && w < 64
                               ? seen
                               : seen * 31u + v;
                }
            }
        }
        read_scalar(x, e, seen, list);
    }
    void read_scalar(const kernel_desc& x, const effect& e, std::uint32_t& seen, const std::vector<std::uint64_t>& list)
    {
        for (const std::uint64_t j : list) {
            for (std::uint64_t half = 0; half < 2; ++half) {
                if (scalar_line(e, 2 * j + half) && !(e.how == via::both && e.what == access::inout && half == 1)) {
                    ac::GlobalTensor<std::int32_t> t;
                    t.SetGlobalBuffer(word(e.buffer, j * slot_bytes + half * 64));
                    line_flush(x, t);
                    seen = seen * 31u + static_cast<std::uint32_t>(t.GetValue(3, here()));
                    line_flush(x, t);
                }
            }
        }
    }
    void write(const effect& e, std::uint32_t seen, const std::vector<std::uint64_t>& list)
    {
        for (const std::uint64_t j : list) {
            if (!uses_dma(e.how)) {
                continue;
            }
            const std::uint64_t from = e.how == via::both && scalar_line(e, 2 * j) ? 64 : 0;
            const std::uint64_t bytes = slot_bytes - from;
            drain();
            {
                emu::instr i(unit(), "make", here());
                std::byte* d = i.writes(out(), 0x4000, {bytes});
                for (std::uint64_t w = 0; w < bytes; w += 4) {
                    const auto v = static_cast<std::uint32_t>(seen + j * 7 + w);
                    std::memcpy(d + w, &v, 4);
                }
            }
            ready();
            emu::copy_out(word(e.buffer, j * slot_bytes + from), {bytes}, out(), 0x4000, {bytes}, "write", here());
        }
    }
    void write_scalar(const kernel_desc& x, const effect& e, std::uint32_t seen, const std::vector<std::uint64_t>& list)
    {
        for (const std::uint64_t j : list) {
            for (std::uint64_t half = 0; half < 2; ++half) {
                if (scalar_line(e, 2 * j + half) && !(e.how == via::both && half == 1)) {
                    ac::GlobalTensor<std::int32_t> t;
                    t.SetGlobalBuffer(word(e.buffer, j * slot_bytes + half * 64));
                    line_flush(x, t);
                    t.SetValue(3, static_cast<std::int32_t>(seen + j), here());
                    line_flush(x, t);
                }
            }
        }
    }
    static void ready()
    {
        if (my_side() == side::aiv) {
            ac::SetFlag<ac::HardEvent::V_MTE3>(EVENT_ID0);
            ac::WaitFlag<ac::HardEvent::V_MTE3>(EVENT_ID0);
        } else {
            ac::SetFlag<ac::HardEvent::M_FIX>(EVENT_ID0);
            ac::WaitFlag<ac::HardEvent::M_FIX>(EVENT_ID0);
        }
    }
    void accumulate(const effect& e, const std::vector<std::uint64_t>& list)
    {
        drain();
        {
            emu::instr i(unit(), "make", here());
            std::byte* d = i.writes(out(), 0x4000, {slot_bytes});
            const std::int32_t one = 1;
            for (std::uint64_t w = 0; w < slot_bytes; w += 4) {
                std::memcpy(d + w, &one, 4);
            }
        }
        ready();
        ac::SetAtomicAdd<std::int32_t>();
        for (const std::uint64_t j : list) {
            emu::copy_out(word(e.buffer, j * slot_bytes), {slot_bytes}, out(), 0x4000, {slot_bytes}, "add", here());
        }
        ac::SetAtomicNone();
    }

    graph g_;
    std::vector<emu::gm_buffer<std::int32_t>> memory_;
    std::vector<std::uint8_t*> base_;
    std::vector<std::uint64_t> room_;
};

} // namespace skt::test
