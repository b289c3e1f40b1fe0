#include "cpu/pairs/pair_forces.hpp"

#include "base/error.hpp"
#include "cpu/pairs/pair_segments.hpp"
#include "pairs/list_search.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace alder::cpu {
namespace {

constexpr std::int32_t blockClusters = 8;                                     ///< j clusters whose forces are zeroed and reduced together
constexpr std::int32_t clusterWords = 24;                                     ///< words of a cluster's coordinates or forces
constexpr std::int32_t outOfReach = std::numeric_limits<std::int32_t>::max(); ///< coordinate of an empty slot

/// Thread t's part of [0, count).
std::int32_t partStart(std::int32_t count, int thread, int threads)
{
    return static_cast<std::int32_t>(std::int64_t{count} * thread / threads);
}

} // namespace

PairForces::PairForces(system::Topology const& topology, plan::PairPlan const& plan, SimdLevel level, int threads)
    : atoms_(topology, plan),
      plan_(plan),
      law_(plan),
      setup_(makeKernelSetup(plan, atoms_, level)),
      threads_(std::max(1, threads)),
      threadForces_(static_cast<std::size_t>(threads_)),
      shareNext_(new std::atomic<std::size_t>[static_cast<std::size_t>(threads_)])
{}
PairForces::~PairForces() = default;

std::int32_t PairForces::blockCount() const { return (grid_.clusterCount() + blockClusters - 1) / blockClusters; }

KernelInput PairForces::kernelInput() const
{
    KernelInput input;
    input.constants = &setup_.constants;
    input.coordinates = coordinates_.data();
    input.charge = charge_.data();
    input.six = six_.data();
    input.twelve = twelve_.data();
    input.ljType = ljType_.data();
    input.sixTable = setup_.sixTable.data();
    input.twelveTable = setup_.twelveTable.data();
    input.gridTable = setup_.gridTable.data();
    input.ljTypeCount = atoms_.ljTypeCount();
    input.shifts = shiftUnits_.data();
    input.kind = kind_.data();
    return input;
}

// ---- lists ---------------------------------------------------------------------------------------------------------------------

void PairForces::fillSlotParameters()
{
    auto const slots = static_cast<std::size_t>(grid_.slotCount());
    bool const geometric = setup_.flavour.parameters == ParameterFlavour::geometric;
    coordinates_.resize(static_cast<std::size_t>(grid_.clusterCount()) * clusterWords);
    charge_.resize(slots);
    six_.resize(geometric ? slots : 0);
    twelve_.resize(six_.size());
    ljType_.resize(slots);
    kind_.resize(slots);
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::size_t s = 0; s < slots; ++s) {
        std::int32_t const atom = grid_.atomAt(static_cast<std::int32_t>(s));
        auto const kind = static_cast<std::size_t>(atom < 0 ? 0 : atoms_.kindIndex(atom));
        charge_[s] = atom < 0 ? 0 : setup_.charge[kind];
        if (geometric) {
            six_[s] = atom < 0 ? 0 : setup_.six[kind];
            twelve_[s] = atom < 0 ? 0 : setup_.twelve[kind];
        }
        ljType_[s] = atom < 0 ? 0 : atoms_.kinds()[kind].ljType;
        kind_[s] = static_cast<std::int32_t>(kind);
    }
}

void PairForces::fillCoordinates(std::vector<math::FractionVec> const& positions, std::int32_t begin, std::int32_t end)
{
    for (std::int32_t cluster = begin; cluster < end; ++cluster) {
        std::int32_t* const out = coordinates_.data() + std::size_t{clusterWords} * static_cast<std::size_t>(cluster);
        for (std::int32_t lane = 0; lane < pairs::clusterWidth; ++lane) {
            std::int32_t const slot = cluster * pairs::clusterWidth + lane, atom = grid_.atomAt(slot);
            pairs::LatticeVec const x = atom < 0 ? pairs::LatticeVec{outOfReach, outOfReach, outOfReach}
                                                 : grid_.coordinate(slot, positions[static_cast<std::size_t>(atom)]);
            out[lane] = x.x;
            out[lane + 8] = x.y;
            out[lane + 16] = x.z;
        }
    }
}

