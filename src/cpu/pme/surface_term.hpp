#pragma once
// Energy, forces and virial of the cell's dipole in its surroundings, on CPU threads.

#include "math/fixed_sum.hpp"
#include "physics/box.hpp"
#include "plan/run_plan.hpp"
#include "system/molecule_parts.hpp"
#include "system/sums.hpp"

#include <vector>

namespace alder::cpu {

/// The same bits for any number of threads: dipoles of molecules are rounded, then added as integers.
class SurfaceTerm {
public:
    SurfaceTerm(system::Topology const& topology, plan::SurfacePlan const& plan, int threads);
    /// Adds the forces, and with sums the energy under Coul. recip. and the virial, half the derivative of the energy with respect to strain.
    /// (GROMACS 2022.5 leaves this term out of its virial.)
    void add(std::vector<math::FractionVec> const& positions, physics::Box const& box, std::vector<math::ForceUnits>& forces,
             system::ForceSums* sums) const;

private:
    struct Molecule {
        std::int64_t firstAtom;
        std::size_t type;
    };
    struct Moments {
        math::FixedSum x, y, z; ///< e nm
        math::FixedSum zz;      ///< e nm^2; slabs
    };
    /// In dielectric surroundings molecules are made whole, in slabs each atom is taken where the box has it, 0 <= z < L_z, as in GROMACS.
    [[nodiscard]] Moments momentsOf(std::vector<math::FractionVec> const& positions, physics::Box const& box) const;

    plan::SurfacePlan plan_;
    int threads_;
    std::vector<double> charges_;
    std::vector<Molecule> molecules_;
    std::vector<system::MoleculeParts> parts_; ///< by molecule type
};

} // namespace alder::cpu
