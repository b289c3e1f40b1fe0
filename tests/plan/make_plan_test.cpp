// From options to a plan: what is refused for which purpose, how strides are reconciled, and the schedule that follows.
#include "plan/intervals.hpp"
#include "plan/option_rules.hpp"
#include "plan/run_plan.hpp"
#include "plan/supported.hpp"
#include "plan_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace alder::plan {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string refusal(std::function<void(RunOptions&)> const& change, Purpose purpose = Purpose::dynamics)
{
    RunOptions o = goodOptions();
    change(o);
    return refusal(o, argon(), purpose);
}

TEST(MakePlan, AcceptsAPlainDeck)
{
    RunPlan const plan = makePlan(goodOptions(), argon(), cube(5), {});
    EXPECT_EQ(plan.dynamics.steps, 100);
    EXPECT_GE(plan.pairs.listCutoff, 1);
    EXPECT_EQ(plan.pairs.listInterval % plan.pairs.pruneInterval, 0);
    EXPECT_FALSE(plan.pme.active);
    ASSERT_EQ(plan.dynamics.groups.size(), 1U);
    EXPECT_DOUBLE_EQ(plan.dynamics.degreesOfFreedom, 27);
    EXPECT_TRUE(plan.dynamics.removeComm);
    EXPECT_TRUE(plan.dynamics.constrainStart);
}

TEST(MakePlan, RequestOverridesTheDeck)
{
    RunRequest request;
    request.steps = 7;
    request.nstlist = 20;
    request.exactLists = true;
    RunPlan const plan = makePlan(goodOptions(), argon(), cube(5), request);
    EXPECT_EQ(plan.dynamics.steps, 7);
    EXPECT_EQ(plan.pairs.listInterval, 20);
    EXPECT_TRUE(plan.pairs.exactLists);
}

TEST(Supported, DistancesAreKeptAndNotAveraged)
{
    for (system::Kind const kind : {system::Kind::settle, system::Kind::constraint, system::Kind::constraintNoExclusion})
        EXPECT_EQ(treatmentOf(kind), Treatment::constraint) << system::infoOf(kind).name;
    EXPECT_EQ(treatmentOf(system::Kind::distanceRestraint), Treatment::average);
}

TEST(MakePlan, WhatOnlyARunNeedsIsNoMatterForEnergies)
{
    std::vector<std::function<void(RunOptions&)>> const changes{
        [](RunOptions& o) { o.integrator = Integrator::mdVvAvek; },
        [](RunOptions& o) { o.thermostat = Thermostat::andersen; },
        [](RunOptions& o) { o.barostat = Barostat::mttk; },
        [](RunOptions& o) { o.commMode = CommMode::angular; },
        [](RunOptions& o) { o.dt = 0; },
        [](RunOptions& o) {
            o.integrator = Integrator::steep;
            o.emtol = 0;
        },
        [](RunOptions& o) {
            o.onlyRunRefuses.refuse({"run.mdp", 3}, "mts = yes is not supported", "write no");
        },
    };
    for (auto const& change : changes) {
        EXPECT_NE(refusal(change), "accepted");
        EXPECT_EQ(refusal(change, Purpose::energy), "accepted");
    }
}

TEST(MakePlan, MinimizersKeepWhatConstraintsTheyCan)
{
    system::Topology rigid = argon();
    rigid.types[0].of(system::Kind::settle) = {{0, 0, 0}, {0}};
    rigid.parameters[static_cast<std::size_t>(system::Kind::settle)].push_back({0.1, 0.16});
    RunOptions o = goodOptions();
    o.integrator = Integrator::lbfgs;
    EXPECT_EQ(refusal(o), "accepted");
    EXPECT_THAT(refusal(o, rigid), HasSubstr("l-bfgs cannot keep constraints"));
    EXPECT_EQ(refusal(o, rigid, Purpose::energy), "accepted");
    o.nbfgscorr = 0;
    EXPECT_THAT(refusal(o), HasSubstr("nbfgscorr is 0"));
    for (Integrator const integrator : {Integrator::cg, Integrator::steep}) {
        o.integrator = integrator;
        EXPECT_EQ(refusal(o, rigid), "accepted");
        o.emstep = -1;
        EXPECT_THAT(refusal(o), HasSubstr("emstep -1"));
        o.emstep = 0.01;
    }
    o.nstcgsteep = -5;
    EXPECT_EQ(makePlan(o, argon(), cube(5), {}).dynamics.steepestInterval, 0);
    o.integrator = Integrator::cg;
    EXPECT_TRUE(makePlan(o, argon(), cube(5), {}).pairs.wideSums);
    EXPECT_EQ(makePlan(o, argon(), cube(5), {}).pairs.forceBits, 24);
}