void PairForces::findTouchedBlocks(std::size_t segment)
{
    std::vector<char> mark(static_cast<std::size_t>(blockCount()), 0);
    auto const touch = [&](std::int32_t cluster) { mark[static_cast<std::size_t>(cluster / blockClusters)] = 1; };
    pairs::ListSegment const& list = outer_[segment];
    for (pairs::ListEntry const& entry : list.entries) touch(entry.iCluster / 2);
    int const parts = setup_.kernels.parts;
    for (std::int32_t const tile : list.tiles) touch(tile / parts);
    for (pairs::MaskedTile const& tile : list.masked) touch(tile.jPart / parts);
    std::vector<std::int32_t>& blocks = touched_[segment];
    blocks.clear();
    for (std::size_t b = 0; b < mark.size(); ++b)
        if (mark[b]) blocks.push_back(static_cast<std::int32_t>(b));
}

void PairForces::measureShifts()
{
    shiftUnits_.clear();
    for (pairs::ImageShift const& s : shifts_) {
        pairs::LatticeVec const v = grid_.lattice().shift(s[0], s[1], s[2]);
        shiftUnits_.insert(shiftUnits_.end(), {v.x, v.y, v.z});
    }
}

void PairForces::changeBox(physics::Box const& box)
{
    grid_.changeBox(box, plan_.latticeBits);
    box_ = box;
    boxChanged_ = true;
    measureShifts();
}

void PairForces::takePart(pairs::PairPart part)
{
    atoms_.takePart(*part.atoms);
    roles_ = std::move(part.roles);
    wholeTerms_ = part.first;
    sumOverRanks_ = std::move(part.sumOverRanks);
}

void PairForces::buildList(std::vector<math::FractionVec> const& positions, physics::Box const& box)
{
    // Distances within the list must be exact in a float (where floats are summed), coordinates and their images in 32 bits.
    double const quantum = std::ldexp(1.0, -plan_.latticeBits), longest = std::max({box.a().x, box.b().y, box.c().z});
    if ((!plan_.wideSums && 2 * plan_.listCutoff >= 16777216 * quantum) || longest > 5.4e8 * quantum)
        throw base::RunFailed("the list radius or the box has outgrown the lattice that pair distances are measured on");
    grid_.build(positions, box, atoms_, plan_.listCutoff, plan_.latticeBits, threads_, roles_);
    fillSlotParameters();
    box_ = box;
    boxChanged_ = false;
    shifts_ = pairs::columnShifts(box, plan_.listCutoff);
    measureShifts();

    // Many more segments than threads, so that threads can share them out evenly; at least 32 i clusters each.
    std::int32_t const iClusters = 2 * grid_.clusterCount();
    int const segments = std::clamp(iClusters / 32, 1, 32 * threads_);
    outer_.resize(static_cast<std::size_t>(segments));
    inner_.resize(outer_.size());
    touched_.resize(outer_.size());
    int const parts = setup_.kernels.parts;
    pairs::ListSearch const search(grid_, atoms_, box, plan_.listCutoff, shifts_, parts);
    bool metAbsent = false;
#pragma omp parallel num_threads(threads_)
    {
        int const thread = omp_get_thread_num(), team = omp_get_num_threads();
        fillCoordinates(positions, partStart(grid_.clusterCount(), thread, team), partStart(grid_.clusterCount(), thread + 1, team));
        pairs::ListSearch::Scratch scratch = search.makeScratch();
#pragma omp barrier
#pragma omp for schedule(dynamic, 1)
        for (int s = 0; s < segments; ++s) {
            pairs::ListSegment& segment = outer_[static_cast<std::size_t>(s)];
            segment.clear();
            search.search(partStart(iClusters, s, segments), partStart(iClusters, s + 1, segments), scratch, segment);
            inner_[static_cast<std::size_t>(s)].pruneBoth(segment, setup_.kernels, kernelInput(), pruneRadii());
            trim(segment);
            findTouchedBlocks(static_cast<std::size_t>(s));
        }
        if (scratch.metAbsent) {
#pragma omp atomic write
            metAbsent = true;
        }
    }
    if (metAbsent) throw base::RunFailed("a pair list reaches atoms that this rank was not given: a fault of alder, please report it");
    counts_.outerPairs = 0;
    for (pairs::ListSegment const& segment : outer_) counts_.outerPairs += pairsOfTile() * static_cast<std::int64_t>(segment.tileCount());
    ++counts_.listBuilds;
    for (ThreadForces& t : threadForces_)
        t.resize(static_cast<std::size_t>(grid_.clusterCount()) * clusterWords, static_cast<std::size_t>(blockCount()));
    afterPrune(positions);
}

