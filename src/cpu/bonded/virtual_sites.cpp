#include "cpu/bonded/virtual_sites.hpp"

#include "base/error.hpp"
#include "physics/virtual_site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace alder::cpu {

using bonded::VirtualSite;
using math::Vec3d;
using system::Kind;

namespace {

/// Arms r_j - r_i, r_k - r_i, r_l - r_i of a construction.
struct Arms {
    Vec3d of[3];
    Arms(VirtualSite const& site, std::int64_t first, math::FractionVec const* positions, physics::Box const& box)
    {
        math::FractionVec const base = positions[first + site.atoms[0]];
        for (std::size_t n = 1; n < site.atoms.size() && n <= 3; ++n) of[n - 1] = box.difference(positions[first + site.atoms[n]], base);
    }
};

/// Calls act with the construction of a kind.
template <class Act> void withConstruction(Kind kind, Act&& act)
{
    switch (kind) {
    case Kind::virtualSite2: act(physics::SiteOnLine{}); break;
    case Kind::virtualSite2fd: act(physics::SiteAtDistance{}); break;
    case Kind::virtualSite3: act(physics::SiteInPlane{}); break;
    case Kind::virtualSite3fd: act(physics::SiteInPlaneAtDistance{}); break;
    case Kind::virtualSite3fad: act(physics::SiteAtAngle{}); break;
    case Kind::virtualSite3out: act(physics::SiteOutOfPlane{}); break;
    case Kind::virtualSite4fdn: act(physics::SiteOnNormal{}); break;
    default: act(physics::SiteOnAtom{}); break;
    }
}

/// r_site - r_i.
Vec3d placeOf(VirtualSite const& site, std::int64_t first, math::FractionVec const* positions, physics::Box const& box)
{
    if (site.kind == Kind::virtualSiteN) {
        Vec3d sum;
        for (std::size_t n = 1; n < site.atoms.size(); ++n)
            sum += site.weights[n] * box.difference(positions[first + site.atoms[n]], positions[first + site.atoms[0]]);
        return sum;
    }
    Arms const arms(site, first, positions, box);
    Vec3d place;
    withConstruction(site.kind, [&](auto construction) { place = construction.place(arms.of, site.parameters.data()); });
    return place;
}

/// A sum of many forces may exceed the largest single term, so nothing is clamped while it fits.
std::int64_t unitsOf(double force)
{
    double const scaled = force * math::forceScale;
    return std::fabs(scaled) < 0x1p62 ? static_cast<std::int64_t>(std::llrint(scaled)) : math::roundedTerm(scaled);
}

/// Gives `force` to atom `to` and takes the same integers from `left`.
void hand(math::ForceUnits& left, math::ForceUnits& to, Vec3d force)
{
    math::ForceUnits const units{unitsOf(force.x), unitsOf(force.y), unitsOf(force.z)};
    to += units;
    left -= units;
}

void spreadOne(VirtualSite const& site, std::int64_t first, math::FractionVec const* positions, physics::Box const& box,
               math::ForceUnits* forces, math::FixedTensor* virial)
{
    math::ForceUnits left = forces[first + site.site];
    forces[first + site.site] = {};
    Vec3d const force = math::forceValue(left);
    if (site.kind == Kind::virtualSiteN) {
        for (std::size_t n = 1; n < site.atoms.size(); ++n) hand(left, forces[first + site.atoms[n]], site.weights[n] * force);
    } else {
        Arms const arms(site, first, positions, box);
        withConstruction(site.kind, [&](auto construction) {
            Vec3d to[3];
            construction.spread(arms.of, site.parameters.data(), force, to);
            for (std::size_t n = 0; n < decltype(construction)::arms; ++n) hand(left, forces[first + site.atoms[n + 1]], to[n]);
            if (!virial) return;
            math::Mat3d moved = -1.0 * outer(construction.place(arms.of, site.parameters.data()), force);
            for (std::size_t n = 0; n < decltype(construction)::arms; ++n) moved = moved + outer(arms.of[n], to[n]);
            virial->add(-0.5 * moved);
        });
    }
    forces[first + site.atoms[0]] += left;
}

} // namespace

