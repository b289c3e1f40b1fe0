#include "accounting/ledger.hpp"
#include "accounting/scratch_file.hpp"
#include "accounting/spending.hpp"
#include "base/error.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <set>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace alder;
using accounting::LedgerEntry;
using ::testing::HasSubstr;

LedgerEntry entryNumber(int writer, int number)
{
    LedgerEntry e;
    e.endedAt = "2026-11-30T20:00:00Z";
    e.version = "0.1.0";
    e.job = fmt::format("{}", writer);
    e.project = "folding";
    e.user = fmt::format("user{}", writer % 2);
    e.host = "node1";
    e.title = "box \"of\nwater\" \xff";
    e.deck = "topol.top";
    e.inputHash = "abc";
    e.device = "NVIDIA A100 80GB PCIe";
    e.gpus = 2;
    e.processors = 8;
    e.hours = 0.5;
    e.cost = accounting::Cost{3.66, "USD", "cloud", false};
    e.ns = 0.25;
    e.steps = number;
    e.reason = std::string(static_cast<std::size_t>(number) * 37 % 3000, 'x'); // lines of many lengths, over a pipe's and a page's
    return e;
}

class Ledger : public test::ScratchFiles {};

/// A process of its own that does `work`; returns its number.
template <class Work> pid_t start(Work work)
{
    pid_t const child = fork();
    if (child != 0) return child;
    int status = 1;
    try {
        work();
        status = 0;
    } catch (std::exception const& failed) {
        std::fprintf(stderr, "%s\n", failed.what());
    }
    _exit(status);
}

