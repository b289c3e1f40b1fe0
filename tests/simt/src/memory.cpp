#include "simt/memory.hpp"

#include "device_memory.hpp"
#include "poison.hpp"
#include "report.hpp"
#include "running_block.hpp"

#include <map>
#include <mutex>
#include <sys/mman.h>

namespace alder::simt {

std::byte* deviceBase = nullptr;

namespace {

constexpr std::size_t page = 4096;

struct Allocation {
    std::size_t bytes = 0;
    bool freed = false;
    std::size_t number = 0;
};

std::map<std::byte const*, Allocation> allocations;
std::size_t reached = 0, inUse = 0, made = 0;

std::map<std::byte const*, Allocation>::const_iterator allocationAt(void const* at)
{
    auto const* const address = static_cast<std::byte const*>(at);
    auto found = allocations.upper_bound(address);
    if (found == allocations.begin()) return allocations.end();
    --found;
    // the first bytes after the end still tell whose end they are after
    return address < found->first + found->second.bytes + page ? found : allocations.end();
}

/// Where an address lies, in words.
std::string whereabouts(void const* at)
{
    auto const found = allocationAt(at);
    if (found == allocations.end()) return "no device memory";
    return "byte " + std::to_string(static_cast<std::byte const*>(at) - found->first) + " of device allocation " +
           std::to_string(found->second.number) + " (" + std::to_string(found->second.bytes) + " bytes" +
           (found->second.freed ? ", freed)" : ")");
}

} // namespace

char const* accessName(Access access)
{
    switch (access) {
    case Access::read: return "read";
    case Access::write: return "write";
    case Access::atomic: return "atomic operation";
    }
    return "";
}

void reserveDeviceMemory()
{
    if (deviceBase != nullptr) return;
    int const flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* const base = mmap(nullptr, 2 * deviceReach, PROT_NONE, flags, -1, 0);
    if (base == MAP_FAILED) reportFault("no address space for device memory");
    // the shadow of what was never allocated reads as zero, and costs no memory
    mprotect(static_cast<std::byte*>(base) + deviceReach, deviceReach, PROT_READ | PROT_WRITE);
    deviceBase = static_cast<std::byte*>(base);
}

void* allocateDevice(std::size_t bytes)
{
    reserveDeviceMemory();
    std::size_t const pages = (std::max(bytes, std::size_t{1}) + page - 1) / page * page;
    if (reached + pages + page > deviceReach) reportFault("device addresses spent: 64 GiB were allocated in all");
    std::byte* const at = deviceBase + reached;
    reached += pages + page;
    mprotect(at, pages, PROT_READ | PROT_WRITE);
    unpoison(at, pages);
    std::memset(at, 0xfb, pages);
    poison(at + bytes, pages - bytes);
    std::memset(shadowOf(at), static_cast<int>(ByteState::unwritten), bytes);
    allocations[at] = {bytes, false, ++made};
    inUse += bytes;
    return at;
}

bool freeDevice(void* at)
{
    auto const found = allocations.find(static_cast<std::byte*>(at));
    if (found == allocations.end() || found->second.freed) return false;
    std::size_t const pages = (std::max(found->second.bytes, std::size_t{1}) + page - 1) / page * page;
    poison(at, pages);
    madvise(at, pages, MADV_DONTNEED);
    madvise(shadowOf(at), pages, MADV_DONTNEED);
    mprotect(at, pages, PROT_NONE);
    found->second.freed = true;
    inUse -= found->second.bytes;
    return true;
}

std::size_t roomAt(void const* at)
{
    auto const found = allocationAt(at);
    if (found == allocations.end() || found->second.freed) return 0;
    auto const offset = static_cast<std::size_t>(static_cast<std::byte const*>(at) - found->first);
    return offset < found->second.bytes ? found->second.bytes - offset : 0;
}

std::size_t deviceBytesInUse() { return inUse; }

void reportOutOfBounds(Access access, std::int64_t index, std::size_t size, void const* data, char const* name)
{
    std::string const whose = name != nullptr   ? "shared array " + std::string(name)
                              : data == nullptr ? "a view of nothing"
                                                : "a view of " + whereabouts(data);
    reportFault("out of bounds: " + std::string(accessName(access)) + " of element " + std::to_string(index) + " of " +
                std::to_string(size) + ", " + whose);
}

void reportBadAccess(Access access, void const* at, std::size_t bytes)
{
    auto const found = allocationAt(at);
    std::string const what = std::string(accessName(access)) + " of " + std::to_string(bytes) + " bytes at " + whereabouts(at);
    if (found == allocations.end()) reportFault("not device memory: " + what);
    if (found->second.freed) reportFault("use after free: " + what);
    if (roomAt(at) < bytes) reportFault("out of bounds: " + what);
    reportFault("unwritten memory: " + what);
}

void reportMisaligned(void const* at, std::size_t alignment)
{
    reportFault("misaligned: an element that needs " + std::to_string(alignment) + " bytes' alignment at " + whereabouts(at));
}

void reportHostAccess(Access access) { reportFault("device memory from the host: " + std::string(accessName(access)) + " by no kernel"); }

void checkAtomic(void* at, std::size_t bytes)
{
    if (currentLane == nullptr) reportHostAccess(Access::atomic);
    if (reinterpret_cast<std::uintptr_t>(at) % bytes != 0) [[unlikely]]
        reportMisaligned(at, bytes);
    if (!isDevice(at)) {
        SharedArena::Found const found = currentBlock->shared.find(at);
        if (found.record != nullptr) touchAtomically(*found.record, *currentLane, found.name, found.index);
        return;
    }
    std::uint8_t const* const shadow = shadowOf(at);
    std::uint8_t all = static_cast<std::uint8_t>(ByteState::written);
    for (std::size_t i = 0; i < bytes; ++i) all &= shadow[i];
    if (all != static_cast<std::uint8_t>(ByteState::written)) [[unlikely]]
        reportBadAccess(Access::atomic, at, bytes);
}

void checkDeviceRange(Access access, void const* at, std::size_t bytes)
{
    if (bytes == 0) return;
    if (roomAt(at) < bytes) reportBadAccess(access, at, bytes);
    if (access != Access::read) return;
    std::uint8_t const* const shadow = shadowOf(at);
    for (std::size_t i = 0; i < bytes; ++i)
        if (shadow[i] != static_cast<std::uint8_t>(ByteState::written)) reportBadAccess(access, static_cast<std::byte const*>(at) + i, 1);
}

void markWritten(void* at, std::size_t bytes)
{
    if (bytes > 0) std::memset(shadowOf(at), static_cast<int>(ByteState::written), bytes);
}

void markUnwritten(void* at, std::size_t bytes)
{
    if (bytes > 0) std::memset(shadowOf(at), static_cast<int>(ByteState::unwritten), bytes);
}

void copyWithin(void* to, void const* from, std::size_t bytes)
{
    if (bytes == 0) return;
    std::memmove(to, from, bytes);
    std::memmove(shadowOf(to), shadowOf(from), bytes);
}

} // namespace alder::simt
