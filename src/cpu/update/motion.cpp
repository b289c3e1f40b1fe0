#include "cpu/update/motion.hpp"

#include "base/error.hpp"
#include "cpu/update/water_step.hpp"
#include "physics/leap_frog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace alder::cpu {

using math::Vec3d;

namespace {

/// A force this large (units of 2^-24 kJ/mol/nm: 6.7e7 kJ/mol/nm) may hold a clamped term, whose size and sign mean nothing.
constexpr double suspectForce = math::largestTerm;

/// No atom moves farther in one step of a run that makes sense; a quarter of the cell where that is less, so that a displacement never
/// wraps.
double largestDisplacement(physics::Box const& box)
{
    return std::min(1.0, 0.25 * std::min({box.a().x, box.b().y, box.c().z}));
}

/// The part of `count` items that thread `thread` of `threads` takes.
struct Share {
    std::int64_t begin, end;
};
Share shareOf(std::int64_t count, int thread, int threads) { return {count * thread / threads, count * (thread + 1) / threads}; }

} // namespace

/// The first atom for which something is off, in atom order.
struct Motion::Blame {
    std::int64_t atom = std::numeric_limits<std::int64_t>::max();
    double force = 0;        ///< kJ/mol/nm, largest component
    double displacement = 0; ///< nm; not-a-number where constraints have no solution
    bool forceIsSuspect = false;
    void take(Blame const& other)
    {
        if (other.atom < atom) *this = other;
    }
};

/// What one thread adds up; a cache line of its own.
struct alignas(128) Motion::Tally {
    Blame blame;
    math::FixedTensor constraintVirial;
};

/// What all threads share in one step.
struct Motion::Pass {
    std::vector<math::FractionVec>& positions;
    std::vector<Vec3d>& velocities;
    std::vector<math::ForceUnits> const& forces;
    physics::Box const& box;
    physics::FractionSteps fractions;
    std::vector<double> lambda; ///< by temperature group
    double squareLimit = 0;     ///< nm^2
    bool virial = false;
};

Motion::Motion(system::Topology const& topology, plan::DynamicsPlan const& dynamics, int threads)
    : topology_(topology), dynamics_(dynamics), threads_(std::max(1, threads)), waters_(topology),
      groupCount_(std::max<std::size_t>(1, dynamics.groups.size()))
{
    auto const count = static_cast<std::size_t>(topology.atomCount);
    if (topology.atomCount > std::numeric_limits<std::int32_t>::max())
        throw base::RunFailed("more atoms than one process can hold: split the run over more ranks");
    mass_.resize(count);
    inverse_.resize(count);
    system::forEachAtom(topology, [&](system::Atom const& atom, std::int64_t i) {
        mass_[static_cast<std::size_t>(i)] = atom.mass;
        inverse_[static_cast<std::size_t>(i)] = atom.mass > 0 ? 1.0 / atom.mass : 0.0;
        totalMass_ += atom.mass;
    });

    std::vector<bool> inWater(count, false);
    for (constraints::SettleGroup const& group : waters_.groups())
        for (constraints::WaterAtoms const& water : group.waters)
            for (std::int32_t const atom : {water.oxygen, water.hydrogen1, water.hydrogen2}) inWater[static_cast<std::size_t>(atom)] = true;
    for (std::size_t i = 0; i < count; ++i)
        if (!inWater[i]) free_.push_back(static_cast<std::int32_t>(i));
}

void Motion::advance(std::vector<math::FractionVec>& positions, std::vector<Vec3d>& velocities, physics::Box const& box,
                     std::vector<math::ForceUnits> const& forces, plan::StepPlan const& plan, engine::Scaling const& scaling,
                     engine::AdvanceSums& out)
{
    Pass pass{positions, velocities, forces, box, physics::FractionSteps(box), scaling.velocity, 0, plan.energies};
    if (pass.lambda.empty()) pass.lambda.assign(groupCount_, 1.0);
    double const limit = largestDisplacement(box);
    pass.squareLimit = limit * limit;

    std::vector<Tally> tallies(static_cast<std::size_t>(threads_));
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int thread = 0; thread < threads_; ++thread) {
        Tally& tally = tallies[static_cast<std::size_t>(thread)];
        advanceFree(pass, tally, thread);
        advanceWaters(pass, tally, thread);
    }

    Blame blame;
    out.constraintVirial = {};
    for (Tally const& tally : tallies) {
        blame.take(tally.blame);
        out.constraintVirial.add(tally.constraintVirial);
    }
    if (blame.atom < topology_.atomCount) fail(plan.step, blame);
    if (plan.removeComm) removeDrift(velocities);
    if (plan.kinetic) out.motion = motion(velocities);
}

