#pragma once
// Forces and energies of all pairs of atoms within the cutoff, on CPU threads. The same bits for any number of threads.

#include "cpu/pairs/kernel_setup.hpp"
#include "math/fixed_sum.hpp"
#include "pairs/cluster_grid.hpp"
#include "pairs/pair_law.hpp"
#include "pairs/pair_part.hpp"
#include "system/sums.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace alder::cpu {

/// What the pair lists have cost so far.
struct PairCounts {
    std::int64_t listBuilds = 0, prunes = 0;
    std::int64_t outerPairs = 0, listedPairs = 0; ///< pairs of slots in the two lists now
    std::int64_t widePasses = 0;                  ///< force passes that left the range of 32-bit sums
};

class PairForces {
public:
    PairForces(system::Topology const& topology, plan::PairPlan const& plan, SimdLevel level, int threads);
    PairForces(PairForces const&) = delete;
    PairForces& operator=(PairForces const&) = delete;
    ~PairForces();

    /// From here on the atoms are those of a part; lists must be built anew. Makes sums of this part alone, but for the virial of
    /// addForces(), which is added up over all ranks exactly: each must then call it.
    void takePart(pairs::PairPart part);

    /// Makes clusters, the outer list and, pruned from it, the inner list.
    void buildList(std::vector<math::FractionVec> const& positions, physics::Box const& box);
    /// Another box, with the atoms at the same fractions of it. The list stays; where lists are exact it is stale from then on.
    void changeBox(physics::Box const& box);
    /// Prunes the inner list anew from the outer one.
    void prune(std::vector<math::FractionVec> const& positions);
    /// Exact lists: true where a displacement since buildList() exceeds half the buffer. Notes too whether the inner list has to be
    /// pruned anew, which the next addForces() or addEnergies() then does. Always false where lists are not exact.
    bool stale(std::vector<math::FractionVec> const& positions);
    /// Adds the force on each atom, in units of 2^-24 kJ/mol/nm; and to `virial`, unless null, that of the forces as they were rounded, to
    /// the last integer: `forces` must then hold nothing yet.
    void addForces(std::vector<math::FractionVec> const& positions, std::vector<math::ForceUnits>& forces,
                   math::FixedTensor* virial = nullptr);
    /// Adds LJ (SR), Coulomb (SR) with what excluded pairs and the shift of the potential put there, and to `virial`, unless null, the
    /// virial: all in double precision, at the cost of some five force passes.
    void addEnergies(std::vector<math::FractionVec> const& positions, system::ForceSums& sums, math::FixedTensor* virial);

    [[nodiscard]] PairCounts counts() const { return counts_; }

private:
    struct ThreadForces;
    struct InnerSegment;

    void fillSlotParameters();
    void measureShifts();
    void fillCoordinates(std::vector<math::FractionVec> const& positions, std::int32_t begin, std::int32_t end);
    void findTouchedBlocks(std::size_t segment);
    void afterPrune(std::vector<math::FractionVec> const& positions);
    [[nodiscard]] PruneRadii pruneRadii() const;
    [[nodiscard]] std::int64_t pairsOfTile() const { return 32 / setup_.kernels.parts; }
    void shareOut();
    template <class Body> void forEachSegment(int thread, Body&& body);
    void resetShares();
    bool runNarrow(int thread);
    void runWide(int thread);
    void sumWide(std::vector<math::FractionVec> const& positions, std::vector<math::ForceUnits>& forces);
    void reduceNarrow(std::int32_t block, std::vector<math::ForceUnits>& forces);
    void reduceWide(std::int32_t block, std::vector<math::ForceUnits>& forces);
    void addWideTile(ThreadForces& mine, WideTile const& tile) const;
    void addVirial(std::vector<math::ForceUnits> const& forces, math::FixedTensor& virial);
    [[nodiscard]] math::Vec3d exactDistance(std::int32_t iSlot, std::int32_t jSlot, std::int32_t shift) const;
    [[nodiscard]] pairs::PairCharges chargesOf(std::int32_t iSlot, std::int32_t jSlot, bool excluded) const;
    [[nodiscard]] KernelInput kernelInput() const;
    [[nodiscard]] std::int32_t blockCount() const;

    pairs::AtomTable atoms_;
    plan::PairPlan plan_;
    pairs::PairLaw law_;
    KernelSetup setup_;
    int threads_;
    PairCounts counts_;

    std::vector<pairs::ColumnRole> roles_; ///< by column; empty: all are searched
    bool wholeTerms_ = true;
    std::function<void(std::span<std::int64_t>)> sumOverRanks_; ///< empty on one rank

    pairs::ClusterGrid grid_;
    physics::Box box_;
    std::vector<pairs::ImageShift> shifts_;
    std::vector<std::int32_t> shiftUnits_;
    std::vector<math::FractionVec> const* widePositions_ = nullptr; ///< of the wide pass that is running
    std::vector<pairs::ListSegment> outer_;
    std::vector<InnerSegment> inner_;
    std::vector<std::vector<std::int32_t>> touched_;        ///< by segment: blocks of clusters that its forces fall into
    std::vector<std::int32_t> coordinates_, ljType_, kind_; ///< by slot, as KernelInput wants them
    std::vector<float> charge_, six_, twelve_;
    std::vector<ThreadForces> threadForces_;
    std::vector<std::size_t> shareStart_; ///< by thread: first segment of its own share
    std::unique_ptr<std::atomic<std::size_t>[]> shareNext_;
    std::vector<math::FractionVec> pruneStart_; ///< exact lists: positions at the last prune
    bool pruneDue_ = false, boxChanged_ = false;
};

} // namespace alder::cpu
