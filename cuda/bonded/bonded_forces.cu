#include "bonded/bonded_forces.hpp"

#include "base/error.hpp"
#include "bonded/term_kinds.hpp"
#include "device/launch.hpp"

#include <algorithm>
#include <limits>

namespace alder::cuda {

namespace {

constexpr std::int32_t noTerm = std::numeric_limits<std::int32_t>::max();

template <Part part, bool wanted>
__global__ void __launch_bounds__(termThreads) bondedTerms(TermViews views, View<physics::Box const> cell, ForceTarget target)
{
    TermSlice const slice = views.slices[blockIdx.x];
    auto const index = static_cast<std::int32_t>(threadIdx.x);
    physics::Box const box = cell[0];
    Term const term{views, box, slice, index};
    TermSums<wanted> sums(target.forces, views.failed, term.number());
    if (index < slice.count) addTerm<part>(term, sums, std::make_index_sequence<system::kindCount>());
    if constexpr (wanted) {
        auto const kind = static_cast<Kind>(slice.kind);
        // LJ and Coulomb of pairs; elsewhere the kind's own term
        bool const nonbonded = kind == Kind::pairNonbonded, pair = familyOf(kind) == Family::pair;
        addWarpSum(target.sums, slice.energyTerm, sums.energyUnits());
        if (pair)
            addWarpSum(target.sums, static_cast<int>(nonbonded ? system::Term::coulombSR : system::Term::coulomb14),
                       sums.secondEnergyUnits());
        addWarpVirial(target.sums, sums.virial());
    }
}

template <Part part>
void launchPart(DeviceBuffer<TermSlice> const& slices, TermViews const& views, View<physics::Box const> box, ForceTarget const& target,
                Stream& stream)
{
    if (slices.size() == 0) return;
    LaunchShape const shape{.grid = static_cast<unsigned>(slices.size()), .block = termThreads};
    if (target.wanted)
        launch<bondedTerms<part, true>>(shape, stream, views, box, target);
    else
        launch<bondedTerms<part, false>>(shape, stream, views, box, target);
}

std::int32_t energyTermOf(Kind kind)
{
    if (kind == Kind::pairNonbonded) return static_cast<std::int32_t>(system::Term::ljSR);
    if (familyOf(kind) == Family::pair) return static_cast<std::int32_t>(system::Term::lj14);
    return static_cast<std::int32_t>(system::infoOf(kind).term);
}

/// All terms of one kind, one after the other.
struct KindTerms {
    std::vector<std::int32_t> atoms, sets;
};

void appendRun(KindTerms& to, bonded::Run const& run, std::int32_t firstSet)
{
    bonded::TermList const& list = *run.terms;
    for (std::int64_t m = 0; m < run.copies; ++m) {
        auto const first = static_cast<std::int32_t>(run.firstAtom + m * run.stride);
        for (std::int32_t const atom : list.atoms) to.atoms.push_back(first + atom);
        for (std::int32_t const set : list.parameters) to.sets.push_back(firstSet + set);
    }
}

std::vector<Vec3d> vectorsOf(std::vector<std::array<double, 3>> const& arrays)
{
    std::vector<Vec3d> vectors;
    vectors.reserve(arrays.size());
    for (auto const& a : arrays) vectors.push_back({a[0], a[1], a[2]});
    return vectors;
}

} // namespace

std::vector<std::string> BondedForces::cannotDo(system::Topology const& topology)
{
    std::vector<std::string> names;
    for (std::size_t k = 0; k < system::kindCount; ++k) {
        auto const kind = static_cast<Kind>(k);
        if (bonded::isListed(kind) && topology.uses(kind) && familyOf(kind) == Family::none) names.emplace_back(system::infoOf(kind).name);
    }
    return names;
}

BondedForces::BondedForces(system::Topology const& topology, plan::RunPlan const& plan, Stream& stream, bonded::KindSet const& kinds)
    : topology_(topology),
      stream_(stream)
{
    bonded::BondedLists lists(topology, plan.pairs.electricFactor, kinds);
    if (lists.empty()) return;
    flatten(lists);
    uploadTables(lists);
}

void BondedForces::flatten(bonded::BondedLists& lists)
{
    std::array<KindTerms, system::kindCount> byKind;
    std::array<std::int32_t, system::kindCount> firstSet{};
    std::vector<PreparedSet> sets;
    for (std::size_t k = 0; k < system::kindCount; ++k) {
        firstSet[k] = static_cast<std::int32_t>(sets.size());
        for (system::ParameterSet const& set : lists.parametersOf(static_cast<Kind>(k)))
            std::copy(set.begin(), set.end(), sets.emplace_back().of);
    }
    for (bonded::Share const& share : lists.share(1))
        for (bonded::Run const& run : share.runs) {
            auto const k = static_cast<std::size_t>(run.terms->kind);
            appendRun(byKind[k], run, firstSet[k]);
        }
    std::vector<std::int32_t> setOf;
    for (std::size_t k = 0; k < system::kindCount; ++k) {
        KindTerms const& terms = byKind[k];
        auto const width = static_cast<std::size_t>(system::infoOf(static_cast<Kind>(k)).atoms);
        for (std::size_t begin = 0; begin < terms.sets.size(); begin += termThreads) {
            std::size_t const count = std::min<std::size_t>(termThreads, terms.sets.size() - begin);
            slicesOfHost_.push_back({static_cast<std::int32_t>(k), static_cast<std::int32_t>(count),
                                     static_cast<std::int32_t>(setOf.size()), static_cast<std::int32_t>(atomsOfHost_.size()),
                                     energyTermOf(static_cast<Kind>(k))});
            for (std::size_t a = 0; a < width; ++a)
                for (std::size_t t = begin; t < begin + count; ++t) atomsOfHost_.push_back(terms.atoms[t * width + a]);
            setOf.insert(setOf.end(), terms.sets.begin() + static_cast<std::ptrdiff_t>(begin),
                         terms.sets.begin() + static_cast<std::ptrdiff_t>(begin + count));
        }
    }
    std::vector<TermSlice> maps, others;
    for (TermSlice const& slice : slicesOfHost_) (takes(Part::maps, static_cast<Kind>(slice.kind)) ? maps : others).push_back(slice);
    maps_.upload(maps, stream_);
    others_.upload(others, stream_);
    atoms_.upload(atomsOfHost_, stream_);
    setOf_.upload(setOf, stream_);
    sets_.upload(sets, stream_);
}

void BondedForces::uploadTables(bonded::BondedLists const& lists)
{
    std::vector<physics::CmapNode<double>> nodes;
    std::vector<std::int32_t> shapes;
    for (bonded::CmapTable const& table : lists.cmaps()) {
        shapes.push_back(static_cast<std::int32_t>(nodes.size()));
        shapes.push_back(table.size);
        nodes.insert(nodes.end(), table.nodes.begin(), table.nodes.end());
    }
    cmapNodes_.upload(nodes, stream_);
    cmapShapes_.upload(shapes, stream_);
    references_.upload(vectorsOf(lists.references()), stream_);
    referenceFractions_.upload(vectorsOf(lists.referenceFractions()), stream_);
    failed_.upload({noTerm}, stream_);
}

void BondedForces::add(View<math::FractionVec const> positions, physics::Box const& box, ForceTarget const& target)
{
    if (empty()) return;
    adaptTo(box);
    TermViews views{others_.constView(),
                    atoms_.constView(),
                    setOf_.constView(),
                    sets_.constView(),
                    cmapNodes_.constView(),
                    cmapShapes_.constView(),
                    references_.constView(),
                    referenceFractions_.constView(),
                    positions,
                    failed_.view(),
                    referenceFractions_.size() > 0};
    launchPart<Part::others>(others_, views, box_.view(), target, stream_);
    views.slices = maps_.constView();
    launchPart<Part::maps>(maps_, views, box_.view(), target, stream_);
}

void BondedForces::check()
{
    if (!empty()) judge(failed_.download(stream_).front());
}

void BondedForces::judge(std::int32_t failed) const
{
    if (failed == noTerm) return;
    auto const after = std::upper_bound(slicesOfHost_.begin(), slicesOfHost_.end(), failed,
                                        [](std::int32_t term, TermSlice const& slice) { return term < slice.firstTerm; });
    TermSlice const slice = *(after - 1);
    system::KindInfo const& info = system::infoOf(static_cast<Kind>(slice.kind));
    std::vector<std::int64_t> atoms;
    atoms.reserve(static_cast<std::size_t>(info.atoms));
    for (int a = 0; a < info.atoms; ++a)
        atoms.push_back(
            1 + topology_.numberOf(atomsOfHost_[static_cast<std::size_t>(slice.firstAtom + a * slice.count + failed - slice.firstTerm)]));
    std::sort(atoms.begin(), atoms.end());
    std::string named;
    for (std::int64_t const atom : atoms) named += (named.empty() ? "" : ", ") + std::to_string(atom);
    throw base::RunFailed(std::string(info.name) + " of atoms " + named +
                          " has a force beyond all bounds: they overlap, or the potential has no value there");
}

} // namespace alder::cuda
