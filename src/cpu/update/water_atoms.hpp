#pragma once
// Between waters in memory and waters in lanes.

#include "constraints/group_work.hpp"
#include "constraints/settle_set.hpp"
#include "cpu/update/water_step.hpp"

#include <vector>

namespace alder::cpu {

inline std::size_t atomOf(constraints::WaterAtoms const& water, std::size_t which)
{
    return static_cast<std::size_t>(which == oxygen ? water.oxygen : which == hydrogen1 ? water.hydrogen1 : water.hydrogen2);
}

template <class T> math::Vec3<T> getLane(LaneVec<T> const& v, std::size_t lane) { return {v.x[lane], v.y[lane], v.z[lane]}; }
template <class T> void putLane(LaneVec<T>& v, std::size_t lane, math::Vec3<T> value)
{
    v.x[lane] = value.x;
    v.y[lane] = value.y;
    v.z[lane] = value.z;
}

inline void loadBonds(WaterLanes& lanes, std::size_t lane, constraints::WaterAtoms const& water,
                      std::vector<math::FractionVec> const& positions)
{
    math::FractionVec const o = positions[atomOf(water, oxygen)];
    putLane(lanes.fractions[0], lane, wrappingDifference(positions[atomOf(water, hydrogen1)], o));
    putLane(lanes.fractions[1], lane, wrappingDifference(positions[atomOf(water, hydrogen2)], o));
}

/// Calls visit(waters, how many) for each block of up to waterLanes waters in `range`.
template <class Visit>
void forEachBlock(std::vector<constraints::WaterAtoms> const& waters, std::int64_t begin, std::int64_t end, Visit&& visit)
{
    constexpr auto wide = static_cast<std::int64_t>(waterLanes);
    auto const count = static_cast<std::int64_t>(waters.size());
    for (std::int64_t block = begin; block < end; ++block)
        visit(waters.data() + block * wide, static_cast<std::size_t>(std::min(wide, count - block * wide)));
}

} // namespace alder::cpu
