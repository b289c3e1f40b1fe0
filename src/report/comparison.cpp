#include "report/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace alder::report {

namespace {

void addOnce(std::vector<std::string>& names, std::string const& name)
{
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

void keepGreater(std::optional<double>& kept, std::optional<double> const& other)
{
    if (other && (!kept || *other > *kept)) kept = other;
}

Row newRow(ResultsFile const& file, Timing const& timing)
{
    Row row;
    row.machine = file.machineOf(timing);
    row.system = timing.system;
    row.setup = timing.setup;
    row.standing = file.standing;
    row.right = file.right;
    row.steady = timing.steady;
    row.version = file.version;
    row.revision = file.revision;
    row.buildType = file.buildType;
    bool const onGpu = timing.setup.gpus > 0 && file.gpu;
    row.charged = {onGpu ? file.gpu->name : file.cpu, onGpu ? file.gpu->slice : std::nullopt, onGpu ? timing.setup.gpus : 0,
                   timing.setup.processors()};
    return row;
}

void add(Row& row, ResultsFile const& file, Timing const& timing)
{
    row.values.insert(row.values.end(), timing.nsPerDay.begin(), timing.nsPerDay.end());
    if (timing.drift && (!row.drift || std::abs(*timing.drift) > std::abs(*row.drift))) {
        row.drift = timing.drift;
        row.driftError = timing.driftError;
    }
    keepGreater(row.forceError, timing.forceError);
    keepGreater(row.hostMiB, timing.hostMiB);
    keepGreater(row.deviceMiB, timing.deviceMiB);
    addOnce(row.files, file.path);
    addOnce(row.hosts, file.host);
    for (std::string const& check : file.wrongChecks) addOnce(row.wrongChecks, check);
}

/// Price x hours for one ns of kept steps. 24 / (ns/day) hours of steps give it, and only the part of the paid hours that is not lost to
/// preemptions has such steps.
RowCost costOf(accounting::Price const& price, Row const& row, double nsPerDay, accounting::Preemptions const& preemptions)
{
    RowCost cost;
    cost.price = price;
    cost.perHour = price.costOf(row.charged, 1).amount;
    if (price.hoursBetweenPreemptions)
        cost.lost = preemptions.lostPart(*price.hoursBetweenPreemptions);
    else if (price.kind != accounting::PriceKind::spot)
        cost.lost = 0;
    double const kept = 1 - cost.lost.value_or(0);
    if (kept > 0) cost.perNs = cost.perHour * 24 / nsPerDay / kept;
    return cost;
}

} // namespace

Spread spreadOf(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return {(values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2, values.front(), values.back()};
}

std::optional<Spread> Row::nsPerDay() const
{
    if (values.empty()) return {};
    return spreadOf(values);
}

std::optional<double> Row::atomStepsPerSecond() const
{
    std::optional<Spread> const speed = nsPerDay();
    if (!speed) return {};
    return static_cast<double>(system.atoms) * speed->median * 1000 / system.dtPs / 86400; // 1000 ps a ns, 86400 s a day
}

std::optional<double> Row::nsPerKWh() const
{
    std::optional<Spread> const speed = nsPerDay();
    if (!speed || !powerW) return {};
    return speed->median / (24 * *powerW / 1000); // kWh a day
}

std::string Row::status() const
{
    if (standing == Standing::fixture) return "FIXTURE";
    if (standing == Standing::rehearsal) return "rehearsal";
    if (!right) return "WRONG";
    return steady.value_or(true) ? "measured" : "unsteady";
}

char const* meaningOf(Standing standing)
{
    switch (standing) {
    case Standing::measured: return "measured";
    case Standing::rehearsal: return "tried without a GPU: no measurement of one";
    case Standing::fixture: return "figures made up to try a program with: no measurement";
    }
    return "";
}

std::string Row::remarks() const
{
    std::vector<std::string> said;
    if (!right)
        said.push_back(wrongChecks.empty() ? std::string("WRONG: the run failed")
                                           : fmt::format("WRONG: failed {}", fmt::join(wrongChecks, ", ")));
    if (!steady.value_or(true)) said.emplace_back("unsteady: the rate had not settled");
    if (buildType != "Release") said.push_back(fmt::format("a {} build", buildType.empty() ? "nameless" : buildType));
    return fmt::format("{}", fmt::join(said, "; "));
}

Comparison compare(std::vector<ResultsFile> files, accounting::PriceTable const& prices, std::string pricesFile,
                   accounting::Preemptions const& preemptions)
{
    Comparison comparison;
    comparison.preemptions = preemptions;
    comparison.pricesFile = std::move(pricesFile);
    auto const key = [](Row const& row) {
        return std::tuple(row.system, row.machine, row.setup, row.standing, row.right, row.steady, row.version, row.revision,
                          row.buildType);
    };
    std::map<decltype(key(Row{})), std::size_t> places;
    std::vector<std::vector<double>> powers;
    for (ResultsFile const& file : files)
        for (Timing const& timing : file.timings) {
            Row row = newRow(file, timing);
            auto const [place, isNew] = places.try_emplace(key(row), comparison.rows.size());
            if (isNew) {
                comparison.rows.push_back(std::move(row));
                powers.emplace_back();
            }
            add(comparison.rows[place->second], file, timing);
            if (timing.powerW) powers[place->second].push_back(*timing.powerW);
        }
    for (std::size_t i = 0; i < comparison.rows.size(); ++i) {
        Row& row = comparison.rows[i];
        double sum = 0;
        for (double const power : powers[i]) sum += power;
        if (!powers[i].empty()) row.powerW = sum / static_cast<double>(powers[i].size());
        if (std::optional<Spread> const speed = row.nsPerDay())
            for (accounting::Price const* price : prices.fitting(row.charged))
                row.costs.push_back(costOf(*price, row, speed->median, preemptions));
    }
    std::stable_sort(comparison.rows.begin(), comparison.rows.end(), [](Row const& a, Row const& b) {
        auto const order = [](Row const& row) {
            System const& s = row.system;
            std::optional<Spread> const speed = row.nsPerDay();
            return std::tuple(s.atoms, s.deck, s.dtPs, s.rcoulombNm, s.rvdwNm, row.standing, speed ? -speed->median : 0.0);
        };
        return order(a) < order(b);
    });
    comparison.files = std::move(files);
    return comparison;
}

} // namespace alder::report
