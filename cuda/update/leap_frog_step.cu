#include "update/leap_frog_step.hpp"

#include "device/launch.hpp"
#include "update/fixed_sums.hpp"

namespace alder::cuda {

namespace {

using math::Vec3d;

/// What is wrong with the atoms that a thread has moved. A bad force spoils all that are held together, so it is looked for first.
struct Judgment {
    engine::Blame byForce, byDisplacement;
    __device__ void look(Moving const& moving, int atom, bool suspect, Vec3d moved, double squareLimit)
    {
        bool const far = !(norm2(moved) <= squareLimit);
        if (!suspect && !far) return;
        engine::Blame here;
        here.atom = atom;
        here.force = forceOn(moving, atom);
        here.displacement = norm(moved);
        if (suspect) byForce.take(here);
        if (far) byDisplacement.take(here);
    }
};

/// Takes atoms that are held together from old positions and velocities to new ones.
template <class Held>
__device__ engine::Blame moveHeld(Held& held, Moving const& moving, AtomTraits const& traits, FactorViews const& factors,
                                  StepConstants const& step)
{
    typename Held::Marks suspects;
    forEachAtom(held, [&](int k) {
        int const i = held.atom(k), group = groupOf(traits, i);
        double const factor = factors.kick[group] * physics::kickFactor(step.dt, held.inverseMass(k)), lambda = factors.lambda[group];
        math::ForceUnits const units = forceOn(moving, i);
        if (physics::forceIsSuspect(physics::forceBits(units))) suspects.mark(k);
        Vec3d const f = numbersOf(units), v = moving.velocities[i];
        held.velocity[k] = {physics::kicked(v.x, lambda, f.x, factor), physics::kicked(v.y, lambda, f.y, factor),
                            physics::kicked(v.z, lambda, f.z, factor)};
        held.displacement[k] = held.velocity[k] * step.dt;
    });
    engine::Blame const unsolved = held.solve(constraints::stepTolerance);
    Judgment judgment;
    forEachAtom(held, [&](int k) {
        int const i = held.atom(k);
        Vec3d const moved = held.displacement[k];
        Vec3d v = held.velocity[k];
        if constexpr (Held::constrained) v = v + (1.0 / step.dt) * held.correction(k, step.dt);
        moving.velocities[i] = v;
        moving.positions[i] = wrappingSum(moving.positions[i], step.fractions().of(moved));
        judgment.look(moving, i, suspects.has(k), moved, step.squareLimit());
    });
    if (Held::anyone(judgment.byForce.found())) return judgment.byForce;
    return Held::tellsFailure && Held::anyone(unsolved.found()) ? unsolved : judgment.byDisplacement;
}

template <class Held, bool withVirial>
__global__ void __launch_bounds__(Held::threads) leapFrog(typename Held::Table table, Moving moving, AtomTraits traits, FactorViews factors,
                                                          StepConstants step, BlameBoard board, VirialWords sums)
{
    ALDER_SHARED(std::int64_t, virialTable, 9);
    if constexpr (withVirial) clearTable(virialTable, 9);
    int const index = Held::index();
    Finding finding;
    math::Mat3d virial{};
    if (index < table.count && !lostBefore(board, step.order)) {
        Held held(table, index, {moving.positions, step.box()});
        finding.blame = moveHeld(held, moving, traits, factors, step);
        if constexpr (withVirial) virial = held.virial(step.dt);
    }
    report(board, step.order, finding, slotIn(table));
    if constexpr (withVirial) {
        addTensor(virialTable, virial);
        addTable(virialTable, 9, sums);
    }
}

/// The velocity of an atom of a thread after a kick.
template <class Held> __device__ Vec3d kickedBy(Held const& held, int k, Moving const& moving, double time)
{
    int const i = held.atom(k);
    Vec3d v = moving.velocities[i];
    v += physics::kickFactor(time, held.inverseMass(k)) * numbersOf(forceOn(moving, i));
    return v;
}

template <class Held>
__global__ void __launch_bounds__(Held::threads)
    arriveHalf(typename Held::Table table, Moving moving, StepConstants step, BlameBoard board, VirialWords sums)
{
    ALDER_SHARED(std::int64_t, virialTable, 9);
    bool const withVirial = Held::constrained && sums.given();
    if (withVirial) clearTable(virialTable, 9);
    int const index = Held::index();
    double const half = 0.5 * step.dt;
    math::Mat3d virial{};
    if (index < table.count && !lostBefore(board, step.order)) {
        Held held(table, index, {moving.positions, step.box()});
        forEachAtom(held, [&](int k) { held.velocity[k] = kickedBy(held, k, moving, half); });
        virial = held.project(half);
        forEachAtom(held, [&](int k) { moving.velocities[held.atom(k)] = held.velocity[k]; });
    }
    if (withVirial) {
        addTensor(virialTable, virial);
        addTable(virialTable, 9, sums);
    }
}

template <class Held>
__global__ void __launch_bounds__(Held::threads)
    trialStep(typename Held::Table table, Moving moving, StepConstants step, double kickTime, VirialWords sums)
{
    ALDER_SHARED(std::int64_t, virialTable, 9);
    clearTable(virialTable, 9);
    int const index = Held::index();
    math::Mat3d virial{};
    if (index < table.count) {
        Held held(table, index, {moving.positions, step.box()});
        forEachAtom(held, [&](int k) { held.displacement[k] = step.dt * kickedBy(held, k, moving, kickTime); });
        static_cast<void>(held.solve(constraints::stepTolerance));
        virial = held.virial(step.dt);
    }
    addTensor(virialTable, virial);
    addTable(virialTable, 9, sums);
}

} // namespace

void arriveVerlet(UpdateTables const& tables, Moving const& moving, StepConstants const& step, BlameBoard const& board, VirialWords virial,
                  Stream& stream)
{
    tables.forEachHeld([&]<class Table>(Table const& table) {
        using Held = typename Table::Holds;
        launch<arriveHalf<Held>>(shapeOf(table), stream, table, moving, step, board, virial);
    });
}

void tryConstraints(UpdateTables const& tables, Moving const& moving, StepConstants const& step, double kickTime, VirialWords virial,
                    Stream& stream)
{
    tables.forEachConstrained([&]<class Table>(Table const& table) {
        launch<trialStep<typename Table::Holds>>(shapeOf(table), stream, table, moving, step, kickTime, virial);
    });
}

void stepLeapFrog(UpdateTables const& tables, Moving const& moving, FactorViews const& factors, StepConstants const& step,
                  BlameBoard const& board, VirialWords virial, Stream& stream)
{
    tables.forEachHeld([&]<class Table>(Table const& table) {
        using Held = typename Table::Holds;
        AtomTraits const traits = tables.traits();
        if constexpr (Held::constrained)
            if (virial.given()) {
                launch<leapFrog<Held, true>>(shapeOf(table), stream, table, moving, traits, factors, step, board, virial);
                return;
            }
        launch<leapFrog<Held, false>>(shapeOf(table), stream, table, moving, traits, factors, step, board, virial);
    });
}

} // namespace alder::cuda
