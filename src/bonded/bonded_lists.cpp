#include "bonded/bonded_lists.hpp"

#include "plan/supported.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace alder::bonded {

using system::Kind;
using system::ParameterSet;

namespace {

/// Cost of a term in arbitrary units. Only the balance of shares depends on it.
double costOf(Kind kind)
{
    int const atoms = system::infoOf(kind).atoms;
    return atoms <= 2 ? 2 : atoms == 3 ? 5 : atoms == 4 ? 7 : 14;
}

bool isPair(Kind kind) { return kind == Kind::pair14 || kind == Kind::pair14Charges || kind == Kind::pairNonbonded; }

/// Pairs carry the product of their charges in their parameters; equal sets are stored once.
class PairSets {
public:
    explicit PairSets(std::vector<ParameterSet>& sets) : sets_(sets) {}
    std::int32_t indexOf(ParameterSet const& set)
    {
        auto const [at, added] = known_.try_emplace(std::tuple(set[0], set[1], set[2]), static_cast<std::int32_t>(sets_.size()));
        if (added) sets_.push_back(set);
        return at->second;
    }

private:
    std::vector<ParameterSet>& sets_;
    std::map<std::tuple<double, double, double>, std::int32_t> known_;
};

} // namespace

/// The plan's table is the only statement of what is computed: a second one could let a kind pass that no list holds.
bool isListed(Kind kind) { return plan::treatmentOf(kind) == plan::Treatment::force; }

BondedLists::BondedLists(system::Topology const& topology, double electricFactor, KindSet const& kinds)
    : kinds_(kinds),
      blocks_(topology.blocks),
      references_(topology.restraintReference),
      fractions_(topology.restraintFractions),
      atomCount_(topology.atomCount)
{
    for (std::size_t k = 0; k < system::kindCount; ++k) {
        auto const kind = static_cast<Kind>(k);
        kinds_[k] = kinds_[k] && isListed(kind);
        if (!kinds_[k] || isPair(kind)) continue;
        for (ParameterSet const& set : topology.parametersOf(kind)) parameters_[k].push_back(prepare(kind, set));
    }
    for (std::vector<double> const& grid : topology.cmapGrids) cmaps_.push_back(makeCmapTable(grid));
    for (system::MoleculeType const& type : topology.types) addType(topology, type, electricFactor);
    for (system::MoleculeBlock const& block : blocks_)
        totalCost_ += static_cast<double>(block.count) * types_[static_cast<std::size_t>(block.type)].costBefore.back();
}

void BondedLists::addType(system::Topology const& topology, system::MoleculeType const& type, double electricFactor)
{
    TypeTerms terms;
    terms.costBefore.assign(type.atoms.size() + 1, 0.0);
    for (std::size_t k = 0; k < system::kindCount; ++k) {
        auto const kind = static_cast<Kind>(k);
        system::InteractionList const& written = type.of(kind);
        if (!kinds_[k] || written.size() == 0) continue;
        TermList list{kind, system::infoOf(kind).atoms, written.atoms, written.parameters};
        auto const width = static_cast<std::size_t>(list.atomsPerTerm);
        if (isPair(kind)) {
            double const factor = kind == Kind::pair14 ? electricFactor * topology.nonbonded.fudgeQQ : electricFactor;
            PairSets sets(parameters_[k]);
            for (std::size_t e = 0; e < written.size(); ++e) {
                double const qq = type.atoms[static_cast<std::size_t>(written.atoms[2 * e])].charge *
                                  type.atoms[static_cast<std::size_t>(written.atoms[2 * e + 1])].charge;
                ParameterSet const& set = topology.parametersOf(kind)[static_cast<std::size_t>(written.parameters[e])];
                list.parameters[e] = sets.indexOf(preparePair(kind, set, factor, qq));
            }
        }
        for (std::size_t e = 0; e < written.size(); ++e)
            terms.costBefore[static_cast<std::size_t>(written.atoms[e * width]) + 1] += costOf(kind);
        terms.lists.push_back(std::move(list));
    }
    for (std::size_t i = 1; i < terms.costBefore.size(); ++i) terms.costBefore[i] += terms.costBefore[i - 1];
    types_.push_back(std::move(terms));
    sizes_.push_back(static_cast<std::int64_t>(type.atoms.size()));
}

