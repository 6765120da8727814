// More arguments than a launch can pass.
// EXPECT: \[skt too-many-arguments\]
// EXPECT: arguments_needed<1025>, *skt::check::argument_limit<1024>
#include <skt/skt.hpp>

template <std::size_t>
struct tag;

struct wide {
    template <class... Args>
    static void run(const skt::task_view&, Args...)
    {
    }
};

template <class Is>
struct with_scalars;
template <std::size_t... Is>
struct with_scalars<std::index_sequence<Is...>> {
    using type = skt::kernel<skt::task_fn<wide>, skt::aiv<1>, skt::scalar<tag<Is>, int>...>;
};

#ifdef SKT_EXPECT_FAIL
constexpr std::size_t count = 1025;
#else
constexpr std::size_t count = 1024;
#endif
constexpr auto shape = skt::SuperKernel<with_scalars<std::make_index_sequence<count>>::type>::launch;
