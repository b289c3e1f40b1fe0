#include "domain/decomposition.hpp"

#include "domain/atom_index.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace alder::domain {

namespace {

/// An atom on its way to another rank.
struct Mover {
    std::int32_t number;
    math::FractionVec position;
    math::Vec3d velocity;
};

std::size_t size(int n) { return static_cast<std::size_t>(n); }

} // namespace

HomeAtoms atomsOf(system::State const& start, Communicator const& ranks)
{
    HomeAtoms atoms;
    if (!ranks.first()) return atoms;
    atoms.positions = start.positions;
    atoms.velocities = start.velocities;
    atoms.velocities.resize(atoms.positions.size());
    atoms.numbers.resize(atoms.positions.size());
    std::iota(atoms.numbers.begin(), atoms.numbers.end(), 0);
    return atoms;
}

Decomposition::Decomposition(Communicator& ranks, system::Topology const& whole, DomainCounts domains, ColumnNeeds const& columns)
    : ranks_(ranks),
      whole_(whole),
      units_(whole),
      domains_(domains),
      columns_(columns)
{
    // atom by atom, in order: a sum that every run of the system has the same bits of
    system::forEachAtom(whole, [&](system::Atom const& atom, std::int64_t) { wholeMass_ += atom.mass; });
}

Share Decomposition::redistribute(HomeAtoms atoms, physics::Box const& box, std::int64_t costPerAtom)
{
    assignCells(atoms, box, costPerAtom);
    atoms = migrate(std::move(atoms));

    PartTopology part(whole_, units_, atoms.numbers);
    std::size_t const home = atoms.numbers.size();
    Share share;
    {
        // from the order of numbers to that of the part
        AtomIndex const index(atoms.numbers);
        share.positions.reserve(home);
        share.velocities.reserve(home);
        for (std::int32_t const number : part.home()) {
            auto const at = static_cast<std::size_t>(index.find(number));
            share.positions.push_back(atoms.positions[at]);
            share.velocities.push_back(atoms.velocities[at]);
        }
    }
    atoms = {};

    std::vector<std::vector<std::int32_t>> const lent = lend(part.home(), share.positions, askForPartners(part));
    std::vector<std::vector<std::int32_t>> numbers(lent.size());
    for (std::size_t r = 0; r < lent.size(); ++r)
        for (std::int32_t const atom : lent[r]) numbers[r].push_back(part.home()[static_cast<std::size_t>(atom)]);
    std::vector<std::vector<std::int32_t>> const borrowed = ranks_.exchange(numbers);

    std::vector<std::int32_t> const& partners = part.partners();
    std::vector<std::int32_t> seen;
    std::vector<Halo::Peer> peers;
    std::size_t found = 0;
    for (std::size_t r = 0; r < lent.size(); ++r) {
        if (lent[r].empty() && borrowed[r].empty()) continue;
        Halo::Peer& peer = peers.emplace_back();
        peer.rank = static_cast<int>(r);
        peer.lent = lent[r];
        for (std::int32_t const number : borrowed[r]) {
            auto const partner = std::lower_bound(partners.begin(), partners.end(), number);
            bool const isPartner = partner != partners.end() && *partner == number;
            found += isPartner ? 1 : 0;
            peer.borrowed.push_back(static_cast<std::int32_t>(
                home + (isPartner ? size(static_cast<int>(partner - partners.begin())) : partners.size() + seen.size())));
            if (!isPartner) seen.push_back(number);
        }
    }
    if (found != partners.size())
        throw base::RunFailed("an atom that a bonded term needs has not come: a fault of alder, please report it");

    share.halo = Halo(ranks_, std::move(peers));
    share.topology = std::move(part).finish(seen, wholeMass_);
    auto const all = static_cast<std::size_t>(share.topology.atomCount);
    share.positions.resize(all);
    share.velocities.resize(all);
    share.halo.exchangePositions(share.positions);
    for (std::vector<std::int32_t> const& by : seenBy_)
        share.roles.push_back(std::binary_search(by.begin(), by.end(), ranks_.rank()) ? ColumnRole::met : ColumnRole::none);
    for (std::size_t c = 0; c < owners_.size(); ++c)
        if (owners_[c] == ranks_.rank()) share.roles[c] = ColumnRole::searched;
    return share;
}