void PairForces::prune(std::vector<math::FractionVec> const& positions)
{
#pragma omp parallel num_threads(threads_)
    {
        int const thread = omp_get_thread_num(), team = omp_get_num_threads();
        fillCoordinates(positions, partStart(grid_.clusterCount(), thread, team), partStart(grid_.clusterCount(), thread + 1, team));
#pragma omp barrier
#pragma omp for schedule(dynamic, 1)
        for (std::size_t s = 0; s < outer_.size(); ++s) inner_[s].pruneFrom(outer_[s], setup_.kernels, kernelInput(), pruneRadii());
    }
    afterPrune(positions);
}

PruneRadii PairForces::pruneRadii() const
{
    // Room for the rounding of squared distances.
    auto const squared = [](double radius) { return static_cast<float>(radius * radius * (1 + 1e-6)); };
    return {squared(plan_.innerListCutoff), squared(plan_.listCutoff)};
}

void PairForces::afterPrune(std::vector<math::FractionVec> const& positions)
{
    counts_.listedPairs = 0;
    for (InnerSegment const& segment : inner_) counts_.listedPairs += pairsOfTile() * static_cast<std::int64_t>(segment.tileCount());
    ++counts_.prunes;
    shareOut();
    pruneDue_ = false;
    if (plan_.exactLists) pruneStart_ = positions;
}

void PairForces::shareOut()
{
    shareStart_.assign(static_cast<std::size_t>(threads_) + 1, inner_.size());
    std::int64_t const total = counts_.listedPairs / pairsOfTile();
    std::int64_t before = 0;
    std::size_t thread = 0;
    for (std::size_t s = 0; s < inner_.size(); ++s) {
        while (thread < static_cast<std::size_t>(threads_) && before * threads_ >= total * static_cast<std::int64_t>(thread))
            shareStart_[thread++] = s;
        before += static_cast<std::int64_t>(inner_[s].tileCount());
    }
}

bool PairForces::stale(std::vector<math::FractionVec> const& positions)
{
    if (!plan_.exactLists) return false;
    if (boxChanged_) return true;
    double const quantum = grid_.lattice().quantum(), cutoff = std::sqrt(law_.cutoff2());
    std::int64_t sinceBuild = 0, sincePrune = 0; // squared displacements, quanta
    std::int32_t const slots = grid_.slotCount();
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(max : sinceBuild, sincePrune)
    for (std::int32_t slot = 0; slot < slots; ++slot) {
        std::int32_t const atom = grid_.atomAt(slot);
        if (atom < 0) continue;
        auto const squared = [&](math::FractionVec from) {
            math::FractionVec const d = math::wrappingDifference(positions[static_cast<std::size_t>(atom)], from);
            pairs::LatticeVec const x = grid_.lattice().coordinate({d.x, d.y, d.z});
            return std::int64_t{x.x} * x.x + std::int64_t{x.y} * x.y + std::int64_t{x.z} * x.z;
        };
        sinceBuild = std::max(sinceBuild, squared(grid_.startOf(slot)));
        sincePrune = std::max(sincePrune, squared(pruneStart_[static_cast<std::size_t>(atom)]));
    }
    // Two atoms may approach each other by twice the largest displacement; two quanta more for rounding.
    auto const approach = [&](std::int64_t squared) { return 2 * (std::sqrt(static_cast<double>(squared)) + 2) * quantum; };
    pruneDue_ = approach(sincePrune) > plan_.innerListCutoff - cutoff;
    return approach(sinceBuild) > plan_.listCutoff - cutoff;
}

// ---- forces --------------------------------------------------------------------------------------------------------------------

void PairForces::resetShares()
{
    for (std::size_t t = 0; t < static_cast<std::size_t>(threads_); ++t) shareNext_[t].store(shareStart_[t], std::memory_order_relaxed);
}

bool PairForces::runNarrow(int thread)
{
    bool risky = false;
    ThreadForces& mine = threadForces_[static_cast<std::size_t>(thread)];
    KernelInput const input = kernelInput();
    forEachSegment(thread, [&](std::size_t s) {
        for (std::int32_t const block : touched_[s]) mine.dirty[static_cast<std::size_t>(block)] = 1;
        risky = setup_.kernels.narrow(input, inner_[s].work(mine.shift.empty() ? nullptr : mine.shift.data()), mine.narrow.data()) || risky;
    });
    return risky;
}

