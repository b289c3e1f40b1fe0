#pragma once
// Shared memory of a block. Each element has a record of who wrote and who read it last, by which races show: two threads touch it, one
// of them to write, and neither a barrier nor a meeting of their warp stands between. (Meetings other than __syncwarp order memory here
// too; kernels that rely on a shuffle for that are not found.)

#include "simt/memory.hpp"

namespace alder::simt {

/// Threads that touched an element since the last barrier or meeting of their warp.
struct Touch {
    std::uint32_t blockEpoch = 0, warpEpoch = 0;
    std::uint32_t lanes = 0;
    std::uint16_t clock = 0; ///< the last one's
    std::uint8_t warp = 0;   ///< severalWarps: of more than one
    bool atomic = false;
};
inline constexpr std::uint8_t severalWarps = 255;

struct SharedRecord {
    Touch written, read;
};

/// A shared array of the running block: the same for all its threads, made by the first that asks.
struct SharedRegion {
    std::byte* data = nullptr;
    SharedRecord* records = nullptr;
};
struct SharedShape {
    char const* name = nullptr;
    std::size_t elementSize = 0, alignment = 0, count = 0;
};
SharedRegion sharedRegion(void const* key, SharedShape const& shape);

[[noreturn]] void reportRace(Access access, char const* name, std::size_t index, SharedRecord const& record);
[[noreturn]] void reportUnwrittenShared(Access access, char const* name, std::size_t index);
/// Whether lanes that met in part of their warp know of the touch.
bool knownTouch(Touch const& touch, Lane const& me);

/// Whether what others did to the element is not yet ordered before what this lane does.
[[gnu::always_inline]] inline bool conflicts(Touch const& touch, Lane const& me)
{
    Warp const& warp = *me.warp;
    if (touch.blockEpoch != warp.blockEpoch) return false;
    if (touch.warp != me.warpNumber) return true;
    if (touch.warpEpoch != warp.epoch || (touch.lanes & ~(1u << me.lane)) == 0) return false;
    return !warp.partial || !knownTouch(touch, me);
}
[[gnu::always_inline]] inline void addTouch(Touch& touch, Lane const& me)
{
    Warp const& warp = *me.warp;
    bool const now = touch.blockEpoch == warp.blockEpoch;
    if (now && touch.warp != me.warpNumber) {
        touch.warp = severalWarps;
    } else {
        std::uint32_t const others = now && touch.warpEpoch == warp.epoch ? touch.lanes : 0;
        touch.blockEpoch = warp.blockEpoch;
        touch.warpEpoch = warp.epoch;
        touch.lanes = others | 1u << me.lane;
        touch.warp = static_cast<std::uint8_t>(me.warpNumber);
        touch.clock = warp.clock[me.lane];
    }
}
[[gnu::always_inline]] inline void setTouch(Touch& touch, Lane const& me)
{
    Warp const& warp = *me.warp;
    touch = {warp.blockEpoch, warp.epoch, 1u << me.lane, warp.clock[me.lane], static_cast<std::uint8_t>(me.warpNumber), false};
}

[[gnu::always_inline]] inline void touchToRead(SharedRecord& record, Lane const& me, char const* name, std::size_t index)
{
    if (record.written.blockEpoch < me.warp->blockStart) [[unlikely]]
        reportUnwrittenShared(Access::read, name, index);
    if (conflicts(record.written, me)) [[unlikely]]
        reportRace(Access::read, name, index, record);
    addTouch(record.read, me);
}
[[gnu::always_inline]] inline void touchToWrite(SharedRecord& record, Lane const& me, char const* name, std::size_t index)
{
    if (conflicts(record.written, me) || conflicts(record.read, me)) [[unlikely]]
        reportRace(Access::write, name, index, record);
    setTouch(record.written, me);
}

/// A block's shared array, checked at each access like a View.
template <Storable T, std::size_t count> class SharedArray {
public:
    SharedArray(void const* key, char const* name)
        : region_(sharedRegion(key, {name, sizeof(T), alignof(T), count})),
          lane_(currentLane),
          name_(name)
    {}
    SharedArray(SharedArray const&) = delete;
    template <class I> [[gnu::always_inline]] Element<SharedArray, T> operator[](I i) const { return {*this, static_cast<std::size_t>(i)}; }
    template <class I> [[gnu::always_inline]] T* pointer(I i) const
    {
        inBounds(Access::atomic, static_cast<std::size_t>(i));
        return data() + i;
    }
    [[gnu::always_inline]] T load(std::size_t i) const
    {
        inBounds(Access::read, i);
        touchToRead(region_.records[i], *lane_, name_, i);
        return data()[i];
    }
    [[gnu::always_inline]] void store(std::size_t i, T const& value) const
    {
        inBounds(Access::write, i);
        touchToWrite(region_.records[i], *lane_, name_, i);
        data()[i] = value;
    }

private:
    SharedRegion region_;
    Lane const* lane_;
    char const* name_;
    [[gnu::always_inline]] T* data() const { return reinterpret_cast<T*>(region_.data); }
    [[gnu::always_inline]] void inBounds(Access access, std::size_t i) const
    {
        if (i >= count) [[unlikely]]
            reportOutOfBounds(access, static_cast<std::int64_t>(i), count, nullptr, name_);
    }
};

} // namespace alder::simt

/// Shared memory of a block; elements by name[i], atomics by name.pointer(i).
#define ALDER_SHARED(T, name, count)                                                                                                       \
    static char const name##SharedKey = 0;                                                                                                 \
    ::alder::simt::SharedArray<T, (count)> const name(&name##SharedKey, #name)
