#pragma once
// The same system moved by the CPU and by the kernels on the emulation, from the same forces, and compared bit by bit.

#include "base/error.hpp"
#include "constraints/constrained_molecules.hpp"
#include "constraints/random_water.hpp"
#include "constraints/small_systems.hpp"
#include "cpu/update/frozen_atoms.hpp"
#include "cpu/update/motion.hpp"
#include "device/buffers.hpp"
#include "device/stream.hpp"
#include "update/motion.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace alder::trial {

template <class T> bool sameBits(std::vector<T> const& a, std::vector<T> const& b)
{
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

inline bool sameUnits(math::FixedTensor const& a, math::FixedTensor const& b)
{
    return a.xx.units == b.xx.units && a.xy.units == b.xy.units && a.xz.units == b.xz.units && a.yx.units == b.yx.units &&
           a.yy.units == b.yy.units && a.yz.units == b.yz.units && a.zx.units == b.zx.units && a.zy.units == b.zy.units &&
           a.zz.units == b.zz.units;
}

inline bool sameUnits(system::MotionSums const& a, system::MotionSums const& b)
{
    bool same = a.kinetic.size() == b.kinetic.size() && a.momentumX.units == b.momentumX.units && a.momentumY.units == b.momentumY.units &&
                a.momentumZ.units == b.momentumZ.units;
    for (std::size_t g = 0; same && g < a.kinetic.size(); ++g) same = sameUnits(a.kinetic[g], b.kinetic[g]);
    return same;
}

/// What moves, on the host.
struct MovingSystem {
    std::vector<math::FractionVec> positions;
    std::vector<math::Vec3d> velocities;
    std::vector<math::ForceUnits> forces;
};

/// Molecules at random places; `shapes` are the places of the constrained ones' atoms by molecule type, empty for waters and free atoms.
inline MovingSystem scattered(system::Topology const& topology, physics::Box const& box, std::vector<ConstrainedMolecule> const& molecules)
{
    MovingSystem s;
    physics::WaterGeometry<double> const geometry = physics::waterGeometry(15.9994, 1.008, 0.1, 0.1633);
    system::forEachMolecule(topology, [&](system::MoleculeType const& type, std::int64_t first) {
        RandomWater random(first);
        math::Vec3d const place = random.vector(1.0), axis = random.vector(1.0);
        double const angle = 3 * norm(random.vector(1));
        std::vector<math::Vec3d> offsets(type.atoms.size());
        if (!type.of(system::Kind::settle).atoms.empty()) {
            physics::WaterBonds<double> const bonds = random.bonds(geometry);
            offsets[1] = bonds.toHydrogen1;
            offsets[2] = bonds.toHydrogen2;
        }
        for (ConstrainedMolecule const& m : molecules)
            if (m.name == type.name)
                for (std::size_t a = 0; a < offsets.size(); ++a) offsets[a] = turned(m.places[a], axis, angle);
        for (std::size_t a = 0; a < type.atoms.size(); ++a) {
            s.positions.push_back(box.toFraction(place + offsets[a]));
            s.velocities.push_back(type.atoms[a].mass > 0 ? random.vector(0.6) : math::Vec3d{});
            s.forces.push_back(math::forceUnits(random.vector(400)));
        }
    });
    return s;
}

/// Arrays on the emulated device, as the back end holds them.
struct OnDevice {
    cuda::DeviceBuffer<math::FractionVec> positions;
    cuda::DeviceBuffer<math::Vec3d> velocities;
    cuda::DeviceBuffer<std::int64_t> forces;
    OnDevice(MovingSystem const& s, cuda::Stream& stream) : positions(s.positions, stream), velocities(s.velocities, stream)
    {
        setForces(s.forces, stream);
    }
    void setForces(std::vector<math::ForceUnits> const& given, cuda::Stream& stream)
    {
        std::vector<std::int64_t> flat;
        for (math::ForceUnits const f : given)
            for (std::int64_t const units : {f.x, f.y, f.z}) flat.push_back(units);
        forces.upload(flat, stream);
    }
    cuda::Moving moving() { return {positions.view(), velocities.view(), forces.constView()}; }
};

/// What a failed run says.
template <class Act> std::string failure(Act&& act)
{
    try {
        act();
    } catch (base::RunFailed const& failed) {
        return failed.what();
    }
    return "";
}

class Twins {
public:
    Twins(system::Topology const& topology, plan::DynamicsPlan const& dynamics, physics::Box box,
          std::vector<ConstrainedMolecule> const& molecules = {})
        : box_(box),
          host_(scattered(topology, box, molecules)),
          cpu_(topology, dynamics, 2),
          gpu_(topology, dynamics, stream_),
          device_(host_, stream_)
    {}
    void constrainStart()
    {
        cpu_.constrainStart(host_.positions, host_.velocities, box_);
        gpu_.constrainStart(device_.moving(), box_);
        expectSame("after the start");
    }
    /// Both take a step; forces of the next one are drawn anew. The GPU goes by the scaling where it does not couple by itself.
    void advance(plan::StepPlan const& plan, engine::Scaling const& scaling = {})
    {
        cpu_.advance(host_.positions, host_.velocities, box_, host_.forces, plan, scaling, cpuSums);
        gpu_.advance(device_.moving(), box_, plan, gpu_.couples() ? engine::Scaling() : scaling, gpuSums);
        expectSameSums(plan, "after");
        RandomWater random(1000 + plan.step);
        for (math::ForceUnits& f : host_.forces) f = math::forceUnits(random.vector(400));
        device_.setForces(host_.forces, stream_);
    }
    /// Velocity Verlet's other half.
    void arrive(plan::StepPlan const& plan, bool first)
    {
        cpu_.arrive({host_.positions, host_.velocities, box_, host_.forces, first}, plan, cpuSums);
        gpu_.arrive({device_.moving(), box_, first}, plan, gpuSums);
        expectSameSums(plan, "where it arrives at");
    }
    void expectSameSums(plan::StepPlan const& plan, char const* where)
    {
        EXPECT_TRUE(!plan.kinetic || sameUnits(cpuSums.motion, gpuSums.motion)) << where << " step " << plan.step;
        EXPECT_TRUE(!plan.virial() || sameUnits(cpuSums.constraintVirial, gpuSums.constraintVirial)) << where << " step " << plan.step;
        ASSERT_EQ(gpuSums.heat.size(), cpuSums.heat.size()) << where << " step " << plan.step;
        for (std::size_t g = 0; g < gpuSums.heat.size(); ++g)
            EXPECT_EQ(gpuSums.heat[g].units, cpuSums.heat[g].units) << where << " step " << plan.step;
    }
    void expectSame(std::string const& when)
    {
        EXPECT_TRUE(sameBits(device_.positions.download(stream_), host_.positions)) << "positions " << when;
        EXPECT_TRUE(sameBits(device_.velocities.download(stream_), host_.velocities)) << "velocities " << when;
    }
    [[nodiscard]] MovingSystem& host() { return host_; }
    [[nodiscard]] OnDevice& device() { return device_; }
    [[nodiscard]] cuda::Motion& gpu() { return gpu_; }
    [[nodiscard]] cpu::Motion& cpu() { return cpu_; }
    [[nodiscard]] cuda::Stream& stream() { return stream_; }
    [[nodiscard]] physics::Box const& box() const { return box_; }
    engine::AdvanceSums cpuSums, gpuSums;

private:
    physics::Box box_;
    cuda::Stream stream_;
    MovingSystem host_;
    cpu::Motion cpu_;
    cuda::Motion gpu_;
    OnDevice device_;
};

} // namespace alder::trial
