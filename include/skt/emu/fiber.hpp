/// @file
/// One fiber per core: Boost.Context with pooled stacks, and the switches announced to AddressSanitizer. Host only.
#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define SKT_EMU_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SKT_EMU_ASAN 1
#endif
#endif
#if defined(SKT_EMU_ASAN)
#include <sanitizer/common_interface_defs.h>
#endif

namespace skt::emu {

/// Stacks with a guard page, kept for the next launch.
class stack_pool {
public:
    explicit stack_pool(std::size_t bytes) : source_(bytes) {}
    ~stack_pool()
    {
        for (boost::context::stack_context& s : free_) {
            source_.deallocate(s);
        }
    }
    stack_pool(const stack_pool&) = delete;
    stack_pool& operator=(const stack_pool&) = delete;

    boost::context::stack_context take()
    {
        if (free_.empty()) {
            return source_.allocate();
        }
        boost::context::stack_context s = free_.back();
        free_.pop_back();
        return s;
    }
    void give(boost::context::stack_context s) { free_.push_back(s); }

private:
    boost::context::protected_fixedsize_stack source_;
    std::vector<boost::context::stack_context> free_;
};

/// A body that can be left and re-entered. Everything happens on one OS thread.
class core_fiber {
public:
    /// Prepares to run `body` on a stack of `pool`; nothing runs before the first `enter`.
    void start(stack_pool& pool, std::function<void()> body)
    {
        body_ = std::move(body);
        stack_ = pool.take();
        done_ = false;
        fiber_ = boost::context::fiber(std::allocator_arg, boost::context::preallocated(stack_.sp, stack_.size, stack_),
                                       keeper{&pool}, [this](boost::context::fiber&& caller) {
                                           caller_ = std::move(caller);
                                           arrived(nullptr);
                                           body_();
                                           done_ = true;
                                           leaving(nullptr);
                                           return std::move(caller_);
                                       });
    }
    bool started() const { return static_cast<bool>(fiber_) || done_; }
    bool done() const { return done_; }
    /// Runs the body until it leaves or ends. Called by the scheduler.
    void enter()
    {
#if defined(SKT_EMU_ASAN)
        void* fake = nullptr;
        __sanitizer_start_switch_fiber(&fake, static_cast<char*>(stack_.sp) - stack_.size, stack_.size);
#endif
        fiber_ = std::move(fiber_).resume();
#if defined(SKT_EMU_ASAN)
        __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
    }
    /// Goes back to the scheduler. Called by the body.
    void leave()
    {
#if defined(SKT_EMU_ASAN)
        void* fake = nullptr;
        leaving(&fake);
        caller_ = std::move(caller_).resume();
        arrived(fake);
#else
        caller_ = std::move(caller_).resume();
#endif
    }
    /// Forgets the body.
    void reset()
    {
        fiber_ = {};
        body_ = nullptr;
        done_ = false;
    }

private:
    struct keeper {
        stack_pool* pool;
        boost::context::stack_context allocate() { return pool->take(); }
        void deallocate(boost::context::stack_context& s) { pool->give(s); }
    };
    void arrived([[maybe_unused]] void* fake)
    {
#if defined(SKT_EMU_ASAN)
        __sanitizer_finish_switch_fiber(fake, &caller_bottom_, &caller_size_);
#endif
    }
    void leaving([[maybe_unused]] void** fake)
    {
#if defined(SKT_EMU_ASAN)
        __sanitizer_start_switch_fiber(fake, caller_bottom_, caller_size_);
#endif
    }

    boost::context::fiber fiber_;
    boost::context::fiber caller_;
    boost::context::stack_context stack_{};
    std::function<void()> body_;
    bool done_ = false;
    [[maybe_unused]] const void* caller_bottom_ = nullptr;
    [[maybe_unused]] std::size_t caller_size_ = 0;
};

} // namespace skt::emu
