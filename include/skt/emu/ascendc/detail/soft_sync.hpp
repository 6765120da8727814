/// @file
/// Synchronisation through GM words: software SyncAll, IBSet and IBWait, turns of blocks, GroupBarrier. Part of the
/// drop-in kernel_operator.h. Host only.
#pragma once

#include <skt/emu/ascendc/detail/system.hpp>
#include <skt/emu/message.hpp>

namespace skt::emu {

inline constexpr std::uint64_t words_per_block = 8; ///< 32 bytes.

/// Word of block `block` in a workspace.
inline const std::int32_t* block_word(const AscendC::GlobalTensor<std::int32_t>& gm, std::uint64_t block)
{
    return gm.GetPhyAddr() + block * words_per_block;
}
/// Reports a workspace that is too small for `blocks` blocks.
template <class T>
void check_workspace(std::uint64_t have, std::uint64_t blocks, const T& buffer, const char* what, where at)
{
    if (have != 0 && have < blocks * words_per_block) {
        core& c = current_core();
        machine& m = current_machine();
        m.step(c, what, at);
        finding f{finding_kind::out_of_bounds,
                  fmt::format("{} on {} needs a workspace of {} bytes for {} cores, {} has {}", what, c.name,
                              blocks * 32, blocks, buffer, have * 4),
                  "give it 32 bytes per core", m.here(c)};
        f.buffer = buffer;
        f.bytes = have * 4;
        m.report(std::move(f));
    }
}

} // namespace skt::emu

namespace AscendC {

/// The software form: each core counts up its own word and waits for all others.
template <bool isAIVOnly = true>
inline void SyncAll(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace,
                    const int32_t usedCores = 0, skt::emu::where at = skt::emu::where::here())
{
    if ASCEND_IS_AIC {
        return;
    }
    skt::emu::drain_core(at, "SyncAll (software)");
    const auto cores = static_cast<uint64_t>(usedCores != 0 ? usedCores
                                             : isAIVOnly    ? GetBlockNum()
                                                            : GetTaskRatio() * GetBlockNum());
    const auto own = static_cast<uint64_t>(GetBlockIdx());
    skt::emu::check_workspace(gmWorkspace.GetSize(), cores, "its GM workspace", "SyncAll (software)", at);
    skt::emu::check_workspace(ubWorkspace.GetSize(), cores, "its UB workspace", "SyncAll (software)", at);
    const int32_t round = skt::emu::peek(skt::emu::block_word(gmWorkspace, own), "SyncAll (software)", at) + 1;
    skt::emu::send(skt::emu::block_word(gmWorkspace, own), round, "SyncAll (software)", at);
    skt::emu::machine& m = skt::emu::current_machine();
    skt::emu::core& c = skt::emu::current_core();
    for (bool first = true;; first = false) {
        int64_t sum = 0;
        for (uint64_t k = 0; k < cores; ++k) {
            const int32_t seen = skt::emu::peek(skt::emu::block_word(gmWorkspace, k), "SyncAll (software)", at);
            sum += seen;
            if (first && (seen < round - 1 || seen > round + 1)) {
                m.report({skt::emu::finding_kind::misuse,
                          fmt::format("SyncAll (software) on {} is in round {} but the word of core {} holds {}: the "
                                      "workspace was not zeroed",
                                      c.name, round, k, seen),
                          "zero the workspace before the launch, and let every core take part in every round",
                          m.here(c)});
            }
        }
        if (sum >= int64_t{round} * static_cast<int64_t>(cores)) {
            break;
        }
        m.poll(c);
    }
    for (uint64_t k = 0; k < cores; ++k) {
        skt::emu::heed(skt::emu::block_word(gmWorkspace, k));
    }
}

/// Raises the signal of `blockIdx` for `eventID` once the last one was taken.
template <bool isAIVOnly = true>
inline void IBSet(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>&, int32_t blockIdx,
                  int32_t eventID, skt::emu::where at = skt::emu::where::here())
{
    skt::emu::drain_core(at, "IBSet");
    const auto cores = static_cast<uint64_t>(isAIVOnly ? GetBlockNum() : GetTaskRatio() * GetBlockNum());
    const int32_t* word =
        skt::emu::block_word(gmWorkspace, cores * static_cast<uint64_t>(eventID) + static_cast<uint64_t>(blockIdx));
    while (skt::emu::peek(word, "IBSet", at) != 0) {
        skt::emu::current_machine().poll(skt::emu::current_core());
    }
    skt::emu::heed(word);
    skt::emu::send(word, 1, "IBSet", at);
    skt::emu::current_machine().yield(skt::emu::current_core());
}
/// Waits for the signal of `blockIdx` for `eventID` and takes it.
template <bool isAIVOnly = true>
inline void IBWait(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>&, int32_t blockIdx,
                   int32_t eventID, skt::emu::where at = skt::emu::where::here())
{
    skt::emu::drain_core(at, "IBWait");
    const auto cores = static_cast<uint64_t>(isAIVOnly ? GetBlockNum() : GetTaskRatio() * GetBlockNum());
    const int32_t* word =
        skt::emu::block_word(gmWorkspace, cores * static_cast<uint64_t>(eventID) + static_cast<uint64_t>(blockIdx));
    while (skt::emu::peek(word, "IBWait", at) != 1) {
        skt::emu::current_machine().poll(skt::emu::current_core());
    }
    skt::emu::heed(word);
    skt::emu::send(word, 0, "IBWait", at);
}

/// Prepares the turns of WaitPreBlock and NotifyNextBlock: the round is kept behind the words of the blocks in UB.
inline void InitDetermineComputeWorkspace(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace,
                                          skt::emu::where at = skt::emu::where::here())
{
    if ASCEND_IS_AIV {
        skt::emu::drain_core(at, "InitDetermineComputeWorkspace");
        const auto cores = static_cast<uint64_t>(GetBlockNum());
        skt::emu::check_workspace(gmWorkspace.GetSize(), cores, "its GM workspace", "InitDetermineComputeWorkspace",
                                  at);
        if (GetBlockIdx() == 0) {
            for (uint64_t k = 0; k < cores; ++k) {
                skt::emu::send(skt::emu::block_word(gmWorkspace, k), 0, "InitDetermineComputeWorkspace", at);
            }
        }
        ubWorkspace.SetValue(static_cast<uint32_t>(cores * skt::emu::words_per_block), 1, at);
        skt::emu::drain_core(at, "InitDetermineComputeWorkspace");
    }
}
/// Waits until all blocks with a lower index have had their turn in this round.
inline void WaitPreBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace,
                         skt::emu::where at = skt::emu::where::here())
{
    if ASCEND_IS_AIV {
        skt::emu::drain_core(at, "WaitPreBlock");
        const auto cores = static_cast<uint64_t>(GetBlockNum());
        const auto own = static_cast<uint64_t>(GetBlockIdx());
        const int32_t round = ubWorkspace.GetValue(static_cast<uint32_t>(cores * skt::emu::words_per_block), at);
        for (;;) {
            bool my_turn = true;
            for (uint64_t k = 0; k < cores; ++k) {
                my_turn =
                    skt::emu::peek(skt::emu::block_word(gmWorkspace, k), "WaitPreBlock", at) == (k < own ? round : 0) &&
                    my_turn;
            }
            if (my_turn) {
                break;
            }
            skt::emu::current_machine().poll(skt::emu::current_core());
        }
        for (uint64_t k = 0; k < cores; ++k) {
            skt::emu::heed(skt::emu::block_word(gmWorkspace, k));
        }
        skt::emu::drain_core(at, "WaitPreBlock");
    }
}
/// Ends this block's turn; the last block starts the next round.
inline void NotifyNextBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace,
                            skt::emu::where at = skt::emu::where::here())
{
    if ASCEND_IS_AIV {
        skt::emu::drain_core(at, "NotifyNextBlock");
        const auto cores = static_cast<uint64_t>(GetBlockNum());
        const auto own = static_cast<uint64_t>(GetBlockIdx());
        const auto at_round = static_cast<uint32_t>(cores * skt::emu::words_per_block);
        const int32_t round = ubWorkspace.GetValue(at_round, at);
        if (own + 1 == cores) {
            for (uint64_t k = 0; k < cores; ++k) {
                skt::emu::send(skt::emu::block_word(gmWorkspace, k), 0, "NotifyNextBlock", at);
            }
        } else {
            skt::emu::send(skt::emu::block_word(gmWorkspace, own), round, "NotifyNextBlock", at);
        }
        ubWorkspace.SetValue(at_round, round + 1, at);
        skt::emu::drain_core(at, "NotifyNextBlock");
        skt::emu::current_machine().yield(skt::emu::current_core());
    }
}

