#include "accounting/preemptions.hpp"
#include "accounting/prices.hpp"
#include "accounting/quotas.hpp"
#include "accounting/scratch_file.hpp"
#include "base/error.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace alder;
using namespace alder::accounting;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string priceText(std::string const& name, std::string const& of, std::string const& more = "")
{
    return fmt::format("[[price]]\nname = \"{}\"\n{}\nkind = \"on demand\"\ncurrency = \"USD\"\nper_hour = 3.66\n"
                       "date = 2026-11-30\nsource = \"a bill\"\nverified = true\n{}\n",
                       name, of, more);
}

Charged a100(std::int64_t gpus = 1) { return {"NVIDIA A100-SXM4-80GB", {}, gpus, 16}; }
Charged cpu() { return {"AMD EPYC 9654", {}, 0, 16}; }

class Prices : public test::ScratchFiles {
protected:
    template <class Read> std::string refusalOf(Read read)
    {
        try {
            read();
        } catch (base::InputRefused const& refused) {
            return refused.what();
        }
        return "nothing refused";
    }
};

TEST_F(Prices, AreFoundByTheWordsOfADevice)
{
    PriceTable const table(write("prices.toml", priceText("big", "gpu = \"a100 80gb\"") + priceText("small", "gpu = \"A100 40GB\"") +
                                                    priceText("slice", "gpu = \"A100 80GB\"\nmig_profile = \"1g.10gb\"") +
                                                    priceText("cpu", "cpu = \"EPYC\"")));
    ASSERT_TRUE(table.find(a100(), "").price);
    EXPECT_EQ(table.find(a100(), "").price->name, "big");
    EXPECT_EQ(table.find(cpu(), "").price->name, "cpu");
    Charged slice = a100();
    slice.slice = "1g.10gb";
    EXPECT_EQ(table.find(slice, "").price->name, "slice");
    slice.slice = "2g.20gb"; // a part of a GPU does not cost what the whole does
    EXPECT_FALSE(table.find(slice, "").price);
    EXPECT_THAT(table.find(slice, "").trouble, HasSubstr("has no price of NVIDIA A100-SXM4-80GB (MIG 2g.20gb)"));
    EXPECT_FALSE(table.find(a100(), "small").price);
    EXPECT_THAT(table.find(a100(), "other").trouble, HasSubstr("has no price 'other'"));
    // 2 GPUs for a quarter of an hour; 16 processors
    EXPECT_DOUBLE_EQ(table.find(a100(2), "").price->costOf(a100(2), 0.25).amount, 1.83);
    EXPECT_DOUBLE_EQ(table.find(cpu(), "").price->costOf(cpu(), 0.5).amount, 29.28);
}

TEST_F(Prices, ChooseAmongSeveral)
{
    PriceTable const table(write("prices.toml", priceText("east", "gpu = \"A100\"") + priceText("west", "gpu = \"A100\"")));
    EXPECT_FALSE(table.find(a100(), "").price);
    EXPECT_THAT(table.find(a100(), "").trouble, HasSubstr("several prices of NVIDIA A100-SXM4-80GB: east, west; choose one"));
    EXPECT_EQ(table.find(a100(), "west").price->name, "west");
}

TEST_F(Prices, TellHowLongTheyLast)
{
    PriceTable const table(write("prices.toml", priceText("steady", "gpu = \"A100\"") +
                                                    priceText("taken", "gpu = \"A100\"", "hours_between_preemptions = 2.5")));
    EXPECT_FALSE(table.prices()[0].hoursBetweenPreemptions);
    EXPECT_EQ(table.prices()[1].hoursBetweenPreemptions, 2.5);
    EXPECT_THAT(refusalOf([&] { PriceTable{write("never.toml", priceText("never", "gpu = \"A100\"", "hours_between_preemptions = 0"))}; }),
                HasSubstr("never.toml:10: hours_between_preemptions is no number above 0"));
}

