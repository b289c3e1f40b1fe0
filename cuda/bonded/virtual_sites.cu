#include "bonded/virtual_sites.hpp"

#include "base/error.hpp"
#include "bonded/term_sums.hpp"
#include "device/launch.hpp"
#include "physics/virtual_site.hpp"
#include "plan/supported.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace alder::cuda {

using bonded::VirtualSite;
using math::FractionVec;
using math::Vec3d;
using system::Kind;

namespace {

constexpr int siteThreads = 128;
constexpr std::int32_t noSite = std::numeric_limits<std::int32_t>::max();

struct SiteViews {
    View<SiteRecord const> sites;
    View<WeightedAtom const> weighted;
    int first, count;
    /// The index of this thread's site, or -1.
    [[nodiscard]] __device__ int mine() const
    {
        int const i = static_cast<int>(blockIdx.x) * siteThreads + static_cast<int>(threadIdx.x);
        return i < count ? first + i : -1;
    }
};

/// Arms r_j - r_i, r_k - r_i, r_l - r_i of a construction.
template <int count> struct Arms {
    Vec3d of[3];
    template <class Positions> __device__ Arms(SiteRecord const& site, Positions const& positions, physics::Box const& box)
    {
        FractionVec const base = positions[site.atoms[0]];
        ALDER_UNROLL
        for (int n = 0; n < count; ++n) of[n] = box.difference(positions[site.atoms[n + 1]], base);
    }
};

/// The construction of a kind.
template <Kind kind> struct ConstructionOf {};
template <> struct ConstructionOf<Kind::virtualSite1> : physics::SiteOnAtom {};
template <> struct ConstructionOf<Kind::virtualSite2> : physics::SiteOnLine {};
template <> struct ConstructionOf<Kind::virtualSite2fd> : physics::SiteAtDistance {};
template <> struct ConstructionOf<Kind::virtualSite3> : physics::SiteInPlane {};
template <> struct ConstructionOf<Kind::virtualSite3fd> : physics::SiteInPlaneAtDistance {};
template <> struct ConstructionOf<Kind::virtualSite3fad> : physics::SiteAtAngle {};
template <> struct ConstructionOf<Kind::virtualSite3out> : physics::SiteOutOfPlane {};
template <> struct ConstructionOf<Kind::virtualSite4fdn> : physics::SiteOnNormal {};
template <Kind kind>
concept Constructed = requires
{
    ConstructionOf<kind>::arms;
};

template <Kind kind, class Act> __device__ void actIfKind(std::int32_t wanted, Act& act)
{
    if constexpr (Constructed<kind>)
        if (wanted == static_cast<std::int32_t>(kind)) act(ConstructionOf<kind>{});
}
template <class Act, std::size_t... kind> __device__ void actOnKind(std::int32_t wanted, Act& act, std::index_sequence<kind...>)
{
    (actIfKind<static_cast<Kind>(kind)>(wanted, act), ...);
}
/// Calls act with the construction of a kind; not for sites N, which have as many atoms as they like.
template <class Act> __device__ void withConstruction(std::int32_t kind, Act&& act)
{
    actOnKind(kind, act, std::make_index_sequence<system::kindCount>());
}
template <std::size_t... kind> bool isPlaced(Kind asked, std::index_sequence<kind...>)
{
    return asked == Kind::virtualSiteN || ((asked == static_cast<Kind>(kind) && Constructed<static_cast<Kind>(kind)>) || ...);
}

/// r_site - r_i.
template <class Positions>
__device__ Vec3d placeOf(SiteRecord const& site, View<WeightedAtom const> weighted, Positions const& positions, physics::Box const& box)
{
    Vec3d place;
    if (static_cast<Kind>(site.kind) == Kind::virtualSiteN) {
        for (std::int32_t n = 1; n < site.weightedCount; ++n) {
            WeightedAtom const part = weighted[site.firstWeighted + n];
            place += part.weight * box.difference(positions[part.atom], positions[site.atoms[0]]);
        }
        return place;
    }
    withConstruction(site.kind, [&](auto construction) {
        Arms<decltype(construction)::arms> const arms(site, positions, box);
        place = construction.place(arms.of, site.parameters);
    });
    return place;
}

__global__ void __launch_bounds__(siteThreads)
    placeSites(SiteViews views, View<FractionVec> positions, View<physics::Box const> cell, View<std::int32_t> failed)
{
    physics::Box const box = cell[0];
    int const mine = views.mine();
    if (mine < 0) return;
    SiteRecord const site = views.sites[mine];
    Vec3d const place = placeOf(site, views.weighted, positions, box);
    if (!(norm2(place) < HUGE_VAL)) {
        atomicMin(failed.pointer(0), site.site);
        return;
    }
    FractionVec const base = positions[site.atoms[0]];
    positions[site.site] = math::wrappingSum(base, box.toFractionStep(place));
}

/// A sum of many forces may exceed the largest single term, so nothing is clamped while it fits (cpu::VirtualSites).
__device__ std::int64_t unitsOf(double force)
{
    double const scaled = force * math::forceScale;
    return (scaled < 0 ? -scaled : scaled) < 4611686018427387904.0 ? __double2ll_rn(scaled) : math::roundedTerm(scaled);
}

__device__ void give(View<std::int64_t> forces, std::int32_t atom, math::ForceUnits units)
{
    addUnits(forces, 3 * std::int64_t{atom}, units.x);
    addUnits(forces, 3 * std::int64_t{atom} + 1, units.y);
    addUnits(forces, 3 * std::int64_t{atom} + 2, units.z);
}

/// Gives `force` to atom `to` and takes the same integers from `left`.
__device__ void hand(math::ForceUnits& left, View<std::int64_t> forces, std::int32_t to, Vec3d force)
{
    math::ForceUnits const units{unitsOf(force.x), unitsOf(force.y), unitsOf(force.z)};
    give(forces, to, units);
    left -= units;
}

__device__ math::ForceUnits forceOn(View<std::int64_t> forces, std::int32_t atom)
{
    std::int64_t const at = 3 * std::int64_t{atom};
    return {forces[at], forces[at + 1], forces[at + 2]};
}

template <bool wanted>
__global__ void __launch_bounds__(siteThreads)
    spreadSites(SiteViews views, View<FractionVec const> positions, View<physics::Box const> cell, ForceTarget target)
{
    physics::Box const box = cell[0];
    int const mine = views.mine();
    math::FixedTensor virial;
    if (mine >= 0) {
        SiteRecord const site = views.sites[mine];
        math::ForceUnits left = forceOn(target.forces, site.site);
        give(target.forces, site.site, -left);
        Vec3d const force = math::forceValue(left);
        if (static_cast<Kind>(site.kind) == Kind::virtualSiteN) {
            for (std::int32_t n = 1; n < site.weightedCount; ++n) {
                WeightedAtom const part = views.weighted[site.firstWeighted + n];
                hand(left, target.forces, part.atom, part.weight * force);
            }
        } else {
            withConstruction(site.kind, [&](auto construction) {
                constexpr int count = decltype(construction)::arms;
                Arms<count> const arms(site, positions, box);
                Vec3d to[3];
                construction.spread(arms.of, site.parameters, force, to);
                ALDER_UNROLL
                for (int n = 0; n < count; ++n) hand(left, target.forces, site.atoms[n + 1], to[n]);
                if (!wanted) return;
                math::Mat3d moved = -1.0 * outer(construction.place(arms.of, site.parameters), force);
                ALDER_UNROLL
                for (int n = 0; n < count; ++n) moved = moved + outer(arms.of[n], to[n]);
                virial.add(-0.5 * moved);
            });
        }
        give(target.forces, site.atoms[0], left);
    }
    if constexpr (wanted) addWarpVirial(target.sums, virial);
}

__global__ void __launch_bounds__(siteThreads)
    displacedVirial(SiteViews views, View<FractionVec const> given, View<FractionVec const> positions, View<physics::Box const> cell,
                    ForceTarget target)
{
    physics::Box const box = cell[0];
    int const mine = views.mine();
    math::FixedTensor virial;
    if (mine >= 0) {
        std::int32_t const site = views.sites[mine].site;
        virial.add(-0.5 * outer(box.difference(positions[site], given[site]), math::forceValue(forceOn(target.forces, site))));
    }
    addWarpVirial(target.sums, virial);
}

__global__ void __launch_bounds__(siteThreads)
    displacements(SiteViews views, View<FractionVec const> given, View<FractionVec const> positions, View<physics::Box const> cell,
                  View<unsigned long long> largest)
{
    physics::Box const box = cell[0];
    int const mine = views.mine();
    if (mine < 0) return;
    std::int32_t const site = views.sites[mine].site;
    // bits of numbers that are not negative are in their order
    atomicMax(largest.pointer(0),
              static_cast<unsigned long long>(__double_as_longlong(norm(box.difference(positions[site], given[site])))));
}

__global__ void __launch_bounds__(siteThreads) stepBack(int atoms, View<FractionVec const> positions, View<Vec3d> velocities,
                                                        View<physics::Box const> cell, View<FractionVec> back, double dt)
{
    physics::Box const box = cell[0];
    int const i = static_cast<int>(blockIdx.x) * siteThreads + static_cast<int>(threadIdx.x);
    if (i >= atoms) return;
    Vec3d const velocity = velocities[i];
    back[i] = math::wrappingSum(positions[i], box.toFractionStep(-dt * velocity));
}

__global__ void __launch_bounds__(siteThreads)
    siteVelocities(SiteViews views, View<FractionVec const> positions, View<FractionVec const> back, View<physics::Box const> cell,
                   View<Vec3d> velocities, double dt)
{
    physics::Box const box = cell[0];
    int const mine = views.mine();
    if (mine < 0) return;
    std::int32_t const site = views.sites[mine].site;
    velocities[site] = (1.0 / dt) * box.difference(positions[site], back[site]);
}

LaunchShape siteGrid(std::int64_t count)
{
    return {.grid = static_cast<unsigned>((count + siteThreads - 1) / siteThreads), .block = siteThreads};
}

/// By site of a molecule type in the order of construction: how many sites stand between it and atoms.
std::vector<std::size_t> levelsOf(std::vector<VirtualSite> const& sites, std::size_t atoms)
{
    std::vector<std::size_t> above(atoms, 0), levels; // above: one more than the level of a site, 0 for atoms
    for (VirtualSite const& site : sites) {
        std::size_t level = 0;
        for (std::int32_t const atom : site.atoms) level = std::max(level, above[static_cast<std::size_t>(atom)]);
        levels.push_back(level);
        above[static_cast<std::size_t>(site.site)] = level + 1;
    }
    return levels;
}

SiteRecord recordOf(VirtualSite const& site, std::int32_t first, std::vector<WeightedAtom>& weighted)
{
    SiteRecord record;
    record.kind = static_cast<std::int32_t>(site.kind);
    record.site = first + site.site;
    for (std::size_t n = 0; n < std::min<std::size_t>(4, site.atoms.size()); ++n) record.atoms[n] = first + site.atoms[n];
    std::copy_n(site.parameters.begin(), 3, record.parameters);
    if (site.kind != Kind::virtualSiteN) return record;
    record.firstWeighted = static_cast<std::int32_t>(weighted.size());
    record.weightedCount = static_cast<std::int32_t>(site.atoms.size());
    for (std::size_t n = 0; n < site.atoms.size(); ++n) weighted.push_back({site.weights[n], first + site.atoms[n]});
    return record;
}

} // namespace

