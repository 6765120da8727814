/// @file
/// The wrapper for kernels written as Catlass writes them: a nested `Params` and `operator()<CoreType>(Params const&)`,
/// one specialisation per side. Device-safe.
#pragma once

#include <skt/describe/body.hpp>
#include <skt/device/api.hpp>

namespace skt {

/// A class with a nested `Params` and a member template `operator()<CoreType>(Params const&)` for `AscendC::AIC` and
/// `AscendC::AIV`, as Catlass kernels have. `Params` is made from the sub-kernel's arguments in braces; with a single
/// `skt::tiling<Tag, typename T::Params>` it is passed as it is. Each side's binary holds only its own specialisation.
///
/// For kernels whose `operator()` is no template use `skt::functor`.
template <class T>
struct sided_functor {
    static constexpr bool task_view = false;
    template <class... Args>
    SKT_AICORE static SKT_INLINE void call(const skt::task_view&, Args... args)
    {
        const typename T::Params params{args...};
        T body;
        if ASCEND_IS_AIC {
            body.template operator()<AscendC::AIC>(params);
        }
        if ASCEND_IS_AIV {
            body.template operator()<AscendC::AIV>(params);
        }
    }
};

} // namespace skt
