#include "domain/parts/dipole_parts.hpp"

#include "domain/atom_index.hpp"

namespace alder::domain {

DipoleParts::DipoleParts(system::Topology const& whole, plan::Surroundings surroundings) : whole_(whole)
{
    if (surroundings == plan::Surroundings::slab) return;
    for (system::MoleculeType const& type : whole.types) {
        auto& byKeeper = kept_.emplace_back(type.atoms.size());
        for (system::DipoleArm const& arm : system::dipoleArmsOf(type))
            if (arm.carried != 0) byKeeper[static_cast<std::size_t>(arm.link.keeper)].push_back(arm);
    }
}

/// An arm is the rank's that moves its keeper: that rank sees the atom at the other end, for the term that binds them is computed there.
DipolePart DipoleParts::of(system::Topology const& part) const
{
    DipolePart found;
    AtomIndex const index(part.part.numbers);
    auto const here = [&](std::int64_t number) {
        return part.part.whole == nullptr ? static_cast<std::int32_t>(number) : index.find(static_cast<std::int32_t>(number));
    };
    for (std::int64_t i = 0; i < part.homeCount(); ++i) {
        std::int64_t const number = part.numberOf(i);
        system::MoleculeBlock const& block = blockOf(whole_.blocks, number);
        auto const type = static_cast<std::size_t>(block.type);
        std::vector<system::Atom> const& atoms = whole_.types[type].atoms;
        std::int64_t const within = (number - block.firstAtom) % static_cast<std::int64_t>(atoms.size()), first = number - within;
        found.charges.push_back(atoms[static_cast<std::size_t>(within)].charge);
        if (kept_.empty()) continue;
        for (system::DipoleArm const& arm : kept_[type][static_cast<std::size_t>(within)])
            found.arms.push_back({here(first + arm.link.atom), arm.link.from < 0 ? -1 : here(first + arm.link.from), arm.carried});
    }
    return found;
}

} // namespace alder::domain