void Motion::advanceFree(Pass const& pass, Tally& tally, int thread) const
{
    Share const share = shareOf(static_cast<std::int64_t>(free_.size()), thread, threads_);
    for (std::int64_t k = share.begin; k < share.end; ++k) {
        std::int32_t const atom = free_[static_cast<std::size_t>(k)];
        auto const i = static_cast<std::size_t>(atom);
        double const factor = physics::kickFactor(dynamics_.dt, inverse_[i]);
        double const lambda = pass.lambda[static_cast<std::size_t>(topology_.temperatureGroups.of(atom))];
        Vec3d const force{static_cast<double>(pass.forces[i].x), static_cast<double>(pass.forces[i].y), static_cast<double>(pass.forces[i].z)};
        Vec3d v = pass.velocities[i];
        v = {physics::kicked(v.x, lambda, force.x, factor), physics::kicked(v.y, lambda, force.y, factor),
             physics::kicked(v.z, lambda, force.z, factor)};
        Vec3d const moved = v * dynamics_.dt;
        double const largest = std::max({std::fabs(force.x), std::fabs(force.y), std::fabs(force.z)});
        if (!(largest < suspectForce && norm2(moved) <= pass.squareLimit))
            tally.blame.take({atom, largest / math::forceScale, norm(moved), !(largest < suspectForce)});
        pass.velocities[i] = v;
        pass.positions[i] = wrappingSum(pass.positions[i], pass.fractions.of(moved));
    }
}

namespace {

std::size_t atomOf(constraints::WaterAtoms const& water, std::size_t which)
{
    return static_cast<std::size_t>(which == oxygen ? water.oxygen : which == hydrogen1 ? water.hydrogen1 : water.hydrogen2);
}

void loadBonds(WaterLanes& lanes, std::size_t lane, constraints::WaterAtoms const& water, std::vector<math::FractionVec> const& positions,
               physics::Box const& box)
{
    math::FractionVec const o = positions[static_cast<std::size_t>(water.oxygen)];
    for (std::size_t bond = 0; bond < 2; ++bond) {
        Vec3d const r = box.difference(positions[atomOf(water, bond + 1)], o);
        lanes.before[bond].x[lane] = r.x;
        lanes.before[bond].y[lane] = r.y;
        lanes.before[bond].z[lane] = r.z;
    }
}

template <class Vectors> Vec3d lane(Vectors const& v, std::size_t l) { return {v.x[l], v.y[l], v.z[l]}; }

} // namespace

