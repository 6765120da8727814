/// @file
/// TPipe, TQue, TQueBind, TBuf: on-chip buffers and the order their use implies. Part of the drop-in kernel_operator.h.
/// Host only.
#pragma once

#include <skt/emu/ascendc/detail/sync.hpp>

#include <array>
#include <deque>
#include <vector>

namespace skt::emu {

/// One buffer of a queue.
struct queue_buffer {
    std::uint32_t addr = 0;
    std::uint32_t bytes = 0;
    bool taken = false;
    bool has_free_event = false;
    knowledge freed; ///< What the consumer had done when it gave the buffer back.
    double freed_time = 0;
    knowledge filled; ///< What the producer had done when it queued the buffer.
    double filled_time = 0;
};

/// The pipe that fills a buffer on its way from `src` to `dst`.
constexpr pipe producer_of(AscendC::TPosition src, AscendC::TPosition dst)
{
    using P = AscendC::TPosition;
    if (src == P::GM || src == P::VECIN) {
        return pipe::mte2;
    }
    if (src == P::CO1) {
        return pipe::m;
    }
    if (src == P::CO2) {
        return pipe::fix;
    }
    if (dst == P::A2 || dst == P::B2 || dst == P::C2) {
        return pipe::mte1;
    }
    if (src == P::A1 || src == P::B1 || src == P::C1 || src == P::TSCM) {
        return pipe::mte2;
    }
    return pipe::v;
}
/// The pipe that empties it.
constexpr pipe consumer_of(AscendC::TPosition src, AscendC::TPosition dst)
{
    using P = AscendC::TPosition;
    if (dst == P::VECOUT && src == P::VECIN) {
        return pipe::mte3;
    }
    if (dst == P::A1 || dst == P::B1 || dst == P::C1 || dst == P::TSCM) {
        return src == P::GM ? pipe::mte1 : pipe::mte3;
    }
    if (dst == P::A2 || dst == P::B2 || dst == P::C2) {
        return pipe::m;
    }
    if (src == P::CO1) {
        return pipe::fix;
    }
    if (dst == P::GM) {
        return pipe::mte3;
    }
    return pipe::v;
}
/// The logical source and destination of a queue that names one position.
constexpr AscendC::TPosition queue_source(AscendC::TPosition p)
{
    using P = AscendC::TPosition;
    switch (p) {
    case P::VECIN:
    case P::A1:
    case P::B1:
    case P::C1:
    case P::TSCM:
        return P::GM;
    case P::A2:
        return P::A1;
    case P::B2:
        return P::B1;
    case P::C2:
        return P::C1;
    default:
        return p;
    }
}
constexpr AscendC::TPosition queue_target(AscendC::TPosition p)
{
    using P = AscendC::TPosition;
    return p == P::VECOUT || p == P::CO2 ? P::GM : p == P::CO1 ? P::CO2 : p;
}

} // namespace skt::emu

namespace AscendC {

class TPipe;

/// A queue of on-chip buffers between the pipe that fills them and the pipe that empties them.
template <TPosition src, TPosition dst, int32_t depth, auto mask = 0>
class TQueBind {
    static constexpr skt::emu::pipe producer = skt::emu::producer_of(src, dst);
    static constexpr skt::emu::pipe consumer = skt::emu::consumer_of(src, dst);
    static constexpr TPosition home =
        src == TPosition::GM || dst == TPosition::A2 || dst == TPosition::B2 || dst == TPosition::C2 ? dst : src;

public:
    TQueBind() = default;

