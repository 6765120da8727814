/// @file
/// The emulator's public entry: a device, its memory, and launches that read close to `<<<>>>`. Host only.
///
///     skt::emu::device npu;
///     auto x = npu.from(host_x, "x");
///     auto y = npu.alloc<float>(1024, "y");
///     auto r = npu.launch(skt::emu::vector_cores(8), add)(x, y, 1024u);     // add<<<8, nullptr, stream>>>(x, y, 1024)
///     if (!r.ok()) { std::cout << r.text(); }
#pragma once

#include <skt/emu/checks.hpp>
#include <skt/emu/machine.hpp>
#include <skt/emu/options.hpp>
#include <skt/emu/raw_access.hpp>
#include <skt/emu/run_result.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace skt::emu {

/// A launch on `blocks` vector cores; cross-core flags work.
constexpr launch_shape vector_cores(int blocks)
{
    return {kernel_type::mix_aiv_1_0, blocks};
}
/// A launch on `blocks` cube cores; cross-core flags work.
constexpr launch_shape cube_cores(int blocks)
{
    return {kernel_type::mix_aic_1_0, blocks};
}
/// A launch on `blocks` AI cores with one cube core and `Vectors` vector cores each.
template <int Vectors = 2>
constexpr launch_shape mix_cores(int blocks)
{
    static_assert(Vectors == 1 || Vectors == 2, "an AI core has one or two vector cores");
    return {Vectors == 1 ? kernel_type::mix_aic_1_1 : kernel_type::mix_aic_1_2, blocks};
}

namespace detail {
/// A machine with its watch over raw accesses.
struct watched_machine {
    explicit watched_machine(const device_options& o) : hardware(o), watch(hardware) {}
    machine hardware;
    raw_watch watch;
};
} // namespace detail

/// An array in the device's GM. Owns its memory; movable. Converts to the pointers that kernels take.
template <class T>
class gm_buffer {
    static_assert(std::is_trivially_copyable_v<T>, "GM holds plain data");

public:
    gm_buffer() = default;
    gm_buffer(std::shared_ptr<detail::watched_machine> m, std::size_t count, std::string name)
        : machine_(std::move(m)), count_(count)
    {
        block_ = &machine_->hardware.gm.alloc(count * sizeof(T), std::move(name));
    }
    gm_buffer(gm_buffer&& o) noexcept
        : machine_(std::move(o.machine_)), block_(std::exchange(o.block_, nullptr)), count_(std::exchange(o.count_, 0))
    {
    }
    gm_buffer& operator=(gm_buffer&& o) noexcept
    {
        std::swap(machine_, o.machine_);
        std::swap(block_, o.block_);
        std::swap(count_, o.count_);
        return *this;
    }
    gm_buffer(const gm_buffer&) = delete;
    gm_buffer& operator=(const gm_buffer&) = delete;
    ~gm_buffer()
    {
        if (block_ != nullptr) {
            machine_->hardware.gm.free(*block_);
        }
    }

    std::size_t size() const { return count_; }
    std::size_t bytes() const { return count_ * sizeof(T); }
    const std::string& name() const { return block_->name; }
    /// The address for kernels. Host code reads and writes through `get` and `set`: raw access from the host is not
    /// kept coherent.
    T* ptr() const { return reinterpret_cast<T*>(block_->base); }
    /// The address as `GM_ADDR`.
    std::uint8_t* addr() const { return reinterpret_cast<std::uint8_t*>(block_->base); }
    /// To `T*`, `uint8_t*` (GM_ADDR) or `void*`, as the kernel's parameter asks.
    template <class U, std::enable_if_t<
                           std::is_same_v<U, T> || std::is_same_v<U, std::uint8_t> || std::is_same_v<U, void>, int> = 0>
    operator U*() const
    {
        return reinterpret_cast<U*>(block_->base);
    }

