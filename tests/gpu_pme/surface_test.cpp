// The dipole of the cell in its surroundings, on the device against the CPU.

#include "cpu/pme/surface_term.hpp"
#include "device/buffers.hpp"
#include "physics/surface_dipole.hpp"
#include "pme/surface_term.hpp"
#include "simt/control.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace alder::test {
namespace {

using plan::Surroundings;

/// Bent molecules of three, and chains of seven in two parts, charged; the box cuts some.
system::Topology molecules(double extra)
{
    system::Topology t;
    t.nonbonded.typeCount = 1;
    system::MoleculeType bent, chain;
    for (double const q : {-0.8, 0.4, 0.4}) bent.atoms.emplace_back().charge = q;
    bent.of(system::Kind::bond) = {{0, 1, 0, 2}, {0, 0}};
    for (double const q : {0.5, -0.5, 0.3, 0.0, -0.4, 0.7, -0.6}) chain.atoms.emplace_back().charge = q;
    chain.atoms[6].charge += extra;
    chain.of(system::Kind::bond) = {{1, 0, 1, 2, 2, 3, 6, 4}, {0, 0, 0, 0}};
    chain.of(system::Kind::constraint) = {{5, 4}, {0}};
    t.types = {bent, chain};
    t.blocks = {{0, 50, 0, 0}, {1, 20, 150, 50}};
    t.atomCount = 290;
    t.moleculeCount = 70;
    return t;
}

physics::Box const box({2.1, 0, 0}, {0.3, 1.9, 0}, {-0.2, 0.4, 3.0});

std::vector<math::FractionVec> places()
{
    std::mt19937 random(2);
    std::uniform_real_distribution<double> anywhere(0, 3);
    std::normal_distribution<double> step(0, 0.1);
    std::vector<math::FractionVec> f;
    math::Vec3d place{};
    for (int i = 0; i < 290; ++i) {
        if (i < 150 ? i % 3 == 0 : (i - 150) % 7 == 0) place = {anywhere(random), anywhere(random), anywhere(random)};
        place += math::Vec3d{step(random), step(random), step(random)};
        f.push_back(box.toFraction(place));
    }
    return f;
}

plan::SurfacePlan planOf(Surroundings surroundings, double netCharge)
{
    plan::SurfacePlan plan;
    plan.surroundings = surroundings;
    bool const slab = surroundings == Surroundings::slab;
    plan.factor = slab ? physics::slabFactor(physics::coulombConstant, 1) : physics::dielectricFactor(physics::coulombConstant, 2.5, 1);
    plan.netCharge = slab ? netCharge : 0;
    return plan;
}

struct Expected {
    std::vector<math::ForceUnits> forces;
    system::ForceSums sums;
};

void expectClose(Expected const& expected, std::vector<std::int64_t> const& forces, std::vector<std::int64_t> const& sums)
{
    double largest = 0;
    for (std::size_t i = 0; i < expected.forces.size(); ++i) {
        math::ForceUnits const off = expected.forces[i] - math::ForceUnits{forces[3 * i], forces[3 * i + 1], forces[3 * i + 2]};
        for (std::int64_t const d : {off.x, off.y, off.z}) largest = std::max(largest, std::abs(static_cast<double>(d)));
    }
    EXPECT_LE(largest, 2) << "units of 6e-8 kJ/mol/nm";
    auto const value = [&](std::size_t n) { return static_cast<double>(sums[n]) / math::sumScale; };
    double const energy = expected.sums.of(system::Term::coulombRecip).value(), bound = 2e-7 + 1e-8 * std::abs(energy);
    EXPECT_NEAR(value(static_cast<std::size_t>(system::Term::coulombRecip)), energy, bound);
    math::FixedTensor const& v = expected.sums.virial;
    std::size_t n = system::termCount;
    for (math::FixedSum const& element : {v.xx, v.xy, v.xz, v.yx, v.yy, v.yz, v.zx, v.zy, v.zz})
        EXPECT_NEAR(value(n++), element.value(), bound);
}

TEST(DeviceSurface, AgreesWithTheCpuInAnyOrderOfBlocks)
{
    auto const positions = places();
    for (Surroundings const surroundings : {Surroundings::dielectric, Surroundings::slab})
        for (double const extra : {0.0, 0.05}) {
            plan::SurfacePlan const plan = planOf(surroundings, 20 * extra);
            system::Topology const topology = molecules(extra);
            Expected expected{std::vector<math::ForceUnits>(positions.size()), {}};
            cpu::SurfaceTerm onCpu(topology, plan, 1);
            onCpu.start(positions, box);
            onCpu.add(positions, box, expected.forces, &expected.sums);
            std::vector<std::int64_t> first;
            for (std::uint64_t const seed : {0u, 1u}) {
                simt::setSeed(seed);
                cuda::Stream stream;
                cuda::SurfaceTerm term(topology, plan, stream);
                cuda::DeviceBuffer<math::FractionVec> const given(positions, stream);
                cuda::DeviceBuffer<std::int64_t> forces(3 * positions.size()), sums(cuda::sumCount);
                forces.clear(stream);
                sums.clear(stream);
                term.add(given.constView(), box, {forces.view(), sums.view(), true});
                std::vector<std::int64_t> const once = forces.download(stream);
                expectClose(expected, once, sums.download(stream));
                if (first.empty()) first = once;
                EXPECT_EQ(once, first);
                sums.clear(stream);
                term.add(given.constView(), box, {forces.view(), sums.view(), false});
                EXPECT_EQ(sums.download(stream), std::vector<std::int64_t>(cuda::sumCount, 0));
                std::vector<std::int64_t> const twice = forces.download(stream);
                for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(twice[i], 2 * once[i]);
            }
            simt::setSeed(0);
        }
}

} // namespace
} // namespace alder::test
