#include "output/log_writer.hpp"

#include "base/error.hpp"
#include "output/storage/durable_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace alder::output {

namespace {

[[noreturn]] void failed(std::string const& path, char const* doing)
{
    throw base::RunFailed(fmt::format("{}: cannot {}: {}", path, doing, std::strerror(errno)));
}

std::string table(std::string const& heading, std::vector<std::pair<std::string, std::string>> const& rows)
{
    if (rows.empty()) return {};
    std::size_t widest = 0;
    for (auto const& row : rows) widest = std::max(widest, row.first.size());
    std::string text = heading + ":\n";
    for (auto const& [what, value] : rows) text += fmt::format("   {:<{}}  {}\n", what, widest, value);
    return text + "\n";
}

/// The unit where it is not that of the block, kJ/mol, as GROMACS logs show it.
std::string headingOf(observe::EnergyColumn const& column) { return column.unit == "bar" ? column.name + " (bar)" : column.name; }

} // namespace

std::string energyBlock(observe::EnergyColumns const& columns, std::vector<double> const& values)
{
    constexpr std::size_t perLine = 5;
    std::string text;
    for (std::size_t first = 0; first < values.size(); first += perLine) {
        std::size_t const last = std::min(first + perLine, values.size());
        for (std::size_t c = first; c < last; ++c) text += fmt::format(" {:>14}", headingOf(columns.columns()[c]));
        text += '\n';
        for (std::size_t c = first; c < last; ++c) text += fmt::format("   {:12.5e}", values[c]);
        text += '\n';
    }
    return text;
}

std::unique_ptr<LogWriter> LogWriter::create(std::string const& path, observe::EnergyColumns columns)
{
    moveAside(path);
    int const fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0) failed(path, "create");
    return std::unique_ptr<LogWriter>(new LogWriter(path, std::move(columns), fd, 0));
}

std::unique_ptr<LogWriter> LogWriter::openForAppend(std::string const& path, observe::EnergyColumns columns,
                                                    std::optional<std::int64_t> bytes)
{
    int const fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0) failed(path, "open");
    struct stat info {};
    if (::fstat(fd, &info) != 0) failed(path, "open");
    std::unique_ptr<LogWriter> log(new LogWriter(path, std::move(columns), fd, info.st_size));
    if (bytes && *bytes < info.st_size) {
        if (::ftruncate(fd, *bytes) != 0) failed(path, "cut");
        log->bytes_ = *bytes;
    }
    return log;
}

LogWriter::LogWriter(std::string path, observe::EnergyColumns columns, int descriptor, std::int64_t bytes)
    : path_(std::move(path)),
      columns_(std::move(columns)),
      descriptor_(descriptor),
      bytes_(bytes)
{}

LogWriter::~LogWriter() { ::close(descriptor_); }