    template <typename T>
    LocalTensor<T> AllocTensor(skt::emu::where at = skt::emu::where::here())
    {
        skt::emu::core& c = skt::emu::current_core();
        skt::emu::machine& m = skt::emu::current_machine();
        m.step(c, "AllocTensor", at);
        if (buffers_.empty()) {
            m.report({skt::emu::finding_kind::misuse, "AllocTensor on a queue without buffers",
                      "call TPipe::InitBuffer first", m.here(c)});
            return {};
        }
        for (std::size_t k = 0; k < buffers_.size(); ++k) { // buffers take turns
            const std::size_t i = (next_ + k) % buffers_.size();
            skt::emu::queue_buffer& b = buffers_[i];
            if (!b.taken) {
                b.taken = true;
                next_ = (i + 1) % buffers_.size();
                if (b.has_free_event) {
                    skt::emu::teach(c, producer, b.freed);
                    skt::emu::wait_until(c, producer, b.freed_time);
                    b.has_free_event = false;
                }
                return tensor<T>(b);
            }
        }
        m.report({skt::emu::finding_kind::misuse,
                  fmt::format("AllocTensor: all {} buffers of the queue are in use; the device would wait forever",
                              buffers_.size()),
                  "free a tensor before the next AllocTensor, or give the queue more buffers", m.here(c)});
        return tensor<T>(buffers_.front());
    }
    template <typename T>
    void AllocTensor(LocalTensor<T>& tensor, skt::emu::where at = skt::emu::where::here())
    {
        tensor = AllocTensor<T>(at);
    }
    template <typename T>
    void FreeTensor(LocalTensor<T>& tensor, skt::emu::where at = skt::emu::where::here())
    {
        skt::emu::core& c = skt::emu::current_core();
        skt::emu::current_machine().step(c, "FreeTensor", at);
        if (skt::emu::queue_buffer* b = find(tensor, "FreeTensor")) {
            b->taken = false;
            b->has_free_event = true;
            b->freed = skt::emu::knowledge_of(c, consumer);
            b->freed_time = skt::emu::time_of(c, consumer);
        }
    }
    template <typename T>
    bool EnQue(const LocalTensor<T>& tensor, skt::emu::where at = skt::emu::where::here())
    {
        return put(tensor, producer, at);
    }
    template <TPosition srcUserPos, TPosition dstUserPos, typename T>
    bool EnQue(const LocalTensor<T>& tensor, skt::emu::where at = skt::emu::where::here())
    {
        return put(tensor, skt::emu::producer_of(srcUserPos, dstUserPos), at);
    }
    template <typename T>
    LocalTensor<T> DeQue(skt::emu::where at = skt::emu::where::here())
    {
        return get<T>(consumer, at);
    }
    template <typename T>
    void DeQue(LocalTensor<T>& tensor, skt::emu::where at = skt::emu::where::here())
    {
        tensor = get<T>(consumer, at);
    }
    template <TPosition srcUserPos, TPosition dstUserPos, typename T>
    LocalTensor<T> DeQue(skt::emu::where at = skt::emu::where::here())
    {
        return get<T>(skt::emu::consumer_of(srcUserPos, dstUserPos), at);
    }
    bool VacantInQue() const { return queued_.size() < buffers_.size(); }
    bool HasTensorInQue() const { return !queued_.empty(); }
    int32_t GetTensorCountInQue() const { return static_cast<int32_t>(queued_.size()); }
    bool HasIdleBuffer() const
    {
        return std::any_of(buffers_.begin(), buffers_.end(), [](const skt::emu::queue_buffer& b) { return !b.taken; });
    }
    void FreeAllEvent() {}