VirtualSites::VirtualSites(system::Topology const& topology, int threads) : topology_(topology), threads_(threads)
{
    for (system::MoleculeType const& type : topology.types) types_.push_back(bonded::virtualSitesOf(topology, type));
    for (system::MoleculeBlock const& block : topology.blocks) {
        auto const type = static_cast<std::size_t>(block.type);
        if (types_[type].empty() || block.count == 0) continue;
        runs_.push_back({type, block.firstAtom, block.count, static_cast<std::int64_t>(topology.types[type].atoms.size())});
    }
}

template <class Visit> void VirtualSites::forEachSite(Visit&& visit) const
{
    for (Run const& run : runs_)
        for (std::int64_t m = 0; m < run.copies; ++m)
            for (VirtualSite const& site : types_[run.type]) visit(static_cast<std::size_t>(run.firstAtom + m * run.stride + site.site));
}

void VirtualSites::construct(std::vector<math::FractionVec>& positions, physics::Box const& box) const
{
    std::int64_t failed = -1; // the lowest site without a place
    for (Run const& run : runs_) {
#pragma omp parallel for num_threads(threads_) schedule(static)
        for (std::int64_t m = 0; m < run.copies; ++m) {
            std::int64_t const first = run.firstAtom + m * run.stride;
            for (VirtualSite const& site : types_[run.type]) {
                Vec3d const place = placeOf(site, first, positions.data(), box);
                if (std::isfinite(norm2(place))) {
                    positions[static_cast<std::size_t>(first + site.site)] =
                        math::wrappingSum(positions[static_cast<std::size_t>(first + site.atoms[0])], box.toFractionStep(place));
                    continue;
                }
#pragma omp critical(virtualSiteFailed)
                failed = failed < 0 ? first + site.site : std::min(failed, first + site.site);
            }
        }
    }
    if (failed < 0) return;
    throw base::RunFailed(
        fmt::format("virtual site {} has no place: the atoms that make it coincide or stand in line", topology_.numberOf(failed) + 1));
}

void VirtualSites::setVelocities(std::vector<math::FractionVec> const& positions, std::vector<Vec3d>& velocities, physics::Box const& box,
                                 double dt) const
{
    std::vector<math::FractionVec> back = positions;
    for (std::size_t i = 0; i < back.size(); ++i) back[i] = math::wrappingSum(back[i], box.toFractionStep(-dt * velocities[i]));
    construct(back, box);
    forEachSite([&](std::size_t site) { velocities[site] = (1.0 / dt) * box.difference(positions[site], back[site]); });
}

void VirtualSites::addDisplacedVirial(std::vector<math::FractionVec> const& given, std::vector<math::FractionVec> const& positions,
                                      physics::Box const& box, std::vector<math::ForceUnits> const& forces, math::FixedTensor& virial) const
{
    forEachSite(
        [&](std::size_t site) { virial.add(-0.5 * outer(box.difference(positions[site], given[site]), math::forceValue(forces[site]))); });
}

double VirtualSites::largestDisplacement(std::vector<math::FractionVec> const& given, std::vector<math::FractionVec> const& positions,
                                         physics::Box const& box) const
{
    double largest = 0;
    forEachSite([&](std::size_t site) { largest = std::max(largest, norm(box.difference(positions[site], given[site]))); });
    return largest;
}

void VirtualSites::spread(std::vector<math::FractionVec> const& positions, physics::Box const& box, std::vector<math::ForceUnits>& forces,
                          system::ForceSums* sums) const
{
    for (Run const& run : runs_) {
#pragma omp parallel num_threads(threads_)
        {
            math::FixedTensor virial;
#pragma omp for schedule(static)
            for (std::int64_t m = 0; m < run.copies; ++m) {
                std::int64_t const first = run.firstAtom + m * run.stride;
                std::vector<VirtualSite> const& sites = types_[run.type];
                for (auto site = sites.rbegin(); site != sites.rend(); ++site)
                    spreadOne(*site, first, positions.data(), box, forces.data(), sums ? &virial : nullptr);
            }
            if (sums) {
#pragma omp critical(virtualSiteVirial)
                sums->virial.add(virial);
            }
        }
    }
}

} // namespace alder::cpu
