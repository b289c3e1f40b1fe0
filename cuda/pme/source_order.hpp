#pragma once
// The order in which charges go to the grid: by place, so that a block's charges share the sectors that they are added to.

#include "device/buffers.hpp"
#include "device/stream.hpp"
#include "pme/pme_views.hpp"

#include <cstdint>
#include <vector>

namespace alder::cuda {

/// Sources sorted by bricks of 8 x 8 x 8 grid points, z fastest. Within a brick the order is that in which threads came, and may change
/// from run to run: what is summed are integers.
class SourceOrder {
public:
    SourceOrder(PmeGridShape const& grid, std::vector<GridSource> const& sources, Stream& stream);
    /// Sorts by the places that atoms have now.
    void sort(View<math::FractionVec const> positions, Stream& stream);
    /// As last sorted; as given at first. The memory stays the same.
    [[nodiscard]] View<GridSource const> sources() const { return sorted_.constView(); }
    [[nodiscard]] int count() const { return static_cast<int>(given_.size()); }

private:
    PmeGridShape grid_;
    DeviceBuffer<GridSource> given_, sorted_;
    DeviceBuffer<std::int32_t> bricks_; ///< sources of each brick, then where they begin
    DeviceBuffer<std::int32_t> brickOf_, rankOf_;
};

} // namespace alder::cuda
