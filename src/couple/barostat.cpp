#include "couple/barostat.hpp"

#include "base/error.hpp"
#include "couple/reference_temperature.hpp"
#include "math/variates.hpp"
#include "physics/constants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// Strain. Where each row r of the box becomes r mu with mu = 1 + e, an atom at fixed fractions goes from x to x mu, a potential changes by
// -sum F.(x e) = 2 Xi : e with the virial Xi = -1/2 sum x outer F, and momenta p that stay conjugate to the fractions go, as columns, from p
// to mu^-1 p. Work done on the system by a pressure tensor P is -V P : e. Pressures are in bar; 1 kJ/mol/nm^3 = physics::barPerPressureUnit.

namespace alder::couple {

using math::Mat3d;
using math::Vec3d;
using plan::BarostatPlan;
using plan::PressureCoupling;

namespace {

Mat3d rowsOf(physics::Box const& box) { return {box.a(), box.b(), box.c()}; }
physics::Box boxOf(Mat3d const& rows) { return {rows.x, rows.y, rows.z}; }
Mat3d diagonal(double x, double y, double z) { return {{x, 0, 0}, {0, y, 0}, {0, 0, z}}; }

/// a : b
double contraction(Mat3d const& a, Mat3d const& b) { return dot(a.x, b.x) + dot(a.y, b.y) + dot(a.z, b.z); }

Mat3d inverseOfLower(Mat3d const& m)
{
    double const xx = 1.0 / m.x.x, yy = 1.0 / m.y.y, zz = 1.0 / m.z.z;
    double const yx = -m.y.x * xx * yy, zy = -m.z.y * yy * zz;
    return {{xx, 0, 0}, {yx, yy, 0}, {-(m.z.x * xx + m.z.y * yx) * zz, zy, zz}};
}

/// A rotation takes the upper half of a small strain to the lower one; to first order it adds.
Mat3d folded(Mat3d const& mu) { return {{mu.x.x, 0, 0}, {mu.y.x + mu.x.y, mu.y.y, 0}, {mu.z.x + mu.x.z, mu.z.y + mu.y.z, mu.z.z}}; }

/// compressibility times interval over time constant, 1/bar
Mat3d response(BarostatPlan const& barostat, double interval) { return (interval / barostat.tau) * barostat.compressibility; }

double meanOfDiagonal(Mat3d const& m) { return m.trace() / 3.0; }

/// The pressure that the barostat holds against the system's, as a tensor: work is done against this one. With surface tension gamma,
/// what the walls across x and y feel is the normal pressure less gamma spread over the height of the box.
Mat3d outerPressure(BarostatPlan const& barostat, Mat3d const& pressure, physics::Box const& box)
{
    if (barostat.type != PressureCoupling::surfaceTension) return barostat.reference;
    double const lateral = pressure.z.z - barostat.reference.x.x / box.c().z;
    return diagonal(lateral, lateral, barostat.reference.z.z);
}

/// One pressure from all sides: its work is a function of the volume.
bool hydrostatic(BarostatPlan const& barostat)
{
    Mat3d const& p = barostat.reference;
    return barostat.type != PressureCoupling::surfaceTension && p == diagonal(p.x.x, p.x.x, p.x.x);
}

/// 1/W (nm^-1 ps^-2 bar^-1): 4 pi^2 beta/(3 tau^2 L), so that a cubic box of edge L that is as compressible as the .mdp says swings with
/// period tau. L is that of the start: a mass that followed the box would not conserve the energy.
Mat3d inverseBoxMass(BarostatPlan const& barostat)
{
    return (4.0 * physics::pi * physics::pi / (3.0 * barostat.tau * barostat.tau * barostat.startLength)) * barostat.compressibility;
}

BoxChange stretched(physics::Box const& box, Mat3d const& mu) { return {boxOf(product(rowsOf(box), mu))}; }

void requireGentle(Mat3d const& mu, PressureNow const& now)
{
    constexpr double most = 0.1;
    for (Vec3d const d : {mu.x - Vec3d{1, 0, 0}, mu.y - Vec3d{0, 1, 0}, mu.z - Vec3d{0, 0, 1}})
        for (double const element : {d.x, d.y, d.z})
            if (!(std::abs(element) < most))
                throw base::RunFailed(
                    fmt::format("step {}: at a pressure of {:.6g} bar the barostat would change the box by {:.3g} % at once: "
                                "equilibrate without it first, or take a longer tau-p",
                                now.step, meanOfDiagonal(now.pressure), 100 * std::abs(element)));
}

} // namespace

// H. J. C. Berendsen et al., J. Chem. Phys. 81, 3684 (1984): d(ln V)/dt = -beta (P0 - P)/tau, for each edge a third of it. Surface tension:
// the height first goes its own way, then area and tension are compared at the new height.
Mat3d berendsenStretch(BarostatPlan const& barostat, Stretch const& of, Mat3d const& pressure, physics::Box const& box)
{
    Mat3d const r = response(barostat, of.interval), &reference = barostat.reference;
    double const lateral = 0.5 * (pressure.x.x + pressure.y.y);
    auto const factor = [&](double response, double wanted, double present) { return 1.0 - response * (wanted - present) / 3.0; };
    switch (barostat.type) {
    case PressureCoupling::isotropic: {
        double const mu = factor(r.x.x, reference.x.x, meanOfDiagonal(pressure));
        return diagonal(mu, mu, mu);
    }
    case PressureCoupling::semiisotropic: {
        double const mu = factor(r.x.x, reference.x.x, lateral);
        return diagonal(mu, mu, factor(r.z.z, reference.z.z, pressure.z.z));
    }
    case PressureCoupling::surfaceTension: {
        double const correction = r.z.z != 0 ? of.interval / barostat.tau * (reference.z.z - pressure.z.z) : 0.0;
        double const muZ = 1.0 - barostat.compressibility.z.z * correction;
        double const tension = reference.x.x / (muZ * box.c().z);
        double const mu = 1.0 + r.x.x * (tension - (pressure.z.z + correction - lateral)) / 2.0;
        return diagonal(mu, mu, muZ);
    }
    case PressureCoupling::anisotropic: break;
    }
    Mat3d const& p = pressure;
    return folded(
        {{factor(r.x.x, reference.x.x, p.x.x), factor(r.x.y, reference.x.y, p.x.y) - 1, factor(r.x.z, reference.x.z, p.x.z) - 1},
         {factor(r.y.x, reference.y.x, p.y.x) - 1, factor(r.y.y, reference.y.y, p.y.y), factor(r.y.z, reference.y.z, p.y.z) - 1},
         {factor(r.z.x, reference.z.x, p.z.x) - 1, factor(r.z.y, reference.z.y, p.z.y) - 1, factor(r.z.z, reference.z.z, p.z.z)}});
}

// M. Bernetti and G. Bussi, J. Chem. Phys. 153, 114107 (2020): Berendsen's drift and the noise that makes the volume sample the
// constant-pressure ensemble,
//     d(ln V) = -beta/tau (P0 - P) dt + sqrt(2 kT beta/(V tau)) dW.
// Semi-isotropic, with a tension gamma in the plane: area and height are driven apart,
//     d(ln A) = -2 beta/(3 tau) (P0 - gamma/L - (Pxx + Pyy)/2) dt + sqrt(4 kT beta/(3 V tau)) dW1
//     d(ln L) =   -beta/(3 tau) (P0 - Pzz) dt                     + sqrt(2 kT beta/(3 V tau)) dW2.
Mat3d rescalingStretch(BarostatPlan const& barostat, Stretch const& of, PressureNow const& now, physics::Box const& box)
{
    Mat3d const r = response(barostat, of.interval), &reference = barostat.reference;
    math::Variates variates(of.seed, math::RandomPurpose::cellRescaling, now.step, 0);
    double const energy = physics::boltzmann * std::max(0.0, of.temperature) * physics::barPerPressureUnit / box.volume(); // kT/V, bar
    double const first = variates.normal();
    if (barostat.type == PressureCoupling::isotropic) {
        double const change = -r.x.x * (reference.x.x - meanOfDiagonal(now.pressure)) + std::sqrt(2.0 * energy * r.x.x) * first; // of ln V
        double const mu = math::exponential(change / 3.0);
        return diagonal(mu, mu, mu);
    }
    double const second = variates.normal();
    bool const tension = barostat.type == PressureCoupling::surfaceTension;
    double const wanted = tension ? reference.z.z - reference.x.x / box.c().z : reference.x.x;
    double const lateral = 0.5 * (now.pressure.x.x + now.pressure.y.y);
    double const area = -2.0 / 3.0 * r.x.x * (wanted - lateral) + std::sqrt(4.0 / 3.0 * energy * r.x.x) * first;
    double const height = -r.z.z / 3.0 * (reference.z.z - now.pressure.z.z) + std::sqrt(2.0 / 3.0 * energy * r.z.z) * second;
    double const mu = math::exponential(0.5 * area);
    return diagonal(mu, mu, math::exponential(height));
}

// M. Parrinello and A. Rahman, J. Appl. Phys. 52, 7182 (1981). The box elements h_kj (k >= j) are coordinates of mass W_kj:
//     W h'' = -dH/dh = V (h^-T (P - P0)) .
// Where the type of coupling ties elements together they share one scale factor s, h = s h(0): s''/s = V tr(P - P0) / sum W h^2, the
// traces and sums taken over the tied axes. Atoms feel the box through p -> mu^-1 p, the whole of -M v of the equations of motion.
Mat3d boxAcceleration(BarostatPlan const& barostat, Mat3d const& pressure, physics::Box const& box)
{
    Mat3d const h = rowsOf(box), inverseMass = inverseBoxMass(barostat), drive = pressure + (-1.0) * outerPressure(barostat, pressure, box);
    double const volume = box.volume();
    if (barostat.type == PressureCoupling::anisotropic) {
        Mat3d const force = volume * product(transposed(inverseOfLower(h)), drive);
        return {{inverseMass.x.x * force.x.x, 0, 0},
                {inverseMass.y.x * force.y.x, inverseMass.y.y * force.y.y, 0},
                {inverseMass.z.x * force.z.x, inverseMass.z.y * force.z.y, inverseMass.z.z * force.z.z}};
    }
    auto const inertia = [](double edge, double inverseMass) { return edge * edge / inverseMass; };
    double const x = inertia(h.x.x, inverseMass.x.x), y = inertia(h.y.y, inverseMass.y.y), z = inertia(h.z.z, inverseMass.z.z);
    double across = volume * (drive.x.x + drive.y.y) / (x + y), along = volume * drive.z.z / z; // 1/inverseMass 0 leaves 0
    if (barostat.type == PressureCoupling::isotropic) across = along = volume * drive.trace() / (x + y + z);
    return product(h, diagonal(across, across, along));
}

double boxKinetic(BarostatPlan const& barostat, Mat3d const& boxVelocity)
{
    Mat3d const inverseMass = inverseBoxMass(barostat);
    double twice = 0;
    auto const add = [&](double velocity, double inverse) { twice += inverse > 0 ? velocity * velocity / inverse : 0; };
    add(boxVelocity.x.x, inverseMass.x.x);
    add(boxVelocity.y.x, inverseMass.y.x);
    add(boxVelocity.y.y, inverseMass.y.y);
    add(boxVelocity.z.x, inverseMass.z.x);
    add(boxVelocity.z.y, inverseMass.z.y);
    add(boxVelocity.z.z, inverseMass.z.z);
    return 0.5 * twice / physics::barPerPressureUnit;
}

BoxChange couplePressure(plan::DynamicsPlan const& dynamics, PressureNow const& now, physics::Box const& box,
                         system::CouplingState& coupling)
{
    BarostatPlan const& barostat = dynamics.barostat;
    double const interval = static_cast<double>(barostat.interval) * dynamics.dt;
    double const time = dynamics.tinit + static_cast<double>(now.step) * dynamics.dt;
    Stretch const of{interval, ensembleTemperature(dynamics, time), dynamics.seed};
    Mat3d mu = math::identity<double>();
    if (barostat.kind == plan::Barostat::parrinelloRahman) {
        coupling.boxVelocity = coupling.boxVelocity + interval * boxAcceleration(barostat, now.pressure, box);
        mu = mu + product(inverseOfLower(rowsOf(box)), interval * coupling.boxVelocity);
    } else {
        mu = barostat.kind == plan::Barostat::cRescale ? rescalingStretch(barostat, of, now, box)
                                                       : berendsenStretch(barostat, of, now.pressure, box);
    }
    requireGentle(mu, now);

    BoxChange change = stretched(box, mu);
    Mat3d const strain = mu + (-1.0) * math::identity<double>();
    if (barostat.kind != plan::Barostat::berendsen) {
        change.velocityFactor = inverseOfLower(mu);
        change.scalesVelocities = true;
    }
    if (barostat.kind == plan::Barostat::parrinelloRahman) {
        if (!hydrostatic(barostat))
            coupling.barostatIntegral +=
                box.volume() * contraction(outerPressure(barostat, now.pressure, box), strain) / physics::barPerPressureUnit;
        return change;
    }
    coupling.barostatIntegral -= 2.0 * contraction(now.virial, strain);
    Mat3d const scaled = product(product(change.velocityFactor, now.halfKinetic), transposed(change.velocityFactor));
    coupling.barostatIntegral -= scaled.trace() - now.halfKinetic.trace();
    return change;
}

double barostatEnergy(BarostatPlan const& barostat, physics::Box const& box, system::CouplingState const& coupling)
{
    if (barostat.kind == plan::Barostat::no) return 0;
    if (barostat.kind != plan::Barostat::parrinelloRahman) return coupling.barostatIntegral;
    double const work =
        hydrostatic(barostat) ? box.volume() * barostat.reference.x.x / physics::barPerPressureUnit : coupling.barostatIntegral;
    return boxKinetic(barostat, coupling.boxVelocity) + work;
}

} // namespace alder::couple
