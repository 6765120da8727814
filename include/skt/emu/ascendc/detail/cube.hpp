/// @file
/// The cube unit: LoadData, Mmad, Fixpipe. Part of the drop-in kernel_operator.h. Host only.
///
/// Layouts of dav-2201, in blocks of 16 rows by 32 bytes: L1 holds columns of blocks (NZ); L0A rows of blocks, each
/// row-major; L0B rows of blocks along k, each with n outermost; L0C columns of 16 by 16 blocks. Products are summed in
/// float (int32 for int8), in the order of k; the device's own order inside a block is not public.
#pragma once

#include <skt/emu/ascendc/detail/data_copy.hpp>
#include <skt/emu/ascendc/detail/vector.hpp>

#include <vector>

namespace skt::emu {

inline constexpr std::uint64_t fractal_bytes = 512;

/// Copies `p.repeatTimes` blocks of 16 rows by 32 bytes, transposed if asked.
template <class T, class Read>
void load_fractals(instr& i, const AscendC::LocalTensor<T>& dst, const AscendC::LoadData2DParams& p, Read read)
{
    for (std::uint64_t r = 0; r < p.repeatTimes; ++r) {
        const std::byte* s = read((p.startIndex + r * p.srcStride) * fractal_bytes);
        std::byte* d =
            i.writes(dst.memory(), dst.byte() + r * (std::uint64_t{p.dstGap} + 1) * fractal_bytes, {fractal_bytes});
        if (s == nullptr || d == nullptr) {
            continue;
        }
        if (p.ifTranspose) {
            for (std::uint64_t a = 0; a < 16; ++a) {
                for (std::uint64_t b = 0; b < 16; ++b) {
                    std::memcpy(d + (b * 16 + a) * 2, s + (a * 16 + b) * 2, 2);
                }
            }
        } else {
            std::memcpy(d, s, fractal_bytes);
        }
    }
    i.cost(i.at().options.cost.vector_start +
           static_cast<double>(p.repeatTimes * fractal_bytes) / i.at().options.cost.local_rate);
}

/// The type in which products are summed.
template <class T>
using cube_sum_t = std::conditional_t<std::is_same_v<T, std::int8_t>, std::int32_t, float>;

/// C (L0C) = A (L0A) * B (L0B), or += if `from_zero` is false.
template <class C, class A, class B>
void multiply(instr& i, const AscendC::LocalTensor<C>& dst, const AscendC::LocalTensor<A>& fm,
              const AscendC::LocalTensor<B>& filter, const AscendC::MmadParams& p, bool from_zero)
{
    static_assert(sizeof(A) == sizeof(B), "Mmad: both factors must have one width");
    static_assert(std::is_same_v<C, cube_sum_t<A>>, "Mmad: L0C holds float, or int32_t for int8_t factors");
    using sum_t = cube_sum_t<A>;
    constexpr std::uint64_t c0 = 32 / sizeof(A);
    const std::uint64_t mb = (p.m + 15u) / 16;
    const std::uint64_t nb = (p.n + 15u) / 16;
    const std::uint64_t kb = (p.k + c0 - 1) / c0;
    const std::byte* a = i.reads(fm.memory(), fm.byte(), {mb * kb * fractal_bytes});
    const std::byte* b = i.reads(filter.memory(), filter.byte(), {kb * nb * fractal_bytes});
    if (!from_zero) {
        i.reads(dst.memory(), dst.byte(), {mb * nb * 256 * sizeof(C)});
    }
    std::byte* c = i.writes(dst.memory(), dst.byte(), {mb * nb * 256 * sizeof(C)});
    i.cost(i.at().options.cost.vector_start +
           static_cast<double>(mb * 16 * nb * 16 * kb * 16) / i.at().options.cost.cube_rate);
    if (a == nullptr || b == nullptr || c == nullptr) {
        return;
    }
    // Both factors are unpacked once: A by rows, B so that 16 columns lie side by side and the inner loop has a fixed
    // length.
    std::vector<sum_t>& wa = i.at().scratch<sum_t>(0);
    std::vector<sum_t>& wb = i.at().scratch<sum_t>(1);
    const std::uint64_t k_room = kb * c0;
    wa.resize(mb * 16 * k_room);
    wb.resize(nb * 16 * k_room);
    for (std::uint64_t mi = 0; mi < mb; ++mi) {
        for (std::uint64_t ki = 0; ki < kb; ++ki) {
            const A* f = reinterpret_cast<const A*>(a + (mi * kb + ki) * fractal_bytes);
            for (std::uint64_t r = 0; r < 16; ++r) {
                for (std::uint64_t k = 0; k < c0; ++k) {
                    wa[(mi * 16 + r) * k_room + ki * c0 + k] = static_cast<sum_t>(f[r * c0 + k]);
                }
            }
        }
    }
    for (std::uint64_t ki = 0; ki < kb; ++ki) {
        for (std::uint64_t ni = 0; ni < nb; ++ni) {
            const B* f = reinterpret_cast<const B*>(b + (ki * nb + ni) * fractal_bytes);
            for (std::uint64_t n = 0; n < 16; ++n) {
                for (std::uint64_t k = 0; k < c0; ++k) {
                    wb[ni * 16 * k_room + (ki * c0 + k) * 16 + n] = static_cast<sum_t>(f[n * c0 + k]);
                }
            }
        }
    }
    for (std::uint64_t ni = 0; ni < nb; ++ni) {
        for (std::uint64_t m = 0; m < p.m; ++m) {
            sum_t* out = reinterpret_cast<sum_t*>(c) + (ni * mb * 16 + m) * 16;
            sum_t acc[16];
            for (int n = 0; n < 16; ++n) {
                acc[n] = from_zero ? sum_t(0) : out[n];
            }
            const sum_t* row = wa.data() + m * k_room;
            const sum_t* col = wb.data() + ni * 16 * k_room;
            for (std::uint64_t k = 0; k < p.k; ++k) {
                const sum_t x = row[k];
                const sum_t* y = col + k * 16;
                for (int n = 0; n < 16; ++n) {
                    acc[n] += x * y[n];
                }
            }
            std::memcpy(out, acc, sizeof acc);
        }
    }
}

/// A float to an output type of FIX: nearest even, saturating.
template <class D>
D convert_out(float x)
{
    if constexpr (std::is_integral_v<D>) {
        const float r = std::nearbyint(x);
        constexpr auto low = static_cast<float>(std::numeric_limits<D>::lowest());
        constexpr auto high = static_cast<float>(std::numeric_limits<D>::max());
        return r <= low    ? std::numeric_limits<D>::lowest()
               : r >= high ? std::numeric_limits<D>::max()
                           : static_cast<D>(r);
    } else {
        return static_cast<D>(x);
    }
}

/// One value on its way out of L0C.
template <class D, class S>
D fix_value(S v, QuantMode_t mode, float scale, bool relu)
{
    if (relu && v < S(0)) {
        v = S(0);
    }
    if constexpr (std::is_same_v<D, S>) {
        static_cast<void>(mode);
        return v;
    } else {
        const float x = mode == QuantMode_t::F322F16 || mode == QuantMode_t::F322BF16 || mode == QuantMode_t::NoQuant
                            ? static_cast<float>(v)
                            : static_cast<float>(v) * scale;
        return convert_out<D>(x);
    }
}

} // namespace skt::emu

