// PME on the device against the CPU's and against plain PME in double.

#include "base/error.hpp"
#include "device/buffers.hpp"
#include "physics/dispersion_ewald.hpp"
#include "pme/charged_system.hpp"
#include "pme/pme_forces.hpp"
#include "simt/control.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>

namespace alder::test {
namespace {

using cpu::SimdLevel;
using system::Term;

struct Found {
    std::vector<math::ForceUnits> units;
    std::vector<std::int64_t> sums;
    Reciprocal reciprocal; ///< as engine() of the CPU gives it
};

/// One object's evaluations, each from zero.
class OnDevice {
public:
    OnDevice(ChargedSystem const& system, plan::PmePlan const& plan, cuda::TransformKind transform = cuda::TransformKind::library)
        : plan_(plan),
          pme_(system.topology(), plan, stream_, transform)
    {}
    void sort(ChargedSystem const& system)
    {
        cuda::DeviceBuffer<math::FractionVec> const positions(system.positions, stream_);
        pme_.sort(positions.constView());
    }
    Found evaluate(ChargedSystem const& system, bool wanted = true)
    {
        cuda::DeviceBuffer<math::FractionVec> const positions(system.positions, stream_);
        cuda::DeviceBuffer<std::int64_t> forces(3 * system.positions.size()), sums(cuda::sumCount);
        forces.clear(stream_);
        sums.clear(stream_);
        pme_.add(positions.constView(), system.box, {forces.view(), sums.view(), wanted});
        pme_.check();
        Found found{{}, sums.download(stream_), {}};
        std::vector<std::int64_t> const flat = forces.download(stream_);
        for (std::size_t i = 0; i < flat.size(); i += 3) {
            found.units.push_back({flat[i], flat[i + 1], flat[i + 2]});
            found.reciprocal.forces.push_back(math::forceValue(found.units.back()));
        }
        auto const value = [&](std::size_t i) { return static_cast<double>(found.sums[i]) / math::sumScale; };
        found.reciprocal.energy = value(static_cast<std::size_t>(plan_.sum == plan::GridSum::coulomb ? Term::coulombRecip : Term::ljRecip));
        std::size_t const v = system::termCount;
        found.reciprocal.virial = {
            {value(v), value(v + 1), value(v + 2)}, {value(v + 3), value(v + 4), value(v + 5)}, {value(v + 6), value(v + 7), value(v + 8)}};
        return found;
    }

private:
    cuda::Stream stream_;
    plan::PmePlan plan_;
    cuda::PmeForces pme_;
};

/// The charge grids are the same integers; what differs is how the transforms and the gathering sums round.
void expectClose(ChargedSystem const& system, plan::PmePlan const& plan, cuda::TransformKind transform = cuda::TransformKind::library)
{
    Reciprocal const expected = engine(system, plan, cpu::bestSimdLevel(), 1);
    Found const found = OnDevice(system, plan, transform).evaluate(system);
    EXPECT_LT(relativeError(found.reciprocal.forces, expected.forces), 1e-6);
    EXPECT_NEAR(found.reciprocal.energy, expected.energy, 1e-6 * std::abs(expected.energy));
    EXPECT_LT(largestDifference(found.reciprocal.virial, expected.virial), 1e-6 * std::abs(expected.energy));
    bool const coulomb = plan.sum == plan::GridSum::coulomb;
    EXPECT_NEAR(static_cast<double>(found.sums[static_cast<std::size_t>(coulomb ? Term::coulombSR : Term::ljSR)]) / math::sumScale,
                plan.selfEnergy, 1e-7);
}

class Orders : public testing::TestWithParam<int> {};

TEST_P(Orders, AgreeWithTheCpuOnEvenAndOddGrids)
{
    std::vector<std::array<int, 3>> const grids{{16, 16, 16}, {14, 15, 17}, {25, 18, 19}, {20, 22, 26}, {17, 24, 30}};
    unsigned seed = 1;
    for (auto const& grid : grids) {
        ChargedSystem const system = randomCharges(83, seed % 2 ? Shape::triclinic : Shape::rectangular, seed % 3 ? 0 : 1.5, seed);
        ++seed;
        SCOPED_TRACE(testing::Message() << grid[0] << ' ' << grid[1] << ' ' << grid[2]);
        for (cuda::TransformKind const transform : {cuda::TransformKind::library, cuda::TransformKind::own})
            expectClose(system, planFor(system, GetParam(), grid, 3.1), transform);
    }
}

TEST_P(Orders, AgreeWithTheCpuOnDispersionGrids)
{
    ChargedSystem system = randomCharges(60, Shape::triclinic, 0, 17);
    for (std::size_t i = 0; i < system.charges.size(); ++i) system.charges[i] = 0.03 + 0.01 * static_cast<double>(i % 6);
    plan::PmePlan plan = dispersionPlan(system, GetParam(), {18, 21, 26}, 3.0);
    expectClose(system, plan);
    plan.electricFactor = -1; // a grid of a repulsive part
    expectClose(system, plan);
}

TEST_P(Orders, AgreeWithPlainPmeInDouble)
{
    ChargedSystem const system = randomCharges(60, Shape::triclinic, 0, 23);
    plan::PmePlan const plan = planFor(system, GetParam(), {20, 18, 25}, 3.1);
    Reciprocal const expected = plainPme(system, plan), found = OnDevice(system, plan).evaluate(system).reciprocal;
    EXPECT_LT(relativeError(found.forces, expected.forces), 2e-6);
    EXPECT_NEAR(found.energy / expected.energy, 1, 5e-7);
}

INSTANTIATE_TEST_SUITE_P(All, Orders, testing::Range(3, 9));

/// Coarse grids, where the highest waves weigh: which of a wave and its opposite counts shows.
TEST(DevicePme, TakesTheHighestWavesAsTheCpuDoes)
{
    for (Shape const shape : {Shape::rectangular, Shape::triclinic})
        for (std::array<int, 3> const grid : {std::array{8, 8, 8}, std::array{8, 9, 10}, std::array{9, 8, 12}, std::array{10, 12, 9}}) {
            ChargedSystem const system = randomCharges(40, shape, 0, 4);
            plan::PmePlan const plan = planFor(system, 4, grid, 3.1);
            Reciprocal const expected = engine(system, plan, cpu::bestSimdLevel(), 1);
            Reciprocal const found = OnDevice(system, plan).evaluate(system).reciprocal;
            EXPECT_NEAR(found.energy / expected.energy, 1, 1e-6) << grid[0] << ' ' << grid[1] << ' ' << grid[2];
            EXPECT_LT(largestDifference(found.virial, expected.virial), 2e-6 * std::abs(expected.energy));
        }
}

class DeviceBits : public testing::Test {
protected:
    ChargedSystem const system = randomCharges(101, Shape::triclinic, 0.7, 21);
    plan::PmePlan const plan = planFor(system, 5, {18, 21, 26}, 3.0);
};

TEST_F(DeviceBits, AreTheSameForAnyOrderOfBlocks)
{
    Found const expected = OnDevice(system, plan).evaluate(system);
    for (std::uint64_t const seed : {1u, 2u, 3u}) {
        simt::setSeed(seed);
        Found const found = OnDevice(system, plan).evaluate(system);
        EXPECT_TRUE(found.units == expected.units);
        EXPECT_EQ(found.sums, expected.sums);
    }
    simt::setSeed(0);
}

TEST_F(DeviceBits, AreTheSameForAnyOrderOfAtoms)
{
    Found const expected = OnDevice(system, plan).evaluate(system);
    std::vector<std::size_t> order(system.charges.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(4));
    ChargedSystem shuffled = system;
    for (std::size_t i = 0; i < order.size(); ++i) {
        shuffled.positions[i] = system.positions[order[i]];
        shuffled.charges[i] = system.charges[order[i]];
    }
    Found const found = OnDevice(shuffled, plan).evaluate(shuffled);
    for (std::size_t i = 0; i < order.size(); ++i) EXPECT_TRUE(found.units[i] == expected.units[order[i]]);
    EXPECT_EQ(found.sums, expected.sums);
}

/// One object used step after step, box changes included, gives what a fresh one gives; and whether sums are wanted is of no matter.
TEST_F(DeviceBits, AreTheSameWhateverWentBefore)
{
    Found const expected = OnDevice(system, plan).evaluate(system);
    OnDevice device(system, plan);
    device.evaluate(randomCharges(101, Shape::rectangular, 0.7, 22));
    Found const plain = device.evaluate(system, false);
    EXPECT_TRUE(plain.units == expected.units);
    EXPECT_EQ(plain.sums, std::vector<std::int64_t>(cuda::sumCount, 0));
    Found const again = device.evaluate(system);
    EXPECT_TRUE(again.units == expected.units);
    EXPECT_EQ(again.sums, expected.sums);
}

/// Sorting by place moves no bit, whatever order threads come in, and loses nobody.
TEST_F(DeviceBits, AreTheSameAfterSorting)
{
    Found const expected = OnDevice(system, plan).evaluate(system);
    for (std::uint64_t const seed : {0u, 1u, 2u}) {
        simt::setSeed(seed);
        OnDevice device(system, plan);
        device.sort(randomCharges(101, Shape::rectangular, 0.7, 22));
        device.sort(system);
        Found const found = device.evaluate(system);
        EXPECT_TRUE(found.units == expected.units);
        EXPECT_EQ(found.sums, expected.sums);
    }
    simt::setSeed(0);
}

/// Sources come brick by brick: 8 grid points along z, then y, then x.
TEST_F(DeviceBits, SourcesAreSortedByBricks)
{
    cuda::Stream stream;
    std::vector<cuda::GridSource> sources;
    for (std::int32_t i = 0; i < 101; i += 2) sources.push_back({i, static_cast<float>(i)});
    cuda::PmeGridShape const grid{18, 21, 26};
    cuda::SourceOrder order(grid, sources, stream);
    cuda::DeviceBuffer<math::FractionVec> const positions(system.positions, stream);
    order.sort(positions.constView(), stream);
    stream.synchronize();
    auto const brickOf = [&](std::size_t n) {
        cuda::GridSource const source = order.sources().data()[n];
        EXPECT_EQ(source.charge, static_cast<float>(source.atom));
        auto const along = [](std::int32_t f, int points) {
            return static_cast<int>(static_cast<double>(static_cast<std::uint32_t>(f)) / 4294967296.0 * points) / 8;
        };
        math::FractionVec const r = system.positions[static_cast<std::size_t>(source.atom)];
        return (along(r.x, 18) * 3 + along(r.y, 21)) * 4 + along(r.z, 26);
    };
    for (std::size_t n = 1; n < sources.size(); ++n) EXPECT_LE(brickOf(n - 1), brickOf(n));
}

TEST_F(DeviceBits, AStepLaunchesWhatItMustAndDoesNotWait)
{
    cuda::Stream stream;
    cuda::PmeForces pme(system.topology(), plan, stream);
    cuda::DeviceBuffer<math::FractionVec> const positions(system.positions, stream);
    cuda::DeviceBuffer<std::int64_t> forces(3 * system.positions.size()), sums(cuda::sumCount);
    forces.clear(stream);
    sums.clear(stream);
    cuda::ForceTarget const target{forces.view(), sums.view(), false};
    pme.add(positions.constView(), system.box, target);
    stream.synchronize();
    simt::resetCounts();
    pme.add(positions.constView(), system.box, target);
    EXPECT_EQ(simt::counts().synchronizations, 0);
    stream.synchronize();
    EXPECT_EQ(simt::counts().launchesOf("influenceTable"), 0) << "the box has not changed";
    for (char const* kernel : {"spread", "chargesToPoints", "solveWaves", "gather"})
        EXPECT_EQ(simt::counts().launchesOf(kernel), 1) << kernel;
}

TEST(Transforms, AreChosenByNameAndByWhatIsThere)
{
    unsetenv("ALDER_GPU_FFT");
    EXPECT_EQ(cuda::chosenTransform(), cuda::TransformKind::own) << "whose bits are those of any number of ranks";
    EXPECT_EQ(cuda::nameOf(cuda::TransformKind::library).rfind("cuFFT ", 0), 0u);
    setenv("ALDER_GPU_FFT", "own", 1);
    EXPECT_EQ(cuda::chosenTransform(), cuda::TransformKind::own);
    setenv("ALDER_GPU_FFT", "cufft", 1);
    EXPECT_EQ(cuda::chosenTransform(), cuda::TransformKind::library);
    setenv("ALDER_GPU_FFT", "fast", 1);
    EXPECT_THROW(cuda::chosenTransform(), base::RunFailed);
    unsetenv("ALDER_GPU_FFT");
}

/// A rank that shares the grid with none but itself, by the way of several: only the planes near its atoms have memory.
class SharedGrid : public testing::Test {
protected:
    struct Answer {
        std::vector<std::int64_t> forces, sums;
    };
    Answer together(std::vector<math::FractionVec> const& taken, std::vector<math::FractionVec> const& now)
    {
        cuda::PmeForces pme(topology, plan, stream, cuda::TransformKind::own, &team);
        pme.takeAtoms(topology, {taken, system.box});
        return answer(pme, now, [&](auto const& positions) { pme.start(positions); });
    }
    template <class Start> Answer answer(cuda::PmeForces& pme, std::vector<math::FractionVec> const& places, Start&& start)
    {
        cuda::DeviceBuffer<math::FractionVec> const positions(places, stream);
        cuda::DeviceBuffer<std::int64_t> forces(3 * places.size()), sums(cuda::sumCount);
        forces.clear(stream);
        sums.clear(stream);
        start(positions.constView());
        pme.add(positions.constView(), system.box, {forces.view(), sums.view(), true});
        pme.check();
        return {forces.download(stream), sums.download(stream)};
    }
    /// All atoms in a slice of the box across its border, and so far on.
    [[nodiscard]] std::vector<math::FractionVec> slice(std::int32_t on) const
    {
        std::vector<math::FractionVec> places = system.positions;
        for (math::FractionVec& r : places) r.x = math::wrappingSum(r.x / 8, on);
        return places;
    }