    /// Used by TPipe.
    static constexpr TPosition position() { return home; }
    void init(std::uint32_t first, std::uint32_t bytes, std::uint32_t count)
    {
        buffers_.clear();
        queued_.clear();
        next_ = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            skt::emu::queue_buffer b;
            b.addr = first + i * bytes;
            b.bytes = bytes;
            buffers_.push_back(b);
        }
    }

protected:
    template <typename T>
    LocalTensor<T> tensor(const skt::emu::queue_buffer& b) const
    {
        return LocalTensor<T>(home, b.addr, b.bytes / static_cast<std::uint32_t>(sizeof(T)));
    }
    std::vector<skt::emu::queue_buffer> buffers_;

private:
    template <typename T>
    skt::emu::queue_buffer* find(const LocalTensor<T>& t, const char* what)
    {
        for (skt::emu::queue_buffer& b : buffers_) {
            if (t.byte() >= b.addr && t.byte() < b.addr + b.bytes) {
                return &b;
            }
        }
        skt::emu::core& c = skt::emu::current_core();
        skt::emu::machine& m = skt::emu::current_machine();
        m.report({skt::emu::finding_kind::misuse, fmt::format("{} of a tensor that the queue did not hand out", what),
                  "give every tensor back to the queue it came from", m.here(c)});
        return nullptr;
    }
    template <typename T>
    bool put(const LocalTensor<T>& t, skt::emu::pipe p, skt::emu::where at)
    {
        skt::emu::core& c = skt::emu::current_core();
        skt::emu::current_machine().step(c, "EnQue", at);
        skt::emu::queue_buffer* b = find(t, "EnQue");
        if (b == nullptr) {
            return false;
        }
        b->filled = skt::emu::knowledge_of(c, p);
        b->filled_time = skt::emu::time_of(c, p);
        queued_.push_back(static_cast<std::size_t>(b - buffers_.data()));
        return true;
    }
    template <typename T>
    LocalTensor<T> get(skt::emu::pipe p, skt::emu::where at)
    {
        skt::emu::core& c = skt::emu::current_core();
        skt::emu::machine& m = skt::emu::current_machine();
        m.step(c, "DeQue", at);
        if (queued_.empty()) {
            m.report(
                {skt::emu::finding_kind::misuse, "DeQue from an empty queue", "EnQue the tensor first", m.here(c)});
            return buffers_.empty() ? LocalTensor<T>{} : tensor<T>(buffers_.front());
        }
        skt::emu::queue_buffer& b = buffers_[queued_.front()];
        queued_.pop_front();
        skt::emu::teach(c, p, b.filled);
        skt::emu::wait_until(c, p, b.filled_time);
        return tensor<T>(b);
    }

    std::deque<std::size_t> queued_;
    std::size_t next_ = 0;
};

template <TPosition pos, int32_t depth, auto mask = 0>
class TQue : public TQueBind<skt::emu::queue_source(pos), skt::emu::queue_target(pos), depth, mask> {
};

/// One plain buffer; its users order themselves.
template <TPosition pos = TPosition::LCM>
class TBuf : public TQueBind<pos, pos, 0, 0> {
public:
    template <typename T>
    LocalTensor<T> Get()
    {
        return at<T>(0, length());
    }
    template <typename T>
    LocalTensor<T> Get(uint32_t len)
    {
        return at<T>(0, len * static_cast<uint32_t>(sizeof(T)));
    }
    template <typename T>
    LocalTensor<T> GetWithOffset(uint32_t size, uint32_t bufOffset)
    {
        return at<T>(bufOffset, size * static_cast<uint32_t>(sizeof(T)));
    }
    template <typename T>
    LocalTensor<T> AllocTensor()
    {
        return Get<T>();
    }
    template <typename T>
    void FreeTensor(LocalTensor<T>&)
    {
    }

private:
    uint32_t length() const { return this->buffers_.empty() ? 0 : this->buffers_.front().bytes; }
    template <typename T>
    LocalTensor<T> at(uint32_t offset, uint32_t bytes)
    {
        if (this->buffers_.empty() || offset + bytes > length()) {
            skt::emu::core& c = skt::emu::current_core();
            skt::emu::machine& m = skt::emu::current_machine();
            m.report({skt::emu::finding_kind::buffer_overflow,
                      fmt::format("TBuf: {} bytes from {} on asked for, InitBuffer gave {}", bytes, offset, length()),
                      "give InitBuffer the largest size that Get asks for", m.here(c)});
        }
        const uint32_t first = this->buffers_.empty() ? 0 : this->buffers_.front().addr;
        return LocalTensor<T>(pos, first + offset, bytes / static_cast<uint32_t>(sizeof(T)));
    }
};