/// Against a run played minute by minute: preemptions without memory, on average 10 h after each start.
TEST(Preemptions, LoseWhatAPlayedRunLoses)
{
    Preemptions const preemptions{20, 6};
    std::mt19937_64 random(7);
    std::exponential_distribution<double> untilPreempted(1.0 / 600);
    double paid = 0, kept = 0;
    for (int start = 0; start < 200000; ++start) {
        double const minutes = untilPreempted(random);
        paid += minutes;
        kept += 20 * std::floor(std::max(0.0, minutes - 6) / 20);
    }
    EXPECT_NEAR(preemptions.lostPart(10), 16.0 / 600, 1e-15);
    EXPECT_NEAR(preemptions.lostPart(10), 1 - kept / paid, 0.001);
    EXPECT_EQ((Preemptions{0, 0}.lostPart(1)), 0);
}

TEST_F(Prices, EveryFaultAtItsLine)
{
    std::string text = priceText("a", "gpu = \"A100\"\ncpu = \"EPYC\"") + priceText("a", "gpu = \"H200\"", "colour = 1");
    text.replace(text.find("on demand"), 9, "borrowed");
    text.replace(text.find("3.66"), 4, "-1");
    std::string const refusal = refusalOf([&] { PriceTable{write("prices.toml", text)}; });
    EXPECT_THAT(refusal, HasSubstr("prices.toml:3: it has to be told what the price is of, one thing"));
    EXPECT_THAT(refusal, HasSubstr("prices.toml:5: kind is 'borrowed'"));
    EXPECT_THAT(refusal, HasSubstr("prices.toml:7: per_hour is no number above 0"));
    EXPECT_THAT(refusal, HasSubstr("prices.toml:13: there are two prices named 'a'"));
    EXPECT_THAT(refusal, HasSubstr("prices.toml:21: there is no key 'colour' here"));
    EXPECT_THAT(refusalOf([&] { PriceTable{write("broken.toml", "[[price]]\nname = \n")}; }), HasSubstr("broken.toml:2:"));
    EXPECT_THAT(refusalOf([&] { PriceTable{write("other.toml", "[price]\nname = \"x\"\n")}; }), HasSubstr("'price' is not known here"));
    EXPECT_THAT(refusalOf([&] { PriceTable{at("absent.toml")}; }), HasSubstr("absent.toml"));
    std::string const lacking = refusalOf([&] { PriceTable{write("lacking.toml", "[[price]]\ngpu = \"A100\"\n")}; });
    for (char const* key : {"name", "kind", "currency", "per_hour", "date", "source", "verified"})
        EXPECT_THAT(lacking, HasSubstr(fmt::format("lacking.toml:1: {} is missing", key)));
}

LedgerEntry spent(double gpuHours, std::optional<Cost> cost, std::string const& day = "2026-11-30")
{
    LedgerEntry e;
    e.endedAt = day + "T10:00:00Z";
    e.user = "ada";
    e.project = "folding";
    e.gpus = 2;
    e.hours = gpuHours / 2;
    e.cost = std::move(cost);
    return e;
}

class Quotas : public Prices {
protected:
    QuotaVerdict verdictOf(std::string const& quotas, std::vector<LedgerEntry> const& entries, Charged const& charged)
    {
        return judge(readQuotas(write("quotas.toml", quotas)), entries, {"ada", "folding", charged, &price_, "2026-12-01"});
    }
    Price price_{"cloud", {}, true, {}, PriceKind::spot, "USD", 1, "2026-11-30", "a bill", true};
};

TEST_F(Quotas, WarnAtEightyPercentAndRefuseAtAll)
{
    std::string const quota = "[[quota]]\nproject = \"folding\"\ngpu_hours = 10\n";
    EXPECT_THAT(verdictOf(quota, {spent(7.9, {})}, a100()).warnings, IsEmpty());
    QuotaVerdict const near = verdictOf(quota, {spent(5, {}), spent(3, {})}, a100());
    EXPECT_THAT(near.warnings, ElementsAre("project folding has used 8 of 10 GPU hours (80 %)"));
    EXPECT_THAT(near.refusals, IsEmpty());
    QuotaVerdict const over = verdictOf(quota, {spent(5, {}), spent(5, {})}, a100());
    EXPECT_THAT(over.refusals, ElementsAre("project folding has used 10 of 10 GPU hours (100 %)"));
    EXPECT_THAT(over.warnings, IsEmpty());
    EXPECT_THAT(verdictOf(quota, {spent(50, {})}, cpu()).refusals, IsEmpty()); // GPU hours are no matter to it
}