std::vector<std::string> VirtualSites::cannotDo(system::Topology const& topology)
{
    std::vector<std::string> names;
    for (std::size_t k = 0; k < system::kindCount; ++k) {
        auto const kind = static_cast<Kind>(k);
        if (plan::treatmentOf(kind) == plan::Treatment::virtualSite && topology.uses(kind) &&
            !isPlaced(kind, std::make_index_sequence<system::kindCount>()))
            names.emplace_back(system::infoOf(kind).name);
    }
    return names;
}

VirtualSites::VirtualSites(system::Topology const& topology, Stream& stream)
    : topology_(topology),
      stream_(stream),
      atomCount_(topology.atomCount)
{
    std::vector<std::vector<VirtualSite>> types;
    for (system::MoleculeType const& type : topology.types) types.push_back(bonded::virtualSitesOf(topology, type));
    std::vector<std::vector<SiteRecord>> byLevel;
    std::vector<WeightedAtom> weighted;
    for (system::MoleculeBlock const& block : topology.blocks) {
        auto const t = static_cast<std::size_t>(block.type);
        auto const size = topology.types[t].atoms.size();
        std::vector<std::size_t> const levels = levelsOf(types[t], size);
        for (std::int64_t m = 0; m < block.count; ++m)
            for (std::size_t s = 0; s < levels.size(); ++s) {
                if (byLevel.size() <= levels[s]) byLevel.resize(levels[s] + 1);
                auto const first = static_cast<std::int32_t>(block.firstAtom + m * static_cast<std::int64_t>(size));
                byLevel[levels[s]].push_back(recordOf(types[t][s], first, weighted));
            }
    }
    if (byLevel.empty()) return;
    std::vector<SiteRecord> sites;
    for (std::vector<SiteRecord> const& level : byLevel) {
        levels_.push_back({static_cast<std::int32_t>(sites.size()), static_cast<std::int32_t>(level.size())});
        sites.insert(sites.end(), level.begin(), level.end());
    }
    sites_.upload(sites, stream);
    weighted_.upload(weighted, stream);
    failed_.upload({noSite}, stream);
}

