#pragma once
// Which molecules are rigid waters, and what triangle each has.

#include "physics/settle.hpp"
#include "system/topology.hpp"

#include <cstdint>
#include <vector>

namespace alder::constraints {

/// A rigid water: the indices of its atoms in the whole system.
struct WaterAtoms {
    std::int32_t oxygen = 0, hydrogen1 = 0, hydrogen2 = 0;
};

/// All waters of one triangle.
struct SettleGroup {
    physics::WaterGeometry<double> geometry;
    std::vector<WaterAtoms> waters;
};

/// Every rigid water of the system, by triangle, in atom order within one.
class SettleSet {
public:
    /// Throws base::RunFailed where a triangle cannot exist or has no mass.
    explicit SettleSet(system::Topology const& topology);

    [[nodiscard]] std::vector<SettleGroup> const& groups() const { return groups_; }
    [[nodiscard]] std::int64_t count() const;
    [[nodiscard]] bool empty() const { return groups_.empty(); }

private:
    std::vector<SettleGroup> groups_;
};

} // namespace alder::constraints
