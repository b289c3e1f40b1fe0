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

/// No atom moves farther in one step of a run that makes sense; a quarter of the cell where that is less, so that a displacement never
/// wraps.
double largestDisplacement(physics::Box const& box) { return std::min(1.0, 0.25 * std::min({box.a().x, box.b().y, box.c().z})); }

/// The part of `count` items that thread `thread` of `threads` takes.
struct Share {
    std::int64_t begin, end;
};
Share shareOf(std::int64_t count, int thread, int threads) { return {count * thread / threads, count * (thread + 1) / threads}; }

} // namespace

/// The first atom for which something is off, in atom order.
struct Motion::Blame {
    std::int64_t atom = std::numeric_limits<std::int64_t>::max();
    math::ForceUnits force;
    double displacement = 0; ///< nm; not-a-number where constraints have no solution
    [[nodiscard]] bool found() const { return atom != std::numeric_limits<std::int64_t>::max(); }
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
    : topology_(topology),
      dynamics_(dynamics),
      threads_(std::max(1, threads)),
      waters_(topology),
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
    if (blame.found()) fail(plan.step, blame);
    // before the kinetic energies, so that they are those of the velocities a checkpoint holds
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
        math::ForceUnits const f = pass.forces[i];
        Vec3d v = pass.velocities[i];
        v = {physics::kicked(v.x, lambda, physics::forceNumber(f.x), factor),
             physics::kicked(v.y, lambda, physics::forceNumber(f.y), factor),
             physics::kicked(v.z, lambda, physics::forceNumber(f.z), factor)};
        Vec3d const moved = v * dynamics_.dt;
        if (physics::forceIsSuspect(physics::forceBits(f)) || !(norm2(moved) <= pass.squareLimit)) tally.blame.take({atom, f, norm(moved)});
        pass.velocities[i] = v;
        pass.positions[i] = wrappingSum(pass.positions[i], pass.fractions.of(moved));
    }
}

namespace {

constexpr auto lanesWide = static_cast<std::int64_t>(waterLanes);

std::size_t atomOf(constraints::WaterAtoms const& water, std::size_t which)
{
    return static_cast<std::size_t>(which == oxygen ? water.oxygen : which == hydrogen1 ? water.hydrogen1 : water.hydrogen2);
}

template <class T> math::Vec3<T> get(LaneVec<T> const& v, std::size_t lane) { return {v.x[lane], v.y[lane], v.z[lane]}; }
template <class T> void put(LaneVec<T>& v, std::size_t lane, math::Vec3<T> value)
{
    v.x[lane] = value.x;
    v.y[lane] = value.y;
    v.z[lane] = value.z;
}

void loadBonds(WaterLanes& lanes, std::size_t lane, constraints::WaterAtoms const& water, std::vector<math::FractionVec> const& positions)
{
    math::FractionVec const o = positions[atomOf(water, oxygen)];
    put(lanes.fractions[0], lane, wrappingDifference(positions[atomOf(water, hydrogen1)], o));
    put(lanes.fractions[1], lane, wrappingDifference(positions[atomOf(water, hydrogen2)], o));
}

} // namespace

void Motion::loadWater(Pass const& pass, constraints::WaterAtoms const& water, WaterLanes& lanes, std::size_t lane) const
{
    loadBonds(lanes, lane, water, pass.positions);
    for (std::size_t a = 0; a < 3; ++a) {
        std::size_t const i = atomOf(water, a);
        lanes.lambda[a][lane] = pass.lambda[static_cast<std::size_t>(topology_.temperatureGroups.of(static_cast<std::int64_t>(i)))];
        put(lanes.velocity[a], lane, pass.velocities[i]);
        put(lanes.force[a], lane, pass.forces[i]);
    }
}

void Motion::storeWater(Pass const& pass, constraints::WaterAtoms const& water, WaterLanes const& lanes, std::size_t lane)
{
    for (std::size_t a = 0; a < 3; ++a) {
        std::size_t const i = atomOf(water, a);
        pass.velocities[i] = get(lanes.velocity[a], lane);
        pass.positions[i] = wrappingSum(pass.positions[i], get(lanes.step[a], lane));
    }
}

Motion::Blame Motion::blameOf(Pass const& pass, constraints::WaterAtoms const& water, WaterLanes const& lanes, std::size_t lane)
{
    // a bad force spoils all three displacements, so it is looked for first
    Blame byForce, byDisplacement;
    for (std::size_t a = 0; a < 3; ++a) {
        math::ForceUnits const force = get(lanes.force[a], lane);
        Vec3d const moved = get(lanes.displacement[a], lane);
        Blame const here{static_cast<std::int64_t>(atomOf(water, a)), force, norm(moved)};
        if (physics::forceIsSuspect(physics::forceBits(force))) byForce.take(here);
        if (!(norm2(moved) <= pass.squareLimit)) byDisplacement.take(here);
    }
    return byForce.found() ? byForce : byDisplacement;
}

