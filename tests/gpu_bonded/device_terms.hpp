#pragma once
// Bonded terms as the device computes them, in the form in which the CPU's tests hold theirs.

#include "bonded/bonded_forces.hpp"
#include "bonded/small_system.hpp"
#include "device/buffers.hpp"
#include "device/force_target.hpp"

#include <gtest/gtest.h>

namespace alder::tests {

/// Forces and sums on the device, zero at first.
struct DeviceSums {
    cuda::Stream& stream;
    cuda::DeviceBuffer<std::int64_t> forces, sums;
    DeviceSums(std::size_t atoms, cuda::Stream& on) : stream(on), forces(3 * atoms), sums(cuda::sumCount)
    {
        forces.clear(stream);
        sums.clear(stream);
    }
    [[nodiscard]] cuda::ForceTarget target(bool wanted) { return {forces.view(), sums.view(), wanted}; }
    void set(std::vector<math::ForceUnits> const& units)
    {
        std::vector<std::int64_t> flat;
        for (math::ForceUnits const& f : units) flat.insert(flat.end(), {f.x, f.y, f.z});
        forces.upload(flat, stream);
    }
    [[nodiscard]] std::vector<math::ForceUnits> forceUnits() const
    {
        std::vector<math::ForceUnits> units;
        std::vector<std::int64_t> const flat = forces.download(stream);
        for (std::size_t i = 0; i < flat.size(); i += 3) units.push_back({flat[i], flat[i + 1], flat[i + 2]});
        return units;
    }
    [[nodiscard]] std::vector<std::int64_t> sumUnits() const { return sums.download(stream); }
};

inline std::vector<std::int64_t> unitsOf(system::ForceSums const& sums)
{
    std::vector<std::int64_t> units;
    for (math::FixedSum const& term : sums.terms) units.push_back(term.units);
    math::FixedTensor const& v = sums.virial;
    for (math::FixedSum const& element : {v.xx, v.xy, v.xz, v.yx, v.yy, v.yz, v.zx, v.zy, v.zz}) units.push_back(element.units);
    return units;
}

/// All that the device gives for one configuration.
struct OnDevice {
    std::vector<math::ForceUnits> forces;
    std::vector<std::int64_t> sums;
    OnDevice(system::Topology const& topology, plan::RunPlan const& plan, physics::Box const& box,
             std::vector<math::FractionVec> const& positions, bool wanted = true)
    {
        cuda::Stream stream;
        cuda::DeviceBuffer<math::FractionVec> const places(positions, stream);
        DeviceSums found(positions.size(), stream);
        cuda::BondedForces bonded(topology, plan, stream);
        bonded.add(places.constView(), box, found.target(wanted));
        bonded.check();
        forces = found.forceUnits();
        sums = found.sumUnits();
    }
};

inline void expectEqual(OnDevice const& got, Evaluated const& expected)
{
    for (std::size_t i = 0; i < expected.forces.size(); ++i)
        EXPECT_TRUE(got.forces[i] == expected.forces[i])
            << "atom " << i << ": " << got.forces[i].x << " for " << expected.forces[i].x << ", " << got.forces[i].y << " for "
            << expected.forces[i].y << ", " << got.forces[i].z << " for " << expected.forces[i].z;
    EXPECT_EQ(got.sums, unitsOf(expected.sums));
}

} // namespace alder::tests