TEST(MakePlan, RefusesTwoLengthsOfOneDistance)
{
    system::Topology pair = argon();
    pair.types[0].atoms.push_back(pair.types[0].atoms[0]);
    pair.types[0].exclusionStart = {0, 0, 0};
    pair.atomCount = 20;
    auto const kind = static_cast<std::size_t>(system::Kind::constraint);
    pair.firstUse[kind] = {"pair.top", 12};
    pair.parameters[kind] = {{0.1}, {0.11}};
    pair.types[0].of(system::Kind::constraint) = {{0, 1, 1, 0}, {0, 0}};
    EXPECT_EQ(refusal(goodOptions(), pair), "accepted") << "the same twice";
    pair.types[0].of(system::Kind::constraint) = {{0, 1, 1, 0}, {0, 1}};
    EXPECT_THAT(refusal(goodOptions(), pair), HasSubstr("pair.top:12: the distance of atoms 2 and 1"));
    EXPECT_EQ(refusal(goodOptions(), pair, Purpose::energy), "accepted");
}

TEST(MakePlan, RefusesForcesThatItCannotCompute)
{
    for (Purpose purpose : {Purpose::energy, Purpose::dynamics}) {
        EXPECT_THAT(refusal([](RunOptions& o) { o.pbc = Pbc::no; }, purpose), HasSubstr("pbc = xyz"));
        EXPECT_THAT(refusal([](RunOptions& o) { o.pbc = Pbc::xy; }, purpose), HasSubstr("gap along z"));
        EXPECT_THAT(refusal([](RunOptions& o) { o.pbc = Pbc::screw; }, purpose), HasSubstr("pbc = xyz"));
        EXPECT_THAT(refusal(
                        [](RunOptions& o) {
                            o.coulombType = CoulombType::other;
                            o.coulombTypeWord = "Ewald";
                        },
                        purpose),
                    HasSubstr("Ewald"));
        EXPECT_THAT(refusal(
                        [](RunOptions& o) {
                            o.vdwType = VdwType::other;
                            o.vdwTypeWord = "User";
                        },
                        purpose),
                    HasSubstr("vdwtype = User"));
        EXPECT_THAT(refusal([](RunOptions& o) { o.morse = true; }, purpose), HasSubstr("Morse"));
        EXPECT_THAT(refusal([](RunOptions& o) { o.periodicMolecules = true; }, purpose), HasSubstr("own image"));
        EXPECT_THAT(refusal(
                        [](RunOptions& o) {
                            o.coulombType = CoulombType::pme;
                            o.epsilonSurface = -1;
                        },
                        purpose),
                    HasSubstr("epsilon-surface"));
    }
}

RunOptions ljPme()
{
    RunOptions o = goodOptions();
    o.vdwType = VdwType::pme;
    o.vdwTypeWord = "PME";
    return o;
}

TEST(MakePlan, LjPmeTakesWhatGromacsTakes)
{
    EXPECT_EQ(refusal(ljPme()), "accepted");
    RunOptions o = ljPme();
    o.vdwModifier = Modifier::forceSwitch;
    EXPECT_THAT(refusal(o), HasSubstr("vdw-modifier"));
    o = ljPme();
    o.vdwModifier = Modifier::none;
    EXPECT_EQ(refusal(o), "accepted");
    o.coulombType = CoulombType::pme;
    EXPECT_EQ(refusal(o), "accepted");
    o.rcoulomb = 1.1;
    EXPECT_THAT(refusal(o), HasSubstr("make them equal"));
    o = ljPme();
    o.ewaldRtolLj = 1;
    EXPECT_THAT(refusal(o), HasSubstr("ewald-rtol-lj"));
    o = ljPme();
    o.fourierSpacing = 0;
    EXPECT_THAT(refusal(o), HasSubstr("fourierspacing"));
    system::Topology repelled = argon();
    repelled.nonbonded.c6[0] = -1e-3;
    EXPECT_THAT(refusal(ljPme(), repelled), HasSubstr("AR"));
}

