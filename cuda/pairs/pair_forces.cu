#include "pairs/pair_forces.hpp"

#include "base/error.hpp"
#include "pairs/list_search.hpp"
#include "pairs/narrow_launch.hpp"

#include <algorithm>
#include <cmath>

namespace alder::cuda {
namespace {

constexpr unsigned plainThreads = 128;

/// Constants for 2/r as those for 1/r, and forces over lattice units instead of nm: powers of two all.
ForceConstants constantsFor(pairs::KernelConstants const& k)
{
    ForceConstants c{};
    c.quantum2 = k.quantum * k.quantum;
    c.coulombCutoff2 = k.coulombCutoff2;
    c.ljCutoff2 = k.ljCutoff2;
    c.chargeFactor = k.chargeFactor * 8 * k.quantum;
    c.sixFactor = k.sixFactor * 256 * k.quantum;
    c.twelveFactor = k.twelveFactor * 16384 * k.quantum;
    c.smooth = k.smooth / 8;
    c.polynomialScale = k.polynomialScale;
    for (int n = 0; n < pairs::mostCoefficients; ++n) c.polynomial[n] = k.polynomial[n] / 8;
    c.switchStart = k.switchStart;
    c.inverseSwitchWidth = k.inverseSwitchWidth;
    c.sixA = k.sixA / 256;
    c.sixB = k.sixB / 256;
    c.twelveA = k.twelveA / 16384;
    c.twelveB = k.twelveB / 16384;
    for (int n = 0; n < pairs::gridCoefficients; ++n) c.gridPolynomial[n] = k.gridPolynomial[n] / 256;
    c.safeSquare = 8.4e15F;
    return c;
}

__global__ void fillForcePlaces(View<std::int32_t> places, int count)
{
    auto const slot = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (slot < count) places[slot] = slot;
}

__global__ void copyPositions(View<math::FractionVec const> from, View<math::FractionVec> to, int count)
{
    auto const atom = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (atom < count) to[atom] = from[atom];
}

struct StaleInput {
    SlotViews slots;
    View<math::FractionVec const> positions, pruneStart;
    View<std::uint32_t const> counters;
    View<unsigned long long> farthest;
    pairs::Lattice lattice;
};

__device__ unsigned long long squaredMove(pairs::Lattice const& lattice, math::FractionVec now, math::FractionVec from)
{
    math::FractionVec const d = math::wrappingDifference(now, from);
    pairs::LatticeVec const x = lattice.coordinate({d.x, d.y, d.z});
    auto const square = [](std::int64_t v) { return v * v; };
    return static_cast<unsigned long long>(square(x.x) + square(x.y) + square(x.z));
}

__global__ void findFarthest(StaleInput const in)
{
    auto const slot = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (static_cast<std::uint32_t>(slot / superSlots) >= in.counters[superCount]) return;
    std::int32_t const atom = in.slots.atomAt[slot];
    unsigned long long built = 0, pruned = 0;
    if (atom >= 0) {
        math::FractionVec const now = in.positions[atom];
        built = squaredMove(in.lattice, now, in.slots.start[slot]);
        pruned = squaredMove(in.lattice, now, in.pruneStart[atom]);
    }
    for (int bit = 1; bit < warpLanes; bit *= 2) {
        unsigned long long const otherBuilt = __shfl_xor_sync(fullWarp, built, bit), otherPruned = __shfl_xor_sync(fullWarp, pruned, bit);
        if (otherBuilt > built) built = otherBuilt;
        if (otherPruned > pruned) pruned = otherPruned;
    }
    if (threadIdx.x % warpLanes != 0) return;
    atomicMax(in.farthest.pointer(0), built);
    atomicMax(in.farthest.pointer(1), pruned);
}

} // namespace

PairForces::PairForces(system::Topology const& topology, plan::PairPlan const& plan, Stream& stream)
    : stream_(stream),
      atoms_(topology, plan),
      plan_(plan),
      law_(plan),
      setup_(pairs::makePairSetup(plan, atoms_)),
      constants_(constantsFor(setup_.constants)),
      counters_(counterCount),
      moments_(momentCount),
      farthest_(2)
{
    counters_.clear(stream_);
    moments_.clear(stream_);
    uploadTables();
    uploadExclusions(topology);
    uploadAtoms();
}

void PairForces::takePart(pairs::PairPart part)
{
    part_ = std::move(part);
    atoms_.takePart(*part_.atoms);
    std::vector<std::uint8_t> roles;
    for (domain::ColumnRole const role : part_.roles) roles.push_back(static_cast<std::uint8_t>(role));
    columnsHere_ = static_cast<int>(std::count_if(roles.begin(), roles.end(), [](std::uint8_t role) { return role != 0; }));
    roles_.upload(roles, stream_);
    numbers_.upload(part_.atoms->numbers, stream_);
    uploadAtoms();
}

// ---- tables --------------------------------------------------------------------------------------------------------------------

void PairForces::uploadTables()
{
    std::vector<std::int32_t> types;
    std::vector<LjPair> lj, table;
    std::vector<double> charges, c6, c12, gridC6;
    for (std::size_t k = 0; k < atoms_.kinds().size(); ++k) {
        lj.push_back({setup_.six[k], setup_.twelve[k]});
        types.push_back(atoms_.kinds()[k].ljType);
        charges.push_back(atoms_.kinds()[k].charge);
    }
    // The tables hold the factors for forces over nm and 2/r.
    double const six = 256.0 * setup_.constants.quantum, twelve = 16384.0 * setup_.constants.quantum;
    std::vector<float> grid;
    for (std::size_t k = 0; k < setup_.sixTable.size(); ++k) {
        table.push_back({static_cast<float>(setup_.sixTable[k] * six), static_cast<float>(setup_.twelveTable[k] * twelve)});
        grid.push_back(static_cast<float>(setup_.gridTable[k] * six));
    }
    for (int a = 0; a < atoms_.ljTypeCount(); ++a)
        for (int b = 0; b < atoms_.ljTypeCount(); ++b) {
            c6.push_back(atoms_.c6(a, b));
            c12.push_back(atoms_.c12(a, b));
            gridC6.push_back(atoms_.gridC6(a, b));
        }
    kindType_.upload(types, stream_);
    kindCharge_.upload(setup_.charge, stream_);
    kindLj_.upload(lj, stream_);
    ljTable_.upload(table, stream_);
    gridTable_.upload(grid, stream_);
    lawCharge_.upload(charges, stream_);
    lawC6_.upload(c6, stream_);
    lawC12_.upload(c12, stream_);
    lawGridC6_.upload(gridC6, stream_);
}

void PairForces::uploadExclusions(system::Topology const& topology)
{
    std::vector<std::int32_t> offsets{0};
    std::vector<ExclusionRow> rows{{0, 0, 0, -1}};
    for (system::MoleculeType const& type : topology.types) {
        firstRow_.push_back(static_cast<std::int32_t>(rows.size()));
        typeSize_.push_back(static_cast<std::int32_t>(type.atoms.size()));
        for (std::size_t a = 0; a < type.atoms.size(); ++a) {
            auto const begin = static_cast<std::int32_t>(offsets.size());
            ExclusionRow row{begin, begin, 0, -1};
            if (!type.exclusionStart.empty())
                for (auto e = type.exclusionStart[a]; e < type.exclusionStart[a + 1]; ++e)
                    offsets.push_back(type.exclusions[static_cast<std::size_t>(e)] - static_cast<std::int32_t>(a));
            row.end = static_cast<std::int32_t>(offsets.size());
            if (row.end > row.begin) {
                auto const [low, high] = std::minmax_element(offsets.begin() + row.begin, offsets.end());
                row.lowest = *low;
                row.highest = *high;
            }
            rows.push_back(row);
        }
    }
    blocks_ = topology.blocks;
    exclusionOffsets_.upload(offsets, stream_);
    exclusionRows_.upload(rows, stream_);
}

/// What there is by atom.
void PairForces::uploadAtoms()
{
    auto const count = static_cast<std::int32_t>(atoms_.atomCount());
    std::vector<std::int32_t> kindOf, rowOf;
    kindOf.reserve(static_cast<std::size_t>(count));
    rowOf.reserve(static_cast<std::size_t>(count));
    for (std::int32_t a = 0; a < count; ++a) {
        std::int32_t const number = atoms_.numberOf(a);
        system::MoleculeBlock const& block = domain::blockOf(blocks_, number);
        auto const type = static_cast<std::size_t>(block.type);
        kindOf.push_back(atoms_.kindIndex(a));
        rowOf.push_back(firstRow_[type] + (number - static_cast<std::int32_t>(block.firstAtom)) % typeSize_[type]);
    }
    kindOf_.upload(kindOf, stream_);
    exclusionRowOf_.upload(rowOf, stream_);
}

// ---- lists ---------------------------------------------------------------------------------------------------------------------

void PairForces::measureShifts()
{
    std::vector<pairs::LatticeVec> units;
    std::vector<math::Vec3<std::int32_t>> images;
    for (pairs::ImageShift const& s : shifts_) {
        units.push_back(lattice_.shift(s[0], s[1], s[2]));
        images.push_back({s[0], s[1], s[2]});
    }
    shiftUnits_.upload(units, stream_);
    images_.upload(images, stream_);
}

ListRadii PairForces::radii() const
{
    // Room for the rounding of squared distances.
    auto const squared = [](double radius) { return static_cast<float>(radius * radius * (1 + 1e-6)); };
    return {squared(plan_.innerListCutoff), squared(plan_.listCutoff)};
}

void PairForces::adaptTo(physics::Box const& box)
{
    lattice_ = pairs::Lattice(box, plan_.latticeBits);
    latticeOnDevice_.set(lattice_, stream_);
    boxOnDevice_.set(box, stream_);
}

void PairForces::changeBox(physics::Box const& box)
{
    adaptTo(box);
    boxChanged_ = true;
    measureShifts();
}

void PairForces::makeRoom()
{
    std::size_t const items = list_.entryRoom() * runLength, slots = static_cast<std::size_t>(grid_.slotRoom());
    if (wideItems_.size() < items) wideItems_.resize(items);
    if (slotPlace_.size() < slots) {
        slotPlace_.resize(slots);
        slotForces_.resize(3 * slots);
        launch<fillForcePlaces>({.grid = blocksFor(slots, plainThreads), .block = plainThreads}, stream_, slotPlace_.view(),
                                static_cast<int>(slots));
        slotForces_.clear(stream_);
    }
    if (shiftForces_.size() != 3 * shifts_.size()) {
        shiftForces_.resize(3 * shifts_.size());
        shiftForces_.clear(stream_);
    }
}

void PairForces::buildList(View<math::FractionVec const> positions, physics::Box const& box)
{
    // Distances within the list must be exact in a float (where floats are summed), coordinates and their images in 32 bits.
    double const quantum = std::ldexp(1.0, -plan_.latticeBits), longest = std::max({box.a().x, box.b().y, box.c().z});
    if ((!plan_.wideSums && 2 * plan_.listCutoff >= 16777216 * quantum) || longest > 5.4e8 * quantum)
        throw base::RunFailed("the list radius or the box has outgrown the lattice that pair distances are measured on");
    adaptTo(box);
    boxChanged_ = false;
    shifts_ = pairs::columnShifts(box, plan_.listCutoff);
    measureShifts();
    KindTables const kinds{kindOf_.constView(), kindCharge_.constView(), kindLj_.constView(), kindType_.constView()};
    DevicePairList::Request request;
    request.grid = &grid_;
    request.box = box;
    request.listCutoff = plan_.listCutoff;
    request.radii = radii();
    request.shifts = shiftUnits_.constView();
    request.images = &shifts_;
    request.exclusions = {partViews(), exclusionRowOf_.constView(), exclusionRows_.constView(), exclusionOffsets_.constView()};
    for (;;) {
        GridNeeds const needs{
            box, {atoms_.wholeCount(), plan_.listCutoff, superColumns}, atoms_.atomCount(), plan_.latticeBits, columnsHere_, supersFound_};
        grid_.build({positions, kinds, partViews()}, shapeOf(needs), counters_.view(), stream_);
        int const found = list_.build(request, counters_, stream_);
        if (found <= grid_.shape().superRoom) break;
        supersFound_ = found;
    }
    makeRoom();
    counts_.entries = static_cast<std::int64_t>(list_.entriesFound());
    ++counts_.listBuilds;
    afterPrune(positions);
}

void PairForces::place(View<math::FractionVec const> positions)
{
    grid_.place(positions, latticeOnDevice_.view(), counters_.view(), stream_);
}

void PairForces::prune(View<math::FractionVec const> positions)
{
    place(positions);
    list_.prune(grid_.slots(), shiftUnits_.constView(), radii(), constants_.quantum2, counters_, stream_);
    afterPrune(positions);
}

void PairForces::afterPrune(View<math::FractionVec const> positions)
{
    ++counts_.prunes;
    pruneDue_ = false;
    if (!plan_.exactLists) return;
    auto const atoms = static_cast<std::size_t>(atoms_.atomCount());
    pruneStart_.resize(atoms);
    launch<copyPositions>({.grid = blocksFor(atoms, plainThreads), .block = plainThreads}, stream_, positions, pruneStart_.view(),
                          static_cast<int>(atoms));
}

bool PairForces::stale(View<math::FractionVec const> positions)
{
    if (!plan_.exactLists) return false;
    if (boxChanged_) return true;
    farthest_.clear(stream_);
    StaleInput const input{grid_.slots(), positions, pruneStart_.constView(), counters_.constView(), farthest_.view(), lattice_};
    launch<findFarthest>({.grid = blocksFor(static_cast<std::size_t>(grid_.slotRoom()), plainThreads), .block = plainThreads}, stream_,
                         input);
    std::vector<unsigned long long> const squared = farthest_.download(stream_);
    // Two atoms may approach each other by twice the largest displacement; two quanta more for rounding.
    auto const approach = [&](unsigned long long square) { return 2 * (std::sqrt(static_cast<double>(square)) + 2) * lattice_.quantum(); };
    double const cutoff = std::sqrt(law_.cutoff2());
    pruneDue_ = approach(squared[1]) > plan_.innerListCutoff - cutoff;
    return approach(squared[0]) > plan_.listCutoff - cutoff;
}

// ---- forces and energies -------------------------------------------------------------------------------------------------------

ForceInput PairForces::forceInput()
{
    ForceInput input{};
    input.slots = grid_.slots();
    input.list = list_.inner(counters_);
    input.shifts = shiftUnits_.constView();
    input.tables = {ljTable_.constView(), gridTable_.constView(), atoms_.ljTypeCount()};
    input.constants = constants_;
    input.sink.bits = 24 - plan_.forceBits;
    input.wideItems = wideItems_.view();
    input.counters = counters_.view();
    return input;
}

LawTables PairForces::lawTables()
{
    return {lawCharge_.constView(), kindType_.constView(), lawC6_.constView(),  lawC12_.constView(),
            lawGridC6_.constView(), atoms_.ljTypeCount(),  plan_.electricFactor};
}

void PairForces::addForces(View<math::FractionVec const> positions, View<std::int64_t> forces, View<std::int64_t> virial)
{
    if (pruneDue_) prune(positions);
    place(positions);
    ForceInput input = forceInput();
    input.sink.withShifts = virial.given() ? 1 : 0;
    input.sink.shiftForces = shiftForces_.view();
    input.sink.forces = virial.given() ? slotForces_.view() : forces;
    input.sink.placeOf = virial.given() ? slotPlace_.constView() : input.slots.atomAt;
    if (plan_.wideSums) {
        queueAll(input, stream_);
    } else {
        switch (setup_.flavour.coulomb) {
        case pairs::CoulombFlavour::reactionField: addForcesReactionField(setup_.flavour, input, stream_); break;
        case pairs::CoulombFlavour::ewald11: addForcesEwald11(setup_.flavour, input, stream_); break;
        case pairs::CoulombFlavour::ewald19: addForcesEwald19(setup_.flavour, input, stream_); break;
        case pairs::CoulombFlavour::count: break;
        }
    }
    WideInput const wide{
        input, setup_.flavour, lawTables(), {positions, images_.constView(), boxOnDevice_.view()}, std::ldexp(1.0, plan_.forceBits)};
    addWideForces(wide, law_, stream_);
    if (!virial.given()) return;
    VirialInput collect{};
    collect.slots = input.slots;
    collect.counters = counters_.constView();
    collect.slotForces = slotForces_.view();
    collect.forces = forces;
    collect.moments = moments_.view();
    collect.shifts = shiftUnits_.constView();
    collect.shiftForces = shiftForces_.view();
    collect.shiftCount = static_cast<int>(shifts_.size());
    collect.slotRoom = grid_.slotRoom();
    collect.factor = -0.5 * lattice_.quantum() / math::forceScale * math::sumScale;
    collect.virial = virial;
    sumMoments(collect, stream_);
    if (part_.sumOverRanks) {
        sumOverRanks();
        if (!part_.first) return;
    }
    addVirial(collect, stream_);
}

/// The moments: what is rounded is their sum over all ranks, which the first then has. The others keep nothing.
void PairForces::sumOverRanks()
{
    std::vector<std::int64_t> moments = moments_.download(stream_);
    part_.sumOverRanks(moments);
    if (part_.first)
        moments_.upload(moments, stream_);
    else
        moments_.clear(stream_);
}

void PairForces::addEnergies(View<math::FractionVec const> positions, View<std::int64_t> sums, EnergyVirial virial)
{
    if (pruneDue_) prune(positions);
    place(positions);
    math::FixedSum self;
    bool const counted = !part_.sumOverRanks || part_.first;
    if (counted && plan_.coulomb == plan::CoulombForm::reactionField)
        self.addWhole(-0.5 * plan_.electricFactor * plan_.crf * atoms_.chargeSquareSum());
    EnergyInput const input{grid_.slots(),
                            list_.inner(counters_),
                            shiftUnits_.constView(),
                            lawTables(),
                            lattice_.quantum(),
                            sums,
                            self.units,
                            virial == EnergyVirial::added ? 1 : 0};
    addPairEnergies(input, law_, stream_);
}

std::int64_t PairForces::wideItems() { return counters_.download(stream_)[wideCount]; }

} // namespace alder::cuda