namespace AscendC {

template <typename T>
inline void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LoadData2DParams& p,
                     skt::emu::where at = skt::emu::where::here())
{
    skt::emu::instr i(skt::emu::pipe::mte1, "LoadData", at);
    if (p.ifTranspose && sizeof(T) != 2) {
        i.misuse("LoadData transposes blocks of 16-bit elements only", "use LoadDataWithTranspose for other widths");
        return;
    }
    skt::emu::load_fractals(i, dst, p, [&](std::uint64_t offset) {
        return i.reads(src.memory(), src.byte() + offset, {skt::emu::fractal_bytes});
    });
}
template <typename T>
inline void LoadData(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const LoadData2DParams& p,
                     skt::emu::where at = skt::emu::where::here())
{
    skt::emu::instr i(skt::emu::pipe::mte2, "LoadData", at);
    if (p.ifTranspose && sizeof(T) != 2) {
        i.misuse("LoadData transposes blocks of 16-bit elements only", "use LoadDataWithTranspose for other widths");
        return;
    }
    skt::emu::load_fractals(i, dst, p, [&](std::uint64_t offset) {
        return i.gm_reads(reinterpret_cast<const std::byte*>(src.GetPhyAddr()) + offset, {skt::emu::fractal_bytes});
    });
    i.yield();
}

template <typename T, typename U, typename S>
inline void Mmad(const LocalTensor<T>& dst, const LocalTensor<U>& fm, const LocalTensor<S>& filter, const MmadParams& p,
                 skt::emu::where at = skt::emu::where::here())
{
    skt::emu::instr i(skt::emu::pipe::m, "Mmad", at);
    skt::emu::multiply(i, dst, fm, filter, p, p.cmatrixInitVal);
}
/// With a bias of n elements in the bias table (position C2): the sums start from it.
template <typename T, typename U, typename S, typename V>
inline void Mmad(const LocalTensor<T>& dst, const LocalTensor<U>& fm, const LocalTensor<S>& filter,
                 const LocalTensor<V>& bias, const MmadParams& p, skt::emu::where at = skt::emu::where::here())
{
    skt::emu::instr i(skt::emu::pipe::m, "Mmad", at);
    const std::byte* b = i.reads(bias.memory(), bias.byte(), {p.n * sizeof(V)});
    const std::uint64_t mb = (p.m + 15u) / 16;
    const std::uint64_t nb = (p.n + 15u) / 16;
    if (T* c = reinterpret_cast<T*>(i.writes(dst.memory(), dst.byte(), {mb * nb * 256 * sizeof(T)}));
        c != nullptr && b != nullptr) {
        for (std::uint64_t n = 0; n < p.n; ++n) {
            for (std::uint64_t m = 0; m < mb * 16; ++m) {
                c[(n / 16 * mb * 16 + m) * 16 + n % 16] = static_cast<T>(skt::emu::load<V>(b + n * sizeof(V)));
            }
        }
    }
    skt::emu::multiply(i, dst, fm, filter, p, false);
}

