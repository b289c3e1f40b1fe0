#pragma once
// Emulated device memory: one reserved range, and a shadow byte for each of its bytes a fixed distance away that says whether it is
// allocated and whether it was ever written. Freed addresses are not given out again.

#include "simt/block.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace alder::simt {

inline constexpr std::size_t deviceReach = std::size_t{1} << 36; ///< bytes of address space, not of memory
enum class ByteState : std::uint8_t { none = 0, unwritten = 1, written = 3 };

extern std::byte* deviceBase;
void reserveDeviceMemory();

/// Whether an address belongs to device memory, allocated or not.
inline bool isDevice(void const* at)
{
    return static_cast<std::size_t>(static_cast<std::byte const*>(at) - deviceBase) < deviceReach && deviceBase != nullptr;
}
inline std::uint8_t* shadowOf(void const* at) { return reinterpret_cast<std::uint8_t*>(const_cast<void*>(at)) + deviceReach; }

void* allocateDevice(std::size_t bytes);
bool freeDevice(void* at);
/// Bytes of the allocation that begins at or holds the address; 0 where there is none.
std::size_t roomAt(void const* at);
std::size_t deviceBytesInUse();

enum class Access : std::uint8_t { read, write, atomic };
[[noreturn]] void reportOutOfBounds(Access access, std::int64_t index, std::size_t size, void const* data, char const* name);
[[noreturn]] void reportBadAccess(Access access, void const* at, std::size_t bytes);
[[noreturn]] void reportMisaligned(void const* at, std::size_t alignment);
[[noreturn]] void reportHostAccess(Access access);
/// The access of an atomic operation, in device or shared memory.
void checkAtomic(void* at, std::size_t bytes);

/// Whether all shadow bytes of an element have the bits of a pattern byte.
template <std::size_t bytes> [[gnu::always_inline]] inline bool shadowHas(std::uint8_t const* shadow, std::uint8_t pattern)
{
    std::uint64_t const want = 0x0101010101010101ull * pattern;
    std::uint64_t missing = 0;
    std::size_t at = 0;
    for (; at + 8 <= bytes; at += 8) {
        std::uint64_t have;
        std::memcpy(&have, shadow + at, 8);
        missing |= ~have & want;
    }
    if constexpr (bytes % 8 >= 4) {
        std::uint32_t have;
        std::memcpy(&have, shadow + at, 4);
        missing |= ~have & static_cast<std::uint32_t>(want);
        at += 4;
    }
    for (; at < bytes; ++at) missing |= static_cast<std::uint8_t>(~shadow[at] & pattern);
    return missing == 0;
}

/// What may be a kernel's element.
template <class T>
concept Storable = std::is_trivially_copyable_v<std::remove_const_t<T>>;

/// An element that may be written: read or assigned as a whole, at once, never kept.
template <class Place, class T> class Element {
public:
    Element(Place const& place, std::size_t index) : place_(place), index_(index) {}
    Element(Element const&) = delete;
    operator T() const&& { return place_.load(index_); }
    T const& operator=(T const& value) const&&
    {
        place_.store(index_, value);
        return value;
    }
    void operator=(Element const&& other) const&& { place_.store(index_, static_cast<T>(static_cast<Element const&&>(other))); }
    template <class U> void operator+=(U&& value) const&&
    {
        change([&](T& held) { held += static_cast<U&&>(value); });
    }
    template <class U> void operator-=(U&& value) const&&
    {
        change([&](T& held) { held -= static_cast<U&&>(value); });
    }
    template <class U> void operator*=(U&& value) const&&
    {
        change([&](T& held) { held *= static_cast<U&&>(value); });
    }
    template <class U> void operator|=(U&& value) const&&
    {
        change([&](T& held) { held |= static_cast<U&&>(value); });
    }
    template <class U> void operator&=(U&& value) const&&
    {
        change([&](T& held) { held &= static_cast<U&&>(value); });
    }
    template <class U> void operator^=(U&& value) const&&
    {
        change([&](T& held) { held ^= static_cast<U&&>(value); });
    }

private:
    Place const& place_;
    std::size_t index_;
    template <class Change> void change(Change const& how) const
    {
        T held = place_.load(index_);
        how(held);
        place_.store(index_, held);
    }
};

/// A stretch of device memory as a kernel argument, checked at each access.
template <Storable T> class View {
public:
    using Value = std::remove_const_t<T>;
    View() = default;
    View(T* data, std::size_t size) : data_(data), size_(size)
    {
        if (data == nullptr) return;
        if (reinterpret_cast<std::uintptr_t>(data) % alignof(T) != 0) reportMisaligned(data, alignof(T));
        if (!isDevice(data)) reportBadAccess(std::is_const_v<T> ? Access::read : Access::write, data, size * sizeof(T));
    }
    operator View<T const>() const requires(!std::is_const_v<T>) { return View<T const>(data_, size_); }

    [[nodiscard]] bool given() const { return data_ != nullptr; }
    /// On the host only: under nvcc a view has no size.
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] T* data() const { return data_; }
    [[nodiscard]] View from(std::size_t first) const
    {
        if (first > size_) reportOutOfBounds(Access::read, static_cast<std::int64_t>(first), size_, data_, nullptr);
        return View(data_ + first, size_ - first);
    }

    /// The same bytes as elements of another type, of which they hold as many as fit.
    template <class U> [[nodiscard]] View<U> as() const
    {
        static_assert(std::is_const_v<U> || !std::is_const_v<T>);
        return data_ == nullptr ? View<U>() : View<U>(reinterpret_cast<U*>(data_), size_ * sizeof(T) / sizeof(U));
    }

    template <class I> [[gnu::always_inline]] Value operator[](I i) const requires(std::is_const_v<T>)
    {
        return load(static_cast<std::size_t>(i));
    }
    template <class I> [[gnu::always_inline]] Element<View, Value> operator[](I i) const requires(!std::is_const_v<T>)
    {
        return {*this, static_cast<std::size_t>(i)};
    }
    template <class I> [[gnu::always_inline]] T* pointer(I i) const
    {
        auto const index = static_cast<std::size_t>(i);
        if (index >= size_) [[unlikely]]
            reportOutOfBounds(Access::atomic, static_cast<std::int64_t>(index), size_, data_, nullptr);
        return data_ + index;
    }

    [[gnu::always_inline]] Value load(std::size_t i) const
    {
        onDevice(Access::read);
        if (i >= size_) [[unlikely]]
            reportOutOfBounds(Access::read, static_cast<std::int64_t>(i), size_, data_, nullptr);
        if (!shadowHas<sizeof(T)>(shadowOf(data_ + i), static_cast<std::uint8_t>(ByteState::written))) [[unlikely]]
            reportBadAccess(Access::read, data_ + i, sizeof(T));
        return data_[i];
    }
    [[gnu::always_inline]] void store(std::size_t i, Value const& value) const
    {
        onDevice(Access::write);
        if (i >= size_) [[unlikely]]
            reportOutOfBounds(Access::write, static_cast<std::int64_t>(i), size_, data_, nullptr);
        std::uint8_t* const shadow = shadowOf(data_ + i);
        if (!shadowHas<sizeof(T)>(shadow, static_cast<std::uint8_t>(ByteState::unwritten))) [[unlikely]]
            reportBadAccess(Access::write, data_ + i, sizeof(T));
        std::memset(shadow, static_cast<int>(ByteState::written), sizeof(T));
        data_[i] = value;
    }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;

    [[gnu::always_inline]] static void onDevice(Access access)
    {
        if (currentLane == nullptr) [[unlikely]]
            reportHostAccess(access);
    }
};

} // namespace alder::simt
