#pragma once
// Energy, forces and virial of the cell's dipole in its surroundings, on CPU threads.

#include "domain/communicator.hpp"
#include "domain/parts/dipole_parts.hpp"
#include "math/fixed_sum.hpp"
#include "physics/box.hpp"
#include "plan/run_plan.hpp"
#include "system/sums.hpp"

#include <array>
#include <span>
#include <vector>

namespace alder::cpu {

/// The same bits for any number of threads and ranks: what each atom adds to the moments is rounded, then added as integers.
class SurfaceTerm {
public:
    /// Of the whole system; on several ranks takeAtoms() follows. Ranks, null where there is one, must outlive this.
    SurfaceTerm(system::Topology const& whole, plan::SurfacePlan const& plan, int threads, domain::Communicator* ranks = nullptr);
    /// The atoms of this rank from now on.
    void takeAtoms(system::Topology const& part);
    /// Begins to sum the moments; all ranks together, as add().
    void start(std::vector<math::FractionVec> const& positions, physics::Box const& box);
    /// For the positions that start() had: adds the forces, and with sums the energy under Coul. recip. and the virial, half the derivative of
    /// the energy with respect to strain, on the first rank. (GROMACS 2022.5 leaves this term out of its virial.)
    void add(std::vector<math::FractionVec> const& positions, physics::Box const& box, std::vector<math::ForceUnits>& forces,
             system::ForceSums* sums);

private:
    enum Moment : std::size_t { x, y, z, zz, momentCount }; ///< e nm; e nm^2, of slabs
    using Moments = std::array<std::int64_t, momentCount>;
    [[nodiscard]] bool slab() const { return plan_.surroundings == plan::Surroundings::slab; }
    [[nodiscard]] Moments momentsOfArms(std::vector<math::FractionVec> const& positions, physics::Box const& box) const;
    [[nodiscard]] Moments momentsOfSlab(std::vector<math::FractionVec> const& positions, physics::Box const& box) const;

    plan::SurfacePlan plan_;
    int threads_;
    domain::Communicator* ranks_;
    domain::DipoleParts parts_;
    domain::DipolePart part_; ///< of the atoms here
    Moments moments_{};
    domain::Pending pending_;
};

} // namespace alder::cpu