    /// Copies the whole contents to the host.
    std::vector<T> get() const
    {
        machine_->watch.settle();
        std::vector<T> v(count_);
        std::memcpy(static_cast<void*>(v.data()), machine_->hardware.gm.storage(block_->base), bytes());
        return v;
    }
    /// One element, for checks.
    T get(std::size_t i) const
    {
        if (i >= count_) {
            throw std::out_of_range(name() + " has fewer elements");
        }
        machine_->watch.settle();
        T v;
        std::memcpy(static_cast<void*>(&v), machine_->hardware.gm.storage(block_->base) + i * sizeof(T), sizeof(T));
        return v;
    }
    /// Copies from the host, from element `first` on; the bytes count as written.
    void set(const std::vector<T>& v, std::size_t first = 0)
    {
        if (first + v.size() > count_) {
            throw std::out_of_range(name() + " is too small for what is copied in");
        }
        machine_->watch.settle();
        std::memcpy(machine_->hardware.gm.storage(block_->base) + first * sizeof(T), v.data(), v.size() * sizeof(T));
        set_bits(block_->written, first * sizeof(T), (first + v.size()) * sizeof(T));
    }
    /// Sets every element; the bytes count as written.
    void fill(T value) { set(std::vector<T>(count_, value)); }
    /// Makes the contents count as never written again.
    void forget() { machine_->hardware.gm.forget(*block_); }

private:
    std::shared_ptr<detail::watched_machine> machine_;
    gm_block* block_ = nullptr;
    std::size_t count_ = 0;
};

/// An emulated NPU. Cheap to make; keeps its cores' memories between launches. One launch at a time, on the calling
/// thread.
class device {
public:
    device() : device(device_options{}) {}
    explicit device(const device_options& o) : machine_(std::make_shared<detail::watched_machine>(o)) {}
    explicit device(const soc& chip) : device(with_chip(chip)) {}

    /// Read and changed between launches; the chip and the sizes of memories are fixed when the device is made.
    device_options& options() { return machine_->hardware.options; }
    /// The schedule of the next launches.
    device& seed(std::uint64_t s)
    {
        machine_->hardware.options.seed = s;
        return *this;
    }

    /// A buffer whose contents nobody has written. `name` appears in findings.
    template <class T>
    gm_buffer<T> alloc(std::size_t count, std::string name)
    {
        return {machine_, count, std::move(name)};
    }
    /// A buffer of zeros.
    template <class T>
    gm_buffer<T> zeros(std::size_t count, std::string name)
    {
        gm_buffer<T> b(machine_, count, std::move(name));
        b.fill(T{});
        return b;
    }
    /// A buffer with the contents of `v`.
    template <class T>
    gm_buffer<T> from(const std::vector<T>& v, std::string name)
    {
        gm_buffer<T> b(machine_, v.size(), std::move(name));
        b.set(v);
        return b;
    }

    /// Runs `body()` on every core of the launch.
    /// Throws std::invalid_argument for a shape the chip cannot run, and rethrows what a kernel throws.
    run_result run(launch_shape shape, const std::function<void()>& body)
    {
        watch_faults();
        machine_->watch.settle();
        run_result r = machine_->hardware.run(shape, body);
        machine_->watch.settle();
        return r;
    }

    /// With arguments, or for a callable that takes none: runs `kernel(args...)` on every core of the launch and
    /// returns the result. For a kernel with parameters, `launch(shape, kernel)` is a callable that takes them:
    /// `launch(shape, kernel)(args...)`.
    template <class F, class... Args>
    auto launch(launch_shape shape, F&& kernel, Args&&... args)
    {
        if constexpr (sizeof...(Args) > 0 || std::is_invocable_v<F&>) {
            return run(shape, [&] { kernel(args...); });
        } else {
            return [this, shape, f = std::forward<F>(kernel)](auto&&... later) {
                return run(shape, [&] { f(later...); });
            };
        }
    }

    /// Runs `round(*this)` under seeds first .. first + count - 1 until a run has findings; returns that run, or the
    /// last one. `round` prepares its buffers and returns the result of its launch.
    template <class F>
    run_result explore(std::uint64_t first, std::uint64_t count, F&& round)
    {
        run_result r;
        for (std::uint64_t s = first; s < first + count; ++s) {
            seed(s);
            r = round(*this);
            if (!r.ok()) {
                break;
            }
        }
        return r;
    }

private:
    static device_options with_chip(const soc& chip)
    {
        device_options o;
        o.chip = chip;
        return o;
    }
    std::shared_ptr<detail::watched_machine> machine_;
};

/// The device of the free functions.
inline device& default_device()
{
    static device d;
    return d;
}
/// `device::launch` on the default device.
template <class F, class... Args>
auto launch(launch_shape shape, F&& kernel, Args&&... args)
{
    return default_device().launch(shape, std::forward<F>(kernel), std::forward<Args>(args)...);
}

} // namespace skt::emu
