#include "deck/mass_repartition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace alder::deck {

namespace {

using system::Kind;

/// What GROMACS calls a chemical bond.
constexpr std::array bonds{Kind::bond,        Kind::g96Bond, Kind::morse,         Kind::cubicBond,
                           Kind::connectBond, Kind::fene,    Kind::tabulatedBond, Kind::constraint};

constexpr std::int32_t none = -1, several = -2;

void pair(std::int32_t& partner, std::int32_t with) { partner = partner == none ? with : several; }

/// The atom that each is bound to.
std::vector<std::int32_t> partnersIn(system::MoleculeType const& type)
{
    std::vector<std::int32_t> partner(type.atoms.size(), none);
    auto const bind = [&](std::int32_t a, std::int32_t b) {
        pair(partner[static_cast<std::size_t>(a)], b);
        pair(partner[static_cast<std::size_t>(b)], a);
    };
    for (Kind const kind : bonds) {
        std::vector<std::int32_t> const& atoms = type.of(kind).atoms;
        for (std::size_t k = 0; k + 1 < atoms.size(); k += 2) bind(atoms[k], atoms[k + 1]);
    }
    std::vector<std::int32_t> const& waters = type.of(Kind::settle).atoms;
    for (std::size_t k = 0; k + 2 < waters.size(); k += 3) {
        bind(waters[k], waters[k + 1]);
        bind(waters[k], waters[k + 2]);
    }
    return partner;
}

double lightest(system::Topology const& topology)
{
    double mass = std::numeric_limits<double>::max();
    for (system::MoleculeBlock const& block : topology.blocks)
        for (system::Atom const& atom : topology.types[static_cast<std::size_t>(block.type)].atoms)
            if (atom.mass > 0) mass = std::min(mass, atom.mass);
    return mass;
}

/// The first of a kind of trouble, and how many there are.
struct Trouble {
    std::int64_t count = 0;
    std::string first;
    void at(system::MoleculeType const& type, std::size_t atom)
    {
        if (count++ == 0) first = fmt::format("atom {} ({}) of molecule type {}", atom + 1, type.atoms[atom].name, type.name);
    }
};

} // namespace

void repartitionMasses(plan::RunOptions const& options, system::Topology& topology, base::FaultList& faults)
{
    double const factor = options.massRepartitionFactor;
    base::Place const place = options.placeOf("mass-repartition-factor");
    if (!(factor >= 1)) {
        faults.refuse(place, fmt::format("mass-repartition-factor is {}", factor),
                      "write 1 for none, or more; 3 serves a time step of 4 fs");
        return;
    }
    if (factor == 1 || topology.atomCount == 0) return;
    double const least = factor * lightest(topology);
    Trouble unbound, bridging, poor;
    for (system::MoleculeType& type : topology.types) {
        if (std::none_of(topology.blocks.begin(), topology.blocks.end(), [&](auto const& block) {
                return block.count > 0 && &topology.types[static_cast<std::size_t>(block.type)] == &type;
            }))
            continue;
        std::vector<std::int32_t> const partners = partnersIn(type);
        std::vector<system::Atom> const before = type.atoms;
        for (std::size_t i = 0; i < before.size(); ++i) {
            double const mass = before[i].mass;
            if (!(mass > 0 && mass < least)) continue;
            if (partners[i] == none) {
                unbound.at(type, i);
            } else if (partners[i] == several) {
                bridging.at(type, i);
            } else {
                auto const heavy = static_cast<std::size_t>(partners[i]);
                type.atoms[i].mass = least;
                type.atoms[heavy].mass -= least - mass;
                if (before[heavy].mass - (least - mass) < least || type.atoms[heavy].mass < least) poor.at(type, heavy);
            }
        }
    }
    if (unbound.count > 0)
        faults.warn(place,
                    fmt::format("{} atoms are lighter than {:.6g} u and have no bond, first {}", unbound.count, least, unbound.first),
                    "their masses stay as they are");
    if (bridging.count > 0)
        faults.refuse(
            place,
            fmt::format("{} atoms are lighter than {:.6g} u and have several bonds, first {}", bridging.count, least, bridging.first),
            "write a smaller mass-repartition-factor, or change masses in the topology");
    if (poor.count > 0)
        faults.refuse(place,
                      fmt::format("{} would become lighter than {:.6g} u, as light as the atoms that its mass goes to", poor.first, least),
                      "write a smaller mass-repartition-factor");
}

} // namespace alder::deck
