// The entry that is launched lacks a parameter.
// EXPECT: \[skt entry-parameters\] the entry that is launched does not take the super kernel's arguments
// EXPECT: parameters_of_the_entry<1> ?, .*arguments_taken<2>
#include <skt/skt.hpp>

struct h;
struct y;
__aicore__ void norm(GM_ADDR h);
__aicore__ void scale(GM_ADDR h, GM_ADDR y);
using pair = skt::SuperKernel<skt::kernel<skt::fn<&norm>, skt::aiv<40>, skt::out<h>>,
                              skt::kernel<skt::fn<&scale>, skt::aiv<40>, skt::in<h>, skt::out<y>>>;

#ifdef SKT_EXPECT_FAIL
using entry = void(GM_ADDR);
#else
using entry = void(GM_ADDR, GM_ADDR);
#endif
const unsigned blocks = skt::device::blocks_of<pair, entry>();