// The dipole of a charged molecule depends on where the box cuts, and so would the energy.
TEST(MakePlan, DielectricSurroundingsTakeNeutralMoleculesAlone)
{
    RunOptions o = goodOptions();
    o.coulombType = CoulombType::pme;
    o.epsilonSurface = 1;
    EXPECT_EQ(refusal(o), "accepted");
    system::Topology ions = argon();
    ions.types[0].atoms[0].charge = 1;
    EXPECT_THAT(refusal(o, ions), AllOf(HasSubstr("AR"), HasSubstr("1.0000 e")));
    o.ewald3dc = true;
    EXPECT_EQ(refusal(o, ions), "accepted");
    o.ewald3dc = false;
    o.coulombType = CoulombType::cutoff;
    EXPECT_EQ(refusal(o, ions), "accepted");
}

/// constraints = h-bonds over rigid water and ions makes no constraint: nothing is left to refuse.
TEST(MakePlan, ConstraintsThatConstrainNothingPass)
{
    EXPECT_EQ(refusal([](RunOptions& o) { o.constraints = Constraints::hBonds; }), "accepted");
}

TEST(MakePlan, RefusesKindsWhereTheyAreFirstUsed)
{
    auto const with = [](system::Kind kind) {
        system::Topology t = argon();
        auto const k = static_cast<std::size_t>(kind);
        t.types[0].interactions[k].atoms.assign(static_cast<std::size_t>(std::max(1, system::infoOf(kind).atoms)), 0);
        t.types[0].interactions[k].parameters = {0};
        t.parameters[k].resize(1);
        t.firstUse[k] = {"topol.top", 17};
        return t;
    };
    system::Topology const tabulated = with(system::Kind::tabulatedBond);
    EXPECT_THAT(refusal(goodOptions(), tabulated, Purpose::energy),
                HasSubstr("topol.top:17: tabulated bond ([ bonds ] of type 8) is not supported"));
    system::Topology const constrained = with(system::Kind::constraint);
    EXPECT_EQ(refusal(goodOptions(), constrained, Purpose::energy), "accepted");
    EXPECT_THAT(refusal(goodOptions(), constrained, Purpose::dynamics), HasSubstr("topol.top:17: the constraint of atom 1"));
}

TEST(MakePlan, TakesConstraintsAndRefusesWhatNoSolverKeeps)
{
    auto const k = static_cast<std::size_t>(system::Kind::constraint);
    system::Topology t = argon();
    t.types[0].atoms.push_back(t.types[0].atoms[0]);
    t.types[0].exclusionStart = {0, 0, 0};
    t.types[0].interactions[k] = {{0, 1}, {0}};
    t.parameters[k].push_back({0.3});
    t.firstUse[k] = {"topol.top", 17};
    t.atomCount = 20;
    auto const with = [&](std::function<void(RunOptions&)> const& change) {
        RunOptions o = goodOptions();
        change(o);
        return refusal(o, t);
    };
    auto const nothing = [](RunOptions&) {};
    EXPECT_EQ(with(nothing), "accepted");
    EXPECT_THAT(with([](RunOptions& o) { o.lincsOrder = -1; }), HasSubstr("lincs-order is -1"));
    auto const zeroTolerance = [](RunOptions& o) {
        o.constraintAlgorithm = "shake";
        o.lincsOrder = -1;
        o.shakeTol = 0;
    };
    EXPECT_THAT(with(zeroTolerance), AllOf(HasSubstr("shake-tol is 0"), Not(HasSubstr("lincs"))));
    EXPECT_EQ(refusal(zeroTolerance), "accepted"); // nothing to constrain

    RunOptions shake = goodOptions();
    shake.constraintAlgorithm = "shake";
    shake.shakeTol = 1e-6;
    RunPlan const plan = makePlan(shake, t, cube(5), {});
    EXPECT_TRUE(plan.dynamics.constraints.shake);
    EXPECT_EQ(plan.dynamics.constraints.shakeTolerance, 1e-6);
    EXPECT_DOUBLE_EQ(plan.dynamics.degreesOfFreedom, 47);

    t.freezeGroups.names = {"free", "wall"};
    t.freezeGroups.groupOf.assign(20, 0);
    EXPECT_EQ(with(nothing), "accepted");
    t.freezeGroups.groupOf[7] = 1;
    EXPECT_THAT(with(nothing), HasSubstr("atom 8 is frozen"));
    t.freezeGroups = {};
    t.parameters[k][0][0] = 0;
    EXPECT_THAT(with(nothing), HasSubstr("topol.top:17: the constraint of atom 1 in molecule type AR has a length of 0 nm"));
    t.parameters[k][0][0] = 0.3;
    t.types[0].atoms[1].mass = 0;
    EXPECT_THAT(with(nothing), HasSubstr("atom 2 in molecule type AR moves an atom without mass"));
}

