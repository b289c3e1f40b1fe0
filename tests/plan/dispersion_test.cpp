// The dispersion correction against GROMACS in double precision, and its average against a count by hand.

#include "plan/long_range/dispersion.hpp"

#include "physics/constants.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace {

using namespace alder;
using plan::DispersionCorrection;
using plan::VdwForm;

/// 40 molecules A-B-B, whose atoms exclude each other, and 25 single atoms D; C6 and C12 are geometric means.
system::Topology mixture()
{
    system::Topology topology;
    std::vector<double> const c6{2.6e-3, 1.1e-3, 6.2e-3}, c12{2.6e-6, 5.0e-7, 9.7e-6};
    topology.nonbonded.typeCount = 3;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            topology.nonbonded.c6.push_back(std::sqrt(c6[i] * c6[j]));
            topology.nonbonded.c12.push_back(std::sqrt(c12[i] * c12[j]));
        }
    system::MoleculeType abb, d;
    abb.atoms.resize(3);
    abb.atoms[1].type = abb.atoms[2].type = 1;
    abb.exclusionStart = {0, 2, 4, 6};
    abb.exclusions = {1, 2, 0, 2, 0, 1};
    d.atoms.resize(1);
    d.atoms[0].type = 2;
    d.exclusionStart = {0, 0};
    topology.types = {abb, d};
    topology.blocks = {{0, 40, 0, 0}, {1, 25, 120, 40}};
    topology.atomCount = 145;
    return topology;
}

struct Modified {
    char const* name;
    VdwForm form;
    bool shifted;
    double energy, pressure;       ///< kJ/mol, bar: DispCorr = EnerPres
    double allEnergy, allPressure; ///< AllEnerPres
};

/// `gmx_d energy` (GROMACS 2022.5, double precision), terms "Disper. corr." and "Pres. DC" of the mixture in a box of 3 x 3.2 x 3.4 nm with
/// rvdw = 1 and rvdw-switch = 0.8.
Modified const references[] = {
    {"None", VdwForm::cut, false, -2.854341732, -2.9042561, -2.853492799, -2.902528543},
    {"Potential-shift", VdwForm::cut, true, -5.555292596, -2.9042561, -5.552033727, -2.902528543},
    {"Potential-switch", VdwForm::potentialSwitch, false, -3.957284561, -2.013242687, -3.954911259, -2.012035286},
    {"Force-switch", VdwForm::forceSwitch, false, -7.185469728, -3.791345235, -7.178855992, -3.78779115},
};

TEST(Dispersion, EnergyAndPressureForEachModifier)
{
    double const volume = 3 * 3.2 * 3.4;
    for (Modified const& reference : references)
        for (bool const all : {false, true}) {
            plan::PairPlan pairs;
            pairs.vdw = reference.form;
            pairs.rvdw = 1;
            pairs.rvdwSwitch = 0.8;
            if (reference.shifted) pairs.dispersionShift = pairs.repulsionShift = -1;
            plan::RunOptions options;
            options.dispersionCorrection = all ? DispersionCorrection::allEnerPres : DispersionCorrection::enerPres;
            plan::DispersionPlan const got = plan::makeDispersionPlan(options, mixture(), pairs);
            EXPECT_TRUE(got.energy && got.pressure);
            double const energy = all ? reference.allEnergy : reference.energy, pressure = all ? reference.allPressure : reference.pressure;
            EXPECT_NEAR(got.energyFactor / volume + got.energyConstant, energy, 1e-6 * std::abs(energy)) << reference.name << all;
            double const correction = -2 * got.virialFactor / volume / volume * physics::barPerPressureUnit;
            EXPECT_NEAR(correction, pressure, 1e-6 * std::abs(pressure)) << reference.name << all;
            options.dispersionCorrection = all ? DispersionCorrection::allEner : DispersionCorrection::ener;
            EXPECT_FALSE(plan::makeDispersionPlan(options, mixture(), pairs).pressure);
            EXPECT_EQ(plan::makeDispersionPlan(options, mixture(), pairs).energyFactor, got.energyFactor);
        }
}

/// Two atoms of one kind and nothing excluded: E = -(2/3) pi N^2 C6 / (V rc^3), and the pressure is 2 E / V.
TEST(Dispersion, ClosedFormOfThePlainCutoff)
{
    system::Topology topology;
    topology.nonbonded.typeCount = 1;
    topology.nonbonded.c6 = {0.004};
    topology.nonbonded.c12 = {0};
    system::MoleculeType type;
    type.atoms.resize(1);
    type.exclusionStart = {0, 0};
    topology.types = {type};
    topology.blocks = {{0, 2, 0, 0}};
    topology.atomCount = 2;
    plan::PairPlan pairs;
    pairs.rvdw = 0.5;
    plan::RunOptions options;
    options.dispersionCorrection = DispersionCorrection::enerPres;
    plan::DispersionPlan const got = plan::makeDispersionPlan(options, topology, pairs);
    EXPECT_NEAR(got.energyFactor, -2.0 / 3 * physics::pi * 4 * 0.004 / 0.125, 1e-14);
    EXPECT_NEAR(got.virialFactor, -got.energyFactor, 1e-14);
    EXPECT_EQ(got.energyConstant, 0);
}

TEST(Dispersion, NothingUnlessAsked)
{
    plan::DispersionPlan const got = plan::makeDispersionPlan({}, mixture(), {});
    EXPECT_FALSE(got.energy || got.pressure);
    EXPECT_EQ(got.energyFactor, 0);
}

} // namespace
