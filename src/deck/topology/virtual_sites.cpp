// Virtual sites that are written without parameters: these follow from the bond lengths and angles that the molecule has anyway. The
// constructions are those of the GROMACS manual, "virtual interaction sites"; i is the site, j the atom it hangs on, k, l, m the others.

#include "deck/topology/draft.hpp"

#include "deck/mdp_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <tuple>

namespace alder::deck {

using system::Kind;

namespace {

constexpr double degree = std::numbers::pi / 180;

/// Thrown where the geometry that a construction needs is not in the topology.
struct NotDetermined {
    std::string what;
};

/// Lengths (nm) and angles (rad) that bonds, constraints and angles of a molecule fix.
class Geometry {
public:
    explicit Geometry(MoleculeDraft const& molecule)
    {
        for (Kind const kind : {Kind::bond, Kind::g96Bond, Kind::morse, Kind::cubicBond, Kind::constraint, Kind::constraintNoExclusion})
            for (Entry const& e : molecule.of(kind)) lengths_.try_emplace(std::minmax(e.atoms[0], e.atoms[1]), e.parameters[0]);
        for (Kind const kind :
             {Kind::angle, Kind::g96Angle, Kind::restrictedAngle, Kind::linearAngle, Kind::ureyBradley, Kind::quarticAngle})
            for (Entry const& e : molecule.of(kind))
                angles_.try_emplace({e.atoms[1], std::min(e.atoms[0], e.atoms[2]), std::max(e.atoms[0], e.atoms[2])},
                                    e.parameters[0] * degree);
    }
    [[nodiscard]] double length(std::int32_t a, std::int32_t b) const
    {
        auto const found = lengths_.find(std::minmax(a, b));
        if (found == lengths_.end()) throw NotDetermined{fmt::format("no bond between atoms {} and {}", a + 1, b + 1)};
        return found->second;
    }
    [[nodiscard]] double angle(std::int32_t a, std::int32_t b, std::int32_t c) const
    {
        auto const found = angles_.find({b, std::min(a, c), std::max(a, c)});
        if (found == angles_.end()) throw NotDetermined{fmt::format("no angle of atoms {} {} {}", a + 1, b + 1, c + 1)};
        return found->second;
    }

private:
    std::map<std::pair<std::int32_t, std::int32_t>, double> lengths_;
    std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t>, double> angles_;
};

/// An XH2 or XH3 group carried by two dummy masses k and l beside heavy atom j; X is the atom after the masses. In the frame of the axis
/// from j through the middle of the masses: masses at height dM and distance rM from the axis, a hydrogen at height dH and distance rH.
struct DummyGroup {
    std::int32_t x;
    double rM, dM, bondToX;
};

bool isDummyMass(ForceField const& forceField, system::Atom const& atom, std::string_view prefix)
{
    return canonical(forceField.atomTypes()[static_cast<std::size_t>(atom.type)].name).starts_with(prefix);
}

std::optional<DummyGroup> dummyGroup(MoleculeDraft const& molecule, ForceField const& forceField, Geometry const& g, Entry const& e)
{
    auto const [i, j, k, l, unused] = e.atoms;
    system::Atom const& atomK = molecule.atoms[static_cast<std::size_t>(k)];
    system::Atom const& atomL = molecule.atoms[static_cast<std::size_t>(l)];
    bool masses = false;
    for (std::string_view const prefix : {"mnh", "mch3"})
        masses = masses || (isDummyMass(forceField, atomK, prefix) && isDummyMass(forceField, atomL, prefix));
    if (!masses) return std::nullopt;
    double const bondToMass = g.length(j, k);
    if (g.length(j, l) != bondToMass) throw NotDetermined{"unequal bonds to the dummy masses"};
    DummyGroup group{std::max(k, l) + 1, 0.5 * g.length(k, l), 0, 0};
    group.dM = std::sqrt(bondToMass * bondToMass - group.rM * group.rM);
    group.bondToX = g.length(j, group.x);
    return group;
}

void planarSite(MoleculeDraft const& molecule, ForceField const& forceField, Geometry const& g, Entry& e)
{
    auto const group = dummyGroup(molecule, forceField, g, e);
    if (!group) throw NotDetermined{"only groups on dummy masses MNH* or MCH3* can be worked out"};
    auto const i = e.atoms[0], j = e.atoms[1];
    if (i == group->x) { // on the axis
        e.parameters[0] = e.parameters[1] = 0.5 * group->bondToX / group->dM;
        return;
    }
    double const bond = g.length(group->x, i), angle = g.angle(j, group->x, i);
    double const height = group->bondToX - bond * std::cos(angle), distance = bond * std::sin(angle);
    e.parameters[0] = 0.5 * (height / group->dM + distance / group->rM);
    e.parameters[1] = 0.5 * (height / group->dM - distance / group->rM);
}

/// r_i at distance |d| from j along the point on k-l that divides it as rk : rl, the distances of k and l from the line i-j.
void fixedDistanceSite(Geometry const& g, Entry& e)
{
    auto const [i, j, k, l, unused] = e.atoms;
    double const rk = g.length(j, k) * std::sin(g.angle(i, j, k)), rl = g.length(j, l) * std::sin(g.angle(i, j, l));
    e.parameters[0] = rk / (rk + rl);
    e.parameters[1] = -g.length(i, j);
}

void fixedAngleSite(Geometry const& g, Entry& e)
{
    auto const [i, j, k, l, unused] = e.atoms;
    double const angle = g.angle(i, j, k) / degree;
    e.parameters[0] = e.swapsParity ? 360 - angle : angle;
    e.parameters[1] = g.length(i, j);
}

/// r_i = r_j + a r_jk + b r_jl + c r_jk x r_jl. Projecting on r_jk and r_jl gives a and b from the angles, c takes the rest of |r_ij|.
void outOfPlaneSite(MoleculeDraft const& molecule, ForceField const& forceField, Geometry const& g, Entry& e)
{
    auto const [i, j, k, l, unused] = e.atoms;
    double a = 0, b = 0, c = 0;
    if (auto const group = dummyGroup(molecule, forceField, g, e)) {
        double const bond = g.length(group->x, i), angle = g.angle(j, group->x, i);
        double const height = group->bondToX - bond * std::cos(angle), distance = bond * std::sin(angle);
        // The three hydrogens stand at 120 degrees around the axis, one of them in the plane of the masses.
        double const across = distance * std::cos(30 * degree), along = distance * std::sin(30 * degree);
        a = 0.5 * (height / group->dM - along / group->rM);
        b = 0.5 * (height / group->dM + along / group->rM);
        c = across / (2 * group->dM * group->rM);
    } else {
        double const ij = g.length(i, j), jk = g.length(j, k), jl = g.length(j, l);
        double const onK = std::cos(g.angle(i, j, k)) * ij, onL = std::cos(g.angle(i, j, l)) * ij;
        double const cosine = std::cos(g.angle(k, j, l)), sine = std::sin(g.angle(k, j, l));
        a = (onK + (onK * cosine - onL) * cosine / (sine * sine)) / jk;
        b = (onL + (onL * cosine - onK) * cosine / (sine * sine)) / jl;
        double const inPlane = (onK * onK - 2 * onK * onL * cosine + onL * onL) / (sine * sine);
        c = -std::sqrt(ij * ij - inPlane) / (jk * jl * sine);
    }
    e.parameters[0] = a;
    e.parameters[1] = b;
    e.parameters[2] = e.swapsParity ? -c : c;
}

/// 4fd: r_i at distance |d| from j along r_jk + cl r_kl + cm r_km, whose parts across the line i-j must cancel.
void fourAtomSite(Geometry const& g, Entry& e)
{
    auto const [i, j, k, l, m] = e.atoms;
    double const ijk = g.angle(i, j, k), ijl = g.angle(i, j, l), ijm = g.angle(i, j, m);
    double const pk = g.length(j, k) * std::sin(ijk), pl = g.length(j, l) * std::sin(ijl), pm = g.length(j, m) * std::sin(ijm);
    double const cosKl = (std::cos(g.angle(k, j, l)) - std::cos(ijk) * std::cos(ijl)) / (std::sin(ijk) * std::sin(ijl));
    double const cosKm = (std::cos(g.angle(k, j, m)) - std::cos(ijk) * std::cos(ijm)) / (std::sin(ijk) * std::sin(ijm));
    if (!(std::fabs(cosKl) <= 1) || !(std::fabs(cosKm) <= 1))
        throw NotDetermined{"the angles around the central atom contradict each other"};
    double const sinKl = std::sqrt(1 - cosKl * cosKl), sinKm = std::sqrt(1 - cosKm * cosKm);
    e.parameters[0] = -pk / (pl * cosKl - pk + pl * sinKl * (pm * cosKm - pk) / (pm * sinKm));
    e.parameters[1] = -pk / (pm * cosKm - pk + pm * sinKm * (pl * cosKl - pk) / (pl * sinKl));
    e.parameters[2] = -g.length(i, j);
}

/// 4fdn: along the normal of the plane through r_jk, a r_jl and b r_jm, which lie at equal height on the line i-j.
void normalSite(Geometry const& g, Entry& e)
{
    auto const [i, j, k, l, m] = e.atoms;
    double const pk = -g.length(j, k) * std::cos(g.angle(i, j, k));
    double const pl = -g.length(j, l) * std::cos(g.angle(i, j, l));
    double const pm = -g.length(j, m) * std::cos(g.angle(i, j, m));
    e.parameters[0] = pk / pl;
    e.parameters[1] = pk / pm;
    e.parameters[2] = g.length(i, j);
}

void complete(Kind kind, MoleculeDraft const& molecule, ForceField const& forceField, Geometry const& g, Entry& e)
{
    switch (kind) {
    case Kind::virtualSite3: planarSite(molecule, forceField, g, e); break;
    case Kind::virtualSite3fd: fixedDistanceSite(g, e); break;
    case Kind::virtualSite3fad: fixedAngleSite(g, e); break;
    case Kind::virtualSite3out: outOfPlaneSite(molecule, forceField, g, e); break;
    case Kind::virtualSite4fd: fourAtomSite(g, e); break;
    case Kind::virtualSite4fdn: normalSite(g, e); break;
    default: throw NotDetermined{"this construction has no geometry to follow from"};
    }
    for (int p = 0; p < system::infoOf(kind).parameters; ++p)
        if (!std::isfinite(e.parameters[static_cast<std::size_t>(p)]))
            throw NotDetermined{"the bond lengths and angles contradict each other"};
    e.open = false;
}

} // namespace

void completeVirtualSites(MoleculeDraft& molecule, ForceField const& forceField, SourceText const& text, base::FaultList& faults)
{
    std::optional<Geometry> geometry;
    for (std::size_t k = 0; k < system::kindCount; ++k) {
        auto const kind = static_cast<Kind>(k);
        if (!rulesOf(kind).isVirtualSite) continue;
        for (Entry& entry : molecule.entries[k]) {
            if (!entry.open) continue;
            if (!geometry) geometry.emplace(molecule);
            try {
                complete(kind, molecule, forceField, *geometry, entry);
            } catch (NotDetermined const& reason) {
                faults.refuse(
                    placeOf(text, entry),
                    fmt::format("a {} of atom {} without parameters: {}", system::infoOf(kind).name, entry.atoms[0] + 1, reason.what),
                    "write its parameters");
            }
        }
    }
}

} // namespace alder::deck
