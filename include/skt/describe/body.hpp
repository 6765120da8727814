/// @file
/// What runs: wrappers for the shapes that kernel code comes in. Device-safe.
#pragma once

#include <skt/config.hpp>

namespace skt {

/// What a body may ask about the sub-kernel it runs in, whatever the launch. Indices and counts are the sub-kernel's
/// own.
class task_view {
public:
    SKT_AICORE constexpr task_view(int block_idx, int block_num, int sub_block_idx, int ratio)
        : block_idx_(block_idx), block_num_(block_num), sub_block_idx_(sub_block_idx), ratio_(ratio)
    {
    }
    /// Index of this core among those that run the kernel on its side; on the vector side of a 1:2 kernel block × 2 +
    /// sub-block, as GetBlockIdx counts.
    SKT_AICORE constexpr int block_idx() const { return block_idx_; }
    /// The kernel's own block count.
    SKT_AICORE constexpr int block_num() const { return block_num_; }
    /// Index of this vector core inside its AI core; 0 on a cube core.
    SKT_AICORE constexpr int sub_block_idx() const { return sub_block_idx_; }
    /// Vector cores per AI core that run the kernel; 1 on a cube core.
    SKT_AICORE constexpr int ratio() const { return ratio_; }

private:
    int block_idx_;
    int block_num_;
    int sub_block_idx_;
    int ratio_;
};

/// A function `F(args...)`.
template <auto F>
struct fn {
    static constexpr bool task_view = false;
    template <class... Args>
    SKT_AICORE static SKT_INLINE void call(const skt::task_view&, Args... args)
    {
        F(args...);
    }
};

/// A class with `Init(args...)` and `Process()`, made anew for each call.
template <class T>
struct init_process {
    static constexpr bool task_view = false;
    template <class... Args>
    SKT_AICORE static SKT_INLINE void call(const skt::task_view&, Args... args)
    {
        T body;
        body.Init(args...);
        body.Process();
    }
};

/// A class with a static `run(task, args...)`; `task` is a `task_view`.
template <class T>
struct task_fn {
    static constexpr bool task_view = true;
    template <class... Args>
    SKT_AICORE static SKT_INLINE void call(const skt::task_view& task, Args... args)
    {
        T::run(task, args...);
    }
};

/// A class with a nested aggregate `Params` and `operator()(Params const&)`, as Catlass kernels have.
template <class T>
struct functor {
    static constexpr bool task_view = false;
    template <class... Args>
    SKT_AICORE static SKT_INLINE void call(const skt::task_view&, Args... args)
    {
        const typename T::Params params{args...};
        T body;
        body(params);
    }
};

} // namespace skt
