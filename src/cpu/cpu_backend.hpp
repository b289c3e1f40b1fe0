#pragma once
// The CPU back end: OpenMP threads and SIMD over the same formulas, lists and plans that any other back end uses.

#include "cpu/local_work.hpp"
#include "cpu/pairs/pair_forces.hpp"
#include "cpu/pme/pme_forces.hpp"
#include "cpu/pme/surface_term.hpp"
#include "cpu/simd_level.hpp"
#include "domain/decomposition.hpp"
#include "domain/run_layout.hpp"
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
    /// `topology`, `plan` and the layout's ranks must outlive the back end. On several ranks every method is called by all of them, and
    /// what they return is the whole system's; adopt() reads the atoms of rank 0, and collect() hands them to it.
    CpuBackend(system::Topology const& topology, plan::RunPlan const& plan, CpuChoice choice, domain::RunLayout const& layout = {});

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
    [[nodiscard]] int pmeRanks() const override { return layout_.pmeRanks; }
    double sitesOutOfPlace() override;

private:
    using Forces = std::vector<math::ForceUnits>;
    /// Ranks share the run, and each has a part of the atoms.
    [[nodiscard]] bool shared() const { return domains_ != nullptr; }
    [[nodiscard]] domain::Communicator* ranks() const { return shared() ? &domains_->ranks() : nullptr; }
    void takeShare(domain::HomeAtoms atoms);
    void redistribute();
    void freshenHalo();
    void returnForces(Forces& forces);
    [[nodiscard]] std::int64_t costPerAtom();
    void clear(Forces& forces) const;
    /// Where forces go that act every step, or that wait; null: nowhere, for they are not computed on this step.
    [[nodiscard]] Forces* targetOf(bool waiting, plan::StepPlan const& plan);
    void startGrids(plan::StepPlan const& plan);
    void sumAdvanced(plan::StepPlan const& plan);
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
    plan::SlowForces slow_; ///< forces that wait, with multiple time steps

    domain::RunLayout layout_;
    std::unique_ptr<domain::Decomposition> domains_; ///< null on one rank
    std::unique_ptr<domain::PmeTeam> team_;          ///< the same
    std::unique_ptr<system::Topology> part_;         ///< of the atoms that are here; null on one rank
    domain::Halo halo_;
    bool haloFresh_ = false; ///< borrowed atoms are where they are now
    double computed_ = 0;    ///< seconds of work on the atoms here, and steps they were for, at the last list build
    long stepsComputed_ = 0;
    std::int64_t cost_ = 1; ///< costPerAtom(); 1: not known yet

    PairForces pairs_;
    std::unique_ptr<LocalWork> work_;
    std::unique_ptr<PmeForces> pme_;                     ///< null without PME
    std::vector<std::unique_ptr<PmeForces>> dispersion_; ///< one a grid; none without LJ-PME
    std::unique_ptr<SurfaceTerm> surface_;               ///< null in conducting surroundings

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
