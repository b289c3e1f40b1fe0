#include "pairs/atom_table.hpp"

#include "physics/dispersion_ewald.hpp"

#include <cmath>
#include <map>
#include <utility>

namespace alder::pairs {

AtomTable::AtomTable(system::Topology const& topology, plan::PairPlan const& plan)
{
    std::vector<int> merged;
    mergeTypes(topology, merged);
    gridC6_.assign(c6_.size(), 0);
    if (plan.vdw == plan::VdwForm::ewald) setGridC6(plan.gridCombination);

    std::map<std::pair<double, int>, std::int32_t> known;
    for (system::MoleculeType const& type : topology.types) {
        std::vector<std::int32_t>& list = kindsOfType_.emplace_back();
        for (system::Atom const& atom : type.atoms) {
            std::pair const key{atom.charge, merged[static_cast<std::size_t>(atom.type)]};
            auto const [place, isNew] = known.try_emplace(key, static_cast<std::int32_t>(kinds_.size()));
            if (isNew) kinds_.push_back({key.first, key.second});
            list.push_back(place->second);
        }
        exclusions_.push_back({type.exclusionStart, type.exclusions});
        if (exclusions_.back().start.empty()) exclusions_.back().start.assign(type.atoms.size() + 1, 0);
    }
    wholeCount_ = topology.atomCount;
    kindOf_.reserve(static_cast<std::size_t>(topology.atomCount));
    for (system::MoleculeBlock const& block : topology.blocks) {
        std::vector<std::int32_t> const& list = kindsOfType_[static_cast<std::size_t>(block.type)];
        if (list.empty() || block.count == 0) continue;
        blocks_.push_back(block);
        double square = 0;
        for (std::int32_t const k : list) square += kinds_[static_cast<std::size_t>(k)].charge * kinds_[static_cast<std::size_t>(k)].charge;
        chargeSquareSum_ += square * static_cast<double>(block.count);
        for (std::int64_t m = 0; m < block.count; ++m) kindOf_.insert(kindOf_.end(), list.begin(), list.end());
    }
    judgeGeometric();
}

void AtomTable::takePart(system::PartOfSystem const& part)
{
    numbers_ = part.numbers;
    index_ = domain::AtomIndex(numbers_);
    std::vector<std::int32_t> kinds;
    kinds.reserve(numbers_.size());
    for (std::int32_t const number : numbers_) {
        system::MoleculeBlock const& block = domain::blockOf(blocks_, number);
        std::vector<std::int32_t> const& list = kindsOfType_[static_cast<std::size_t>(block.type)];
        kinds.push_back(list[static_cast<std::size_t>(number - block.firstAtom) % list.size()]);
    }
    kindOf_.swap(kinds);
}

void AtomTable::mergeTypes(system::Topology const& topology, std::vector<int>& merged)
{
    system::Nonbonded const& all = topology.nonbonded;
    auto const count = static_cast<std::size_t>(all.typeCount);
    std::vector<char> used(count, 0);
    for (system::MoleculeType const& type : topology.types)
        for (system::Atom const& atom : type.atoms) used[static_cast<std::size_t>(atom.type)] = 1;

    auto const same = [&](std::size_t a, std::size_t b) {
        for (std::size_t k = 0; k < count; ++k)
            if (used[k] && (all.c6[a * count + k] != all.c6[b * count + k] || all.c12[a * count + k] != all.c12[b * count + k]))
                return false;
        return true;
    };
    auto const empty = [&](std::size_t a) {
        for (std::size_t k = 0; k < count; ++k)
            if (used[k] && (all.c6[a * count + k] != 0 || all.c12[a * count + k] != 0)) return false;
        return true;
    };
    constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::vector<std::size_t> representative{none};
    merged.assign(count, 0);
    for (std::size_t a = 0; a < count; ++a) {
        if (!used[a] || empty(a)) continue;
        std::size_t m = 1;
        while (m < representative.size() && !same(a, representative[m])) ++m;
        if (m == representative.size()) representative.push_back(a);
        merged[a] = static_cast<int>(m);
    }
    ljTypeCount_ = static_cast<int>(representative.size());
    c6_.assign(representative.size() * representative.size(), 0);
    c12_ = c6_;
    for (std::size_t a = 1; a < representative.size(); ++a)
        for (std::size_t b = 1; b < representative.size(); ++b) {
            c6_[a * representative.size() + b] = all.c6[representative[a] * count + representative[b]];
            c12_[a * representative.size() + b] = all.c12[representative[a] * count + representative[b]];
        }
}

void AtomTable::setGridC6(plan::GridCombination combination)
{
    for (int a = 0; a < ljTypeCount_; ++a)
        for (int b = 0; b < ljTypeCount_; ++b)
            gridC6_[static_cast<std::size_t>(a * ljTypeCount_ + b)] =
                combination == plan::GridCombination::geometric ? physics::geometricC6(c6(a, a), c6(b, b))
                                                                : physics::lorentzBerthelotC6(c6(a, a), c12(a, a), c6(b, b), c12(b, b));
}

void AtomTable::judgeGeometric()
{
    auto const product = [&](std::vector<double> const& m, int a, int b) {
        auto const n = ljTypeCount_;
        double const aa = m[static_cast<std::size_t>(a * n + a)], bb = m[static_cast<std::size_t>(b * n + b)];
        if (aa < 0 || bb < 0) return false;
        double const expected = m[static_cast<std::size_t>(a * n + b)];
        return std::fabs(std::sqrt(aa) * std::sqrt(bb) - expected) <= 1e-7 * std::fabs(expected);
    };
    geometric_ = true;
    for (int a = 0; a < ljTypeCount_ && geometric_; ++a)
        for (int b = 0; b < ljTypeCount_ && geometric_; ++b)
            geometric_ = product(c6_, a, b) && product(c12_, a, b) && product(gridC6_, a, b);
}

} // namespace alder::pairs
