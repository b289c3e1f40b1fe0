// Every field of what rank 0 sends arrives.

#include "domain/packing/fields.hpp"
#include "domain/packing/shared_run.hpp"
#include "rank_world.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace alder::domain {

namespace {

/// Gives every number, text and list of a struct a value of its own.
class Filler {
public:
    template <class... T> void operator()(T&... values) { (fill(values), ...); }

private:
    template <class T> void fill(T& value)
    {
        if constexpr (std::is_same_v<T, bool>)
            value = true;
        else if constexpr (std::is_enum_v<T>)
            value = static_cast<T>(1);
        else if constexpr (std::is_arithmetic_v<T>)
            value = static_cast<T>(++count_ % 100 + 1);
        else
            visitFields(value, *this);
    }
    void fill(std::string& text) { text = "text " + std::to_string(++count_); }
    template <class T> void fill(std::vector<T>& values)
    {
        values.resize(2);
        for (T& value : values) fill(value);
    }
    template <class T, std::size_t N> void fill(std::array<T, N>& values)
    {
        for (T& value : values) fill(value);
    }
    template <class T> void fill(math::Vec3<T>& v) { (*this)(v.x, v.y, v.z); }
    template <class T> void fill(math::Mat3<T>& m) { (*this)(m.x, m.y, m.z); }
    void fill(physics::Box& box)
    {
        math::Vec3d a, b, c;
        (*this)(a, b, c);
        box = {a, b, c};
    }
    void fill(base::FaultList& faults)
    {
        base::Fault fault, warning;
        (*this)(fault, warning);
        faults.refuse(fault.place, fault.what, fault.instead);
        faults.warn(warning.place, warning.what, warning.instead);
    }

    int count_ = 0;
};

template <class T> std::vector<std::byte> bytesOf(T const& value)
{
    Packer pack;
    pack(value);
    return pack.take();
}

template <class T> T throughBytes(T const& value)
{
    std::vector<std::byte> const bytes = bytesOf(value);
    T copy;
    Unpacker unpack(bytes);
    unpack(copy);
    EXPECT_TRUE(unpack.atEnd());
    return copy;
}

template <class T> void expectSurvives()
{
    T filled;
    Filler fill;
    fill(filled);
    EXPECT_NE(bytesOf(filled), bytesOf(T()));
    EXPECT_EQ(bytesOf(throughBytes(filled)), bytesOf(filled));
}

} // namespace

TEST(Packing, EveryFieldSurvives)
{
    expectSurvives<system::Topology>();
    expectSurvives<plan::RunPlan>();
    expectSurvives<system::State>();
}

TEST(Packing, FieldsComeBackInTheirPlaces)
{
    plan::RunPlan plan;
    system::Topology topology;
    Filler fill;
    fill(plan, topology);
    plan::RunPlan const samePlan = throughBytes(plan);
    EXPECT_EQ(samePlan.pairs.gridShift, plan.pairs.gridShift);
    EXPECT_EQ(samePlan.pme.grid, plan.pme.grid);
    EXPECT_EQ(samePlan.dispersionGrids.at(1).sourceOfType, plan.dispersionGrids.at(1).sourceOfType);
    EXPECT_EQ(samePlan.dynamics.barostat.reference, plan.dynamics.barostat.reference);
    EXPECT_EQ(samePlan.dynamics.groups.at(1).annealingTimes, plan.dynamics.groups.at(1).annealingTimes);
    EXPECT_EQ(samePlan.dynamics.bfgsCorrections, plan.dynamics.bfgsCorrections);
    EXPECT_EQ(samePlan.electricField.axes[2].sigma, plan.electricField.axes[2].sigma);
    EXPECT_EQ(samePlan.notes.warnings().at(0).text(), plan.notes.warnings().at(0).text());
    EXPECT_EQ(samePlan.notes.faults().at(0).text(), plan.notes.faults().at(0).text());
    system::Topology const same = throughBytes(topology);
    EXPECT_EQ(same.types.at(1).atoms.at(0).mass, topology.types.at(1).atoms.at(0).mass);
    EXPECT_EQ(same.types.at(0).of(system::Kind::cmap).atoms, topology.types.at(0).of(system::Kind::cmap).atoms);
    EXPECT_EQ(same.parametersOf(system::Kind::settle), topology.parametersOf(system::Kind::settle));
    EXPECT_EQ(same.firstUse[5].file, topology.firstUse[5].file);
    EXPECT_EQ(same.restraintFractions, topology.restraintFractions);
    EXPECT_EQ(same.moleculeCount, topology.moleculeCount);
}

TEST(Packing, RefusesBytesThatEndTooEarly)
{
    system::State state;
    Filler fill;
    fill(state);
    std::vector<std::byte> bytes = bytesOf(state);
    bytes.pop_back();
    Unpacker unpack(bytes);
    system::State copy;
    EXPECT_THROW(unpack(copy), base::RunFailed);
}

TEST(Packing, ARunReachesEveryRankAndItsAtomsOnlyThoseThatWantThem)
{
    for (StateArrays const arrays : {StateArrays::ofFirstRankAlone, StateArrays::everywhere}) {
        Communicator ranks(test::world());
        system::Topology topology;
        plan::RunPlan plan;
        system::State state;
        std::string title;
        Filler fill;
        fill(topology, plan, state, title); // what every rank is to know in the end
        std::vector<std::byte> const wantedTopology = bytesOf(topology), wantedPlan = bytesOf(plan);
        if (!ranks.first()) {
            topology = {};
            plan = {};
            state = {};
            title.clear();
        }
        broadcast(ranks, {topology, plan, state, title}, arrays);
        EXPECT_EQ(bytesOf(topology), wantedTopology);
        EXPECT_EQ(bytesOf(plan), wantedPlan);
        EXPECT_NE(state.step, 0);
        EXPECT_NE(state.coupling.barostatIntegral, 0);
        EXPECT_FALSE(title.empty());
        bool const hasAtoms = ranks.first() || arrays == StateArrays::everywhere;
        EXPECT_EQ(state.positions.empty(), !hasAtoms);
        EXPECT_EQ(state.velocities.empty(), !hasAtoms);
    }
}

} // namespace alder::domain
