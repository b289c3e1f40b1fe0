#pragma once
// Puts a kernel into a stream: launch<kernel>({.grid = blocks, .block = threads}, stream, arguments...).

#include "device/check.hpp"
#include "device/stream.hpp"

#include <cstddef>
#include <type_traits>

namespace alder::cuda {

/// Blocks, and threads in each.
struct LaunchShape {
    dim3 grid = 1, block = 1;
};

/// Blocks that cover a count of things, so many a block; at least one, since no launch is empty.
constexpr unsigned blocksFor(std::size_t count, unsigned perBlock)
{
    return count == 0 ? 1u : static_cast<unsigned>((count + perBlock - 1) / perBlock);
}

template <auto kernel, class... Parameters, class... Given>
void launchAs(void (*)(Parameters...), LaunchShape const& shape, Stream& stream, Given&&... given)
{
    static_assert(sizeof...(Parameters) == sizeof...(Given), "as many arguments as the kernel takes");
    // converted to what the kernel takes before anything looks at them
    auto const launched = [&](std::remove_cv_t<Parameters>... arguments) {
#if defined(ALDER_SIMT)
        return simt::enqueueKernel<kernel>(stream.handle(), shape.grid, shape.block, arguments...);
#else
        void* addresses[sizeof...(Parameters) + 1] = {static_cast<void*>(&arguments)..., nullptr};
        return cudaLaunchKernel(reinterpret_cast<void const*>(kernel), shape.grid, shape.block, addresses, 0, stream.handle());
#endif
    };
    check(launched(static_cast<Given&&>(given)...), "launching a kernel");
}

template <auto kernel, class... Given> void launch(LaunchShape const& shape, Stream& stream, Given&&... given)
{
    launchAs<kernel>(kernel, shape, stream, static_cast<Given&&>(given)...);
}

} // namespace alder::cuda