    ChargedSystem system = randomCharges(60, Shape::triclinic, 0, 21);
    system::Topology topology = system.topology();
    plan::PmePlan plan = planFor(system, 5, {60, 21, 25}, 3.0);
    cuda::Stream stream;
    domain::Communicator alone;
    domain::PmeTeam team{alone, 0};
};

TEST_F(SharedGrid, HasTheBitsOfALoneRank)
{
    for (std::vector<math::FractionVec> const& places : {system.positions, slice(0)}) {
        cuda::PmeForces lone(topology, plan, stream, cuda::TransformKind::own);
        Answer const expected = answer(lone, places, [](auto const&) {}), found = together(places, places);
        EXPECT_EQ(found.forces, expected.forces);
        EXPECT_EQ(found.sums, expected.sums);
    }
}

TEST_F(SharedGrid, FollowsAtomsThatMoveAndRefusesThoseThatLeave)
{
    constexpr std::int32_t far = std::numeric_limits<std::int32_t>::min(); // half the cell
    double const edge = system.box.a().x;
    auto const little = static_cast<std::int32_t>(0.3 / edge * 4294967296.0);
    cuda::PmeForces lone(topology, plan, stream, cuda::TransformKind::own);
    EXPECT_EQ(together(slice(0), slice(little)).forces, answer(lone, slice(little), [](auto const&) {}).forces);
    try {
        static_cast<void>(together(slice(0), slice(far)));
        FAIL() << "an atom was left out";
    } catch (base::RunFailed const& failure) {
        EXPECT_NE(std::string(failure.what()).find("farther than its rank has planes"), std::string::npos) << failure.what();
    }
}

TEST_F(SharedGrid, RefusesChargesPiledUp)
{
    system.positions.assign(145, system.positions[0]);
    system.charges.assign(145, 1.0);
    topology = system.topology();
    plan = planFor(system, 4, {20, 20, 20}, 3.0);
    EXPECT_THROW(static_cast<void>(together(system.positions, system.positions)), base::RunFailed);
}

TEST_F(SharedGrid, RefusesCufft)
{
    EXPECT_THROW(cuda::PmeForces(topology, plan, stream, cuda::TransformKind::library, &team), base::RunFailed);
}

/// The charge grid never wraps in silence.
TEST(DevicePme, RefusesChargesPiledUp)
{
    for (int const count : {30, 40, 60, 145}) {
        ChargedSystem system = randomCharges(4, Shape::rectangular, 0, 8);
        system.positions.resize(static_cast<std::size_t>(count) + 4, system.positions[0]);
        system.charges.resize(static_cast<std::size_t>(count) + 4, 1.0);
        OnDevice device(system, planFor(system, 4, {20, 20, 20}, 3.0));
        EXPECT_THROW(device.evaluate(system), base::RunFailed) << count;
    }
}

TEST(DevicePme, DoesNothingWithoutCharges)
{
    ChargedSystem system = randomCharges(12, Shape::rectangular, 0, 8);
    system.charges.assign(12, 0.0);
    plan::PmePlan plan = planFor(system, 4, {20, 20, 20}, 3.0);
    Found const found = OnDevice(system, plan).evaluate(system);
    for (auto const& f : found.units) EXPECT_TRUE(f == (math::ForceUnits{0, 0, 0}));
    EXPECT_TRUE(cuda::PmeForces::cannotDo(plan).empty());
    plan.grid = {1024, 1024, 1024};
    plan.order = 9;
    EXPECT_EQ(cuda::PmeForces::cannotDo(plan).size(), 2u);
}

} // namespace
} // namespace alder::test
