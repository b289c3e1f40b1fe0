#include "pairs/kernel_setup.hpp"

#include "pairs/ewald_fit.hpp"
#include "physics/dispersion_ewald.hpp"
#include "physics/pair_potential.hpp"

#include <algorithm>
#include <cmath>

namespace alder::pairs {
namespace {

void setCoulomb(plan::PairPlan const& plan, PairSetup& setup)
{
    KernelConstants& c = setup.constants;
    double const cutoff = plan.coulomb == plan::CoulombForm::none ? plan.rvdw : std::max(plan.rcoulomb, plan.rvdw);
    c.coulombCutoff2 = static_cast<float>(cutoff * cutoff);
    if (plan.coulomb != plan::CoulombForm::ewald) {
        c.smooth = static_cast<float>(plan.coulomb == plan::CoulombForm::reactionField ? 16 * plan.krf : 0);
        return;
    }
    auto const smooth = [&](double r2) { return 8 * physics::ewaldSmoothForce(r2, plan.beta); };
    std::vector<double> powers = fitPolynomial(smooth, cutoff * cutoff, 11);
    setup.flavour.coulomb = CoulombFlavour::ewald11;
    if (fitError<float>(powers, smooth, cutoff * cutoff) > 8 * 1.5e-6 * plan.beta * plan.beta) {
        powers = fitPolynomial(smooth, cutoff * cutoff, mostCoefficients - 1);
        setup.flavour.coulomb = CoulombFlavour::ewald19;
    }
    for (std::size_t k = 0; k < powers.size(); ++k) c.polynomial[k] = static_cast<float>(powers[k]);
    c.polynomialScale = static_cast<float>(2 / (cutoff * cutoff));
}

/// The kernels have no look at a cutoff of its own here: LJ-PME goes with equal cutoffs alone.
void setDispersionOnGrid(plan::PairPlan const& plan, PairSetup& setup)
{
    KernelConstants& c = setup.constants;
    setup.flavour.lj = LjFlavour::ewald;
    double const cutoff2 = plan.rvdw * plan.rvdw;
    std::vector<double> const powers = fitPolynomial([&](double r2) { return 256.0 / 6 * physics::dispersionOnGridForce(r2, plan.ljBeta); },
                                                     cutoff2, gridCoefficients - 1);
    for (std::size_t k = 0; k < powers.size(); ++k) c.gridPolynomial[k] = static_cast<float>(powers[k]);
    c.polynomialScale = static_cast<float>(2 / cutoff2);
}

void setLj(plan::PairPlan const& plan, PairSetup& setup)
{
    KernelConstants& c = setup.constants;
    double const cutoff = plan.vdw == plan::VdwForm::none ? 0 : plan.rvdw;
    c.ljCutoff2 = static_cast<float>(cutoff * cutoff);
    setup.flavour.lj = c.ljCutoff2 == c.coulombCutoff2 ? LjFlavour::cut : LjFlavour::cutShort;
    if (plan.vdw == plan::VdwForm::ewald) setDispersionOnGrid(plan, setup);
    if (plan.vdw != plan::VdwForm::potentialSwitch && plan.vdw != plan::VdwForm::forceSwitch) return;
    c.switchStart = static_cast<float>(plan.rvdwSwitch);
    c.inverseSwitchWidth = static_cast<float>(1 / (plan.rvdw - plan.rvdwSwitch));
    setup.flavour.lj = plan.vdw == plan::VdwForm::forceSwitch ? LjFlavour::forceSwitch : LjFlavour::potentialSwitch;
    if (plan.vdw != plan::VdwForm::forceSwitch) return;
    // The kernels' parameters are 6 c6 / 256 and 12 c12 / 16384: see KernelConstants.
    physics::ForceSwitch const six(6, plan.rvdwSwitch, plan.rvdw), twelve(12, plan.rvdwSwitch, plan.rvdw);
    c.sixA = static_cast<float>(six.a * 256 / 6);
    c.sixB = static_cast<float>(six.b * 256 / 6);
    c.twelveA = static_cast<float>(twelve.a * 16384 / 12);
    c.twelveB = static_cast<float>(twelve.b * 16384 / 12);
}

void setEnergyTables(AtomTable const& atoms, double electricFactor, PairSetup& setup)
{
    for (AtomKind const& kind : atoms.kinds()) setup.energyCharge.push_back(kind.charge * std::sqrt(electricFactor));
    for (int a = 0; a < atoms.ljTypeCount(); ++a)
        for (int b = 0; b < atoms.ljTypeCount(); ++b) {
            setup.energySix.push_back(atoms.c6(a, b));
            setup.energyTwelve.push_back(atoms.c12(a, b));
            setup.energyGrid.push_back(atoms.gridC6(a, b));
        }
    // Vectors keep their memory when the setup is moved.
    setup.energy.charge = setup.energyCharge.data();
    setup.energy.six = setup.energySix.data();
    setup.energy.twelve = setup.energyTwelve.data();
    setup.energy.grid = setup.energyGrid.data();
}

template <class Function, int count> void fitEnergy(Function&& function, double cutoff2, double (&into)[count])
{
    std::vector<double> const powers = fitPolynomial(function, cutoff2, count - 1);
    std::copy(powers.begin(), powers.end(), into);
}

void setEnergies(plan::PairPlan const& plan, PairSetup& setup)
{
    EnergyConstants& e = setup.energy;
    e.quantum = std::ldexp(1.0, -plan.latticeBits);
    if (plan.coulomb != plan::CoulombForm::none) {
        e.coulomb = plan.coulomb == plan::CoulombForm::ewald ? EnergyCoulomb::ewald : EnergyCoulomb::reactionField;
        e.coulombCutoff2 = plan.rcoulomb * plan.rcoulomb;
    }
    e.krf = plan.krf;
    e.shift = plan.coulomb == plan::CoulombForm::ewald ? plan.ewaldShift : plan.crf;
    if (e.coulomb == EnergyCoulomb::ewald) {
        e.polynomialScale = 2 / e.coulombCutoff2;
        fitEnergy([&](double r2) { return physics::erfOverR(r2, plan.beta); }, e.coulombCutoff2, e.potential);
        fitEnergy([&](double r2) { return physics::ewaldSmoothForce(r2, plan.beta); }, e.coulombCutoff2, e.force);
    }
    if (plan.vdw != plan::VdwForm::none) e.ljCutoff2 = plan.rvdw * plan.rvdw;
    e.cutoff2 = std::max(e.coulombCutoff2, e.ljCutoff2);
    e.dispersionShift = plan.dispersionShift;
    e.repulsionShift = plan.repulsionShift;
    switch (plan.vdw) {
    case plan::VdwForm::none: e.lj = EnergyLj::none; return;
    case plan::VdwForm::cut: e.lj = EnergyLj::cut; return;
    case plan::VdwForm::ewald:
        e.lj = EnergyLj::ewald;
        e.gridShift = plan.gridShift;
        e.gridScale = 2 / e.ljCutoff2;
        fitEnergy([&](double r2) { return physics::dispersionOnGrid(r2, plan.ljBeta); }, e.ljCutoff2, e.gridPotential);
        fitEnergy([&](double r2) { return physics::dispersionOnGridForce(r2, plan.ljBeta); }, e.ljCutoff2, e.gridForce);
        return;
    case plan::VdwForm::potentialSwitch: e.lj = EnergyLj::potentialSwitch; break;
    case plan::VdwForm::forceSwitch: e.lj = EnergyLj::forceSwitch; break;
    }
    e.switchStart = plan.rvdwSwitch;
    e.inverseSwitchWidth = 1 / (plan.rvdw - plan.rvdwSwitch);
    physics::ForceSwitch const six(6, plan.rvdwSwitch, plan.rvdw), twelve(12, plan.rvdwSwitch, plan.rvdw);
    e.sixA = six.a;
    e.sixB = six.b;
    e.sixC = six.c;
    e.twelveA = twelve.a;
    e.twelveB = twelve.b;
    e.twelveC = twelve.c;
}

} // namespace

PairSetup makePairSetup(plan::PairPlan const& plan, AtomTable const& atoms)
{
    PairSetup setup;
    KernelConstants& c = setup.constants;
    c.quantum = static_cast<float>(std::ldexp(1.0, -plan.latticeBits));
    setCoulomb(plan, setup);
    setLj(plan, setup);
    double const quanta = std::ldexp(1.0, plan.forceBits);
    c.chargeFactor = static_cast<float>(quanta / 8);
    c.sixFactor = static_cast<float>(quanta / 256);
    c.twelveFactor = static_cast<float>(quanta / 16384);
    // A component of one force is at most |F/r| rc: an eighth of the integer's range for the largest leaves the rest to its neighbours.
    double const safe = 268435456.0 / std::sqrt(static_cast<double>(c.coulombCutoff2));
    c.safeSquare = static_cast<float>(safe * safe);

    int const types = atoms.ljTypeCount();
    setup.flavour.parameters = atoms.geometric() ? ParameterFlavour::geometric : ParameterFlavour::table;
    for (int a = 0; a < types; ++a)
        for (int b = 0; b < types; ++b) {
            setup.sixTable.push_back(static_cast<float>(6 * atoms.c6(a, b) * (quanta / 256)));
            setup.twelveTable.push_back(static_cast<float>(12 * atoms.c12(a, b) * (quanta / 16384)));
            setup.gridTable.push_back(static_cast<float>(6 * atoms.gridC6(a, b) * (quanta / 256)));
        }
    double const electric = plan.coulomb == plan::CoulombForm::none ? 0 : plan.electricFactor;
    for (AtomKind const& kind : atoms.kinds()) {
        // Rounded alike on both sides of a pair, so that exchanging them changes no bit.
        setup.charge.push_back(static_cast<float>(kind.charge * std::sqrt(electric)));
        setup.six.push_back(static_cast<float>(std::sqrt(std::max(0.0, 6 * atoms.c6(kind.ljType, kind.ljType)))));
        setup.twelve.push_back(static_cast<float>(std::sqrt(std::max(0.0, 12 * atoms.c12(kind.ljType, kind.ljType)))));
    }
    setEnergies(plan, setup);
    setEnergyTables(atoms, electric, setup);
    return setup;
}

} // namespace alder::pairs