TEST(OptionRules, AreThoseOfGrompp)
{
    auto const bad = [](std::function<void(RunOptions&)> const& change) { return refusal(change, Purpose::energy); };
    EXPECT_THAT(bad([](RunOptions& o) { o.rvdw = 0.9; }), HasSubstr("make them equal"));
    EXPECT_THAT(bad([](RunOptions& o) {
                    o.coulombType = CoulombType::pme;
                    o.rvdw = 1.2;
                }),
                HasSubstr("make them equal"));
    EXPECT_EQ(bad([](RunOptions& o) {
                  o.coulombType = CoulombType::pme;
                  o.rvdw = 0.9;
              }),
              "accepted");
    EXPECT_THAT(bad([](RunOptions& o) { o.rvdw = o.rcoulomb = -1; }), HasSubstr("rcoulomb is -1"));
    EXPECT_THAT(bad([](RunOptions& o) { o.nstlist = 0; }), HasSubstr("nstlist is 0"));
    EXPECT_THAT(bad([](RunOptions& o) { o.verletBufferTolerance = 0; }), HasSubstr("no finite buffer"));
    EXPECT_THAT(bad([](RunOptions& o) {
                    o.verletBufferTolerance = -1;
                    o.rlist = 0.9;
                }),
                HasSubstr("rlist is 0.9"));
    EXPECT_THAT(bad([](RunOptions& o) { o.coulombModifier = Modifier::forceSwitch; }), HasSubstr("coulomb-modifier"));
    EXPECT_THAT(bad([](RunOptions& o) { o.epsilonR = -1; }), HasSubstr("epsilon-r is -1"));
    EXPECT_THAT(bad([](RunOptions& o) {
                    o.coulombType = CoulombType::pme;
                    o.epsilonR = 0;
                }),
                HasSubstr("infinite epsilon-r"));
    EXPECT_THAT(bad([](RunOptions& o) {
                    o.coulombType = CoulombType::pme;
                    o.ewaldRtol = 2;
                }),
                HasSubstr("ewald-rtol is 2"));
    EXPECT_THAT(bad([](RunOptions& o) {
                    o.coulombType = CoulombType::pme;
                    o.fourierSpacing = 0;
                }),
                HasSubstr("fourierspacing is 0"));
    EXPECT_THAT(bad([](RunOptions& o) {
                    o.coulombType = CoulombType::pme;
                    o.fourierGrid = {-1, 0, 0};
                }),
                HasSubstr("grid points"));
    EXPECT_THAT(bad([](RunOptions& o) {
                    o.coulombType = CoulombType::reactionField;
                    o.epsilonR = 3;
                    o.epsilonRf = 2;
                }),
                HasSubstr("below epsilon-r"));
    EXPECT_THAT(bad([](RunOptions& o) {
                    o.vdwType = VdwType::shift;
                    o.vdwModifier = Modifier::potentialSwitch;
                }),
                HasSubstr("exclude each other"));
    EXPECT_THAT(bad([](RunOptions& o) {
                    o.vdwModifier = Modifier::forceSwitch;
                    o.rvdwSwitch = 1;
                }),
                HasSubstr("rvdw-switch is 1"));
    EXPECT_THAT(bad([](RunOptions& o) { o.genVel = o.continuation = true; }), HasSubstr("contradicts"));
    EXPECT_THAT(bad([](RunOptions& o) { o.nsteps = -2; }), HasSubstr("nsteps is -2"));
    EXPECT_THAT(bad([](RunOptions& o) { o.initStep = -2; }), HasSubstr("init-step is -2"));
    EXPECT_THAT(bad([](RunOptions& o) { o.rvdw = o.rcoulomb = 2.5; }), HasSubstr("does not fit into this box"));
    EXPECT_THAT(bad([](RunOptions& o) {
                    o.verletBufferTolerance = -1;
                    o.rlist = 2.5;
                }),
                HasSubstr("the rlist of 2.5"));
    EXPECT_THAT(bad([](RunOptions& o) {
                    o.thermostat = Thermostat::vRescale;
                    o.temperatureGroups = {{"System", 0.1, -300}};
                }),
                HasSubstr("ref-t of group 'System' is -300"));
}

