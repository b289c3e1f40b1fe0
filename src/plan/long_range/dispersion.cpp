#include "plan/long_range/dispersion.hpp"

#include "physics/pair_potential.hpp"
#include "plan/long_range/dispersion_grids.hpp"

#include <cmath>
#include <cstddef>

namespace alder::plan {

namespace {

using physics::pi;

/// Averages over all pairs of atoms that are not excluded, kJ/mol nm^6 and nm^12.
struct AveragePair {
    double c6 = 0, c12 = 0;
};

/// Of what the computed potential leaves out beyond the cut-off: with LJ-PME only what the grid's C6 lack of the pair's.
AveragePair averagePair(system::Topology const& topology, PairPlan const& plan)
{
    system::Nonbonded const& nb = topology.nonbonded;
    auto const types = static_cast<std::size_t>(nb.typeCount);
    std::vector<double> count(types, 0.0);
    for (system::MoleculeBlock const& block : topology.blocks)
        for (system::Atom const& atom : topology.types[static_cast<std::size_t>(block.type)].atoms)
            count[static_cast<std::size_t>(atom.type)] += static_cast<double>(block.count);

    double pairs = 0, c6 = 0, c12 = 0;
    auto const add = [&](std::size_t matrix, double number) {
        pairs += number;
        double const onGrid = plan.vdw == VdwForm::ewald ? gridC6(nb, plan.gridCombination, matrix / types, matrix % types) : 0;
        c6 += number * (nb.c6[matrix] - onGrid);
        c12 += number * nb.c12[matrix];
    };
    for (std::size_t i = 0; i < types; ++i) {
        if (count[i] == 0) continue;
        add(i * types + i, 0.5 * count[i] * (count[i] - 1));
        for (std::size_t j = i + 1; j < types; ++j)
            if (count[j] > 0) add(i * types + j, count[i] * count[j]);
    }
    for (system::MoleculeBlock const& block : topology.blocks) {
        system::MoleculeType const& type = topology.types[static_cast<std::size_t>(block.type)];
        for (std::size_t i = 0; i + 1 < type.exclusionStart.size(); ++i)
            for (auto e = type.exclusionStart[i]; e < type.exclusionStart[i + 1]; ++e) {
                auto const j = static_cast<std::size_t>(type.exclusions[static_cast<std::size_t>(e)]);
                if (j <= i) continue;
                add(static_cast<std::size_t>(type.atoms[i].type) * types + static_cast<std::size_t>(type.atoms[j].type),
                    -static_cast<double>(block.count));
            }
    }
    return pairs > 0 ? AveragePair{c6 / pairs, c12 / pairs} : AveragePair{};
}

/// What the truncated potential leaves out of v(r) = 1/r^p: the missing part is w(r) = v(r) - (what is computed), which is v itself beyond
/// the cut-off and the constant `inside` up to where the potential is modified.
struct MissingPart {
    double inside = 0; ///< w near r = 0, nm^-p
    double energy = 0; ///< integral of 4 pi r^2 w(r), nm^(3-p)
    double virial = 0; ///< integral of 4 pi r^2 r w'(r), nm^(3-p)
};

/// Adds the integrals over [from, to] by Gauss's rule of five points on 64 panels: the integrands are smooth, the error is at rounding.
template <class W> void integrate(MissingPart& part, double from, double to, W&& w)
{
    constexpr std::array<double, 5> node{0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640, -0.9061798459386640};
    constexpr std::array<double, 5> weight{0.5688888888888889, 0.4786286704993665, 0.4786286704993665, 0.2369268850561891,
                                           0.2369268850561891};
    constexpr int panels = 64;
    double const half = 0.5 * (to - from) / panels;
    for (int panel = 0; panel < panels; ++panel)
        for (std::size_t n = 0; n < node.size(); ++n) {
            double const r = from + half * (2 * panel + 1 + node[n]);
            auto const [value, slope] = w(r);
            part.energy += half * weight[n] * 4 * pi * r * r * value;
            part.virial += half * weight[n] * 4 * pi * r * r * r * slope;
        }
}

struct Valued {
    double value, slope;
};

MissingPart missingPart(PairPlan const& pairs, int p)
{
    double const rc = pairs.rvdw, r1 = pairs.rvdwSwitch, width = rc - r1;
    MissingPart part;
    // beyond the cut-off: 4 pi r^(2-p), and -4 pi p r^(2-p)
    part.energy = 4 * pi / ((p - 3) * std::pow(rc, p - 3));
    part.virial = -p * part.energy;
    if (pairs.vdw == VdwForm::forceSwitch && width > 0) {
        // The force gains A x^2 + B x^3 at x = r - r1, so what is missing there is A x^3/3 + B x^4/4 + C, and C within.
        physics::ForceSwitch const f(p, r1, rc);
        part.inside = f.c;
        integrate(part, r1, rc, [&](double r) {
            double const x = r - r1;
            return Valued{x * x * x * (f.a / 3 + f.b / 4 * x) + f.c, x * x * (f.a + f.b * x)};
        });
    } else if (pairs.vdw == VdwForm::potentialSwitch && width > 0) {
        integrate(part, r1, rc, [&](double r) {
            double const x = (r - r1) / width, v = std::pow(r, -p);
            double const s = physics::switchFactor(x, 1.0, 6.0, 10.0, 15.0), minusSlope = physics::switchSlope(x, 1.0, 30.0);
            return Valued{v * (1 - s), -p * v / r * (1 - s) + v * minusSlope / width};
        });
    } else {
        // w = v - (v + shift) up to the cut-off. Where a plain cut-off leaves a step in w, the step is not in the virial: no force that is
        // computed knows of it.
        part.inside = p == 6 ? -pairs.dispersionShift : -pairs.repulsionShift;
        part.energy += part.inside * 4 * pi / 3 * rc * rc * rc;
        return part;
    }
    part.energy += part.inside * 4 * pi / 3 * r1 * r1 * r1;
    return part;
}

} // namespace

/// Each of N atoms sees the uniform density rho = N / V of average partners. With V = -C6 v6 + C12 v12 and half of each pair's energy
/// to each atom,
///     E = 1/2 N C (rho integral(4 pi r^2 w) - w(0)),     C = -C6 for p = 6, +C12 for p = 12;
/// the last term takes out the atom itself, which the integral over a uniform density counts as its own neighbour. The virial's
/// diagonal is -1/2 r F / 3 = +1/2 r V'(r) / 3 a pair: Xi = 1/12 N C rho integral(4 pi r^3 w'). (GROMACS manual, "Long range Van der Waals
/// interactions"; Allen and Tildesley, section 2.8.)
DispersionPlan makeDispersionPlan(RunOptions const& options, system::Topology const& topology, PairPlan const& pairs)
{
    DispersionPlan plan;
    DispersionCorrection const asked = options.dispersionCorrection;
    if (asked == DispersionCorrection::no || pairs.vdw == VdwForm::none) return plan;
    plan.energy = true;
    plan.pressure = asked == DispersionCorrection::enerPres || asked == DispersionCorrection::allEnerPres;

    AveragePair const average = averagePair(topology, pairs);
    auto const atoms = static_cast<double>(topology.atomCount);
    auto const add = [&](double c, MissingPart const& part) {
        plan.energyFactor += 0.5 * atoms * atoms * c * part.energy;
        plan.energyConstant -= 0.5 * atoms * c * part.inside;
        plan.virialFactor += atoms * atoms * c * part.virial / 12;
    };
    add(-average.c6, missingPart(pairs, 6));
    if (asked == DispersionCorrection::allEner || asked == DispersionCorrection::allEnerPres) add(average.c12, missingPart(pairs, 12));
    return plan;
}

} // namespace alder::plan
