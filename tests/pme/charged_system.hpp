#pragma once
// Charges in a box for the tests, and two reference computations in double precision that share no loop with the engine: the Ewald sum by
// its definition, and particle-mesh Ewald by a plain three-dimensional FFTW transform.

#include "cpu/pme/pme_forces.hpp"
#include "plan/long_range/ewald_rules.hpp"

#include <array>
#include <vector>

namespace alder::test {

struct ChargedSystem {
    physics::Box box;
    std::vector<math::FractionVec> positions;
    std::vector<double> charges;
    [[nodiscard]] system::Topology topology() const;
    [[nodiscard]] double netCharge() const;
    [[nodiscard]] double sumOfSquares() const;
};

enum class Shape { rectangular, triclinic };

/// Charges of +-1 and some odd ones at random places, no two closer than 0.12 nm; `extra` is added to the first one.
ChargedSystem randomCharges(int count, Shape shape, double extra, unsigned seed);

struct Reciprocal {
    double energy = 0;
    math::Mat3d virial;
    std::vector<math::Vec3d> forces;
};

/// A plan as makePmePlan() would give it for this system.
plan::PmePlan planFor(ChargedSystem const& system, int order, std::array<int, 3> grid, double beta);

/// The same for a grid of dispersion, whose sources are the charges.
plan::PmePlan dispersionPlan(ChargedSystem const& system, int order, std::array<int, 3> grid, double beta);

/// The reciprocal sum by its definition, all |m| up to where exp(-pi^2 m^2/beta^2) falls below 1e-16, and the background's energy.
Reciprocal directSum(ChargedSystem const& system, double beta);

/// The same by plain PME in double.
Reciprocal plainPme(ChargedSystem const& system, plan::PmePlan const& plan);

/// The engine's.
Reciprocal engine(ChargedSystem const& system, plan::PmePlan const& plan, cpu::SimdLevel simd, int threads);
std::vector<math::ForceUnits> engineForces(ChargedSystem const& system, plan::PmePlan const& plan, cpu::SimdLevel simd, int threads);

/// Root mean square of a - b over that of b.
double relativeError(std::vector<math::Vec3d> const& a, std::vector<math::Vec3d> const& b);
double largestDifference(math::Mat3d const& a, math::Mat3d const& b);

/// The instruction sets that run here.
std::vector<cpu::SimdLevel> levels();

} // namespace alder::test