/// Some cores arrive, others wait for all of them. The workspace: a 64-byte counter of arrivals, then one of waits,
/// each on a 512-byte place of its own. Must be zeroed.
template <PipeMode pipeMode>
class GroupBarrier {
public:
    GroupBarrier(GM_ADDR groupWorkspace, uint32_t arriveSizeIn, uint32_t waitSizeIn)
        : arrived_(reinterpret_cast<int32_t*>(groupWorkspace)), arrive_size_(arriveSizeIn), wait_size_(waitSizeIn)
    {
    }
    void Arrive(uint32_t arriveIndex, skt::emu::where at = skt::emu::where::here())
    {
        skt::emu::drain_core(at, "GroupBarrier::Arrive");
        if (arriveIndex >= arrive_size_) {
            skt::emu::machine& m = skt::emu::current_machine();
            m.report({skt::emu::finding_kind::misuse,
                      fmt::format("Arrive with index {} of {}", arriveIndex, arrive_size_),
                      "indices are 0 to arriveSize - 1", m.here(skt::emu::current_core())});
            return;
        }
        // Every arriving core has a word of its own: its round.
        const int32_t* word = arrived_ + arriveIndex;
        ++round_;
        skt::emu::send(word, static_cast<int32_t>(round_), "GroupBarrier::Arrive", at);
        skt::emu::current_machine().yield(skt::emu::current_core());
    }
    void Wait(uint32_t, skt::emu::where at = skt::emu::where::here())
    {
        skt::emu::drain_core(at, "GroupBarrier::Wait");
        ++round_;
        for (;;) {
            bool all = true;
            for (uint32_t k = 0; k < arrive_size_; ++k) {
                all = skt::emu::peek(arrived_ + k, "GroupBarrier::Wait", at) >= static_cast<int32_t>(round_) && all;
            }
            if (all) {
                break;
            }
            skt::emu::current_machine().poll(skt::emu::current_core());
        }
        for (uint32_t k = 0; k < arrive_size_; ++k) {
            skt::emu::heed(arrived_ + k);
        }
    }
    uint64_t GetWorkspaceLen() const { return std::max(arrive_size_, wait_size_) * uint64_t{512}; }

private:
    int32_t* arrived_;
    uint32_t arrive_size_;
    uint32_t wait_size_;
    uint32_t round_ = 0;
};

} // namespace AscendC