TEST(OptionRules, GreatestCutoffOfSkewedBoxes)
{
    EXPECT_DOUBLE_EQ(greatestCutoff(cube(4)), 2);
    // Rhombic dodecahedron of image distance 4: all vectors 4 long, diagonal elements 4, 4 and 2.83.
    EXPECT_DOUBLE_EQ(greatestCutoff({{4, 0, 0}, {0, 4, 0}, {2, 2, 2 * std::sqrt(2.0)}}), 2);
    EXPECT_DOUBLE_EQ(greatestCutoff({{4, 0, 0}, {0, 4, 0}, {0, 2.5, 4}}), 1.5);
}

TEST(Intervals, FollowGrompp)
{
    auto const energies = [](std::int64_t calculated, std::int64_t written, std::int64_t list) {
        RunOptions o = goodOptions();
        o.nstcalcenergy = calculated;
        o.nstenergy = written;
        o.nstlist = list;
        RunPlan plan;
        setIntervals(o, plan);
        return std::pair(plan.energyInterval, plan.output.energyInterval);
    };
    // What `gmx dump` of 2022.5 shows for the same settings.
    EXPECT_EQ(energies(100, 1000, 10), std::pair(std::int64_t{100}, std::int64_t{1000}));
    EXPECT_EQ(energies(-1, 1000, 20), std::pair(std::int64_t{20}, std::int64_t{1000}));
    EXPECT_EQ(energies(-1, 7, 20), std::pair(std::int64_t{1}, std::int64_t{7}));
    EXPECT_EQ(energies(-1, 50, 20), std::pair(std::int64_t{20}, std::int64_t{60}));
    EXPECT_EQ(energies(7, 20, 10), std::pair(std::int64_t{7}, std::int64_t{21}));
    EXPECT_EQ(energies(7, 0, 10), std::pair(std::int64_t{7}, std::int64_t{0}));
    EXPECT_EQ(energies(100, 10, 10), std::pair(std::int64_t{10}, std::int64_t{10}));
    EXPECT_EQ(energies(0, 1000, 10), std::pair(std::int64_t{1000}, std::int64_t{1000}));

    auto const couples = [](Thermostat thermostat, double tau, std::int64_t asked) {
        RunOptions o = goodOptions();
        o.thermostat = thermostat;
        o.nsttcouple = asked;
        o.temperatureGroups = {{"a", tau, 300}, {"b", -1, 300}};
        return couplingInterval(o);
    };
    EXPECT_EQ(couples(Thermostat::vRescale, 0.001, -1), 10);
    EXPECT_EQ(couples(Thermostat::berendsen, 0.001, -1), 1);
    // as gmx grompp 2022.5 has them at dt = 0.001
    EXPECT_EQ(couples(Thermostat::berendsen, 0.0099, -1), 1);
    EXPECT_EQ(couples(Thermostat::berendsen, 0.01, -1), 2);
    EXPECT_EQ(couples(Thermostat::berendsen, 0.0101, -1), 10);
    EXPECT_EQ(couples(Thermostat::noseHoover, 0.01, -1), 1);
    EXPECT_EQ(couples(Thermostat::noseHoover, 0.02, -1), 10);
    EXPECT_EQ(couples(Thermostat::berendsen, 1, 7), 7);

    auto const pressure = [](Barostat barostat, double tau, std::int64_t asked) {
        RunOptions o = goodOptions();
        o.barostat = barostat;
        o.tauP = tau;
        o.nstpcouple = asked;
        return pressureInterval(o);
    };
    EXPECT_EQ(pressure(Barostat::cRescale, 0.0101, -1), 10);
    EXPECT_EQ(pressure(Barostat::cRescale, 0.01, -1), 1);
    EXPECT_EQ(pressure(Barostat::parrinelloRahman, 2, -1), 10);
    EXPECT_EQ(pressure(Barostat::parrinelloRahman, 2, 25), 25);
}

