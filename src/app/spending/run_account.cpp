#include "app/spending/run_account.hpp"

#include "accounting/ledger.hpp"
#include "accounting/quotas.hpp"
#include "app/run_facts.hpp"
#include "base/build_info.hpp"
#include "base/clock.hpp"
#include "base/utc_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <pwd.h>
#include <unistd.h>

namespace alder::app {

namespace {

std::optional<std::string> environment(char const* name)
{
    char const* const text = std::getenv(name);
    if (!text || *text == '\0') return {};
    return text;
}

std::string userName()
{
    if (passwd const* const entry = getpwuid(geteuid()); entry && *entry->pw_name != '\0') return entry->pw_name;
    return environment("USER").value_or(fmt::format("{}", geteuid()));
}

} // namespace

RunAccount::RunAccount(MdrunOptions const& options) : options_(options), began_(base::now()) {}

void RunAccount::admit(deck::Deck const& deck, Hardware const& hardware, loop::StopRequest& stop)
{
    HardwareCount const& count = hardware.count;
    AccountingOptions const& asked = options_.accounting;
    charged_.gpus = hardware.onGpu ? std::max<std::int64_t>(count.gpus, 1) : 0;
    charged_.processors = count.processors;
    charged_.device = hardware.onGpu ? hardware.device.name : processorName();
    if (hardware.onGpu && !hardware.device.migProfile.empty()) charged_.slice = hardware.device.migProfile;

    entry_.version = std::string(base::buildInfo().version);
    entry_.job = environment("SLURM_JOB_ID");
    entry_.project = asked.project.empty() ? environment("SLURM_JOB_ACCOUNT") : asked.project;
    entry_.user = userName();
    entry_.host = hostName();
    entry_.title = deck.title;
    entry_.deck = options_.files.topology;
    entry_.inputHash = deck.inputHash;
    entry_.device = charged_.device;
    entry_.slice = charged_.slice;
    entry_.gpus = charged_.gpus;
    entry_.processors = charged_.processors;

    if (!asked.ledger.empty()) accounting::requireAppendable(asked.ledger);
    findPrice();
    judgeQuotas();
    limitCost(stop);
    admitted_ = true;
}

void RunAccount::findPrice()
{
    AccountingOptions const& asked = options_.accounting;
    if (asked.prices.empty()) {
        noPrice_ = "no table of prices is given";
        if (!asked.price.empty()) base::refuseInput({}, fmt::format("-price {}: {}", asked.price, noPrice_), "name one with -prices");
        return;
    }
    table_ = accounting::PriceTable(asked.prices);
    accounting::PriceTable::Found const found = table_.find(charged_, asked.price);
    if (found.price)
        price_ = *found.price;
    else if (!asked.price.empty())
        base::refuseInput({}, found.trouble, "name one that fits, or leave -price out");
    else
        fmt::print(stderr, "note: what the run costs is not known: {}\n", noPrice_ = found.trouble);
}

void RunAccount::judgeQuotas() const
{
    AccountingOptions const& asked = options_.accounting;
    if (asked.quotas.empty()) return;
    if (asked.ledger.empty())
        base::refuseInput({}, "quotas are used up by what the ledger holds, and none is given", "name it with -ledger");
    std::vector<accounting::Quota> const quotas = accounting::readQuotas(asked.quotas);
    accounting::LedgerRead const ledger = accounting::readLedger(asked.ledger);
    for (std::string const& fault : ledger.faults) fmt::print(stderr, "warning: {}\n", fault);
    std::string const today = base::utcNow().substr(0, 10);
    accounting::QuotaVerdict const verdict =
        accounting::judge(quotas, ledger.entries, {entry_.user, entry_.project, charged_, price_ ? &*price_ : nullptr, today});
    for (std::string const& warning : verdict.warnings) fmt::print(stderr, "warning: {}\n", warning);
    base::FaultList faults;
    for (std::string const& refusal : verdict.refusals) {
        if (asked.beyondQuota)
            fmt::print(stderr, "warning: {}; starting all the same, as -beyond-quota asks\n", refusal);
        else
            faults.refuse({asked.quotas, 0}, refusal, "ask for more, or start all the same with -beyond-quota");
    }
    faults.throwIfAny();
}

void RunAccount::limitCost(loop::StopRequest& stop) const
{
    double const most = options_.accounting.maxCost;
    if (most < 0) return;
    if (!price_)
        base::refuseInput({}, fmt::format("-maxcost {}: the run has no price: {}", most, noPrice_),
                          "name one with -prices and -price, or limit the hours with -maxh");
    double const anHour = price_->perHour * charged_.units();
    stop.limitTo(most / anHour, fmt::format("-maxcost {} {}", most, price_->currency));
}

void RunAccount::keptSteps(std::int64_t steps, double dt)
{
    entry_.steps = steps;
    entry_.ns = static_cast<double>(steps) * dt * 1e-3;
}

std::string RunAccount::reasonOf(int status) const
{
    if (status == exitStopped) return stopped_.empty() ? "stopped early, as asked" : "stopped early: " + stopped_;
    return status == exitDone ? "done" : "failed";
}

int RunAccount::keep(Ranks& ranks, std::function<int()> const& run)
{
    entry_.ranks = ranks.size();
    int status = exitDone;
    try {
        status = run();
    } catch (base::InputRefused const&) {
        throw;
    } catch (std::exception const& failed) {
        if (ranks.first()) {
            try {
                writeLine(exitFailed, fmt::format("failed: {}", failed.what()));
            } catch (base::RunFailed const& unwritten) {
                fmt::print(stderr, "{}\n", unwritten.what());
            }
        }
        throw;
    }
    ranks.onFirst([&] {
        try {
            writeLine(status, reasonOf(status));
        } catch (base::RunFailed const& unwritten) {
            if (status == exitDone) throw;
            fmt::print(stderr, "{}\n", unwritten.what()); // whoever goes on with the run waits for its status
        }
    });
    return status;
}

void RunAccount::writeLine(int status, std::string reason)
{
    std::string const& ledger = options_.accounting.ledger;
    if (!admitted_ || (ledger.empty() && !price_)) return;
    entry_.endedAt = base::utcNow();
    entry_.hours = (base::now() - began_) / 3600;
    if (price_) entry_.cost = price_->costOf(charged_, entry_.hours);
    entry_.status = status;
    entry_.reason = std::move(reason);
    if (entry_.cost)
        fmt::print("  cost        {:.4g} {} for {:.4g} hours (price {}{})\n", entry_.cost->amount, entry_.cost->currency, entry_.hours,
                   entry_.cost->price, entry_.cost->verified ? "" : ", not verified");
    if (ledger.empty()) return;
    try {
        accounting::append(ledger, entry_);
    } catch (base::RunFailed const& unwritten) {
        throw base::RunFailed(fmt::format("{}; it lacks this line: {}", unwritten.what(), accounting::lineOf(entry_)));
    }
}

} // namespace alder::app
