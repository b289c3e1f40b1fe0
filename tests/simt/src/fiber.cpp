#include "fiber.hpp"

#include "poison.hpp"
#include "report.hpp"

#include <cstdint>
#include <cstring>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

// Six registers belong to the callee (System V x86-64); all else the compiler has saved before the call. 3 ns, two thirds of it the
// return, which is predicted where all lanes of a warp wait at the same place.
extern "C" void alderSimtSwitch(void** save, void* load);
asm(R"(
.text
.type alderSimtSwitch,@function
alderSimtSwitch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size alderSimtSwitch,.-alderSimtSwitch
)");

namespace alder::simt {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t stackSize = 128 * 1024;
#else
constexpr std::size_t stackSize = 32 * 1024;
#endif
constexpr std::size_t firstFrames = 4096; ///< room of threadMain and switchAway
constexpr std::size_t guard = 4096;
constexpr std::size_t fibersPerSlab = 32;
// Stacks a power of two apart would share the few lines of the level-1 cache that one address modulo 4096 can have.
constexpr std::size_t stackStride = stackSize + 5 * 64;
constexpr std::uint64_t canary = 0x5afe5afe5afe5afeull;

void checkCanary(Fiber const& fiber)
{
    std::uint64_t found;
    std::memcpy(&found, fiber.stack, sizeof found);
    if (found != canary) reportFault("a thread's stack overran its " + std::to_string(stackSize) + " bytes");
}

} // namespace

void switchStack(Fiber& from, void** save, Fiber& to, void* load)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&from.fakeStack, to.stack, to.size);
    alderSimtSwitch(save, load);
    __sanitizer_finish_switch_fiber(from.fakeStack, nullptr, nullptr);
#else
    (void)from;
    (void)to;
    alderSimtSwitch(save, load);
#endif
}

void switchAway(Fiber& from, Fiber& to, void* load)
{
    checkCanary(from);
    void* unused;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(nullptr, to.stack, to.size);
#else
    (void)to;
#endif
    alderSimtSwitch(&unused, load);
    __builtin_unreachable();
}

void arriveOnFiber(Fiber& launcher)
{
#if defined(__SANITIZE_ADDRESS__)
    void const* bottom = nullptr;
    std::size_t size = 0;
    __sanitizer_finish_switch_fiber(nullptr, &bottom, &size);
    if (launcher.stack == nullptr) {
        launcher.stack = static_cast<std::byte*>(const_cast<void*>(bottom));
        launcher.size = size;
    }
#else
    (void)launcher;
#endif
}

FiberPool::~FiberPool()
{
    for (Fiber* fiber : all_) delete fiber;
    for (auto const& [at, size] : slabs_) munmap(at, size);
}

Fiber* FiberPool::take()
{
    if (idle_.empty()) {
        // below the lowest stack a page that nobody may touch; below the others are stacks, and a canary tells
        std::size_t const bytes = guard + fibersPerSlab * stackStride;
        void* const slab = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (slab == MAP_FAILED) reportFault("no memory for the stacks of threads");
        slabs_.emplace_back(slab, bytes);
        mprotect(slab, guard, PROT_NONE);
        for (std::size_t i = fibersPerSlab; i-- > 0;) {
            auto* const fiber = new Fiber;
            fiber->stack = static_cast<std::byte*>(slab) + guard + i * stackStride;
            fiber->size = stackSize;
            std::memcpy(fiber->stack, &canary, sizeof canary);
            all_.push_back(fiber);
            idle_.push_back(fiber);
        }
    }
    Fiber* const fiber = idle_.back();
    idle_.pop_back();
    return fiber;
}

void* FiberPool::prepare(Fiber& fiber, void (*entry)())
{
    // the fiber's last work ended in functions that never returned, whose frames still have AddressSanitizer's red zones
    unpoison(fiber.stack + fiber.size - firstFrames, firstFrames);
    // The stack as alderSimtSwitch finds it: six registers, the address to go to, and one word more, since a function expects its stack
    // to be 8 bytes off a multiple of 16, as after a call.
    auto* words = reinterpret_cast<std::uintptr_t*>(fiber.stack + fiber.size - 64);
    *--words = 0;
    *--words = reinterpret_cast<std::uintptr_t>(entry);
    for (int i = 0; i < 6; ++i) *--words = 0;
    return words;
}

} // namespace alder::simt