void VirtualSites::construct(View<FractionVec> positions, physics::Box const& box)
{
    if (empty()) return;
    adaptTo(box);
    for (Level const level : levels_)
        launch<placeSites>(siteGrid(level.count), stream_, SiteViews{sites_.constView(), weighted_.constView(), level.first, level.count},
                           positions, box_.view(), failed_.view());
}

void VirtualSites::spread(View<FractionVec const> positions, physics::Box const& box, ForceTarget const& target)
{
    if (empty()) return;
    adaptTo(box);
    for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
        SiteViews const views{sites_.constView(), weighted_.constView(), level->first, level->count};
        if (target.wanted)
            launch<spreadSites<true>>(siteGrid(level->count), stream_, views, positions, box_.view(), target);
        else
            launch<spreadSites<false>>(siteGrid(level->count), stream_, views, positions, box_.view(), target);
    }
}

void VirtualSites::setVelocities(View<FractionVec const> positions, View<Vec3d> velocities, physics::Box const& box, double dt)
{
    if (empty()) return;
    adaptTo(box);
    if (back_.size() == 0) back_.resize(static_cast<std::size_t>(atomCount_));
    launch<stepBack>(siteGrid(atomCount_), stream_, static_cast<int>(atomCount_), positions, velocities, box_.view(), back_.view(), dt);
    construct(back_.view(), box);
    SiteViews const all{sites_.constView(), weighted_.constView(), 0, static_cast<int>(sites_.size())};
    launch<siteVelocities>(siteGrid(all.count), stream_, all, positions, back_.constView(), box_.view(), velocities, dt);
}

