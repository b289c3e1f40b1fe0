#include "cpu/bonded/distance_restraints.hpp"

#include "base/error.hpp"
#include "cpu/bonded/term_sums.hpp"
#include "physics/bond.hpp"
#include "physics/distance_average.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace alder::cpu {

using math::Vec3d;
using system::Kind;

DistanceRestraints::DistanceRestraints(system::Topology const& topology, plan::DistanceRestraintPlan const& plan) : topology_(topology)
{
    if (!plan.active) return;
    system::forEachMolecule(topology, [&](system::MoleculeType const& type, std::int64_t first) {
        system::InteractionList const& list = type.of(Kind::distanceRestraint);
        double label = -1;
        for (std::size_t e = 0; e < list.size(); ++e) {
            system::ParameterSet const& p = topology.parametersOf(Kind::distanceRestraint)[static_cast<std::size_t>(list.parameters[e])];
            // label, kind of average (2: always by the energy's slope), bounds, factor; entries that follow each other with one label are
            // one restraint
            if (e == 0 || p[0] != label)
                restraints_.push_back({p[2], p[3], p[4], plan.forceConstant * p[5], plan.equalWeights && p[1] != 2, {}});
            label = p[0];
            restraints_.back().pairs.emplace_back(first + list.atoms[2 * e], first + list.atoms[2 * e + 1]);
        }
    });
}

void DistanceRestraints::add(std::vector<math::FractionVec> const& positions, physics::Box const& box,
                             std::vector<math::ForceUnits>& forces, system::ForceSums* sums) const
{
    TermSums terms;
    terms.start(forces.data(), 0, sums);
    auto const vectorOf = [&](std::pair<std::int64_t, std::int64_t> pair) {
        return box.difference(positions[static_cast<std::size_t>(pair.first)], positions[static_cast<std::size_t>(pair.second)]);
    };
    for (Restraint const& restraint : restraints_) {
        double sum = 0;
        for (auto const& pair : restraint.pairs) {
            double const r2 = norm2(vectorOf(pair));
            sum += 1 / (r2 * r2 * r2);
        }
        double const average = physics::averagedDistance(sum);
        physics::Radial<double> const v = physics::restraintBond(average, restraint.low, restraint.up1, restraint.up2, restraint.k);
        auto const count = static_cast<double>(restraint.pairs.size());
        for (auto const& pair : restraint.pairs) {
            Vec3d const rij = vectorOf(pair);
            double const r = norm(rij);
            double slope = v.slope;
            if (restraint.equalWeights && average > restraint.up1) // what one pair takes is bounded, not what all take together
                slope = std::min(restraint.k * (average - restraint.up1) / count, restraint.k * (restraint.up2 - restraint.up1));
            else if (restraint.equalWeights)
                slope /= count;
            else
                slope *= physics::averagedDistanceSlope(average, r);
            Vec3d const force = physics::radialForce(rij, r, slope);
            if (terms.addForces<1>(Kind::distanceRestraint, {pair.first}, {force}, pair.second) && sums) terms.addVirial(outer(rij, force));
        }
        if (sums) terms.addEnergy(system::Term::distanceRestraint, v.energy);
    }
    if (terms.failed().any())
        throw base::RunFailed(fmt::format("the distance restraint of atoms {} and {} has no force: they coincide",
                                          topology_.numberOf(terms.failed().atoms[0]) + 1,
                                          topology_.numberOf(terms.failed().atoms[1]) + 1));
}

} // namespace alder::cpu
