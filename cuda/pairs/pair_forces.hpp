#pragma once
// Forces and energies of all pairs of atoms within the cutoff, on the GPU: clusters, lists and sums stay there.

#include "device/device_value.hpp"
#include "pairs/device_list.hpp"
#include "pairs/double_kernels.hpp"
#include "pairs/kernel_setup.hpp"
#include "pairs/pair_part.hpp"

#include <cstdint>
#include <vector>

namespace alder::cuda {

/// What the pair lists have cost so far.
struct PairCounts {
    std::int64_t listBuilds = 0, prunes = 0;
    std::int64_t entries = 0; ///< of the list now
};

enum class EnergyVirial : std::uint8_t { none, added };

class PairForces {
public:
    PairForces(system::Topology const& topology, plan::PairPlan const& plan, Stream& stream);
    PairForces(PairForces const&) = delete;
    PairForces& operator=(PairForces const&) = delete;

    /// From here on the atoms are those of a part; lists must be built anew. Makes sums of this part alone, but for the virial of
    /// addForces(), which is added up over all ranks exactly, for which the host waits: each must then call it.
    void takePart(pairs::PairPart part);

    /// Makes clusters, the outer list and, pruned from it, the inner list. The host waits for the length of the list.
    void buildList(View<math::FractionVec const> positions, physics::Box const& box);
    /// Another box, with the atoms at the same fractions of it. The list stays; where lists are exact it is stale from then on.
    void changeBox(physics::Box const& box);
    /// Prunes the inner list anew from the outer one.
    void prune(View<math::FractionVec const> positions);
    /// Exact lists: true where a displacement since buildList() exceeds half the buffer; the host waits. Notes too whether the inner list
    /// has to be pruned anew, which the next addForces() or addEnergies() then does. Always false where lists are not exact.
    bool stale(View<math::FractionVec const> positions);
    /// Adds the force on each atom, in units of 2^-24 kJ/mol/nm, three an atom; and to `virial`, where given, the nine sums of that of the
    /// forces as they were rounded, to the last integer.
    void addForces(View<math::FractionVec const> positions, View<std::int64_t> forces, View<std::int64_t> virial = {});
    /// Adds LJ (SR), Coulomb (SR) with what excluded pairs and the shift of the potential put there, and the virial where wanted, to sums laid
    /// out as system::ForceSums: all in double precision.
    void addEnergies(View<math::FractionVec const> positions, View<std::int64_t> sums, EnergyVirial virial);

    [[nodiscard]] PairCounts counts() const { return counts_; }
    /// Pairs of slots in the inner list. The host waits.
    [[nodiscard]] std::int64_t listedPairs() { return list_.listedPairs(counters_, stream_); }
    /// Items that were left to the wide kernel in the last addForces(). The host waits.
    [[nodiscard]] std::int64_t wideItems();

private:
    void uploadTables();
    void uploadExclusions(system::Topology const& topology);
    void uploadAtoms();
    [[nodiscard]] PartViews partViews() const { return {numbers_.constView(), roles_.constView()}; }
    void sumOverRanks();
    void adaptTo(physics::Box const& box);
    void measureShifts();
    void makeRoom();
    void place(View<math::FractionVec const> positions);
    void afterPrune(View<math::FractionVec const> positions);
    [[nodiscard]] ListRadii radii() const;
    [[nodiscard]] ForceInput forceInput();
    [[nodiscard]] LawTables lawTables();

    Stream& stream_;
    pairs::AtomTable atoms_;
    plan::PairPlan plan_;
    pairs::PairLaw law_;
    pairs::PairSetup setup_;
    ForceConstants constants_;
    PairCounts counts_;

    pairs::PairPart part_; ///< no sumOverRanks: the atoms are all there are
    int columnsHere_ = -1; ///< that have a role; -1: all
    std::vector<system::MoleculeBlock> blocks_;
    std::vector<std::int32_t> firstRow_, typeSize_; ///< by molecule type: of its exclusions, and its atoms

    SuperGrid grid_;
    DevicePairList list_;
    pairs::Lattice lattice_;
    std::vector<pairs::ImageShift> shifts_;
    bool pruneDue_ = false, boxChanged_ = false;
    int supersFound_ = 0; ///< the most super-clusters that there was no room for

    DeviceValue<pairs::Lattice> latticeOnDevice_;
    DeviceValue<physics::Box> boxOnDevice_;
    DeviceBuffer<std::uint32_t> counters_;
    DeviceBuffer<pairs::LatticeVec> shiftUnits_;
    DeviceBuffer<math::Vec3<std::int32_t>> images_;
    DeviceBuffer<std::int32_t> kindOf_, kindType_;
    DeviceBuffer<float> kindCharge_;
    DeviceBuffer<LjPair> kindLj_, ljTable_;
    DeviceBuffer<float> gridTable_;
    DeviceBuffer<double> lawCharge_, lawC6_, lawC12_, lawGridC6_;
    DeviceBuffer<std::int32_t> numbers_; ///< of the atoms in the whole; empty where they are the whole
    DeviceBuffer<std::uint8_t> roles_;
    DeviceBuffer<std::int32_t> exclusionRowOf_, exclusionOffsets_;
    DeviceBuffer<ExclusionRow> exclusionRows_;
    DeviceBuffer<WideItem> wideItems_;
    DeviceBuffer<std::int32_t> slotPlace_; ///< of a slot among the forces by slot: itself
    DeviceBuffer<std::int64_t> slotForces_, shiftForces_, moments_;
    DeviceBuffer<math::FractionVec> pruneStart_; ///< exact lists: positions at the last prune
    DeviceBuffer<unsigned long long> farthest_;  ///< squared displacements since the list was built, since it was pruned
};

} // namespace alder::cuda