RunOptions coupledOptions(Barostat barostat, PressureCoupling type)
{
    RunOptions o = goodOptions();
    o.thermostat = Thermostat::vRescale;
    o.temperatureGroups = {{"System", 0.5, 300}};
    o.barostat = barostat;
    o.pressureCoupling = type;
    o.tauP = 5;
    o.compressibility = {1e-5, 2e-5, 3e-5, 4e-5, 5e-5, 6e-5};
    o.referencePressure = {1, 2, 3, 4, 5, 6};
    return o;
}

TEST(Barostats, TakeTheirTensorsFromTheValues)
{
    auto const plan = [](PressureCoupling type) {
        return makePlan(coupledOptions(Barostat::parrinelloRahman, type), argon(), cube(5), {}).dynamics.barostat;
    };
    BarostatPlan const iso = plan(PressureCoupling::isotropic), semi = plan(PressureCoupling::semiisotropic),
                       full = plan(PressureCoupling::anisotropic);
    EXPECT_TRUE(iso.reference == (math::Mat3d{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
    EXPECT_TRUE(semi.reference == (math::Mat3d{{1, 0, 0}, {0, 1, 0}, {0, 0, 2}}));
    EXPECT_TRUE(full.reference == (math::Mat3d{{1, 4, 5}, {4, 2, 6}, {5, 6, 3}}));
    EXPECT_TRUE(full.compressibility == (math::Mat3d{{1e-5, 4e-5, 5e-5}, {4e-5, 2e-5, 6e-5}, {5e-5, 6e-5, 3e-5}}));
    EXPECT_EQ(iso.interval, 10);
    EXPECT_EQ(iso.startLength, 5);
    EXPECT_FALSE(iso.skewed);
}

TEST(Barostats, RefuseWhatGromppRefusesOrHasNoLaw)
{
    auto const refused = [](Barostat barostat, PressureCoupling type, std::function<void(RunOptions&)> const& change) {
        RunOptions o = coupledOptions(barostat, type);
        change(o);
        return refusal(o, argon(), Purpose::dynamics);
    };
    auto const nothing = [](RunOptions&) {};
    using P = PressureCoupling;
    for (Barostat const kind : {Barostat::berendsen, Barostat::cRescale, Barostat::parrinelloRahman})
        for (P const type : {P::isotropic, P::semiisotropic, P::surfaceTension}) EXPECT_EQ(refused(kind, type, nothing), "accepted");
    EXPECT_EQ(refused(Barostat::parrinelloRahman, P::anisotropic, nothing), "accepted");
    EXPECT_THAT(refused(Barostat::cRescale, P::anisotropic, nothing), HasSubstr("anisotropic"));
    EXPECT_THAT(refused(Barostat::mttk, P::isotropic, nothing), HasSubstr("MTTK"));
    EXPECT_THAT(refused(Barostat::cRescale, P::isotropic, [](RunOptions& o) { o.thermostat = Thermostat::no; }),
                HasSubstr("no temperature coupling"));
    EXPECT_THAT(refused(Barostat::berendsen, P::isotropic, [](RunOptions& o) { o.compressibility = {0}; }), HasSubstr("cannot change"));
    EXPECT_THAT(refused(Barostat::berendsen, P::isotropic, [](RunOptions& o) { o.nstpcouple = 0; }), HasSubstr("never couple"));
    EXPECT_THAT(refused(Barostat::no, P::isotropic, [](RunOptions& o) { o.nsttcouple = 0; }), HasSubstr("never couple"));
}

TEST(Barostats, SumTheVirialWhenTheyAct)
{
    RunOptions o = coupledOptions(Barostat::cRescale, PressureCoupling::isotropic);
    o.nstpcouple = 15;
    o.nsteps = 1000;
    RunPlan const plan = makePlan(o, argon(), cube(5), {});
    Schedule const schedule(plan);
    EXPECT_FALSE(schedule.at(15).energies) << "the virial alone costs little, energies a pass of their own";
    for (std::int64_t step = 1; step < 100; ++step) {
        EXPECT_EQ(schedule.at(step).couplePressure, step % 15 == 0) << step;
        if (schedule.at(step).couplePressure) {
            EXPECT_TRUE(schedule.at(step).virial() && schedule.at(step).kinetic && schedule.at(step - 1).kinetic) << step;
        }
    }
}

TEST(Intervals, OneStrideForAllFrames)
{
    RunOptions o = goodOptions();
    o.nstxout = 100;
    o.nstvout = 40;
    RunPlan plan;
    setIntervals(o, plan);
    EXPECT_EQ(plan.output.frameInterval, 20);
    EXPECT_TRUE(plan.output.velocities);
    EXPECT_FALSE(plan.output.forces);
    EXPECT_EQ(plan.notes.warnings().size(), 1U);
    o = goodOptions();
    o.nstxoutCompressed = 50;
    RunPlan compressed;
    setIntervals(o, compressed);
    EXPECT_EQ(compressed.output.frameInterval, 50);
    EXPECT_FALSE(compressed.output.velocities);
    EXPECT_TRUE(compressed.notes.warnings().empty());
}

TEST(Schedule, FlagsFollowTheStrides)
{
    RunPlan plan;
    plan.dynamics.initStep = 5;
    plan.dynamics.steps = 95;
    plan.dynamics.thermostat = Thermostat::vRescale;
    plan.dynamics.coupleInterval = 10;
    plan.dynamics.removeComm = true;
    plan.dynamics.commInterval = 50;
    plan.pairs.listInterval = 20;
    plan.pairs.pruneInterval = 4;
    plan.energyInterval = 25;
    plan.output = {30, 50, 0, false, false};
    Schedule const schedule(plan);
    EXPECT_TRUE(schedule.at(5).buildList);
    EXPECT_TRUE(schedule.at(25).buildList);
    EXPECT_FALSE(schedule.at(20).buildList);
    EXPECT_TRUE(schedule.at(9).prune);
    EXPECT_FALSE(schedule.at(8).prune);
    EXPECT_TRUE(schedule.at(25).energies);
    EXPECT_FALSE(schedule.at(26).energies);
    EXPECT_TRUE(schedule.at(24).kinetic) << "the half step before an energy";
    EXPECT_FALSE(schedule.at(23).kinetic);
    EXPECT_FALSE(schedule.at(44).kinetic);
    plan.dynamics.integrator = Integrator::sd;
    EXPECT_TRUE(schedule.at(44).kinetic) << "a checkpoint holds the heat of all steps before it";
    plan.dynamics.integrator = Integrator::md;
    EXPECT_TRUE(schedule.at(11).couple);
    EXPECT_FALSE(schedule.at(10).couple);
    EXPECT_TRUE(schedule.at(10).kinetic) << "the half step before a coupling";
    EXPECT_TRUE(schedule.at(50).removeComm);
    EXPECT_TRUE(schedule.at(60).frame);
    EXPECT_FALSE(schedule.at(60).energyFrame);
    EXPECT_TRUE(schedule.at(50).energyFrame);
    EXPECT_FALSE(schedule.at(50).logLine);
    for (std::int64_t step : {5, 100}) {
        StepPlan const s = schedule.at(step);
        EXPECT_TRUE(s.frame && s.energyFrame && s.logLine && s.energies) << step;
    }
    EXPECT_TRUE(schedule.at(100).last);
    EXPECT_FALSE(schedule.at(99).last);
}

TEST(Schedule, AnEndlessRunHasNoLastStep)
{
    RunPlan plan;
    plan.dynamics.steps = -1;
    EXPECT_FALSE(Schedule(plan).at(1000000000000).last);
}

} // namespace
} // namespace alder::plan