void Motion::advanceWaters(Pass const& pass, Tally& tally, int thread) const
{
    static StepWaters const stepWaters = stepWatersVersions().back();
    WaterLanes lanes{};
    for (constraints::SettleGroup const& group : waters_.groups()) {
        WaterStep const step{group.geometry,
                             pass.box,
                             pass.fractions,
                             dynamics_.dt,
                             1.0 / dynamics_.dt,
                             physics::kickFactor(dynamics_.dt, 1.0 / group.geometry.oxygenMass),
                             physics::kickFactor(dynamics_.dt, 1.0 / group.geometry.hydrogenMass)};
        auto const count = static_cast<std::int64_t>(group.waters.size());
        Share const share = shareOf((count + lanesWide - 1) / lanesWide, thread, threads_);
        for (std::int64_t block = share.begin; block < share.end; ++block) {
            constraints::WaterAtoms const* const waters = group.waters.data() + block * lanesWide;
            auto const used = static_cast<std::size_t>(std::min(lanesWide, count - block * lanesWide));
            for (std::size_t l = 0; l < waterLanes; ++l) loadWater(pass, waters[std::min(l, used - 1)], lanes, l); // the last fills up
            stepWaters(lanes, step);
            for (std::size_t l = 0; l < used; ++l) {
                storeWater(pass, waters[l], lanes, l);
                if (physics::forceIsSuspect(lanes.forceBits[l]) || !(lanes.largestSquare[l] <= pass.squareLimit))
                    tally.blame.take(blameOf(pass, waters[l], lanes, l));
                if (pass.virial)
                    tally.constraintVirial.add(physics::settleVirial(
                        group.geometry, {get(lanes.before[0], l), get(lanes.before[1], l)},
                        {get(lanes.shift[oxygen], l), get(lanes.shift[hydrogen1], l), get(lanes.shift[hydrogen2], l)}, dynamics_.dt));
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
    bool const moving = !velocities.empty() && dynamics_.dt > 0;
    for (constraints::SettleGroup const& group : waters_.groups()) {
        for (constraints::WaterAtoms const& water : group.waters) {
            WaterLanes lanes{};
            for (std::size_t l = 0; l < waterLanes; ++l) loadBonds(lanes, l, water, positions);
            settleLanes(lanes, group.geometry, box);
            for (std::size_t a = 0; a < 3; ++a) {
                std::size_t const i = atomOf(water, a);
                Vec3d const shift = get(lanes.shift[a], 0);
                if (!std::isfinite(norm2(shift)))
                    throw base::RunFailed(fmt::format("SETTLE cannot make the water of {} rigid: its starting positions are too far from "
                                                      "the triangle it should be",
                                                      nameOf(static_cast<std::int64_t>(i))));
                positions[i] = wrappingSum(positions[i], fractions.of(shift));
            }
            if (moving) constrainVelocities(group.geometry, water, {positions, box}, velocities);
        }
    }
}

void Motion::constrainVelocities(physics::WaterGeometry<double> const& geometry, constraints::WaterAtoms const& water, Placed placed,
                                 std::vector<Vec3d>& velocities) const
{
    // a step back from rigid positions: v(-dt/2) is to join two rigid molecules
    WaterLanes lanes{};
    for (std::size_t l = 0; l < waterLanes; ++l) {
        loadBonds(lanes, l, water, placed.positions);
        for (std::size_t a = 0; a < 3; ++a) put(lanes.displacement[a], l, -dynamics_.dt * velocities[atomOf(water, a)]);
    }
    settleLanes(lanes, geometry, placed.box);
    for (std::size_t a = 0; a < 3; ++a) {
        std::size_t const i = atomOf(water, a);
        velocities[i] -= (1.0 / dynamics_.dt) * get(lanes.shift[a], 0);
        if (!std::isfinite(norm2(velocities[i])))
            throw base::RunFailed(
                fmt::format("step 0: the starting velocities tear the water of {} apart within one step: take a shorter dt, or set "
                            "continuation = yes where they come from a run",
                            nameOf(static_cast<std::int64_t>(i))));
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
    Vec3d const f = math::forceValue(blame.force);
    double const size = norm(f);
    char const* const advice = "the run has become unstable (minimize first, or take a shorter dt)";
    if (physics::forceIsSuspect(physics::forceBits(blame.force)))
        throw base::RunFailed(
            fmt::format("step {}: the force on {} is {:.3g} kJ/mol/nm or not a number: atoms overlap, or {}", step, who, size, advice));
    if (!std::isfinite(blame.displacement))
        throw base::RunFailed(
            fmt::format("step {}: constraints of {} cannot be satisfied (force {:.3g} kJ/mol/nm): {}", step, who, size, advice));
    throw base::RunFailed(fmt::format("step {}: {} would move {:.3g} nm in one step (force {:.3g} kJ/mol/nm): {}", step, who,
                                      blame.displacement, size, advice));
}

} // namespace alder::cpu
