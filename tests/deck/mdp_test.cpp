// .mdp files: what grompp accepts is read as it reads it, what it refuses is refused with the line.
#include "deck/mdp_reader.hpp"
#include "deck/mdp_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <set>
#include <sstream>

namespace alder::deck {
namespace {

using ::testing::HasSubstr;

struct Read {
    MdpContent content;
    base::FaultList faults;
    [[nodiscard]] plan::RunOptions const& options() const { return content.options; }
};

Read read(std::string const& text)
{
    Read r;
    r.content = readMdpText("run.mdp", text, r.faults);
    return r;
}

/// One fault, at this line, that says this.
void expectOneFault(std::string const& text, std::int64_t line, std::string const& says)
{
    Read const r = read(text);
    ASSERT_EQ(r.faults.faults().size(), 1U) << text;
    EXPECT_EQ(r.faults.faults()[0].place.line, line) << text;
    EXPECT_THAT(r.faults.faults()[0].text(), HasSubstr(says)) << text;
    EXPECT_FALSE(r.faults.faults()[0].instead.empty());
}

TEST(Mdp, EmptyTextGivesGromacsDefaults)
{
    Read const r = read("");
    EXPECT_TRUE(r.faults.empty());
    plan::RunOptions const& o = r.options();
    EXPECT_EQ(o.integrator, plan::Integrator::md);
    EXPECT_EQ(o.nstcalcenergy, 100);
    EXPECT_EQ(o.nstenergy, 1000);
    EXPECT_EQ(o.nstlist, 10);
    EXPECT_DOUBLE_EQ(o.verletBufferTolerance, 0.005);
    EXPECT_EQ(o.coulombType, plan::CoulombType::cutoff);
    EXPECT_EQ(o.coulombModifier, plan::Modifier::potentialShift);
    EXPECT_EQ(o.vdwModifier, plan::Modifier::potentialShift);
    EXPECT_DOUBLE_EQ(o.fourierSpacing, 0.12);
    EXPECT_DOUBLE_EQ(o.epsilonRf, 0);
    EXPECT_EQ(o.commMode, plan::CommMode::linear);
    EXPECT_EQ(o.nstcomm, 100);
}

TEST(Mdp, KeysAndWordsIgnoreCaseDashesAndUnderscores)
{
    Read const r =
        read("RCoulomb=1.1;comment = 3\r\n TAU_T = 0.1 0.5\r\nRefT = 300 310\nTC-Grps = Protein Non-Protein\nTCOUPL = V_Rescale\n"
             "constraints = H_Bonds\nvdw_type=SHIFT\nvdw-modifier = potential_shift_verlet\ncontinuation = YES");
    EXPECT_TRUE(r.faults.empty());
    EXPECT_DOUBLE_EQ(r.options().rcoulomb, 1.1);
    ASSERT_EQ(r.options().temperatureGroups.size(), 2U);
    EXPECT_EQ(r.options().temperatureGroups[1].name, "Non-Protein");
    EXPECT_DOUBLE_EQ(r.options().temperatureGroups[1].tau, 0.5);
    EXPECT_DOUBLE_EQ(r.options().temperatureGroups[1].reference, 310);
    EXPECT_EQ(r.options().thermostat, plan::Thermostat::vRescale);
    EXPECT_EQ(r.options().constraints, plan::Constraints::hBonds);
    EXPECT_EQ(r.options().vdwType, plan::VdwType::shift);
    EXPECT_TRUE(r.options().continuation);
    EXPECT_EQ(r.options().placeOf("tau-t").line, 2);
    EXPECT_EQ(r.options().placeOf("tcoupl").line, 5);
}

TEST(Mdp, RefusesWhatGromppRefuses)
{
    expectOneFault("dt = 0.002\nfoo = 3", 2, "unknown key 'foo'");
    expectOneFault("rcolomb = 1", 1, "'rcoulomb'");
    expectOneFault("nonsense", 1, "no '='");
    expectOneFault("= 3", 1, "no key");
    expectOneFault("nsteps = 1e3", 1, "not an integer");
    expectOneFault("nstlist = 10.0", 1, "not an integer");
    expectOneFault("nsteps = 99999999999999999999", 1, "not an integer");
    expectOneFault("dt = 0.001x", 1, "not a number");
    expectOneFault("dt = 0.001 0.002", 1, "not a number");
    expectOneFault("dt = nan", 1, "not a number");
    expectOneFault("rvdw = inf", 1, "not a number");
    expectOneFault("tcoupl = nosuch", 1, "no value of 'tcoupl'");
    expectOneFault("integrator = md leap", 1, "no value of 'integrator'");
    expectOneFault("gen-vel = maybe", 1, "no value of 'gen-vel'");
    expectOneFault("dt = 0.002\ndt = 0.001", 2, "given twice, first in line 1");
    expectOneFault("verlet-buffer-drift = 1\nVerletBufferTolerance = 1", 2, "given twice");
    expectOneFault("ref-t = 300", 1, "tc-grps names 0 groups");
    expectOneFault("tcoupl = v-rescale\ntc-grps = System\ntau-t = 0.1 0.1\nref-t = 300", 2, "tau-t has 2 values");
    expectOneFault("tc-grps = System\ntau-t = 0.1x\nref-t = 300", 2, "'0.1x'");
    expectOneFault("cutoff-scheme = group", 1, "cutoff-scheme = group is not supported");
    expectOneFault("implicit-solvent = GBSA", 1, "not supported");
    expectOneFault("free-energy = yes", 1, "not supported");
    expectOneFault("electric-field-x = 1 0 0", 1, "electric-field-x has 3 values");
    expectOneFault("freezegrps = MOL\nfreezedim = Y Y maybe", 2, "'maybe' in freezedim");
    expectOneFault("nwall = 2", 1, "not supported");
    expectOneFault("annealing = single", 1, "schedule");
    expectOneFault("annealing = bogus", 1, "no kind of annealing");
    expectOneFault("freezegrps = MOL", 1, "freezedim has 0 values");
    expectOneFault("pcoupl = berendsen\ncompressibility = 4.5e-5\n", 1, "isotropic pressure coupling needs 1");
}

/// As gmx grompp 2022.5 refuses them.
TEST(Mdp, AnnealingSchedulesMustBeSound)
{
    std::string const group = "tcoupl = v-rescale\ntc-grps = System\ntau-t = 0.5\nref-t = 300\nannealing = periodic\n";
    auto const schedule = [&](char const* points, char const* times, char const* temperatures) {
        return group + "annealing-npoints = " + points + "\nannealing-time = " + times + "\nannealing-temp = " + temperatures + "\n";
    };
    expectOneFault(schedule("3", "1 5 10", "300 350 300"), 7, "after the run does");
    expectOneFault(schedule("3", "0 5 4", "300 350 300"), 7, "goes back");
    expectOneFault(schedule("3", "0 5 10", "300 -1 300"), 8, "is -1 K");
    expectOneFault(schedule("1", "0", "300"), 6, "below 2");
    expectOneFault(schedule("3", "0 5", "300 300 300"), 5, "schedule");
    expectOneFault(schedule("2.5", "0 5", "300 300"), 5, "schedule");
    Read const jump = read(schedule("2", "0 5", "300 350"));
    EXPECT_TRUE(jump.faults.empty());
    EXPECT_EQ(jump.faults.warnings().size(), 1U);
    Read const good = read(schedule("3", "0 5 5", "300 350 300"));
    ASSERT_TRUE(good.faults.empty());
    plan::TemperatureGroup const& g = good.options().temperatureGroups.at(0);
    EXPECT_EQ(g.annealing, plan::Annealing::periodic);
    EXPECT_EQ(g.annealingTimes, (std::vector<double>{0, 5, 5}));
    EXPECT_EQ(g.annealingTemperatures, (std::vector<double>{300, 350, 300}));
}

TEST(Mdp, PressureCouplingTakesWhatItsTypeNeeds)
{
    Read const r =
        read("pcoupl = c-rescale\npcoupltype = surface-tension\ncompressibility = 4e-5 0 7\nref-p = 400 1\nnh-chain-length = 4\n");
    EXPECT_TRUE(r.faults.empty());
    EXPECT_EQ(r.options().pressureCoupling, plan::PressureCoupling::surfaceTension);
    EXPECT_EQ(r.options().compressibility, (std::vector<double>{4e-5, 0}));
    EXPECT_EQ(r.options().referencePressure, (std::vector<double>{400, 1}));
    EXPECT_EQ(r.options().nhChainLength, 4);
}

TEST(Mdp, FaultsComeAllAtOnce)
{
    Read const r = read("foo = 1\nnsteps = x\ncoulombtype = magic\npull = yes\n");
    EXPECT_EQ(r.faults.faults().size(), 4U);
}

/// A file that is no .mdp at all is refused at once, and briefly.
TEST(Mdp, NoiseIsRefusedWithFewFaultsInLittleTime)
{
    std::clock_t const start = std::clock(); // of this process: others on the machine do not count
    for (char const* line : {"{}-some-words-that-are-no-key-at-all = 3\n", "{} what an .edr would hold\n", "= {}\n", "tau-t = {} x\n"}) {
        std::string noise;
        for (int i = 0; i < 20000; ++i) noise += fmt::format(fmt::runtime(line), i);
        std::size_t const faults = read(noise).faults.faults().size();
        EXPECT_GE(faults, 20U) << line;
        EXPECT_LE(faults, 21U) << line;
    }
    std::string reals = "tau-t =";
    for (int i = 0; i < 20000; ++i) reals += " x";
    EXPECT_LE(read(reals).faults.faults().size(), 21U);
    EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 5);
}

TEST(Mdp, NamesTheNearestKeyWhereOneIsNear)
{
    expectOneFault("fourier_spacin = 1", 1, "the nearest known key is 'fourierspacing'");
    expectOneFault("couloumb-type = PME", 1, "the nearest known key is 'coulombtype'");
    expectOneFault("ps-order = 1", 1, "the nearest known key is 'pme-order'");
    expectOneFault("zzzzzzzz = 1", 1, "no known key is near it");
    expectOneFault(std::string(100000, 'r') + " = 1", 1, "no known key is near it");
}

TEST(Mdp, NumbersBeyondAnIntStayBeyond)
{
    Read const low = read("lincs-order = -4294967292\nlincs-iter = -4294967295\npme-order = 4294967300\nfourier-nx = 4294967306");
    EXPECT_LT(low.options().lincsOrder, 0);
    EXPECT_LT(low.options().lincsIter, 0);
    EXPECT_EQ(low.options().pmeOrder, 0);
    EXPECT_EQ(low.options().fourierGrid[0], -1);
    EXPECT_EQ(read("lincs-order = 4294967300").options().lincsOrder, 1000);
}

TEST(Mdp, DroppedKeysWarnAndOldSpellingsAreRead)
{
    Read const r =
        read("optimize_fft = yes\nnstxtcout = 10\nxtc-precision = 1000\nunconstrained_start = yes\nns_type = bogus\nrlistlong = x\n");
    EXPECT_TRUE(r.faults.empty());
    EXPECT_EQ(r.faults.warnings().size(), 6U);
    EXPECT_EQ(r.options().nstxoutCompressed, 10);
    EXPECT_TRUE(r.options().continuation);
}

TEST(Mdp, KeysWithoutValuesCountAsAbsent)
{
    Read const r = read("tc-grps =\ntau-t = \ndt =\ndt = 0.002\nfoo =\n");
    EXPECT_TRUE(r.faults.empty());
    EXPECT_DOUBLE_EQ(r.options().dt, 0.002);
}

TEST(Mdp, HarmlessValuesOfRefusedKeysPass)
{
    Read const r =
        read("pull = no\nfree_energy = No\nnwall = 0\nQMMM = no\nadress = no\ndeform = 0 0 0 0.0 0 0\nannealing = no no\n"
             "density-guided-simulation-active = false\nelectric-field-y = 0 0 0 0\ncos-acceleration = 0.0\npull-coord1-k = 3\n");
    EXPECT_TRUE(r.faults.empty());
    EXPECT_TRUE(r.options().onlyRunRefuses.empty());
}

TEST(Mdp, WhatOnlyARunNeedsIsKeptApart)
{
    Read const r = read("acc-grps = A\naccelerate = 1 0 0\ndeform = 1\nswapcoords = X\n");
    EXPECT_TRUE(r.faults.empty());
    EXPECT_EQ(r.options().onlyRunRefuses.faults().size(), 3U);
}

TEST(Mdp, FieldsAndFrozenAxes)
{
    Read const r = read("electric-field-y = 0.5 150 2 0.3\nfreezegrps = A B\nfreezedim = Y N no yes N N\ndisre = simple\ndisre-fc = 7\n");
    EXPECT_TRUE(r.faults.empty());
    plan::RunOptions const& o = r.options();
    EXPECT_EQ(o.electricField[0].amplitude, 0);
    EXPECT_EQ(o.electricField[1].amplitude, 0.5);
    EXPECT_EQ(o.electricField[1].sigma, 0.3);
    ASSERT_EQ(o.freezeGroups.size(), 2U);
    EXPECT_EQ(o.freezeGroups[0].axes, (std::array{true, false, false}));
    EXPECT_EQ(o.freezeGroups[1].axes, (std::array{true, false, false}));
    EXPECT_EQ(o.distanceRestraints.kind, plan::DistanceRestraining::simple);
    EXPECT_FALSE(o.distanceRestraints.equalWeights);
    EXPECT_EQ(o.distanceRestraints.forceConstant, 7);
}

TEST(Mdp, ReactionFieldSpellings)
{
    Read const zero = read("coulombtype = Reaction-Field-zero\nepsilon-rf = 80");
    EXPECT_EQ(zero.options().coulombType, plan::CoulombType::reactionField);
    EXPECT_DOUBLE_EQ(zero.options().epsilonRf, 0);
    EXPECT_EQ(zero.faults.warnings().size(), 1U);
    Read const old = read("coulombtype = Reaction_Field\nepsilon_r = 78\nepsilon_rf = 1");
    EXPECT_DOUBLE_EQ(old.options().epsilonR, 1);
    EXPECT_DOUBLE_EQ(old.options().epsilonRf, 78);
}

TEST(Mdp, WarnsOfTwentyUnknownKeysWithoutAValue)
{
    std::string text;
    for (int i = 0; i < 50; ++i) text += fmt::format("nonsense-{} =\n", i);
    Read const r = read(text);
    EXPECT_TRUE(r.faults.empty());
    EXPECT_EQ(r.faults.warnings().size(), 20U);
}

TEST(Mdp, DefinesMayHoldEqualSigns)
{
    Read const r = read("define = -DPOSRES -DFC=1000\ninclude = -I../top");
    EXPECT_EQ(r.content.defines, "-DPOSRES -DFC=1000");
    EXPECT_EQ(r.content.includes, "-I../top");
}

TEST(Mdp, CanonicalTextForgetsFormAndKeepsMeaning)
{
    EXPECT_EQ(read("dt = 0.002\nRVDW=1").content.canonicalText, read("; x\nrvdw = 1\nDT = 0.002 ; y").content.canonicalText);
    EXPECT_EQ(read("nsteps = 5\ndt = 1").content.canonicalText, read("nsteps = 500\nnstxout = 3\ndt = 1").content.canonicalText);
    EXPECT_NE(read("dt = 0.002").content.canonicalText, read("dt = 0.001").content.canonicalText);
}

TEST(MdpKeys, AreUniqueAndNamedInCanonicalDashes)
{
    std::set<std::string> seen;
    for (KeyInfo const& key : mdpKeys()) {
        EXPECT_TRUE(seen.insert(canonical(key.name)).second) << key.name;
        EXPECT_EQ(std::string(key.name).find('_'), std::string::npos) << key.name;
        EXPECT_EQ(key.form == Form::word, !key.words.empty()) << key.name;
        if (key.verdict == Verdict::renamed) { EXPECT_NE(findKey(key.harmless), nullptr) << key.name; }
    }
}

TEST(MdpKeys, NumbersMatchPatterns)
{
    ASSERT_NE(findKey("pull_group12_name"), nullptr);
    EXPECT_EQ(findKey("pull-group12-name")->name, "pull-group#-name");
    EXPECT_EQ(findKey("pull-group-name"), nullptr);
    EXPECT_EQ(findKey("awh1-dim10-start")->name, "awh#-dim#-start");
    EXPECT_EQ(findKey("userint4x"), nullptr);
}

/// docs/deck.md shows the very table that the reader obeys. ALDER_UPDATE_DOCS=1 rewrites it.
TEST(MdpKeys, DocumentationHoldsTheTable)
{
    std::string const path = std::string(ALDER_SOURCE_DIR) + "/docs/deck.md";
    std::stringstream buffer;
    buffer << std::ifstream(path).rdbuf();
    std::string page = buffer.str();
    std::string const from = "<!-- mdp keys -->\n", to = "<!-- end of mdp keys -->\n";
    std::size_t const begin = page.find(from), end = page.find(to);
    ASSERT_NE(begin, std::string::npos);
    ASSERT_NE(end, std::string::npos);
    std::size_t const table = begin + from.size();
    if (std::getenv("ALDER_UPDATE_DOCS")) {
        page.replace(table, end - table, mdpKeyTable());
        std::ofstream(path) << page;
        return;
    }
    EXPECT_EQ(page.substr(table, end - table), mdpKeyTable());
}

} // namespace
} // namespace alder::deck
