#include "update/stochastic_step.hpp"

#include "device/launch.hpp"
#include "math/variates.hpp"
#include "physics/langevin.hpp"
#include "update/fixed_sums.hpp"

namespace alder::cuda {

namespace {

using math::Vec3d;

/// What can go wrong, in the order of a step.
enum Phase : unsigned { byKick = 0, bySolving = 1, byNoise = 2 };

/// One step of atoms that are held together, in the parts that it is made of.
template <class Held, bool brownian> class NoisySteps {
public:
    __device__ NoisySteps(Held& held, Moving const& moving, AtomTraits const& traits, NoiseSource const& noise, StepConstants const& step)
        : held_(held),
          moving_(moving),
          traits_(traits),
          noise_(noise),
          step_(step),
          undisturbed_(held)
    {}
    Finding finding;

    /// Velocities by force (and in Brownian dynamics noise) alone, and the displacements they make.
    __device__ void kick()
    {
        forEachAtom(held_, [&](int k) {
            int const i = held_.atom(k);
            math::ForceUnits const f = forceOn(moving_, i);
            // half of dt / m where the mass is gamma dt / 2: F / gamma
            double const factor = (brownian ? 0.5 : 1.0) * physics::kickFactor(step_.dt, held_.inverseMass(k));
            Vec3d v = factor * numbersOf(f);
            if constexpr (brownian) {
                couple::GroupNoise const group = noise_.groups[groupOf(traits_, i)];
                v += (group.brownianWidth * std::sqrt(held_.inverseMass(k))) * normals(math::RandomPurpose::brownian, i);
            } else {
                v += moving_.velocities[i];
            }
            held_.velocity[k] = v;
            held_.displacement[k] = step_.dt * v;
            if (physics::forceIsSuspect(physics::forceBits(f))) blame(byKick, i, held_.displacement[k]);
            look(byKick, k);
        });
    }
    __device__ void solve(Phase phase)
    {
        engine::Blame const unsolved = held_.solve(constraints::stepTolerance);
        take(phase, unsolved);
    }
    __device__ void takeConstraintsIntoVelocities()
    {
        forEachAtom(held_, [&](int k) {
            Vec3d const v = held_.velocity[k];
            held_.velocity[k] = v + (1.0 / step_.dt) * (held_.displacement[k] - step_.dt * v);
        });
    }
    /// Friction and noise on velocities, and through half a step on displacements.
    __device__ void addImpulses()
    {
        forEachAtom(held_, [&](int k) {
            int const i = held_.atom(k);
            couple::GroupNoise const group = noise_.groups[groupOf(traits_, i)];
            Vec3d const v = held_.velocity[k], normal = normals(math::RandomPurpose::langevin, i);
            double const root = std::sqrt(held_.inverseMass(k));
            Vec3d const impulse{physics::langevinImpulse(group.langevin, root, v.x, normal.x),
                                physics::langevinImpulse(group.langevin, root, v.y, normal.y),
                                physics::langevinImpulse(group.langevin, root, v.z, normal.z)};
            undisturbed_.of[k] = v;
            held_.velocity[k] = v + impulse;
            held_.displacement[k] = physics::langevinDisplacement(step_.dt, v, held_.velocity[k]);
        });
    }
    /// Moves atoms. What constraints added to displacements is put into velocities over `velocityPart`, the time through which it acted.
    template <class Shared> __device__ void commit(double velocityPart, Phase phase, Shared const& heatTable, GroupTally<1>& heat)
    {
        forEachAtom(held_, [&](int k) {
            int const i = held_.atom(k);
            Vec3d const moved = held_.displacement[k];
            Vec3d v = held_.velocity[k];
            if (noise_.constrained) {
                Vec3d const free = brownian ? step_.dt * v : physics::langevinDisplacement(step_.dt, undisturbed_.of[k], v);
                v += (1.0 / velocityPart) * (moved - free);
            }
            moving_.velocities[i] = v;
            moving_.positions[i] = wrappingSum(moving_.positions[i], step_.fractions().of(moved));
            if constexpr (!brownian)
                heat.add(heatTable, groupOf(traits_, i), {unitsOf(physics::langevinHeat(held_.inverseMass(k), undisturbed_.of[k], v))});
            look(phase, k);
        });
    }

private:
    Held& held_;
    Moving const& moving_;
    AtomTraits const& traits_;
    NoiseSource const& noise_;
    StepConstants const& step_;
    typename Held::Spare undisturbed_; ///< velocities before friction and noise

    [[nodiscard]] __device__ Vec3d normals(math::RandomPurpose purpose, int atom) const
    {
        math::Variates variates(noise_.seed, purpose, step_.number(), numberOf(traits_, atom));
        double const x = variates.normal(), y = variates.normal(), z = variates.normal();
        return {x, y, z};
    }
    __device__ void look(Phase phase, int k)
    {
        if (!(norm2(held_.displacement[k]) <= step_.squareLimit())) blame(phase, held_.atom(k), held_.displacement[k]);
    }
    __device__ void blame(Phase phase, int atom, Vec3d moved)
    {
        engine::Blame here;
        here.atom = atom;
        here.force = forceOn(moving_, atom);
        here.displacement = norm(moved);
        take(phase, here);
    }
    __device__ void take(Phase phase, engine::Blame const& found)
    {
        if (!found.found() || (finding.blame.found() && finding.phase < phase)) return;
        finding.phase = phase;
        finding.blame.take(found);
    }
};

/// The virial is asked for at run time: noise costs more than the registers that this takes, and half as many kernels are to be compiled.
template <class Held, bool brownian>
__global__ void __launch_bounds__(Held::threads) noisyStep(typename Held::Table table, Moving moving, AtomTraits traits, NoiseSource noise,
                                                           StepConstants step, BlameBoard board, VirialWords sums)
{
    ALDER_SHARED(std::int64_t, virialTable, 9);
    ALDER_SHARED(std::int64_t, heatTable, mostGroups);
    bool const withVirial = Held::constrained && sums.given();
    if (withVirial) clearTable(virialTable, 9);
    if constexpr (!brownian) clearTable(heatTable, noise.groupCount);
    int const index = Held::index();
    Finding finding;
    math::Mat3d virial{};
    GroupTally<1> heat(0);
    if (index < table.count && !lostBefore(board, step.order)) {
        Held held(table, index, {moving.positions, step.box()});
        NoisySteps<Held, brownian> parts(held, moving, traits, noise, step);
        parts.kick();
        if constexpr (Held::constrained) parts.solve(bySolving);
        if (withVirial) virial = held.virial(step.dt);
        if constexpr (brownian) {
            parts.commit(step.dt, bySolving, heatTable, heat);
        } else {
            parts.takeConstraintsIntoVelocities();
            parts.addImpulses();
            // what the noise puts along bonds is taken out of the half step that it acts through
            if constexpr (Held::constrained) parts.solve(byNoise);
            parts.commit(0.5 * step.dt, byNoise, heatTable, heat);
        }
        finding = parts.finding;
    }
    report(board, step.order, finding, slotIn(table));
    if (withVirial) {
        addTensor(virialTable, virial);
        // A Brownian displacement is F dt / gamma = F dt^2 / (2 m) with the mass that stands for gamma: half of what leap-frog makes of F.
        if constexpr (brownian) addTensor(virialTable, virial);
        addTable(virialTable, 9, sums);
    }
    if constexpr (!brownian) {
        heat.finish(heatTable);
        addTable(heatTable, noise.groupCount, noise.heat);
    }
}

template <bool brownian>
void stepNoisily(UpdateTables const& tables, Moving const& moving, NoiseSource const& noise, StepConstants const& step,
                 BlameBoard const& board, VirialWords virial, Stream& stream)
{
    tables.forEachHeld([&]<class Table>(Table const& table) {
        using Held = typename Table::Holds;
        AtomTraits const traits = tables.traits();
        launch<noisyStep<Held, brownian>>(shapeOf(table), stream, table, moving, traits, noise, step, board, virial);
    });
}

} // namespace

void stepStochastic(UpdateTables const& tables, Moving const& moving, NoiseSource const& noise, StepConstants const& step,
                    BlameBoard const& board, VirialWords virial, Stream& stream)
{
    stepNoisily<false>(tables, moving, noise, step, board, virial, stream);
}

void stepBrownian(UpdateTables const& tables, Moving const& moving, NoiseSource const& noise, StepConstants const& step,
                  BlameBoard const& board, VirialWords virial, Stream& stream)
{
    stepNoisily<true>(tables, moving, noise, step, board, virial, stream);
}

} // namespace alder::cuda