/// The first atom before which the terms cost at least `cost`.
std::int64_t BondedLists::atomAtCost(double cost) const
{
    for (system::MoleculeBlock const& block : blocks_) {
        auto const t = static_cast<std::size_t>(block.type);
        std::vector<double> const& before = types_[t].costBefore;
        double const each = before.back();
        double const all = each * static_cast<double>(block.count);
        if (cost > all) {
            cost -= all;
            continue;
        }
        if (each == 0) return block.firstAtom;
        auto const molecule = std::min(static_cast<std::int64_t>(cost / each), block.count - 1);
        double const rest = cost - each * static_cast<double>(molecule);
        auto const atom = std::lower_bound(before.begin(), before.end(), rest) - before.begin();
        return block.firstAtom + molecule * sizes_[t] + std::min<std::int64_t>(atom, sizes_[t]);
    }
    return atomCount_;
}

std::vector<Share> BondedLists::share(int count)
{
    std::vector<Share> shares(static_cast<std::size_t>(count));
    std::int64_t begin = 0;
    for (int s = 0; s < count; ++s) {
        Share& share = shares[static_cast<std::size_t>(s)];
        std::int64_t const end = s + 1 == count ? atomCount_ : std::max(begin, atomAtCost(totalCost_ * (s + 1) / count));
        share.ownBegin = begin;
        share.ownEnd = end;
        share.atomBegin = end;
        share.atomEnd = begin;
        for (system::MoleculeBlock const& block : blocks_) {
            std::int64_t const size = sizes_[static_cast<std::size_t>(block.type)];
            if (size == 0 || types_[static_cast<std::size_t>(block.type)].lists.empty()) continue;
            std::int64_t const low = std::max(begin, block.firstAtom) - block.firstAtom;
            std::int64_t const high = std::min(end, block.firstAtom + block.count * size) - block.firstAtom;
            if (low >= high) continue;
            std::int64_t const firstWhole = (low + size - 1) / size, endWhole = high / size;
            if (firstWhole > 0 && low % size != 0) addPart(share, block, firstWhole - 1);
            if (endWhole > firstWhole) addRuns(share, block, firstWhole, endWhole - firstWhole);
            if (high % size != 0 && endWhole >= firstWhole) addPart(share, block, endWhole);
        }
        begin = end;
    }
    return shares;
}

void BondedLists::addRuns(Share& share, system::MoleculeBlock const& block, std::int64_t molecule, std::int64_t copies)
{
    auto const t = static_cast<std::size_t>(block.type);
    std::int64_t const first = block.firstAtom + molecule * sizes_[t];
    for (TermList const& list : types_[t].lists) share.runs.push_back({&list, first, copies, sizes_[t]});
    share.atomBegin = std::min(share.atomBegin, first);
    share.atomEnd = std::max(share.atomEnd, first + copies * sizes_[t]);
}

/// The terms of one molecule that begin at atoms of this share.
void BondedLists::addPart(Share& share, system::MoleculeBlock const& block, std::int64_t molecule)
{
    auto const t = static_cast<std::size_t>(block.type);
    std::int64_t const first = block.firstAtom + molecule * sizes_[t];
    for (TermList const& list : types_[t].lists) {
        TermList part{list.kind, list.atomsPerTerm, {}, {}};
        for (std::int64_t e = 0; e < list.size(); ++e) {
            auto const atoms = list.atoms.begin() + e * list.atomsPerTerm;
            std::int64_t const begins = first + *atoms;
            if (begins < share.ownBegin || begins >= share.ownEnd) continue;
            part.atoms.insert(part.atoms.end(), atoms, atoms + list.atomsPerTerm);
            part.parameters.push_back(list.parameters[static_cast<std::size_t>(e)]);
        }
        if (part.size() == 0) continue;
        auto const [low, high] = std::minmax_element(part.atoms.begin(), part.atoms.end());
        share.atomBegin = std::min(share.atomBegin, first + *low);
        share.atomEnd = std::max(share.atomEnd, first + *high + 1);
        share.runs.push_back({&parts_.emplace_back(std::move(part)), first, 1, sizes_[t]});
    }
}

} // namespace alder::bonded
