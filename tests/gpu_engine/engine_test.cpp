// The GPU's back end as a whole, on the emulation: what it asks of the host, that all kernels have their turn, what becomes of faults.

#include "backend/deck_run.hpp"

#include "base/error.hpp"
#include "gpu/provider.hpp"
#include "simt/control.hpp"

#include <gmock/gmock.h>

#include <cstdio>
#include <filesystem>
#include <regex>
#include <set>

namespace alder::test {
namespace {

std::unique_ptr<engine::Backend> emulated(system::Topology const& topology, plan::RunPlan const& plan)
{
    return gpu::makeBackend(topology, plan, {});
}

/// Steps [from, to) as the loop would have them.
void takeSteps(engine::Backend& backend, plan::Schedule const& schedule, std::int64_t from, std::int64_t to)
{
    for (std::int64_t n = from; n < to; ++n) {
        plan::StepPlan const step = schedule.at(n);
        if (step.buildList) backend.buildLists();
        backend.forces(step);
        if (step.virial()) static_cast<void>(backend.sums());
        static_cast<void>(backend.advance(step, {}));
    }
}

TEST(Engine, AsksNothingOfTheHostBetweenLists)
{
    plan::RunRequest request;
    request.nstlist = 10;
    DeckRun run("argon", "tcoupl = no\nnstcalcenergy = 1000\nnstcomm = 1000\nnstenergy = 1000\nnstlog = 1000\n", request);
    run.plan().dynamics.steps = 1000;
    std::unique_ptr<engine::Backend> const backend = run.backend(emulated);
    backend->adopt(run.start());
    plan::Schedule const schedule(run.plan());
    takeSteps(*backend, schedule, 0, 50);
    backend->buildLists();
    simt::resetCounts();
    plan::StepPlan first = schedule.at(50);
    ASSERT_TRUE(first.buildList);
    backend->forces(first);
    static_cast<void>(backend->advance(first, {}));
    takeSteps(*backend, schedule, 51, 60);
    EXPECT_EQ(simt::counts().synchronizations, 0);
    EXPECT_EQ(simt::counts().bytesToHost, 0);
    system::State state = run.start();
    std::vector<math::Vec3d> none;
    backend->collect({true, false, false}, state, none);
    EXPECT_EQ(simt::counts().graphLaunches, 1); // the whole lifetime of a list
}

/// What a run of argon asks of the host that nobody looks at, with lists of 10 steps.
simt::Counts countsOf(std::string const& keys, std::int64_t steps)
{
    plan::RunRequest request;
    request.nstlist = 10;
    DeckRun run("argon", keys + "nstcalcenergy = 1000\nnstenergy = 1000\nnstlog = 1000\n", request);
    simt::resetCounts();
    static_cast<void>(run.go(emulated, run.start(), steps));
    return simt::counts();
}

/// Waits of the host in a run with a barostat and a thermostat. Three a list: a copy of its length, which counts for two where it goes to
/// pageable memory, and what may have gone wrong. Three a pressure: kinetic energies of the half steps before and after, and the virial.
TEST(Engine, WaitsAtListsAndPressuresAlone)
{
    std::string const keys = "nsttcouple = 5\npcoupl = C-rescale\ntau-p = 2\nref-p = 1\ncompressibility = 4.5e-5\nnstpcouple = 5\n";
    simt::Counts const shorter = countsOf(keys, 30), longer = countsOf(keys, 50); // two lists more, and their four couplings
    EXPECT_EQ(longer.synchronizations - shorter.synchronizations, 2 * 3 + 4 * 3);
    EXPECT_EQ(longer.graphLaunches - shorter.graphLaunches, 4);
    EXPECT_EQ(longer.launchesOf("coupleGroups") - shorter.launchesOf("coupleGroups"), 4);
}

/// A thermostat asks for nothing: its factors are made on the device, in the graph of a list's steps.
TEST(Engine, DoesNotWaitForThermostats)
{
    for (char const* const thermostat :
         {"tcoupl = v-rescale\n", "annealing = single\nannealing-npoints = 2\nannealing-time = 0 1\nannealing-temp = 90 100\n"}) {
        SCOPED_TRACE(thermostat);
        std::string const keys = std::string("nsttcouple = 10\n") + thermostat;
        simt::Counts const shorter = countsOf(keys, 30), longer = countsOf(keys, 50);
        EXPECT_EQ(longer.synchronizations - shorter.synchronizations, 2 * 3); // what lists ask for, with or without a thermostat
        EXPECT_EQ(longer.graphLaunches - shorter.graphLaunches, 2);
        EXPECT_EQ(longer.launchesOf("coupleGroups") - shorter.launchesOf("coupleGroups"), 2);
    }
}

/// A run whose energies are looked at every so many steps.
struct Watched {
    system::State state;
    std::int64_t graphLaunches = 0;
};
Watched watched(std::string const& deck, std::string const& keys, std::string const& interval)
{
    plan::RunRequest request;
    request.nstlist = 5;
    DeckRun run(deck, keys + "nstcalcenergy = " + interval + "\nnstenergy = " + interval + "\n", request);
    simt::resetCounts();
    Watched result;
    result.state = run.go(emulated, run.start(), 22);
    result.graphLaunches = simt::counts().graphLaunches;
    return result;
}

/// Where somebody looks at each step there are no graphs: what they hold of a box, a step's number or its time would be seen here.
TEST(Engine, LeavesNoTraceOfBeingLookedAt)
{
    struct Case {
        std::string deck, keys;
        std::int64_t graphLaunches = 2;
    };
    std::string const pressure = "tau-p = 0.5\nref-p = 500\ncompressibility = 4.5e-5\nnstpcouple = 5\n";
    std::string const annealing = "annealing = single\nannealing-npoints = 2\nannealing-time = 0 1\nannealing-temp = 300 900\n";
    for (Case const& c :
         {Case{"nacl", "nsttcouple = 5\npcoupl = C-rescale\n" + pressure, 3},
          Case{"tip4p", "tcoupl = no\npcoupl = Berendsen\nepsilon-surface = 1\n" + pressure, 3},
          Case{"argon", "tcoupl = no\npcoupl = Parrinello-Rahman\n" + pressure, 3}, Case{"peptide", "integrator = sd\ntcoupl = no\n"},
          Case{"argon", "integrator = bd\nbd-fric = 100\n"}, Case{"nacl", "tcoupl = no\nelectric-field-y = 0.3 20 0.01 0.02\n"},
          Case{"argon", "integrator = md-vv\ntcoupl = andersen\ntau-t = 0.1\ncomm-mode = None\n"},
          Case{"argon", "integrator = md-vv\ntcoupl = andersen-massive\ntau-t = 0.05\ncomm-mode = None\n"},
          Case{"argon", "integrator = sd\ntau-t = 0.5\n" + annealing, 0}, Case{"argon", "nsttcouple = 5\n" + annealing},
          Case{"argon", "nsttcouple = 5\ntcoupl = nose-hoover\ntau-t = 1\n"},
          Case{"argon", "nsttcouple = 1\nintegrator = md-vv\ntcoupl = nose-hoover\ntau-t = 1\nnh-chain-length = 3\n"}}) {
        SCOPED_TRACE(c.deck + ": " + c.keys);
        Watched const often = watched(c.deck, c.keys, "1"), seldom = watched(c.deck, c.keys, "100");
        EXPECT_TRUE(often.state.positions == seldom.state.positions);
        EXPECT_TRUE(often.state.velocities == seldom.state.velocities);
        EXPECT_EQ(often.state.coupling.thermostatIntegral, seldom.state.coupling.thermostatIntegral); // heat is taken once
        EXPECT_EQ(often.state.coupling.chainVelocity, seldom.state.coupling.chainVelocity);
        EXPECT_EQ(often.state.coupling.chainPosition, seldom.state.coupling.chainPosition);
        EXPECT_EQ(often.graphLaunches, 0);
        EXPECT_EQ(seldom.graphLaunches, c.graphLaunches);
    }
}

class FrameKeeper : public observe::Observer {
public:
    std::vector<observe::Frame> frames;
    void seeFrame(observe::Frame const& frame) override { frames.push_back(frame); }
};

/// A frame travels while the next steps run, under a barostat in another box by then: it is what a run that ends there ends with.
TEST(Engine, ShowsFramesAsTheyWereTaken)
{
    std::string const pressure = "nsttcouple = 2\npcoupl = C-rescale\ntau-p = 0.5\nref-p = 500\ncompressibility = 4.5e-5\nnstpcouple = 2\n";
    plan::RunRequest request;
    request.nstlist = 5;
    DeckRun run("argon", pressure + "nstxout = 4\nnstvout = 4\nnstfout = 4\nnstcalcenergy = 100\nnstenergy = 100\nnstlog = 100\n", request);
    run.plan().dynamics.steps = 14;
    FrameKeeper keeper;
    loop::StopRequest const stop(-1);
    system::State state = run.start();
    std::unique_ptr<engine::Backend> const backend = run.backend(emulated);
    loop::LoopParts const parts{run.plan(), stop, {&keeper}, [](system::State&) {}, 1e9, {}, {}, {}};
    static_cast<void>(loop::StepLoop(*backend, parts).run(state));
    ASSERT_EQ(keeper.frames.size(), 5U); // 0, 4, 8, 12 and the last
    for (observe::Frame const& frame : keeper.frames) {
        SCOPED_TRACE(frame.step);
        system::State const there = run.go(emulated, run.start(), frame.step);
        EXPECT_EQ(frame.box.a().x, there.box.a().x);
        ASSERT_EQ(frame.positions.size(), there.positions.size());
        ASSERT_EQ(frame.velocities.size(), there.velocities.size());
        EXPECT_EQ(frame.forces.size(), there.positions.size());
        bool same = true;
        for (std::size_t i = 0; i < there.positions.size(); ++i) {
            math::Vec3d const r = there.box.toPosition(there.positions[i]), v = there.velocities[i];
            same = same && frame.positions[i].x == static_cast<float>(r.x) && frame.velocities[i].z == static_cast<float>(v.z);
        }
        EXPECT_TRUE(same);
    }
}

TEST(Engine, TakesAFrameWithoutAWait)
{
    DeckRun run("argon", "tcoupl = no\n");
    std::unique_ptr<engine::Backend> const backend = run.backend(emulated);
    backend->adopt(run.start());
    takeSteps(*backend, plan::Schedule(run.plan()), 0, 3);
    simt::resetCounts();
    ASSERT_TRUE(backend->startCollect({true, true, true}));
    EXPECT_EQ(simt::counts().synchronizations, 0);
    system::State state = run.start();
    std::vector<math::Vec3d> forces;
    backend->finishCollect(state, forces);
    EXPECT_EQ(simt::counts().synchronizations, 1); // for arrays and for what may have gone wrong
    EXPECT_EQ(forces.size(), state.positions.size());
}

/// The steps of one list are looked into, kernel by kernel and without a wait more; what follows goes by graphs again.
TEST(Engine, TimesThePartsOfASampledList)
{
    plan::RunRequest request;
    request.nstlist = 3;
    DeckRun run("nacl", "tcoupl = no\nnstcalcenergy = 1200\nnstenergy = 1200\nnstlog = 1200\nnstcomm = 1200\n", request);
    run.plan().dynamics.steps = 1200;
    std::unique_ptr<engine::Backend> const backend = run.backend(emulated);
    backend->adopt(run.start());
    plan::Schedule const schedule(run.plan());
    auto const countsOf = [&](std::int64_t from, std::int64_t to) {
        simt::resetCounts();
        takeSteps(*backend, schedule, from, to);
        static_cast<void>(backend->motion()); // waits for what was given
        return simt::counts();
    };
    static_cast<void>(countsOf(0, 27));
    simt::Counts const before = countsOf(27, 30), sampled = countsOf(30, 33);
    EXPECT_EQ(backend->clock().sampledSteps(), 0); // nobody has looked yet
    simt::Counts const after = countsOf(33, 36);
    EXPECT_EQ(sampled.synchronizations, before.synchronizations);
    EXPECT_EQ(after.synchronizations, before.synchronizations);
    EXPECT_EQ(before.graphLaunches, 1);
    EXPECT_EQ(sampled.graphLaunches, 0);
    EXPECT_EQ(after.graphLaunches, 1);
    base::Clock const& clock = backend->clock();
    EXPECT_EQ(clock.sampledSteps(), 3);
    for (base::Part const part : {base::Part::listBuild, base::Part::pairs, base::Part::pmeFft, base::Part::update}) {
        EXPECT_GT(clock.deviceSeconds(part, 3), 0) << base::nameOf(part);
        EXPECT_DOUBLE_EQ(clock.deviceSeconds(part, 300), 100 * clock.deviceSeconds(part, 3));
    }
    EXPECT_EQ(clock.deviceSeconds(base::Part::pairEnergies, 3), 0);
}

TEST(Engine, ComputesForcesThatWaitOnTheirTurnAlone)
{
    plan::RunRequest request;
    request.nstlist = 12;
    DeckRun run("nacl",
                "tcoupl = no\nmts = yes\nmts-level2-factor = 4\nmts-level2-forces = longrange-nonbonded\nnstcalcenergy = 1200\n"
                "nstenergy = 1200\nnstlog = 1200\nnsteps = 1200\nnstcomm = 1200\n",
                request);
    run.plan().dynamics.steps = 1200;
    std::unique_ptr<engine::Backend> const backend = run.backend(emulated);
    backend->adopt(run.start());
    plan::Schedule const schedule(run.plan());
    std::vector<math::Vec3d> none;
    system::State state = run.start();
    takeSteps(*backend, schedule, 0, 12);
    backend->collect({true, false, false}, state, none);
    simt::resetCounts();
    takeSteps(*backend, schedule, 12, 48);
    backend->collect({true, false, false}, state, none);
    EXPECT_EQ(simt::counts().launchesOf("solveWaves"), 36 / 4);
    EXPECT_EQ(simt::counts().launchesOf("addImpulse"), 36 / 4);
    EXPECT_EQ(simt::counts().launchesOf("narrowForces"), 36);
    EXPECT_GT(simt::counts().graphLaunches, 0);
}

TEST(Engine, LinksNothingOfTheCpusBackEnd)
{
    std::FILE* const names = popen("nm -C /proc/$PPID/exe", "r");
    ASSERT_NE(names, nullptr);
    char line[4096];
    std::size_t own = 0, ofCpu = 0;
    while (std::fgets(line, sizeof line, names) != nullptr) {
        std::string const name(line);
        own += name.find("alder::cuda::") != std::string::npos ? 1 : 0;
        ofCpu += name.find("alder::cpu::") != std::string::npos ? 1 : 0;
    }
    pclose(names);
    EXPECT_GT(own, 100U);
    EXPECT_EQ(ofCpu, 0U);
}

TEST(Engine, SaysInOneLineThatTheDeviceIsLost)
{
    DeckRun run("three-atoms", "tcoupl = no\n");
    std::unique_ptr<engine::Backend> const backend = run.backend(emulated);
    backend->adopt(run.start());
    plan::Schedule const schedule(run.plan());
    takeSteps(*backend, schedule, 0, 12);
    simt::loseDeviceAfter(30);
    std::string said;
    try {
        takeSteps(*backend, schedule, 12, 100);
    } catch (base::RunFailed const& failed) {
        said = failed.what();
    }
    simt::restoreDevice();
    EXPECT_THAT(said, testing::StartsWith("GPU: "));
    EXPECT_THAT(said, testing::Not(testing::HasSubstr("\n")));
}

TEST(Engine, SaysWhyThereIsNoGpu)
{
    simt::setDevices(0);
    gpu::DeviceList const none = gpu::devices();
    simt::setDevices(1);
    EXPECT_TRUE(none.devices.empty());
    EXPECT_THAT(none.trouble, testing::HasSubstr("no GPU"));
    EXPECT_EQ(gpu::devices().devices.size(), 1U);
}

TEST(Engine, WorksOutTheMemoryItTakes)
{
    DeckRun run("peptide");
    std::uint64_t const needed = gpu::memoryNeeded(run.topology(), run.plan(), run.start().box.volume());
    std::uint64_t const before = gpu::memoryFree({});
    std::unique_ptr<engine::Backend> const backend = run.backend(emulated);
    backend->adopt(run.start());
    backend->buildLists();
    std::uint64_t const taken = before - gpu::memoryFree({});
    EXPECT_GT(needed, taken);
    EXPECT_LT(needed, 2 * taken + (std::uint64_t{80} << 20));
}

/// Names of all kernels in the sources.
std::set<std::string> kernelsWritten()
{
    std::set<std::string> kernels;
    std::regex const kernel(R"(__global__\s+(?:void\s+)?(?:__launch_bounds__\([^)]*\)\s+)?(?:void\s+)?(\w+)\()");
    for (auto const& entry : std::filesystem::recursive_directory_iterator(std::string(ALDER_SOURCE_DIR) + "/cuda")) {
        std::string const extension = entry.path().extension();
        if (extension != ".cu" && extension != ".hpp") continue;
        std::ifstream in(entry.path());
        std::string const text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
        for (std::sregex_iterator at(text.begin(), text.end(), kernel), end; at != end; ++at) kernels.insert((*at)[1]);
    }
    return kernels;
}

/// Kernels that no shipped deck needs, and where they are tested.
std::set<std::string> const elsewhere{"countPairs",        // test_gpu_pairs: runs do not ask for it
                                      "restrainDistances", // test_gpu_bonded
                                      // test_gpu_ranks: several ranks
                                      "addForces", "addPlanes", "packForces", "packPieces", "packPositions", "unpackPieces",
                                      "unpackPositions"};

/// Energies of a deck as given, and what else is asked of single points.
void takeSinglePoint(std::string const& deck, std::string const& keys)
{
    plan::RunRequest request;
    request.purpose = plan::Purpose::energy;
    DeckRun run(deck, keys, request);
    std::unique_ptr<engine::Backend> const backend = run.backend(emulated);
    backend->adopt(run.start());
    backend->buildLists();
    static_cast<void>(backend->sitesOutOfPlace());
    plan::StepPlan step;
    step.energies = step.buildList = true;
    backend->forces(step);
    static_cast<void>(backend->sums());
}

TEST(Engine, HasATurnForEachKernel)
{
    simt::resetCounts();
    struct Case {
        std::string deck, keys;
        bool exact = false;
    };
    for (Case const& c :
         {Case{"water", "pcoupl = C-rescale\ntau-p = 2\nref-p = 1\ncompressibility = 4.5e-5\nnstcomm = 10\n"},
          Case{"peptide", "integrator = sd\nmts = yes\nmts-level2-factor = 2\n"}, Case{"peptide", "constraints = all-bonds\n"},
          Case{"argon", "integrator = md-vv\ntcoupl = andersen\ncomm-mode = None\n", true},
          Case{"argon", "integrator = bd\nbd-fric = 100\n"}, Case{"tip4p", "nstvout = 5\n"},
          Case{"peptide", "tcoupl = nose-hoover\nintegrator = md-vv\n"},
          Case{"nacl", "coulombtype = reaction-field\nelectric-field-x = 0.1 0 0 0\nfreezegrps = System\nfreezedim = Y N N\n"},
          Case{"butane", "vdwtype = PME\nepsilon-surface = 1\nvdw-modifier = None\n"}}) {
        SCOPED_TRACE(c.deck + ": " + c.keys);
        plan::RunRequest request;
        request.nstlist = 5;
        request.exactLists = c.exact;
        DeckRun run(c.deck, c.keys, request);
        ASSERT_THAT(gpu::cannotDo(run.topology(), run.plan()), testing::IsEmpty());
        std::unique_ptr<engine::Backend> const backend = run.backend(emulated);
        backend->adopt(run.start());
        backend->constrainStart();
        static_cast<void>(run.go(emulated, run.start(), 11));
    }
    for (char const* const deck : {"tip4p", "peptide", "nacl"}) takeSinglePoint(deck, "continuation = yes\n");
    std::set<std::string> idle;
    for (std::string const& kernel : kernelsWritten())
        if (simt::counts().launchesOf(kernel) == 0 && elsewhere.count(kernel) == 0) idle.insert(kernel);
    EXPECT_GT(kernelsWritten().size(), 30U);
    EXPECT_THAT(idle, testing::IsEmpty());
}

} // namespace
} // namespace alder::test
