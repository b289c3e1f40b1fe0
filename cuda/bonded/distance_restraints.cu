#include "bonded/distance_restraints.hpp"

#include "base/error.hpp"
#include "bonded/term_sums.hpp"
#include "device/launch.hpp"
#include "physics/bond.hpp"
#include "physics/distance_average.hpp"

#include <limits>
#include <string>

namespace alder::cuda {

using math::Vec3d;
using system::Kind;

namespace {

constexpr int restraintThreads = 64;
constexpr std::int32_t noPair = std::numeric_limits<std::int32_t>::max();

struct RestraintViews {
    View<RestraintRecord const> restraints;
    View<RestrainedPair const> pairs;
    View<math::FractionVec const> positions;
    View<std::int32_t> failed;
    int count;
};

/// The slope that one pair of a restraint feels.
__device__ double pairSlope(RestraintRecord const& restraint, double average, double slope, double r)
{
    if (restraint.equalWeights == 0) return slope * physics::averagedDistanceSlope(average, r);
    double const count = restraint.pairs;
    if (!(average > restraint.up1)) return slope / count;
    // what one pair takes is bounded, not what all take together
    double const shared = restraint.k * (average - restraint.up1) / count, bound = restraint.k * (restraint.up2 - restraint.up1);
    return bound < shared ? bound : shared;
}

template <bool wanted>
__global__ void __launch_bounds__(restraintThreads)
    restrainDistances(RestraintViews views, View<physics::Box const> cell, ForceTarget target)
{
    physics::Box const box = cell[0];
    int const mine = static_cast<int>(blockIdx.x) * restraintThreads + static_cast<int>(threadIdx.x);
    std::int64_t energy = 0;
    math::FixedTensor virial;
    if (mine < views.count) {
        RestraintRecord const restraint = views.restraints[mine];
        auto const vectorOf = [&](RestrainedPair pair) { return box.difference(views.positions[pair.i], views.positions[pair.j]); };
        double sum = 0;
        for (int n = 0; n < restraint.pairs; ++n) {
            double const r2 = norm2(vectorOf(views.pairs[restraint.firstPair + n]));
            sum += 1 / (r2 * r2 * r2);
        }
        double const average = physics::averagedDistance(sum);
        physics::Radial<double> const v = physics::restraintBond(average, restraint.low, restraint.up1, restraint.up2, restraint.k);
        for (int n = 0; n < restraint.pairs; ++n) {
            RestrainedPair const pair = views.pairs[restraint.firstPair + n];
            Vec3d const rij = vectorOf(pair);
            double const r = norm(rij);
            Vec3d const force = physics::radialForce(rij, r, pairSlope(restraint, average, v.slope, r));
            TermSums<wanted> sums(target.forces, views.failed, restraint.firstPair + n);
            if (!sums.addForces(pair.i, force, pair.j) || !wanted) continue;
            sums.addVirial(outer(rij, force));
            virial.add(sums.virial());
        }
        math::FixedSum one;
        one.add(v.energy);
        energy = one.units;
    }
    if constexpr (wanted) {
        addWarpSum(target.sums, static_cast<int>(system::Term::distanceRestraint), energy);
        addWarpVirial(target.sums, virial);
    }
}

} // namespace

DistanceRestraints::DistanceRestraints(system::Topology const& topology, plan::DistanceRestraintPlan const& plan, Stream& stream)
    : topology_(topology),
      stream_(stream)
{
    if (!plan.active) return;
    std::vector<RestraintRecord> restraints;
    system::forEachMolecule(topology, [&](system::MoleculeType const& type, std::int64_t first) {
        system::InteractionList const& list = type.of(Kind::distanceRestraint);
        double label = -1;
        for (std::size_t e = 0; e < list.size(); ++e) {
            system::ParameterSet const& p = topology.parametersOf(Kind::distanceRestraint)[static_cast<std::size_t>(list.parameters[e])];
            // label, kind of average (2: always by the energy's slope), bounds, factor; entries that follow each other with one label are
            // one restraint
            if (e == 0 || p[0] != label)
                restraints.push_back({p[2], p[3], p[4], plan.forceConstant * p[5], static_cast<std::int32_t>(pairsOfHost_.size()), 0,
                                      plan.equalWeights && p[1] != 2 ? 1 : 0});
            label = p[0];
            ++restraints.back().pairs;
            pairsOfHost_.push_back(
                {static_cast<std::int32_t>(first) + list.atoms[2 * e], static_cast<std::int32_t>(first) + list.atoms[2 * e + 1]});
        }
    });
    if (restraints.empty()) return;
    restraints_.upload(restraints, stream);
    pairs_.upload(pairsOfHost_, stream);
    failed_.upload({noPair}, stream);
}

void DistanceRestraints::add(View<math::FractionVec const> positions, physics::Box const& box, ForceTarget const& target)
{
    if (empty()) return;
    adaptTo(box);
    auto const count = static_cast<int>(restraints_.size());
    RestraintViews const views{restraints_.constView(), pairs_.constView(), positions, failed_.view(), count};
    LaunchShape const grid{.grid = static_cast<unsigned>((count + restraintThreads - 1) / restraintThreads), .block = restraintThreads};
    if (target.wanted)
        launch<restrainDistances<true>>(grid, stream_, views, box_.view(), target);
    else
        launch<restrainDistances<false>>(grid, stream_, views, box_.view(), target);
}

void DistanceRestraints::check()
{
    if (!empty()) judge(failed_.download(stream_).front());
}

void DistanceRestraints::judge(std::int32_t failed) const
{
    if (failed == noPair) return;
    RestrainedPair const pair = pairsOfHost_[static_cast<std::size_t>(failed)];
    throw base::RunFailed("the distance restraint of atoms " + std::to_string(topology_.numberOf(pair.i) + 1) + " and " +
                          std::to_string(topology_.numberOf(pair.j) + 1) + " has no force: they coincide");
}

} // namespace alder::cuda