void Motion::advanceWaters(Pass const& pass, Tally& tally, int thread) const
{
    constexpr auto lanesWide = static_cast<std::int64_t>(waterLanes);
    static StepWaters const stepWaters = chooseStepWaters();
    WaterLanes lanes{};
    for (constraints::SettleGroup const& group : waters_.groups()) {
        WaterStep step{group.geometry, pass.fractions, dynamics_.dt, 1.0 / dynamics_.dt,
                       physics::kickFactor(dynamics_.dt, 1.0 / group.geometry.oxygenMass),
                       physics::kickFactor(dynamics_.dt, 1.0 / group.geometry.hydrogenMass)};
        auto const count = static_cast<std::int64_t>(group.waters.size());
        Share const share = shareOf((count + lanesWide - 1) / lanesWide, thread, threads_);
        for (std::int64_t block = share.begin; block < share.end; ++block) {
            constraints::WaterAtoms const* const waters = group.waters.data() + block * lanesWide;
            auto const used = static_cast<std::size_t>(std::min(lanesWide, count - block * lanesWide));
            for (std::size_t l = 0; l < waterLanes; ++l) {
                constraints::WaterAtoms const& water = waters[std::min(l, used - 1)]; // the last one fills lanes left over
                loadBonds(lanes, l, water, pass.positions, pass.box);
                for (std::size_t a = 0; a < 3; ++a) {
                    std::size_t const i = atomOf(water, a);
                    lanes.lambda[a][l] = pass.lambda[static_cast<std::size_t>(topology_.temperatureGroups.of(static_cast<std::int64_t>(i)))];
                    lanes.velocity[a].x[l] = pass.velocities[i].x;
                    lanes.velocity[a].y[l] = pass.velocities[i].y;
                    lanes.velocity[a].z[l] = pass.velocities[i].z;
                    lanes.force[a].x[l] = static_cast<double>(pass.forces[i].x);
                    lanes.force[a].y[l] = static_cast<double>(pass.forces[i].y);
                    lanes.force[a].z[l] = static_cast<double>(pass.forces[i].z);
                }
            }
            stepWaters(lanes, step);
            for (std::size_t l = 0; l < used; ++l) {
                if (!(lanes.largestForce[l] < suspectForce && lanes.largestSquare[l] <= pass.squareLimit)) {
                    Blame blame;
                    for (std::size_t a = 0; a < 3; ++a) {
                        Vec3d const f = lane(lanes.force[a], l), d = lane(lanes.displacement[a], l);
                        double const largest = std::max({std::fabs(f.x), std::fabs(f.y), std::fabs(f.z)});
                        bool const suspect = !(largest < suspectForce);
                        if (suspect || !(norm2(d) <= pass.squareLimit))
                            blame.take({static_cast<std::int64_t>(atomOf(waters[l], a)), largest / math::forceScale, norm(d), suspect});
                    }
                    tally.blame.take(blame);
                }
                if (pass.virial)
                    tally.constraintVirial.add(physics::settleVirial(
                        group.geometry, {lane(lanes.before[0], l), lane(lanes.before[1], l)},
                        {lane(lanes.shift[oxygen], l), lane(lanes.shift[hydrogen1], l), lane(lanes.shift[hydrogen2], l)}, dynamics_.dt));
                for (std::size_t a = 0; a < 3; ++a) {
                    std::size_t const i = atomOf(waters[l], a);
                    pass.velocities[i] = lane(lanes.velocity[a], l);
                    auto const& moved = lanes.step[a];
                    pass.positions[i] = wrappingSum(pass.positions[i], {moved.x[l], moved.y[l], moved.z[l]});
                }
            }
        }
    }
}

void Motion::removeDrift(std::vector<Vec3d>& velocities) const
{
    if (!(totalMass_ > 0)) return;
    system::MotionSums const sums = motion(velocities);
    Vec3d const drift = (1.0 / totalMass_) * Vec3d{sums.momentumX.value(), sums.momentumY.value(), sums.momentumZ.value()};
    auto const count = static_cast<std::int64_t>(velocities.size());
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::int64_t i = 0; i < count; ++i)
        if (mass_[static_cast<std::size_t>(i)] > 0) velocities[static_cast<std::size_t>(i)] -= drift;
}

system::MotionSums Motion::motion(std::vector<Vec3d> const& velocities) const
{
    std::vector<system::MotionSums> parts(static_cast<std::size_t>(threads_));
    for (system::MotionSums& part : parts) part.kinetic.resize(groupCount_);
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (int thread = 0; thread < threads_; ++thread) {
        system::MotionSums part;
        part.kinetic.resize(groupCount_);
        Share const share = shareOf(static_cast<std::int64_t>(velocities.size()), thread, threads_);
        for (std::int64_t i = share.begin; i < share.end; ++i) {
            double const mass = mass_[static_cast<std::size_t>(i)];
            Vec3d const v = velocities[static_cast<std::size_t>(i)];
            part.kinetic[static_cast<std::size_t>(topology_.temperatureGroups.of(i))].add(physics::kineticTensor(mass, v));
            part.momentumX.add(mass * v.x);
            part.momentumY.add(mass * v.y);
            part.momentumZ.add(mass * v.z);
        }
        parts[static_cast<std::size_t>(thread)] = std::move(part);
    }
    system::MotionSums all;
    all.kinetic.resize(groupCount_);
    for (system::MotionSums const& part : parts) {
        for (std::size_t g = 0; g < groupCount_; ++g) all.kinetic[g].add(part.kinetic[g]);
        all.momentumX.add(part.momentumX);
        all.momentumY.add(part.momentumY);
        all.momentumZ.add(part.momentumZ);
    }
    return all;
}