/// Owner of a core's on-chip memory while it lives: hands it out from the start of each memory.
class TPipe {
public:
    TPipe(skt::emu::where at = skt::emu::where::here()) : core_(&skt::emu::current_core())
    {
        skt::emu::current_machine().step(*core_, "TPipe", at);
        core_->tpipe = this;
    }
    TPipe(const TPipe&) = delete;
    TPipe& operator=(const TPipe&) = delete;
    ~TPipe()
    {
        if (!destroyed_) {
            Destroy();
        }
        if (core_->tpipe == this) {
            core_->tpipe = nullptr;
        }
    }
    void Init() { Reset(); }

    template <TPosition src, TPosition dst, int32_t depth, auto mask>
    bool InitBuffer(TQueBind<src, dst, depth, mask>& que, uint8_t num, uint32_t len,
                    skt::emu::where at = skt::emu::where::here())
    {
        return place(que, num, len, at);
    }
    template <TPosition pos>
    bool InitBuffer(TBuf<pos>& buf, uint32_t len, skt::emu::where at = skt::emu::where::here())
    {
        return place(buf, 1, len, at);
    }
    template <HardEvent evt>
    TEventID AllocEventID()
    {
        const TEventID id = FetchEventID(evt);
        events_[static_cast<std::size_t>(evt)] =
            static_cast<uint8_t>(events_[static_cast<std::size_t>(evt)] | (1u << id));
        return id;
    }
    template <HardEvent evt>
    void ReleaseEventID(TEventID id)
    {
        events_[static_cast<std::size_t>(evt)] =
            static_cast<uint8_t>(events_[static_cast<std::size_t>(evt)] & ~(1u << id));
    }
    template <HardEvent evt>
    TEventID FetchEventID()
    {
        return FetchEventID(evt);
    }
    /// The lowest id that is not allocated.
    TEventID FetchEventID(HardEvent evt)
    {
        const unsigned used = events_[static_cast<std::size_t>(evt)];
        for (TEventID id = 0; id < 8; ++id) {
            if ((used >> id & 1u) == 0) {
                return id;
            }
        }
        skt::emu::machine& m = skt::emu::current_machine();
        m.report({skt::emu::finding_kind::misuse, "all eight event ids of this pair of pipes are allocated",
                  "release ids after use", m.here(skt::emu::current_core())});
        return 0;
    }
    template <TPosition pos, typename T>
    LocalTensor<T> GetAbsAddr(int32_t offset, int32_t size) const
    {
        return LocalTensor<T>(pos, static_cast<uint32_t>(offset), static_cast<uint32_t>(size));
    }
    void Reset()
    {
        heads_ = {};
        events_ = {};
    }
    void DestroyWithoutPipeAll()
    {
        destroyed_ = true;
        Reset();
    }
    /// Drains the core, except inside a super kernel: there the vendor's TPipe does not, and neither does this one.
    void Destroy(skt::emu::where at = skt::emu::where::here())
    {
#if !defined(__ASCENDC_ENABLE_SUPER_KERNEL__)
        if (core_->kernel < 0) {
            skt::emu::drain_core(at, "TPipe::Destroy");
        }
#endif
        static_cast<void>(at);
        DestroyWithoutPipeAll();
    }

private:
    template <class Q>
    bool place(Q& que, uint32_t num, uint32_t len, skt::emu::where at)
    {
        skt::emu::current_machine().step(*core_, "InitBuffer", at);
        const uint32_t bytes = (len + 31) / 32 * 32;
        const skt::emu::mem m = skt::emu::memory_of(Q::position());
        uint32_t& head = heads_[static_cast<std::size_t>(m)];
        que.init(head, bytes, num);
        head += bytes * num;
        skt::emu::check_capacity(m, head, "InitBuffer");
        return true;
    }

    skt::emu::core* core_;
    std::array<uint32_t, skt::emu::mem_count> heads_{};
    std::array<uint8_t, static_cast<std::size_t>(HardEvent::MAX)> events_{};
    bool destroyed_ = false;
};

/// The TPipe of the current core. Null if it has none.
inline TPipe* GetTPipePtr()
{
    return static_cast<TPipe*>(skt::emu::current_core().tpipe);
}

} // namespace AscendC