void VirtualSites::addDisplacedVirial(View<FractionVec const> given, View<FractionVec const> positions, physics::Box const& box,
                                      ForceTarget const& target)
{
    if (empty()) return;
    adaptTo(box);
    SiteViews const all{sites_.constView(), weighted_.constView(), 0, static_cast<int>(sites_.size())};
    launch<displacedVirial>(siteGrid(all.count), stream_, all, given, positions, box_.view(), target);
}

double VirtualSites::largestDisplacement(View<FractionVec const> given, View<FractionVec const> positions, physics::Box const& box)
{
    if (empty()) return 0;
    adaptTo(box);
    largest_.upload({0}, stream_);
    SiteViews const all{sites_.constView(), weighted_.constView(), 0, static_cast<int>(sites_.size())};
    launch<displacements>(siteGrid(all.count), stream_, all, given, positions, box_.view(), largest_.view());
    return std::bit_cast<double>(largest_.download(stream_).front());
}

void VirtualSites::check()
{
    if (!empty()) judge(failed_.download(stream_).front());
}

void VirtualSites::judge(std::int32_t failed) const
{
    if (failed == noSite) return;
    throw base::RunFailed("virtual site " + std::to_string(topology_.numberOf(failed) + 1) +
                          " has no place: the atoms that make it coincide or stand in line");
}

} // namespace alder::cuda
