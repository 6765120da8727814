// More arguments than a launch can pass.
// EXPECT: \[skt too-many-arguments\]
// EXPECT: arguments_needed<1025>, *skt::check::argument_limit<1024>
#include <skt/skt.hpp>

template <int Kernel, std::size_t I>
struct tag;

struct wide {
    template <class... Args>
    static void run(const skt::task_view&, Args...)
    {
    }
};

template <int Kernel, class Is>
struct with_scalars;
template <int Kernel, std::size_t... Is>
struct with_scalars<Kernel, std::index_sequence<Is...>> {
    using type = skt::kernel<skt::task_fn<wide>, skt::aiv<1>, skt::scalar<tag<Kernel, Is>, int>...>;
};
template <int Kernel, std::size_t Count>
using scalars = typename with_scalars<Kernel, std::make_index_sequence<Count>>::type;

#ifdef SKT_EXPECT_FAIL
constexpr std::size_t rest = 225;
#else
constexpr std::size_t rest = 224;
#endif
constexpr auto shape =
    skt::SuperKernel<scalars<0, 200>, scalars<1, 200>, scalars<2, 200>, scalars<3, 200>, scalars<4, rest>>::launch;