void Decomposition::assignCells(HomeAtoms const& atoms, physics::Box const& box, std::int64_t costPerAtom)
{
    CellGrid const grid = chooseCells(box, columns_);
    if (!domains_.fit(grid))
        throw base::RunFailed(fmt::format("the box has become too small for {} domains: {} are the most it holds now; go on from "
                                          "the checkpoint on fewer ranks",
                                          describe(domains_), describe(most(grid))));
    std::vector<std::int64_t> weight(size(grid.count()), 0);
    for (math::FractionVec const f : atoms.positions) weight[size(grid.cellOf(f))] += std::max<std::int64_t>(1, costPerAtom);
    ranks_.sum(weight);
    grid_ = grid;
    owners_ = ownersOf(grid, domains_, weight);
    CellReach const reach(grid, box, columns_.listCutoff);
    seenBy_.assign(size(grid.count()), {});
    for (int cell = 0; cell < grid.count(); ++cell) {
        std::vector<std::int32_t>& by = seenBy_[size(cell)];
        for (int const from : reach.searchedFrom(cell)) by.push_back(owners_[size(from)]);
        std::sort(by.begin(), by.end());
        by.erase(std::unique(by.begin(), by.end()), by.end());
    }
}

HomeAtoms Decomposition::migrate(HomeAtoms atoms)
{
    AtomIndex const index(atoms.numbers);
    std::vector<std::vector<Mover>> movers(size(ranks_.size()));
    for (std::size_t i = 0; i < atoms.numbers.size(); ++i) {
        std::int32_t const number = atoms.numbers[i];
        auto const anchor = static_cast<std::size_t>(index.find(units_.anchorOf(number)));
        std::int32_t const owner = owners_[size(grid_.cellOf(atoms.positions[anchor]))];
        movers[static_cast<std::size_t>(owner)].push_back({number, atoms.positions[i], atoms.velocities[i]});
    }
    atoms = {};
    movers = ranks_.exchange(movers);
    std::vector<Mover> all;
    for (std::vector<Mover>& from : movers) {
        all.insert(all.end(), from.begin(), from.end());
        std::vector<Mover>().swap(from);
    }
    std::sort(all.begin(), all.end(), [](Mover const& a, Mover const& b) { return a.number < b.number; });
    for (Mover const& mover : all) {
        atoms.numbers.push_back(mover.number);
        atoms.positions.push_back(mover.position);
        atoms.velocities.push_back(mover.velocity);
    }
    return atoms;
}

/// By rank: the home atoms here that terms there need. Who has an atom is known to the rank whose turn its number is, so that no rank needs
/// a list of all.
std::vector<std::vector<std::int32_t>> Decomposition::askForPartners(PartTopology const& part)
{
    auto const ranks = size(ranks_.size());
    std::vector<std::vector<std::int32_t>> asked(ranks);
    if (units_.allSingle()) return asked;
    std::int64_t const turn = (whole_.atomCount + ranks_.size() - 1) / ranks_.size();
    auto const keeperOf = [&](std::int32_t number) { return static_cast<std::size_t>(number / turn); };

    std::vector<std::vector<std::int32_t>> told(ranks), wanted(ranks), answers(ranks);
    for (std::int32_t const number : part.home())
        if (!units_.of(blockOf(whole_.blocks, number).type).single) told[keeperOf(number)].push_back(number);
    for (std::int32_t const number : part.partners()) wanted[keeperOf(number)].push_back(number);
    told = ranks_.exchange(told);
    std::vector<std::vector<std::int32_t>> const questions = ranks_.exchange(wanted);

    std::int64_t const first = turn * ranks_.rank();
    std::vector<std::int32_t> homes(static_cast<std::size_t>(turn), -1);
    for (std::size_t r = 0; r < ranks; ++r)
        for (std::int32_t const number : told[r]) homes[static_cast<std::size_t>(number - first)] = static_cast<std::int32_t>(r);
    for (std::size_t r = 0; r < ranks; ++r)
        for (std::int32_t const number : questions[r]) answers[r].push_back(homes[static_cast<std::size_t>(number - first)]);
    answers = ranks_.exchange(answers);
    for (std::size_t keeper = 0; keeper < ranks; ++keeper)
        for (std::size_t n = 0; n < wanted[keeper].size(); ++n)
            asked[static_cast<std::size_t>(answers[keeper][n])].push_back(wanted[keeper][n]);
    asked = ranks_.exchange(asked);
    AtomIndex const index(part.home());
    for (std::vector<std::int32_t>& numbers : asked)
        for (std::int32_t& number : numbers) number = index.find(number);
    return asked;
}

std::vector<std::vector<std::int32_t>> Decomposition::lend(std::vector<std::int32_t> const& home,
                                                           std::vector<math::FractionVec> const& positions,
                                                           std::vector<std::vector<std::int32_t>> const& asked) const
{
    std::vector<std::vector<std::int32_t>> lent = asked;
    for (std::size_t i = 0; i < home.size(); ++i)
        for (std::int32_t const rank : seenBy_[size(grid_.cellOf(positions[i]))])
            if (rank != ranks_.rank()) lent[static_cast<std::size_t>(rank)].push_back(static_cast<std::int32_t>(i));
    for (std::vector<std::int32_t>& atoms : lent) {
        std::sort(atoms.begin(), atoms.end());
        atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
    }
    return lent;
}

} // namespace alder::domain