/// L0C to GM, as rows (the default) or in 16-column blocks.
template <typename T, typename U, const FixpipeConfig& config = CFG_ROW_MAJOR>
inline void Fixpipe(const GlobalTensor<T>& dst, const LocalTensor<U>& src, const FixpipeParamsV220& p,
                    skt::emu::where at = skt::emu::where::here())
{
    skt::emu::instr i(skt::emu::pipe::fix, "Fixpipe", at);
    float scale = 0;
    const auto bits = static_cast<std::uint32_t>(p.deqScalar);
    std::memcpy(&scale, &bits, sizeof scale);
    const std::uint64_t nb = (p.nSize + 15u) / 16;
    std::vector<T> row(p.nSize);
    for (std::uint64_t nd = 0; nd < (config.format == CO2Layout::NZ ? 1u : p.ndNum); ++nd) {
        const std::uint64_t from = src.byte() + nd * p.srcNdStride * 16 * 16 * sizeof(U);
        bool inside = true;
        for (std::uint64_t b = 0; b < nb; ++b) {
            const std::uint64_t columns = std::min<std::uint64_t>(16, p.nSize - b * 16);
            inside = i.reads(src.memory(), from + b * p.srcStride * 16 * sizeof(U),
                             {columns * sizeof(U), p.mSize, 16 * sizeof(U)}) != nullptr &&
                     inside;
        }
        if (!inside) {
            return;
        }
        const U* s = reinterpret_cast<const U*>(i.on().local(src.memory()).data.get() + from);
        const auto value = [&](std::uint64_t m, std::uint64_t n) {
            return skt::emu::fix_value<T>(s[(n / 16 * p.srcStride + m) * 16 + n % 16], p.quantPre, scale, p.reluEn);
        };
        if constexpr (config.format == CO2Layout::NZ) {
            for (std::uint64_t b = 0; b < nb; ++b) {
                const std::uint64_t columns = std::min<std::uint64_t>(16, p.nSize - b * 16);
                const skt::emu::span s2{columns * sizeof(T), p.mSize, 16 * sizeof(T)};
                const T* to = dst.GetPhyAddr() + b * p.dstStride * 32 / sizeof(T);
                std::byte* d = i.gm_writes(to, s2);
                for (std::uint64_t m = 0; d != nullptr && m < p.mSize; ++m) {
                    for (std::uint64_t n = 0; n < columns; ++n) {
                        row[n] = value(m, b * 16 + n);
                    }
                    skt::emu::store_gm(i.on(), d + m * s2.stride, reinterpret_cast<const std::byte*>(row.data()),
                                       s2.bytes);
                }
            }
        } else {
            const skt::emu::span s2{p.nSize * sizeof(T), p.mSize, p.dstStride * sizeof(T)};
            std::byte* d = i.gm_writes(dst.GetPhyAddr() + nd * p.dstNdStride, s2);
            for (std::uint64_t m = 0; d != nullptr && m < p.mSize; ++m) {
                for (std::uint64_t n = 0; n < p.nSize; ++n) {
                    row[n] = value(m, n);
                }
                skt::emu::store_gm(i.on(), d + m * s2.stride, reinterpret_cast<const std::byte*>(row.data()), s2.bytes);
            }
        }
        i.cost(i.at().options.cost.dma_start +
               static_cast<double>(p.nSize * p.mSize * sizeof(T)) / i.at().options.cost.gm_rate);
    }
    i.yield();
}

/// Fills on-chip memory of the cube side with one value.
template <typename T>
inline void InitConstValue(const LocalTensor<T>& dst, const InitConstValueParams<T>& p,
                           skt::emu::where at = skt::emu::where::here())
{
    const bool l1 = dst.memory() == skt::emu::mem::l1;
    skt::emu::instr i(l1 ? skt::emu::pipe::mte2 : skt::emu::pipe::mte1, "InitConstValue", at);
    const std::uint64_t unit = l1 ? 32 : skt::emu::fractal_bytes;
    const std::uint64_t block = p.blockNum * unit;
    for (std::uint64_t r = 0; r < p.repeatTimes; ++r) {
        if (std::byte* d = i.writes(dst.memory(), dst.byte() + r * (block + p.dstGap * unit), {block})) {
            for (std::uint64_t k = 0; k < block; k += sizeof(T)) {
                skt::emu::store<T>(d + k, p.initValue);
            }
        }
    }
}
template <typename T>
inline void Fill(const LocalTensor<T>& dst, const InitConstValueParams<T>& p,
                 skt::emu::where at = skt::emu::where::here())
{
    InitConstValue(dst, p, at);
}

} // namespace AscendC
