#pragma once
// Stacks to run threads on, and the switch between them.

#include <cstddef>
#include <vector>

namespace alder::simt {

struct Fiber {
    std::byte* stack = nullptr; ///< lowest address
    std::size_t size = 0;
    void* fakeStack = nullptr; ///< AddressSanitizer's, while the fiber waits
    std::byte const* bottom() const { return stack; }
};

/// Leaves the running stack, whose position goes to `save`, for another. A fiber that `ends` never comes back.
void switchStack(Fiber& from, void** save, Fiber& to, void* load);
void switchAway(Fiber& from, Fiber& to, void* load);
/// To be called first thing on a new fiber; `launcher` learns the bounds of the stack that came from.
void arriveOnFiber(Fiber& launcher);

/// Stacks for as many threads as ever wait at a time.
class FiberPool {
public:
    FiberPool() = default;
    FiberPool(FiberPool const&) = delete;
    FiberPool& operator=(FiberPool const&) = delete;
    ~FiberPool();
    Fiber* take();
    void giveBack(Fiber* fiber) { idle_.push_back(fiber); }
    /// The stack pointer from which a taken fiber begins `entry`.
    static void* prepare(Fiber& fiber, void (*entry)());

private:
    std::vector<Fiber*> idle_, all_;
    std::vector<std::pair<void*, std::size_t>> slabs_;
};

} // namespace alder::simt
