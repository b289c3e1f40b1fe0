#pragma once
// The CPU back end: OpenMP threads and SIMD over the same formulas, lists and plans that any other back end uses.

#include "cpu/bonded/bonded_forces.hpp"
#include "cpu/bonded/distance_restraints.hpp"
#include "cpu/bonded/electric_field.hpp"
#include "cpu/bonded/virtual_sites.hpp"
#include "cpu/pairs/pair_forces.hpp"
#include "cpu/pme/pme_forces.hpp"
#include "cpu/pme/surface_term.hpp"
#include "cpu/simd_level.hpp"
#include "cpu/update/frozen_atoms.hpp"
#include "cpu/update/motion.hpp"
#include "engine/backend.hpp"

#include <memory>

namespace alder::cpu {

/// What of the machine to use.
struct CpuChoice {
    SimdLevel simd = SimdLevel::sse41;
    int threads = 1;
};

class CpuBackend final : public engine::Backend {
public:
    /// `topology` and `plan` must outlive the back end.
    CpuBackend(system::Topology const& topology, plan::RunPlan const& plan, CpuChoice choice);

    void adopt(system::State const& state) override;
    void buildLists() override;
    bool listIsStale() override;
    void forces(plan::StepPlan const& plan) override;
    system::ForceSums const& sums() override { return sums_; }
    system::MotionSums motion() override;
    engine::AdvanceSums const& arrive(plan::StepPlan const& plan) override;
    engine::AdvanceSums const& advance(plan::StepPlan const& plan, engine::Scaling const& scaling) override;
    void changeBox(physics::Box const& box, math::Mat3d const& velocityFactor) override;
    void collect(engine::Wanted wanted, system::State& state, std::vector<math::Vec3d>& forces) override;
    void constrainStart() override;
    base::Clock& clock() override { return clock_; }
    [[nodiscard]] std::string describe() const override;
    double sitesOutOfPlace() override { return given_.empty() ? 0 : sites_.largestDisplacement(given_, positions_, box_); }

private:
    using Forces = std::vector<math::ForceUnits>;
    void clear(Forces& forces) const;
    /// Where forces go that act every step, or that wait; null: nowhere, for they are not computed on this step.
    [[nodiscard]] Forces* targetOf(bool waiting, plan::StepPlan const& plan);
    void addPairs(plan::StepPlan const& plan, system::ForceSums* sums);
    void addBonded(plan::StepPlan const& plan, system::ForceSums* sums);
    void addGrids(plan::StepPlan const& plan, system::ForceSums* sums);
    void makeImpulse();
    void addDispersionCorrection();
    /// What pairs see: all positions, or the sites where the deck put them.
    [[nodiscard]] std::vector<math::FractionVec> const& pairPositions() const { return given_.empty() ? positions_ : given_; }

    plan::RunPlan const& plan_;
    CpuChoice choice_;
    base::Clock clock_;

    PairForces pairs_;
    plan::SlowForces slow_; ///< forces that wait, with multiple time steps
    BondedForces bonded_, slowBonded_;
    DistanceRestraints distances_;
    ElectricField field_;
    VirtualSites sites_;
    std::unique_ptr<PmeForces> pme_;                     ///< null without PME
    std::vector<std::unique_ptr<PmeForces>> dispersion_; ///< one a grid; none without LJ-PME
    std::unique_ptr<SurfaceTerm> surface_;               ///< null in conducting surroundings
    Motion motion_;
    FrozenAtoms frozen_;

    physics::Box box_;
    bool wholeStep_ = false; ///< velocities are those of the present step: system::State::wholeStep
    std::vector<math::FractionVec> positions_;
    std::vector<math::FractionVec> given_; ///< positions with sites as given; empty where these are in place, or made to be
    std::vector<math::Vec3d> velocities_;
    Forces forces_;  ///< all that is known on this step, each once
    Forces impulse_; ///< on steps of the slow forces: with these times their interval; empty without multiple time steps
    system::ForceSums sums_;
    engine::AdvanceSums advanced_;
};

} // namespace alder::cpu