// Straight to the system, unbuffered: a line is written when this returns, or the run ends with the reason.
void LogWriter::put(std::string_view text)
{
    while (!text.empty()) {
        ssize_t const n = ::write(descriptor_, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) failed(path_, "write");
        bytes_ += n;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
}

void LogWriter::sync()
{
    if (::fdatasync(descriptor_) != 0 && errno != EINVAL) failed(path_, "sync"); // EINVAL: a pipe or a terminal
}

void LogWriter::writeHeader(RunRecord const& record)
{
    std::string text = fmt::format("alder {}\n\n", record.version);
    if (!record.title.empty()) text += fmt::format("Title:        {}\n", record.title);
    text += fmt::format("Command line: {}\nInput hash:   {}\n\n", record.commandLine, record.inputHash);
    text += table("Build", record.build) + table("Hardware", record.hardware) + table("Files", record.files) + table("Plan", record.plan);
    put(text);
}

void LogWriter::writeLine(std::string_view line) { put(fmt::format("{}\n", line)); }
void LogWriter::frameOnDisk(std::int64_t step) { put(fmt::format("frame step {} written\n", step)); }

void LogWriter::seeEnergies(observe::Energies const& energies)
{
    if (!energies.logLine) return;
    put(fmt::format("\n{:>15}{:>15}\n{:15}{:15.5f}\n\n   Energies (kJ/mol)\n{}\n", "Step", "Time", energies.step, energies.time,
                    energyBlock(columns_, columns_.valuesOf(energies))));
}

void LogWriter::writeAverages(observe::EnergyAverages const& averages)
{
    if (averages.count() == 0) return;
    std::vector<double> mean, fluctuation;
    for (std::size_t c = 0; c < averages.columns().size(); ++c) {
        mean.push_back(averages.mean(c));
        fluctuation.push_back(averages.fluctuation(c));
    }
    put(fmt::format("\n   A V E R A G E S   over {} energy evaluations\n\n   Energies (kJ/mol)\n{}\n"
                    "   R M S - F L U C T U A T I O N S\n\n   Energies (kJ/mol)\n{}\n",
                    averages.count(), energyBlock(averages.columns(), mean), energyBlock(averages.columns(), fluctuation)));
}

void LogWriter::writePerformance(Performance const& p)
{
    double const total = p.wallSeconds;
    double counted = 0;
    bool const sampled = p.clock.sampledSteps() > 0;
    std::string text = fmt::format("\n   T I M E   A C C O U N T I N G\n\n {:<20}{:>12}{:>14}{:>9}{}\n", "Part", "Calls", "Wall (s)", "%",
                                   sampled ? "       GPU (s)" : "");
    auto const row = [&](std::string const& name, std::string const& calls, double seconds, double device = 0) {
        text += fmt::format(" {:<20}{:>12}{:14.3f}{:9.1f}{}\n", name, calls, seconds, total > 0 ? 100 * seconds / total : 0,
                            device > 0 ? fmt::format("{:14.3f}", device) : "");
    };
    for (std::size_t i = 0; i < base::partCount; ++i) {
        auto const part = static_cast<base::Part>(i);
        double const device = p.clock.deviceSeconds(part, p.steps);
        if (p.clock.calls(part) == 0 && !(device > 0)) continue;
        row(base::nameOf(part), fmt::format("{}", p.clock.calls(part)), p.clock.seconds(part), device);
        counted += p.clock.seconds(part);
    }
    row("rest", "", std::max(0.0, total - counted));
    row("total", "", total);
    if (sampled)
        text += fmt::format("\nGPU: by its streams, which run side by side, in {} steps that were looked into, for all {}\n",
                            p.clock.sampledSteps(), p.steps);
    text += fmt::format("\nPair list builds: {}   prunings: {}   in {} steps\n", p.listBuilds, p.listPrunings, p.steps);
    if (p.exchange.ranks > 1)
        text += fmt::format(
            "\nSent between {} ranks, a step: {:.1f} messages, {:.0f} bytes; by the rank that sends most {:.1f} messages, {:.0f} "
            "bytes; {:.2f} sums over all ranks\n",
            p.exchange.ranks, p.exchange.messages, p.exchange.bytes, p.exchange.mostMessages, p.exchange.mostBytes, p.exchange.reductions);
    if (p.measured()) {
        if (p.windows.size() > 1)
            for (TimedWindow const& window : p.windows)
                text += fmt::format("\n   window of {} steps in {:.3f} s: {:.3f} ns/day", window.steps, window.seconds, p.rateOf(window));
        if (p.steady && !*p.steady) text += "\n   the rate had not settled when the first window began";
        text += fmt::format("\n{:>26}{:>16}\nPerformance: {:13.3f}{:16.3f}\n   over {} timed steps in {:.3f} s\n", "(ns/day)", "(hour/ns)",
                            p.nsPerDay(), p.hoursPerNs(), p.timedSteps, p.timedSeconds);
    } else {
        text += fmt::format("\nPerformance: not given, {} timed steps are fewer than {}\n", p.timedSteps, Performance::fewestSteps);
    }
    put(text);
}

} // namespace alder::output