int statusOf(pid_t child)
{
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

TEST_F(Ledger, EightProcessesLoseAndTearNothing)
{
    constexpr int writers = 8, lines = 1000;
    auto const path = at("ledger.jsonl");
    std::vector<pid_t> children;
    for (int writer = 0; writer < writers; ++writer)
        children.push_back(start([&] {
            for (int number = 0; number < lines; ++number) accounting::append(path, entryNumber(writer, number));
        }));
    for (pid_t const child : children) EXPECT_EQ(statusOf(child), 0);
    accounting::LedgerRead const ledger = accounting::readLedger(path);
    EXPECT_THAT(ledger.faults, ::testing::IsEmpty());
    std::vector<std::int64_t> next(writers, 0); // each writer's lines come in its order, each once
    for (LedgerEntry const& entry : ledger.entries) {
        auto& expected = next.at(std::stoul(*entry.job));
        EXPECT_EQ(entry.steps, expected);
        EXPECT_EQ(entry.reason.size(), static_cast<std::size_t>(expected) * 37 % 3000);
        ++expected;
    }
    EXPECT_THAT(next, ::testing::Each(lines));
}

TEST_F(Ledger, FieldsComeBack)
{
    LedgerEntry const wrote = entryNumber(3, 5);
    std::string const line = accounting::lineOf(wrote);
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
    LedgerEntry const read = accounting::entryOf(line);
    EXPECT_EQ(accounting::lineOf(read), line);
    EXPECT_EQ(read.job, "3");
    EXPECT_EQ(read.gpuHours(), 1.0);
    EXPECT_EQ(read.cost->amount, 3.66);
    LedgerEntry bare = wrote;
    bare.job.reset();
    bare.project.reset();
    bare.cost.reset();
    EXPECT_THAT(accounting::lineOf(bare), HasSubstr(R"("job":null,"project":null)"));
    EXPECT_THAT(accounting::lineOf(bare), HasSubstr(R"("cost":null)"));
    EXPECT_FALSE(accounting::entryOf(accounting::lineOf(bare)).cost);
}

TEST_F(Ledger, TornLineIsEndedByTheNextWriterAndReported)
{
    std::string const whole = accounting::lineOf(entryNumber(1, 1));
    auto const path = write("ledger.jsonl", whole + whole.substr(0, whole.size() / 2));
    EXPECT_EQ(accounting::readLedger(path).faults.size(), 1U);
    accounting::append(path, entryNumber(1, 2));
    accounting::append(path, entryNumber(1, 3));
    accounting::LedgerRead const ledger = accounting::readLedger(path);
    ASSERT_EQ(ledger.entries.size(), 3U);
    EXPECT_EQ(ledger.entries[1].steps, 2);
    ASSERT_EQ(ledger.faults.size(), 1U);
    EXPECT_THAT(ledger.faults[0], HasSubstr("ledger.jsonl:2: left out"));
    // a whole line that lacks nothing but its end is no loss
    auto const endless = write("endless.jsonl", whole.substr(0, whole.size() - 1));
    accounting::append(endless, entryNumber(1, 2));
    EXPECT_EQ(accounting::readLedger(endless).entries.size(), 2U);
    EXPECT_EQ(accounting::readLedger(endless).faults.size(), 0U);
}

TEST_F(Ledger, OtherSchemasAndNonsenseAreLeftOut)
{
    std::string line = accounting::lineOf(entryNumber(1, 1)), other = line, negative = line;
    other.replace(other.find("ledger-1"), 8, "ledger-2");
    negative.replace(negative.find("\"hours\":0.5"), 11, "\"hours\":-5.");
    auto const path = write("ledger.jsonl", other + line + negative + "[]\n{}\n\n" + line);
    accounting::LedgerRead const ledger = accounting::readLedger(path);
    EXPECT_EQ(ledger.entries.size(), 2U);
    EXPECT_THAT(ledger.faults,
                ::testing::ElementsAre(HasSubstr(":1: left out"), HasSubstr(":3: left out"), HasSubstr(":4:"), HasSubstr(":5:")));
}

TEST_F(Ledger, FullDiskTakesTheLineBack)
{
    auto const path = at("ledger.jsonl");
    accounting::append(path, entryNumber(1, 1));
    std::string const before = read("ledger.jsonl");
    // a limit on the size of files is met in the middle of the line, as a full disk is
    EXPECT_EQ(statusOf(start([&] {
                  std::signal(SIGXFSZ, SIG_IGN);
                  rlimit const limit{before.size() + 40, before.size() + 40};
                  setrlimit(RLIMIT_FSIZE, &limit);
                  try {
                      accounting::append(path, entryNumber(1, 2));
                  } catch (base::RunFailed const& failed) {
                      if (std::string(failed.what()).find("cannot write the ledger") != std::string::npos) return;
                      throw;
                  }
                  throw std::runtime_error("nothing was said");
              })),
              0);
    EXPECT_EQ(read("ledger.jsonl"), before);
}

TEST_F(Ledger, KilledWritersHarmNobody)
{
    auto const path = at("ledger.jsonl");
    for (int round = 0; round < 20; ++round) {
        pid_t const child = start([&] {
            for (;;) accounting::append(path, entryNumber(1, 2000));
        });
        usleep(3000U * static_cast<unsigned>(1 + round % 7));
        kill(child, SIGKILL);
        statusOf(child);
        accounting::append(path, entryNumber(2, round));
    }
    accounting::LedgerRead const ledger = accounting::readLedger(path);
    EXPECT_EQ(std::count_if(ledger.entries.begin(), ledger.entries.end(), [](LedgerEntry const& e) { return e.job == "2"; }), 20);
    EXPECT_LE(ledger.faults.size(), 20U);
}

TEST_F(Ledger, WhatCannotBeWrittenIsRefusedBeforeTheRun)
{
    EXPECT_THROW(accounting::requireAppendable(at("absent") / "ledger.jsonl"), base::InputRefused);
    EXPECT_THROW(accounting::requireAppendable(at("")), base::InputRefused);
    accounting::requireAppendable(at("new.jsonl"));
    EXPECT_EQ(read("new.jsonl"), "");
    EXPECT_THROW((void)accounting::readLedger(at("none.jsonl")), base::RunFailed);
}

TEST(Spending, CurrenciesStayApartAndUnknownCostsAreCounted)
{
    std::vector<LedgerEntry> entries{entryNumber(1, 1), entryNumber(2, 1), entryNumber(1, 2), entryNumber(1, 3)};
    entries[1].project.reset();
    entries[2].cost->currency = "CNY";
    entries[3].cost.reset();
    auto const byProject = accounting::spendingBy(accounting::SpendingBy::project, entries);
    ASSERT_EQ(byProject.size(), 2U);
    accounting::Spending const& folding = byProject.at("folding");
    EXPECT_EQ(folding.runs, 3);
    EXPECT_EQ(folding.gpuHours, 3.0);
    EXPECT_EQ(folding.costText(), "3.66 CNY + 3.66 USD (price not verified) + 1 run unpriced");
    EXPECT_EQ(byProject.at("(none)").runs, 1);
    EXPECT_EQ(accounting::spendingBy(accounting::SpendingBy::job, entries).at("1").runs, 3);
    EXPECT_EQ(accounting::spendingBy(accounting::SpendingBy::user, entries).at("user0").runs, 1);
    accounting::Spending unknown;
    unknown.add(entries[3]);
    EXPECT_EQ(unknown.costText(), "unknown");
}

} // namespace
