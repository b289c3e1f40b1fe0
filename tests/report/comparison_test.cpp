#include "report/comparison.hpp"

#include "report/best_choices.hpp"
#include "report/ledger_costs.hpp"
#include "report/results.hpp"

#include <gmock/gmock.h>

#include <string>

namespace {

using namespace alder;
using namespace alder::report;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string priceOf(std::string const& name, std::string const& of, std::string const& kind, std::string const& currency, double perHour,
                    std::string const& more = "")
{
    return fmt::format("[[price]]\nname = \"{}\"\n{}\nkind = \"{}\"\ncurrency = \"{}\"\nper_hour = {}\ndate = 2026-12-01\n"
                       "source = \"a test\"\nverified = true\n{}\n",
                       name, of, kind, currency, perHour, more);
}

using Comparisons = test::Results;

TEST_F(Comparisons, MergeWindowsOfWhatIsAlike)
{
    test::Json first = measured({100, 104}), second = measured({90, 110, 102}), slice = measured(), replicas = measured(),
               other = measured();
    second["hardware"]["host"] = "node7";
    second["results"][0]["drift_kJ_mol_ns_atom"] = -3e-4;
    first["results"][0]["power_W"] = 200;
    second["results"][0]["power_W"] = 300;
    slice["hardware"]["GPU"]["mig_profile"] = "3g.40gb";
    replicas["results"][0]["replicas"] = 3;
    other["build"]["revision"] = "ffff";
    Comparison const merged = compared({first, second, slice, replicas, other});
    ASSERT_EQ(merged.rows.size(), 4U);
    Row const& row = merged.rows[0]; // the fastest
    EXPECT_THAT(row.values, ElementsAre(100, 104, 90, 110, 102));
    EXPECT_EQ(row.nsPerDay()->median, 102);
    EXPECT_EQ(row.nsPerDay()->least, 90);
    EXPECT_EQ(row.nsPerDay()->most, 110);
    EXPECT_THAT(row.hosts, ElementsAre("node1", "node7"));
    EXPECT_EQ(row.drift, -3e-4); // the worst
    EXPECT_EQ(row.powerW, 250);
    EXPECT_NEAR(*row.nsPerKWh(), 102.0 / 6, 1e-12);                         // 250 W are 6 kWh a day
    EXPECT_NEAR(*row.atomStepsPerSecond(), 3000 * 102e6 / 2 / 86400, 1e-3); // 102 ns are 51 million steps of 2 fs
    test::Json fast = measured({500});
    fast["fixture"] = true;
    Comparison const both = compared({first, fast});
    ASSERT_EQ(both.rows.size(), 2U); // never one row
    EXPECT_EQ(both.rows[0].status(), "measured");
    EXPECT_EQ(both.rows[1].status(), "FIXTURE");
}

TEST_F(Comparisons, CostsCountEveryUnitThatIsPaid)
{
    test::Json gpus = measured({240}), cpu = test::load("fixture_cpu.json");
    gpus["results"][0]["gpus"] = 2;
    gpus["results"][0]["replicas"] = 6; // of 2 GPUs: what is paid are 2
    cpu["results"] = test::Json::array({cpu["results"][0]});
    cpu["results"][0]["ranks"] = 2;
    cpu["results"][0]["threads"] = 3;
    cpu["results"][0]["replicas"] = 4; // 24 processors
    test::setRates(cpu["results"][0], {12});
    Comparison const both = compared({gpus, cpu}, priceOf("a", "gpu = \"A100\"", "on demand", "USD", 3) +
                                                      priceOf("b", "cpu = \"EPYC 9654\"", "reserved", "USD", 0.05) +
                                                      priceOf("c", "gpu = \"A100 80GB\"", "spot", "CNY", 7));
    ASSERT_EQ(both.rows.size(), 2U);
    auto const& [onGpu, onCpu] = std::tie(both.rows[0], both.rows[1]);
    ASSERT_EQ(onGpu.costs.size(), 2U);
    EXPECT_NEAR(*onGpu.costs[0].perNs, 3 * 2 * 0.1, 1e-12); // 240 ns a day: a tenth of an hour each
    EXPECT_NEAR(*onGpu.costs[0].nsPerUnit(), 1 / 0.6, 1e-12);
    EXPECT_EQ(onGpu.costs[0].lost, 0);
    EXPECT_NEAR(*onGpu.costs[1].perNs, 7 * 2 * 0.1, 1e-12);
    EXPECT_FALSE(onGpu.costs[1].lost); // spot, and nobody said how often it is taken away
    EXPECT_EQ(costText(onGpu.costs[1]), "at least 1.400 CNY");
    ASSERT_EQ(onCpu.costs.size(), 1U);
    EXPECT_NEAR(*onCpu.costs[0].perNs, 0.05 * 24 * 2, 1e-12);
    EXPECT_THAT(compared({measured()}, priceOf("h", "gpu = \"H200\"", "spot", "USD", 1)).rows[0].costs, IsEmpty());
}

TEST_F(Comparisons, LostWorkIsPaid)
{
    auto const costAt = [&](double hours, accounting::Preemptions const& preemptions) {
        return compared({measured({240})},
                        priceOf("s", "gpu = \"A100\"", "spot", "USD", 1, fmt::format("hours_between_preemptions = {}", hours)), preemptions)
            .rows[0]
            .costs[0];
    };
    // 10 min of a 20 min interval, and 5 min of a restart, of every hour
    RowCost const cost = costAt(1, {20, 5});
    EXPECT_NEAR(*cost.lost, 0.25, 1e-12);
    EXPECT_NEAR(*cost.perNs, 0.1 / 0.75, 1e-12);
    EXPECT_FALSE(costAt(0.25, {20, 5}).perNs); // the whole quarter of an hour is lost, always
    EXPECT_FALSE(costAt(0.1, {20, 5}).nsPerUnit());
    EXPECT_NEAR(*costAt(1, {0, 0}).perNs, 0.1, 1e-12);
}

TEST_F(Comparisons, MadeUpAndWrongFiguresNeverWin)
{
    std::vector<test::Json> files;
    std::string const price = priceOf("a", "gpu = \"A100\"", "on demand", "USD", 3);
    for (int i = 0; i < 4; ++i) files.push_back(measured({1000.0 + i}));
    files[0]["fixture"] = true;
    files[1]["rehearsal"] = true;
    files[2]["right"] = false;
    files[2]["checks"][0]["right"] = false;
    test::setRates(files[3]["results"][0], {5});
    Comparison const comparison = compared(files, price);
    ASSERT_EQ(comparison.rows.size(), 4U);
    std::vector<BestChoice> const choices = bestChoices(comparison);
    ASSERT_EQ(choices.size(), 1U);
    ASSERT_TRUE(choices[0].fastestRun);
    EXPECT_EQ(choices[0].fastestRun->nsPerDay()->median, 5);
    EXPECT_EQ(choices[0].mostInAll, choices[0].fastestRun);
    ASSERT_EQ(choices[0].cheapest.size(), 1U);
    EXPECT_EQ(choices[0].cheapest[0].row, choices[0].fastestRun);
    files.pop_back();
    Comparison const none = compared(files, price);
    EXPECT_EQ(none.rows.size(), 3U);
    EXPECT_FALSE(bestChoices(none)[0].fastestRun);
    EXPECT_THAT(bestChoices(none)[0].cheapest, IsEmpty());
}

TEST_F(Comparisons, BestChoicesAreOfOneSystemAndOneCurrency)
{
    test::Json one = measured({100}), many = measured({250}), halfStep = measured({60}), h200 = measured({180});
    many["results"][0]["replicas"] = 4;
    halfStep["results"][0]["dt_ps"] = 0.001;
    test::setRates(halfStep["results"][0], {60});
    h200["hardware"]["GPU"]["name"] = "NVIDIA H200";
    Comparison const comparison =
        compared({one, many, halfStep, h200}, priceOf("a", "gpu = \"A100\"", "on demand", "USD", 3) +
                                                  priceOf("h", "gpu = \"H200\"", "on demand", "CNY", 1) +
                                                  priceOf("s", "gpu = \"A100\"", "spot", "USD", 1) +
                                                  priceOf("t", "gpu = \"A100\"", "spot", "USD", 2, "hours_between_preemptions = 100"));
    std::vector<BestChoice> const choices = bestChoices(comparison);
    ASSERT_EQ(choices.size(), 2U);
    EXPECT_EQ(choices[0].system.dtPs, 0.001);
    EXPECT_EQ(choices[0].fastestRun->nsPerDay()->median, 60);
    EXPECT_EQ(choices[1].fastestRun->machine, "NVIDIA H200");
    EXPECT_EQ(choices[1].mostInAll->setup.replicas, 4);
    ASSERT_EQ(choices[1].cheapest.size(), 3U);
    EXPECT_EQ(choices[1].cheapest[0].cost->price.currency, "CNY");
    EXPECT_EQ(choices[1].cheapest[1].cost->price.name, "s"); // a lower bound alone
    EXPECT_EQ(choices[1].cheapest[2].cost->price.name, "t"); // which is why the next one is told
}

TEST_F(Comparisons, LedgersTellWhatWasPaid)
{
    auto const spent = [](std::string const& device, double hours, double ns, std::optional<accounting::Cost> cost, int status) {
        accounting::LedgerEntry e;
        e.device = device;
        e.title = "Water";
        e.gpus = 2;
        e.hours = hours;
        e.ns = ns;
        e.cost = std::move(cost);
        e.status = status;
        return e;
    };
    std::vector<LedgerCost> const costs = ledgerCosts(
        {spent("A100", 1, 10, accounting::Cost{6, "USD", "a", true}, 0), spent("A100", 2, 5, accounting::Cost{12, "USD", "a", false}, 75),
         spent("A100", 1, 1, accounting::Cost{9, "CNY", "b", true}, 0), spent("A100", 1, 7, {}, 0),
         spent("H200", 1, 0, accounting::Cost{5, "USD", "h", true}, 1)});
    ASSERT_EQ(costs.size(), 4U);
    EXPECT_FALSE(costs[0].perNs()); // no price
    EXPECT_EQ(costs[1].currency, "CNY");
    EXPECT_EQ(costs[2].hours, 3);
    EXPECT_EQ(costs[2].gpuHours, 6);
    EXPECT_EQ(costs[2].ns, 15);
    EXPECT_EQ(costs[2].unfinished, 1);
    EXPECT_NEAR(*costs[2].perNs(), 18.0 / 15, 1e-12);
    EXPECT_FALSE(costs[2].verified);
    EXPECT_FALSE(costs[3].perNs()); // nothing kept
}

/// The table that comes with alder: as quoted, none of it verified, spot at 70 % less.
TEST(ShippedPrices, AreMarkedUnverified)
{
    accounting::PriceTable const table(std::filesystem::path(ALDER_SOURCE_DIR) / "inputs/prices.toml");
    std::vector<std::string> onDemand;
    ASSERT_EQ(table.prices().size(), 6U);
    for (std::size_t i = 0; i < 6; i += 2) {
        accounting::Price const &demand = table.prices()[i], &spot = table.prices()[i + 1];
        onDemand.push_back(fmt::format("{} {}", demand.perHour, demand.currency));
        EXPECT_FALSE(demand.verified || spot.verified);
        EXPECT_EQ(demand.kind, accounting::PriceKind::onDemand);
        EXPECT_EQ(spot.kind, accounting::PriceKind::spot);
        EXPECT_EQ(spot.currency, demand.currency);
        EXPECT_NEAR(spot.perHour, 0.3 * demand.perHour, 1e-12);
        EXPECT_TRUE(demand.fits({"NVIDIA A100-SXM4-80GB", {}, 1, 1}) && demand.fits({"NVIDIA A100 80GB PCIe", {}, 1, 1}));
        EXPECT_FALSE(demand.fits({"NVIDIA A100-SXM4-40GB", {}, 1, 1}) || demand.fits({"NVIDIA A100-SXM4-80GB", "1g.10gb", 1, 1}));
    }
    EXPECT_THAT(onDemand, ElementsAre("3.66 USD", "25 CNY", "28 CNY"));
}

} // namespace
