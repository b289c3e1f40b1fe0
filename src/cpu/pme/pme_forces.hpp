#pragma once
// The reciprocal sum of charges, or of dispersion, by smooth particle-mesh Ewald on the CPU.

#include "base/clock.hpp"
#include "cpu/pme/aligned_array.hpp"
#include "cpu/pme/charge_slabs.hpp"
#include "cpu/pme/pme_kernels.hpp"
#include "cpu/pme/ranks/atom_exchange.hpp"
#include "cpu/pme/ranks/margin_exchange.hpp"
#include "cpu/pme/ranks/wave_grid.hpp"
#include "cpu/simd_level.hpp"
#include "domain/pme_team.hpp"
#include "pme/influence.hpp"
#include "pme/line_plan.hpp"
#include "system/sums.hpp"
#include "system/topology.hpp"

#include <memory>
#include <vector>

namespace alder::cpu {

/// Same bits for any number of threads and ranks: charges are rounded one by one and added as integers, each grid line is transformed by
/// itself, each atom gathers by itself. The net force that interpolation leaves is not taken out, as in GROMACS.
class PmeForces {
public:
    /// The topology is that of the whole system. Without a team one rank has all atoms.
    PmeForces(system::Topology const& topology, plan::PmePlan const& plan, SimdLevel simd, int threads,
              domain::PmeTeam const* team = nullptr);

    /// Of several ranks, all together, after every change of hands: this rank has atoms [0, homeCount) of `local`, maybe none.
    void takeAtoms(system::Topology const& local, std::int64_t homeCount);
    /// Sends home atoms to the ranks that solve; add() of the same positions must follow. Several PmeForces of a team are started, and
    /// added, in the same order on all ranks. One rank needs no start().
    void start(std::vector<math::FractionVec> const& positions);
    /// Adds the forces, of several ranks those on home atoms. With sums, whose sum over ranks is meant: the reciprocal and net-charge energies under Coul. recip., the charges' self energy under
    /// Coulomb (SR), where GROMACS has it, and the virial of the two former (the self energy has none). Dispersion likewise, under
    /// LJ recip. and LJ (SR).
    /// Throws RunFailed where charges pile up beyond what the charge grid holds.
    void add(std::vector<math::FractionVec> const& positions, physics::Box const& box, std::vector<math::ForceUnits>& forces,
             system::ForceSums* sums, base::Clock& clock);

private:
    struct Buffers {
        AlignedArray<float> plane, column, line, lineA, lineB, points;
        std::vector<double> virialFactor; ///< of the lines that are summed; dispersion
        [[nodiscard]] PmeScratch view() { return {plane.data(), column.data(), line.data(), lineA.data(), lineB.data(), points.data()}; }
    };
    /// Of the charge grid, summed over ranks.
    struct GridCheck {
        std::int64_t pointsOut = 0, charge = 0, restless = 0;
    };
    void allocate();
    [[nodiscard]] double sourceOf(system::Atom const& atom) const;
    void fillInfluence(int wave);
    void resizeSorted(int count);
    template <class PlaceOf> void sortAtoms(int count, PlaceOf const& placeOf);
    void spread(std::vector<math::FractionVec> const& positions);
    void transformCharges();
    void solve(system::ForceSums* sums, bool newBox);
    void transformPotential();
    void forwardY(int first, int end);
    void backwardY(int first, int end);
    void fillVirialFactors(int ky, int row, Buffers& buffers) const;
    void solveLines(int wave, Buffers& buffers, system::ForceSums* sums);
    [[nodiscard]] math::Mat3d virialOf(LineSums const& lines, int lane, int kx, int ky) const;
    void gather(int thread);
    void returnSlopes(GridVerdict verdict);
    [[nodiscard]] auto forceOfSlope() const;
    void addForces(std::vector<math::ForceUnits>& forces) const;
    void beginCheck();
    [[nodiscard]] GridVerdict endCheck();
    void refusePileUp() const;
    void addWholeSystem(system::ForceSums& sums) const;

    domain::PmeTeam const* team_; ///< null on a lone rank
    plan::PmePlan plan_;
    PmeKernels const& kernels_;
    int threads_;
    pme::GridShares shares_;
    int rank_; ///< its place in the array of shares; -1: holds none
    PmeLayout layout_, lineLayout_;
    pme::Influence influence_;
    physics::Box box_;
    pme::LinePlan fftX_, fftY_, fftZ_;

    std::vector<std::int32_t> charged_; ///< atoms with a charge
    std::vector<float> charges_;        ///< of those, as ChargeRun wants them
    double netCharge_ = 0;              ///< e, of the whole system
    int atomCount_ = 0;                 ///< that are spread here
    std::vector<int> counts_;           ///< by thread and plane: atoms, then where they start
    std::vector<int> planeStart_;       ///< first sorted atom of each plane

    AlignedArray<std::int32_t> sortedX_, sortedY_, sortedZ_;
    AlignedArray<float> sortedCharge_, slopeX_, slopeY_, slopeZ_;
    std::vector<std::int32_t> sortedAtom_; ///< of all, or of what has come from other ranks

    std::unique_ptr<AtomExchange> exchange_; ///< null on a lone rank
    std::unique_ptr<ChargeSlabs> slabs_;     ///< these where this rank holds a share
    std::unique_ptr<WaveGrid> waves_;
    std::unique_ptr<MarginExchange> margins_; ///< where several do
    std::vector<PlaneCheck> checks_;          ///< by plane
    GridCheck check_;
    domain::Pending checking_;
    AlignedArray<float> potential_, influenceTable_;
    std::vector<Buffers> buffers_;
    std::vector<system::ForceSums> threadSums_;
};

} // namespace alder::cpu