void PairForces::reduceNarrow(std::int32_t block, std::vector<math::ForceUnits>& forces)
{
    int const shift = 24 - plan_.forceBits;
    std::int32_t const first = block * blockClusters, last = std::min(first + blockClusters, grid_.clusterCount());
    std::array<std::int32_t, std::size_t{blockClusters} * clusterWords> sum{};
    bool any = false;
    std::size_t const offset = static_cast<std::size_t>(first) * clusterWords,
                      words = static_cast<std::size_t>(last - first) * clusterWords;
    for (ThreadForces& t : threadForces_) {
        if (!t.dirty[static_cast<std::size_t>(block)]) continue;
        t.dirty[static_cast<std::size_t>(block)] = 0;
        any = true;
        // Two's complement sums wrap while they are added up and come out right: add as unsigned, where that is defined.
        for (std::size_t k = 0; k < words; ++k)
            sum[k] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sum[k]) + static_cast<std::uint32_t>(t.narrow[offset + k]));
        std::fill_n(t.narrow.begin() + static_cast<std::ptrdiff_t>(offset), words, 0);
    }
    if (!any) return;
    for (std::int32_t slot = first * pairs::clusterWidth; slot < last * pairs::clusterWidth; ++slot) {
        std::int32_t const atom = grid_.atomAt(slot);
        if (atom < 0) continue;
        auto const at = static_cast<std::size_t>(slot / 8 - first) * clusterWords + static_cast<std::size_t>(slot % 8);
        forces[static_cast<std::size_t>(atom)] +=
            math::ForceUnits{std::int64_t{sum[at]} * (std::int64_t{1} << shift), std::int64_t{sum[at + 8]} * (std::int64_t{1} << shift),
                             std::int64_t{sum[at + 16]} * (std::int64_t{1} << shift)};
    }
}

void PairForces::addForces(std::vector<math::FractionVec> const& positions, std::vector<math::ForceUnits>& forces,
                           math::FixedTensor* virial)
{
    if (pruneDue_) prune(positions);
    for (ThreadForces& mine : threadForces_) mine.shift.assign(virial != nullptr ? shiftUnits_.size() : 0, 0);
    bool const wideOnly = plan_.wideSums;
    bool risky = wideOnly;
    resetShares();
#pragma omp parallel num_threads(threads_)
    {
        int const thread = omp_get_thread_num(), team = omp_get_num_threads();
        fillCoordinates(positions, partStart(grid_.clusterCount(), thread, team), partStart(grid_.clusterCount(), thread + 1, team));
#pragma omp barrier
        if (!wideOnly && runNarrow(thread)) {
#pragma omp atomic write
            risky = true;
        }
#pragma omp barrier
        if (!risky) {
            for (std::int32_t block = partStart(blockCount(), thread, team); block < partStart(blockCount(), thread + 1, team); ++block)
                reduceNarrow(block, forces);
        }
    }
    if (risky) sumWide(positions, forces);
    if (virial != nullptr) addVirial(forces, *virial);
}

void PairForces::sumWide(std::vector<math::FractionVec> const& positions, std::vector<math::ForceUnits>& forces)
{
    ++counts_.widePasses;
    widePositions_ = &positions;
    resetShares();
#pragma omp parallel num_threads(threads_)
    {
        int const thread = omp_get_thread_num(), team = omp_get_num_threads();
        ThreadForces& mine = threadForces_[static_cast<std::size_t>(thread)];
        mine.clear();
        std::fill(mine.shift.begin(), mine.shift.end(), 0);
        mine.wide.assign(coordinates_.size(), 0);
        runWide(thread);
#pragma omp barrier
        for (std::int32_t block = partStart(blockCount(), thread, team); block < partStart(blockCount(), thread + 1, team); ++block)
            reduceWide(block, forces);
    }
    // In a run wide passes are rare, and their sums are 24 bytes an atom and thread.
    if (!plan_.wideSums)
        for (ThreadForces& mine : threadForces_) std::vector<std::int64_t>().swap(mine.wide);
}

} // namespace alder::cpu