void Motion::constrainStart(std::vector<math::FractionVec>& positions, std::vector<Vec3d>& velocities, physics::Box const& box) const
{
    physics::FractionSteps const fractions(box);
    for (constraints::SettleGroup const& group : waters_.groups()) {
        for (constraints::WaterAtoms const& water : group.waters) {
            WaterLanes lanes{};
            for (std::size_t l = 0; l < waterLanes; ++l) loadBonds(lanes, l, water, positions, box);
            settleLanes(lanes, group.geometry);
            for (std::size_t a = 0; a < 3; ++a) {
                Vec3d const shift = lane(lanes.shift[a], 0);
                std::size_t const i = atomOf(water, a);
                if (!std::isfinite(norm2(shift)))
                    throw base::RunFailed(fmt::format("SETTLE cannot make the water of {} rigid: its starting positions are too far from "
                                                      "the triangle it should be", nameOf(static_cast<std::int64_t>(i))));
                positions[i] = wrappingSum(positions[i], fractions.of(shift));
            }
            if (velocities.empty() || !(dynamics_.dt > 0)) continue;
            // a step back from rigid positions, so that v(-dt/2) is what joins two rigid molecules
            for (std::size_t l = 0; l < waterLanes; ++l) loadBonds(lanes, l, water, positions, box);
            for (std::size_t a = 0; a < 3; ++a) {
                Vec3d const back = -dynamics_.dt * velocities[atomOf(water, a)];
                lanes.displacement[a].x.fill(back.x);
                lanes.displacement[a].y.fill(back.y);
                lanes.displacement[a].z.fill(back.z);
            }
            settleLanes(lanes, group.geometry);
            for (std::size_t a = 0; a < 3; ++a) {
                std::size_t const i = atomOf(water, a);
                velocities[i] -= (1.0 / dynamics_.dt) * lane(lanes.shift[a], 0);
                if (!std::isfinite(norm2(velocities[i])))
                    throw base::RunFailed(fmt::format("the starting velocities tear the water of {} apart within one step",
                                                      nameOf(static_cast<std::int64_t>(i))));
            }
        }
    }
}

std::string Motion::nameOf(std::int64_t atom) const
{
    for (system::MoleculeBlock const& block : topology_.blocks) {
        system::MoleculeType const& type = topology_.types[static_cast<std::size_t>(block.type)];
        auto const size = static_cast<std::int64_t>(type.atoms.size());
        if (size == 0 || atom < block.firstAtom || atom >= block.firstAtom + block.count * size) continue;
        std::int64_t const within = (atom - block.firstAtom) % size;
        system::Atom const& a = type.atoms[static_cast<std::size_t>(within)];
        return fmt::format("atom {} ({} of residue {} {}, molecule {} {})", atom + 1, a.name, a.residueName, a.residue, type.name,
                           block.firstMolecule + (atom - block.firstAtom) / size + 1);
    }
    return fmt::format("atom {}", atom + 1);
}

void Motion::fail(std::int64_t step, Blame const& blame) const
{
    std::string const who = nameOf(blame.atom);
    if (blame.forceIsSuspect)
        throw base::RunFailed(fmt::format("step {}: the force on {} is {:.3g} kJ/mol/nm or not finite; atoms overlap or the run has "
                                          "become unstable (minimize first, or take a shorter dt)", step, who, blame.force));
    if (!std::isfinite(blame.displacement))
        throw base::RunFailed(fmt::format("step {}: constraints of {} cannot be satisfied (force {:.3g} kJ/mol/nm); the run has become "
                                          "unstable (minimize first, or take a shorter dt)", step, who, blame.force));
    throw base::RunFailed(fmt::format("step {}: {} would move {:.3g} nm in one step (force {:.3g} kJ/mol/nm); the run has become "
                                      "unstable (minimize first, or take a shorter dt)", step, who, blame.displacement, blame.force));
}

} // namespace alder::cpu