TEST_F(Quotas, CountWhoseTheyAreAndWhen)
{
    LedgerEntry other = spent(50, {});
    other.project.reset();
    LedgerEntry strangers = spent(50, {});
    strangers.user = "eve";
    auto const refusals = [&](std::string const& quota, std::vector<LedgerEntry> const& entries) {
        return verdictOf("[[quota]]\ngpu_hours = 10\n" + quota, entries, a100()).refusals.size();
    };
    EXPECT_EQ(refusals("project = \"folding\"\n", {other}), 0U);
    EXPECT_EQ(refusals("project = \"folding\"\n", {strangers}), 1U);
    EXPECT_EQ(refusals("user = \"ada\"\n", {other}), 1U);
    EXPECT_EQ(refusals("user = \"ada\"\n", {strangers}), 0U);
    EXPECT_EQ(refusals("user = \"ada\"\nproject = \"folding\"\n", {other, strangers}), 0U);
    EXPECT_EQ(refusals("project = \"other\"\n", {spent(50, {})}), 0U);
    std::vector<LedgerEntry> const november{spent(50, {}, "2026-11-30")};
    EXPECT_EQ(refusals("user = \"ada\"\nfrom = 2026-11-30\n", november), 1U);
    EXPECT_EQ(refusals("user = \"ada\"\nfrom = 2026-12-01\n", november), 0U);
    EXPECT_EQ(refusals("user = \"ada\"\nuntil = 2026-12-01\n", november), 1U);
    EXPECT_EQ(refusals("user = \"ada\"\nuntil = 2026-11-30\n", november), 0U); // is over
}

TEST_F(Quotas, MoneyNeedsAPriceInItsCurrency)
{
    std::string const quota = "[[quota]]\nuser = \"ada\"\nmoney = 100\ncurrency = \"USD\"\n";
    std::vector<LedgerEntry> const entries{spent(1, Cost{90, "USD", "cloud", true}), spent(1, Cost{90, "CNY", "cloud", true}),
                                           spent(1, {})};
    EXPECT_THAT(verdictOf(quota, entries, cpu()).warnings,
                ElementsAre("user ada has used 90 of 100 USD (90 %); 2 runs without a price in USD not counted"));
    price_.currency = "CNY";
    EXPECT_THAT(verdictOf(quota, {}, a100()).refusals, ElementsAre("user ada has a quota in USD, and this run has no price in USD"));
}

TEST_F(Quotas, EveryFaultAtItsLine)
{
    std::string const refusal = refusalOf([&] {
        readQuotas(write("quotas.toml", "[[quota]]\ngpu_hours = 1\nmoney = 2\n[[quota]]\nuser = \"a\"\nmoney = 1\nfrom = 2026-02-01\n"
                                        "until = 2026-01-01\n[[quota]]\nuser = \"b\"\ngpu_hours = \"many\"\n"));
    });
    EXPECT_THAT(refusal, HasSubstr("quotas.toml:1: it has to be told whose quota it is"));
    EXPECT_THAT(refusal, HasSubstr("quotas.toml:3: a quota is in GPU hours or in money, one of them"));
    EXPECT_THAT(refusal, HasSubstr("quotas.toml:4: money and currency belong together"));
    EXPECT_THAT(refusal, HasSubstr("quotas.toml:8: until 2026-01-01 is before from 2026-02-01"));
    EXPECT_THAT(refusal, HasSubstr("quotas.toml:11: gpu_hours is no number above 0"));
}

} // namespace
