#include "base/error.hpp"
#include "output/gro_writer.hpp"
#include "output/json_reports.hpp"
#include "output/log_writer.hpp"
#include "output/progress_line.hpp"
#include "output/scratch_folder.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fcntl.h>
#include <limits>
#include <sys/stat.h>

namespace {

using namespace alder;
using system::Term;
using ::testing::HasSubstr;

class Reports : public test::ScratchFolder {};

observe::Energies at(std::int64_t step, double potential)
{
    observe::Energies e;
    e.step = step;
    e.potential = potential;
    e.terms[static_cast<std::size_t>(Term::ljSR)] = 2 * potential;
    return e;
}

TEST(EnergyColumns, OnlyWhatTheDeckUses)
{
    system::Topology topology;
    topology.types.resize(1);
    topology.types[0].atoms.resize(4);
    topology.blocks.push_back({0, 1, 0, 0});
    auto& pairs = topology.types[0].of(system::Kind::pair14);
    pairs.atoms = {0, 3};
    pairs.parameters = {0};
    plan::RunPlan plan;
    EXPECT_THAT(observe::termsUsed(topology, plan), ::testing::ElementsAre(Term::lj14, Term::coulomb14, Term::ljSR, Term::coulombSR));
    plan.pme.active = plan.dispersion.energy = true;
    topology.temperatureGroups.names = {"Protein", "Water"};
    observe::EnergyColumns const columns(topology, plan);
    std::vector<std::string> names;
    for (auto const& column : columns.columns()) names.push_back(column.name);
    EXPECT_THAT(names,
                ::testing::ElementsAre("LJ-14", "Coulomb-14", "LJ (SR)", "Disper. corr.", "Coulomb (SR)", "Coul. recip.", "T-Protein",
                                       "T-Water", "Potential", "Kinetic En.", "Total Energy", "Conserved En.", "Temperature", "Pressure"));
    observe::Energies e = at(1, -3);
    e.groupTemperatures = {299, 301};
    std::vector<double> const values = columns.valuesOf(e);
    EXPECT_EQ(values[2], -6);
    EXPECT_EQ(values[7], 301);
    EXPECT_EQ(values[8], -3);
    EXPECT_EQ(values.size(), columns.size());
}

TEST(EnergyAverages, AgreeWithTwoPassesAndSurviveAStop)
{
    observe::EnergyColumns const columns({Term::ljSR, Term::coulombSR}, {});
    observe::EnergyAverages whole(columns), first(columns);
    std::vector<double> values;
    for (int step = 0; step < 1000; ++step) values.push_back(-1e7 + std::sin(step));
    double mean = 0, squares = 0;
    for (double v : values) mean += v / 1000;
    for (double v : values) squares += (v - mean) * (v - mean);
    for (int step = 0; step < 1000; ++step) whole.seeEnergies(at(step, values[static_cast<std::size_t>(step)]));
    for (int step = 0; step <= 400; ++step) first.seeEnergies(at(step, values[static_cast<std::size_t>(step)]));
    observe::EnergyAverages second(columns, first.memory());
    for (int step = 400; step < 1000; ++step) second.seeEnergies(at(step, values[static_cast<std::size_t>(step)]));
    EXPECT_NEAR(whole.mean(2), mean, 1e-7);
    EXPECT_NEAR(whole.fluctuation(2), std::sqrt(squares / 1000), 1e-7);
    EXPECT_EQ(whole.mean(2), second.mean(2));
    EXPECT_EQ(whole.fluctuation(2), second.fluctuation(2));
    EXPECT_EQ(second.count(), 1000);
}

TEST_F(Reports, LogHasTheBlocksThatReadersLookFor)
{
    observe::EnergyColumns const columns({Term::ljSR, Term::coulombSR}, {});
    {
        auto const log = output::LogWriter::create(ScratchFolder::at("md.log"), columns);
        output::RunRecord record;
        record.version = "0.1.0";
        record.plan = {{"rcoulomb", "0.9 nm"}, {"pair list radius", "1.0 nm"}};
        log->writeHeader(record);
        log->frameOnDisk(100);
        log->seeEnergies(::at(100, -12.5));
        observe::Energies silent = ::at(101, -13);
        silent.logLine = false;
        log->seeEnergies(silent);
        output::Performance p;
        p.dt = 0.002;
        p.timedSteps = 99;
        p.timedSeconds = 1;
        log->writePerformance(p);
        p.timedSteps = 100;
        log->writePerformance(p);
        EXPECT_EQ(static_cast<std::size_t>(log->bytes()), read(ScratchFolder::at("md.log")).size());
    }
    std::string const text = read(ScratchFolder::at("md.log"));
    EXPECT_THAT(text, HasSubstr("   rcoulomb          0.9 nm\n   pair list radius  1.0 nm\n"));
    EXPECT_THAT(text, HasSubstr("frame step 100 written\n"));
    EXPECT_THAT(text, HasSubstr("           Step           Time\n            100        0.00000\n\n   Energies (kJ/mol)\n"
                                "        LJ (SR)   Coulomb (SR)      Potential    Kinetic En.   Total Energy\n"
                                "   -2.50000e+01    0.00000e+00   -1.25000e+01    0.00000e+00    0.00000e+00\n"));
    EXPECT_THAT(text, ::testing::Not(HasSubstr("-1.30000e+01")));
    EXPECT_THAT(text, HasSubstr("Performance: not given, 99 timed steps are fewer than 100\n"));
    // 100 steps of 2 fs in a second: 0.2 ps/s = 17.28 ns/day
    EXPECT_THAT(text, HasSubstr("                  (ns/day)       (hour/ns)\nPerformance:        17.280           1.389\n"));
    std::int64_t const header = static_cast<std::int64_t>(text.find("frame step"));
    output::LogWriter::openForAppend(ScratchFolder::at("md.log"), columns, header)->writeLine("goes on");
    EXPECT_EQ(read(ScratchFolder::at("md.log")), text.substr(0, static_cast<std::size_t>(header)) + "goes on\n");
}

TEST(Log, AFullDiskIsSaid)
{
    observe::EnergyColumns const columns({Term::ljSR}, {});
    auto const log = output::LogWriter::openForAppend("/dev/full", columns);
    try {
        log->writeLine("x");
        FAIL();
    } catch (base::RunFailed const& failure) {
        EXPECT_STREQ(failure.what(), "/dev/full: cannot write: No space left on device");
    }
}

/// What a sample of the steps has told stands for all of them, with the host's own parts and those that only the device has.
TEST_F(Reports, TellWhereADevicesTimeWent)
{
    output::RunRecord record;
    output::Performance p;
    p.steps = 1000;
    p.wallSeconds = 4;
    p.clock.add(base::Part::output, 0.5);
    p.clock.addDevice(base::Part::update, 0.01);
    p.clock.addDevice(base::Part::update, 0.02);
    p.clock.countSampled(20);
    observe::EnergyColumns const columns({Term::ljSR}, {});
    output::writeRunJson(ScratchFolder::at("md.json"), record, p, observe::EnergyAverages(columns), {});
    auto const table = nlohmann::json::parse(read(ScratchFolder::at("md.json")))["performance"]["table"];
    ASSERT_EQ(table.size(), 2U);
    EXPECT_EQ(table[0]["part"], base::nameOf(base::Part::update));
    EXPECT_DOUBLE_EQ(table[0]["device_s"].get<double>(), 1.5);
    EXPECT_EQ(table[0]["wall_s"], 0);
    EXPECT_EQ(table[1]["device_s"], 0);
    EXPECT_EQ(table[1]["wall_s"], 0.5);
}

TEST_F(Reports, RunJson)
{
    observe::EnergyColumns const columns({Term::ljSR}, {});
    observe::EnergyAverages averages(columns);
    averages.seeEnergies(::at(0, 1));
    averages.seeEnergies(::at(1, 3));
    averages.seeEnergies(::at(2, std::numeric_limits<double>::quiet_NaN()));
    output::RunRecord record;
    record.version = "0.1.0";
    record.title = "not \xff UTF-8";
    record.hardware = {{"threads", "2"}};
    output::Performance p;
    p.dt = 0.002;
    p.timedSteps = 99;
    p.timedSeconds = 1;
    p.clock.add(base::Part::pairs, 0.5);
    output::writeRunJson(ScratchFolder::at("md.json"), record, p, averages, {});
    auto json = nlohmann::json::parse(read(ScratchFolder::at("md.json")));
    EXPECT_TRUE(json["performance"]["ns_per_day"].is_null());
    EXPECT_THAT(json["performance"]["reason"].get<std::string>(), HasSubstr("fewer than 100"));
    EXPECT_EQ(json["performance"]["table"][0]["wall_s"], 0.5);
    EXPECT_FALSE(json["performance"]["table"][0].contains("device_s")) << "no device was looked into";
    EXPECT_TRUE(json["averages"]["Potential"]["mean"].is_null()) << "not-a-number has no place in JSON";
    EXPECT_EQ(json["averages"]["Kinetic En."]["mean"], 0);
    EXPECT_EQ(json["hardware"]["threads"], "2");
    EXPECT_TRUE(json["results"].empty()) << "nothing was timed in windows";
    EXPECT_TRUE(json["hardware"]["GPU"].is_null());
    p.timedSteps = 1000;
    p.windows = {{600, 6}, {99, 1}, {400, 5}};
    p.steady = false;
    p.drift = {1e-3, 2e-4};
    record.setup.deck = "water";
    record.setup.gpu = output::GpuFacts{"NVIDIA H200", "9.0", "GPU-1", 140.5, {}, "570.1", {}, 700.0, {}};
    output::writeRunJson(ScratchFolder::at("md.json"), record, p, averages, {});
    json = nlohmann::json::parse(read(ScratchFolder::at("md.json")));
    EXPECT_DOUBLE_EQ(json["performance"]["ns_per_day"], 172.8);
    EXPECT_DOUBLE_EQ(json["performance"]["hours_per_ns"], 24 / 172.8);
    ASSERT_EQ(json["results"].size(), 1U);
    nlohmann::json const& result = json["results"][0];
    // 600 steps of 2 fs in 6 s, 400 in 5 s: 0.2 and 0.16 ps/s; a window of 99 steps gives no rate
    EXPECT_EQ(result["windows"].size(), 3U);
    ASSERT_EQ(result["ns_per_day"]["values"].size(), 2U);
    EXPECT_DOUBLE_EQ(result["ns_per_day"]["most"], 17.28);
    EXPECT_DOUBLE_EQ(result["ns_per_day"]["least"], 13.824);
    EXPECT_DOUBLE_EQ(result["ns_per_day"]["median"], 15.552);
    EXPECT_EQ(result["steady"], false);
    EXPECT_EQ(result["drift_error"], 2e-4);
    EXPECT_TRUE(result["power_W"].is_null());
    EXPECT_EQ(json["hardware"]["GPU"]["power_limit_W"], 700.0);
    EXPECT_TRUE(json["hardware"]["GPU"]["mig_profile"].is_null());
}

TEST(Performance, RatesByHand)
{
    output::Performance p;
    p.dt = 0.002;
    p.timedSteps = 1000;
    p.timedSeconds = 10;
    // 2 ps in 10 s; a day has 8640 times 10 s, and 17.28 ns come of it; one of them takes 24 h / 17.28
    EXPECT_TRUE(p.measured());
    EXPECT_DOUBLE_EQ(p.nsPerDay(), 17.28);
    EXPECT_NEAR(p.hoursPerNs(), 1.389, 0.0005);
    p.timedSteps = 100;
    EXPECT_TRUE(p.measured());
    p.timedSteps = 99;
    EXPECT_FALSE(p.measured());
    p.timedSteps = 0; // a restart with no steps left
    EXPECT_FALSE(p.measured());
    p.timedSteps = 1000;
    p.timedSeconds = 0; // a clock that stands gives no infinite speed
    EXPECT_FALSE(p.measured());
}

TEST_F(Reports, WhatIsNoPlainFileIsWrittenInPlace)
{
    ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
    int const reader = ::open(at("pipe").c_str(), O_RDONLY | O_NONBLOCK);
    output::writeEnergyJson(at("pipe"), {});
    char first = 0;
    EXPECT_EQ(::read(reader, &first, 1), 1);
    ::close(reader);
    EXPECT_EQ(first, '{');
    EXPECT_TRUE(std::filesystem::is_fifo(at("pipe")));
}

TEST(EnergyJson, NamesOfTheFieldAndNullWithoutVelocities)
{
    output::EnergyReport report;
    report.atoms = 7;
    report.terms = {Term::ljSR, Term::coulombSR};
    report.energies = ::at(0, 1.0 / 3);
    report.energies.virial.y.x = 5;
    auto json = nlohmann::json::parse(output::energyJson(report));
    EXPECT_EQ(json["natoms"], 7);
    EXPECT_EQ(json["terms"].size(), 3u);
    EXPECT_EQ(json["terms"]["LJ (SR)"], 2.0 / 3);
    EXPECT_EQ(json["terms"]["Potential"], 1.0 / 3);
    EXPECT_EQ(json["virial"][1][0], 5);
    EXPECT_TRUE(json["pressure"].is_null() && json["kinetic"].is_null() && json["temperature"].is_null());
    report.velocities = true;
    json = nlohmann::json::parse(output::energyJson(report));
    EXPECT_EQ(json["pressure"], 0);
}

system::Topology waters(std::int64_t count)
{
    system::Topology topology;
    system::MoleculeType peptide, water;
    peptide.atoms = {{"N", "ALA", 7, 0, 0, 14, 'A'}, {"CA", "GLYXYZ", 8, 0, 0, 12, 'A'}};
    water.atoms = {{"OW", "SOL", 1, 0, 0, 16, 'A'}, {"HW1", "SOL", 1, 0, 0, 1, 'A'}, {"HW2", "SOL", 1, 0, 0, 1, 'A'}};
    topology.types = {peptide, water};
    topology.blocks = {{0, 1, 0, 0}, {1, count, 2, 1}};
    topology.atomCount = 2 + 3 * count;
    return topology;
}

TEST(Gro, ColumnsAreThoseOfTheFormat)
{
    std::vector<math::Vec3d> const positions(5, {1.0625, -2.5, 13.9999}), velocities(5, {0.1, -0.25, 0});
    physics::Box const box({3, 0, 0}, {0, 4, 0}, {0, 0, 5});
    std::string const text = output::groText(waters(1), {"two\nlines", 2.5, box, positions, velocities, 3});
    EXPECT_EQ(text, "two lines t= 2.50000\n"
                    "    5\n"
                    "    7ALA      N    1   1.062  -2.500  14.000  0.1000 -0.2500  0.0000\n"
                    "    8GLYXY   CA    2   1.062  -2.500  14.000  0.1000 -0.2500  0.0000\n"
                    "    2SOL     OW    3   1.062  -2.500  14.000  0.1000 -0.2500  0.0000\n"
                    "    2SOL    HW1    4   1.062  -2.500  14.000  0.1000 -0.2500  0.0000\n"
                    "    2SOL    HW2    5   1.062  -2.500  14.000  0.1000 -0.2500  0.0000\n"
                    "   3.00000   4.00000   5.00000\n");
}

TEST(Gro, NumbersWrapAndPrecisionIsAsAsked)
{
    system::Topology const topology = waters(100'001);
    std::vector<math::Vec3d> const positions(static_cast<std::size_t>(topology.atomCount), {1.0 / 3, 0, 0});
    std::string const text = output::groText(topology, {"", 0, physics::Box({3, 0, 0}, {1, 4, 0}, {1, -1, 5}), positions, {}, 6});
    auto const holds = [&](char const* lines) { return text.find(lines) != std::string::npos; };
    EXPECT_TRUE(holds("\n99999SOL    HW299996   0.333333   0.000000   0.000000\n    0SOL     OW99997   0.333333")) << "residues wrap";
    EXPECT_TRUE(holds("\n    0SOL    HW299999   0.333333   0.000000   0.000000\n    1SOL     OW    0   0.333333")) << "atoms wrap";
    EXPECT_TRUE(holds("   3.00000   4.00000   5.00000   0.00000   0.00000   1.00000   0.00000   1.00000  -1.00000\n"));
    std::vector<math::Vec3d> const few(3);
    EXPECT_THROW(output::groText(topology, {"", 0, {}, few, {}, 3}), base::RunFailed);
}

TEST(Progress, TextAndSilence)
{
    observe::Progress p;
    p.step = 12000;
    p.lastStep = 500000;
    p.time = 24;
    p.nsPerDay = 103.24;
    p.secondsLeft = 4320;
    std::string const text = output::progressText(p, 0);
    EXPECT_THAT(text, HasSubstr("step 12000 of 500000 (2.4 %), 24.000 ps, 103.2 ns/day, done at "));
    EXPECT_THAT(text, HasSubstr("(in 1 h 12 min)"));
    p.lastStep = -1;
    EXPECT_EQ(output::progressText(p, 0), "step 12000, 24.000 ps, 103.2 ns/day");
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    output::ProgressLine line(ends[1]);
    line.seeProgress(p);
    line.finish();
    ::close(ends[1]);
    char byte = 0;
    EXPECT_EQ(::read(ends[0], &byte, 1), 0) << "a pipe sees nothing";
    ::close(ends[0]);
}

} // namespace
