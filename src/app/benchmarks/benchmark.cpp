#include "app/benchmarks/benchmark.hpp"

#include "app/exit_status.hpp"
#include "base/allocation.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "bench/bench_deck.hpp"
#include "bench/children.hpp"
#include "bench/figures.hpp"
#include "gpu/provider.hpp"
#include "loop/stop_request.hpp"
#include "output/storage/durable_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <sched.h>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace alder::app {

namespace {

namespace fs = std::filesystem;
using bench::Json;

/// A timing that takes longer than this is given up: a hundred steps of a million atoms take minutes on few processors, not more.
constexpr double longestTiming = 1800;

/// Where files of the runs lie; goes away unless it is to be kept.
class WorkFolder {
public:
    explicit WorkFolder(std::string const& keep) : kept_(!keep.empty())
    {
        if (kept_) {
            path_ = fs::absolute(keep);
            fs::create_directories(path_);
            return;
        }
        std::string name = (fs::temp_directory_path() / "alder-bench-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw base::RunFailed("cannot make a folder in " + fs::temp_directory_path().string());
        path_ = name;
    }
    WorkFolder(WorkFolder const&) = delete;
    WorkFolder& operator=(WorkFolder const&) = delete;
    ~WorkFolder()
    {
        std::error_code ignored; // what cannot be removed stays, and is no failure of the figures
        if (!kept_) fs::remove_all(path_, ignored);
    }
    [[nodiscard]] fs::path const& path() const { return path_; }

private:
    bool kept_;
    fs::path path_;
};

int processorsAllowed()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    int const allowed = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return base::readAllocation().threads(allowed, 1);
}

std::string launcherOf(BenchOptions const& options)
{
    if (!options.launcher.empty()) return options.launcher;
    if (std::getenv("SLURM_JOB_ID") != nullptr && bench::onPath("srun")) return "srun --mpi=pmix --exact -n {ranks} -c {threads}";
    if (bench::onPath("mpirun")) return "mpirun --quiet --bind-to none -n {ranks}";
    return {};
}

bench::Machine machineOf(BenchOptions const& options)
{
    bench::Machine machine;
    machine.processors = processorsAllowed();
    machine.launcher = !launcherOf(options).empty();
    if (options.nonbonded == "cpu") return machine;
    if (!options.devices.empty()) {
        machine.gpus = static_cast<int>(options.devices.size());
        return machine;
    }
    for (gpu::Device const& device : gpu::devices().devices) machine.gpus += device.hasKernels ? 1 : 0;
    return machine;
}

std::vector<std::string> wordsOf(std::string const& text)
{
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

std::string replaced(std::string text, std::string const& what, std::string const& by)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) text.replace(at, what.size(), by);
    return text;
}

/// One bench: what it was asked for, and where it works.
class Benchmark {
public:
    explicit Benchmark(BenchOptions const& options)
        : options_(options),
          machine_(machineOf(options)),
          work_(options.keep),
          figures_(options.json),
          program_(fs::read_symlink("/proc/self/exe").string()),
          began_(base::now())
    {
        sweep_ = bench::sweepOf(options.sweep, machine_);
        for (std::string const& name : options.decks.empty() ? chosenDecks() : options.decks)
            decks_.push_back(bench::findDeck(name, work_.path()));
    }

    int run()
    {
        fmt::print(stderr, "{} processors, {} GPUs; {} decks, {} settings each, {} windows of {} s\n", machine_.processors, machine_.gpus,
                   decks_.size(), sweep_.settings.size(), options_.windows, options_.windowSeconds);
        for (std::string const& left : sweep_.leftOut) {
            fmt::print(stderr, "left out: {}\n", left);
            figures_.leftOut("every deck", left);
        }
        for (bench::BenchDeck const& deck : decks_)
            for (bench::Setting const& setting : sweep_.settings)
                timings_.push_back({deck, setting, fmt::format("{}, {}", deck.name, setting.text()), {}, {}});
        // One window of each, and again: a machine whose speed drifts by minutes, as shared ones do by 10 %, then shows it in the spread of
        // each timing, and has the same part in all of them.
        for (int round = 0; round < options_.windows; ++round)
            for (std::size_t t = 0; t < timings_.size(); ++t) time(t);
        for (Timing const& timing : timings_)
            if (!timing.trouble.empty())
                figures_.leftOut(timing.name, timing.rounds.empty() ? timing.trouble
                                                                    : fmt::format("{} of {} windows: {}",
                                                                                  options_.windows - static_cast<int>(timing.rounds.size()),
                                                                                  options_.windows, timing.trouble));
        figures_.write();
        fmt::print("{}", bench::tableOf(figures_.results()));
        if (!figures_.results().empty()) fmt::print("\nfigures in {}; compare with `alder report {}`\n", options_.json, options_.json);
        if (stopped()) return exitStopped;
        return failures_ == 0 && !figures_.results().empty() ? exitDone : exitFailed;
    }

private:
    [[nodiscard]] std::vector<std::string> chosenDecks() const
    {
        if (machine_.gpus == 0) return {"water-3k", "peptide-23k", "water-22k"};
        return {"water-3k", "peptide-23k", "water-22k", "water-97k", "water-1m"};
    }
    [[nodiscard]] bool stopped() const { return stop_.code() != 0; }

    struct Timing {
        bench::BenchDeck const& deck;
        bench::Setting const& setting;
        std::string name;
        std::vector<Json> rounds;
        std::string trouble; ///< why there are no more rounds; empty: there may be
    };

    void time(std::size_t number)
    {
        Timing& timing = timings_[number];
        if (!timing.trouble.empty()) return;
        if (stopped()) {
            timing.trouble = "stopped";
            return;
        }
        if (options_.budget > 0 && base::now() - began_ > options_.budget) {
            timing.trouble = fmt::format("no time was left of {} s", options_.budget);
            return;
        }
        fmt::print(stderr, "[{}/{}] {} ... ", timing.rounds.size() * timings_.size() + number + 1,
                   timings_.size() * static_cast<std::size_t>(options_.windows), timing.name);
        try {
            Json const result = timed(number);
            Json const& speed = result.at("ns_per_day");
            fmt::print(stderr, "{:.5g} ns/day ({:.5g} to {:.5g}){}\n", speed.at("median").get<double>(), speed.at("least").get<double>(),
                       speed.at("most").get<double>(), result.at("steady") == true ? "" : ", not steady");
        } catch (std::invalid_argument const& trouble) {
            fmt::print(stderr, "{}\n", trouble.what());
            timing.trouble = stopped() ? "stopped" : trouble.what();
            if (!stopped()) ++failures_;
        }
        figures_.write();
    }

    /// Throws std::invalid_argument with what went wrong.
    Json timed(std::size_t number)
    {
        Timing& timing = timings_[number];
        auto const& [deck, setting, name, rounds, trouble] = timing;
        fs::path const mdp = setting.dt ? bench::withTimeStep(deck, *setting.dt, work_.path()) : deck.mdp;
        std::vector<bench::Child> children;
        std::vector<fs::path> names;
        for (int replica = 0; replica < setting.replicas; ++replica) {
            names.push_back(work_.path() / fmt::format("{}-{}", deck.name, ++runs_));
            children.push_back(runOf(deck, setting, {replica, mdp, names.back()}));
        }
        for (bench::ChildEnd const& end : bench::runTogether(children, {longestTiming, [this] { return stopped(); }})) {
            if (end.timedOut) throw std::invalid_argument(fmt::format("took more than {} s", longestTiming));
            if (end.status != 0) throw std::invalid_argument(fmt::format("exit status {}: {}", end.status, end.lastWords));
        }
        std::vector<Json> reports;
        reports.reserve(names.size());
        for (fs::path const& path : names) reports.push_back(Json::parse(output::readWhole(path.string() + ".json")));
        timing.rounds.push_back(bench::resultOf(deck.name, reports));
        Json result = bench::togetherOf(timing.rounds);
        figures_.put(number, result, reports.front());
        findForceError(deck, result.at("place").get<std::string>());
        return result;
    }

    struct Run {
        int replica;
        fs::path mdp, name;
    };
    [[nodiscard]] bench::Child runOf(bench::BenchDeck const& deck, bench::Setting const& setting, Run const& run) const
    {
        bench::Child child;
        if (setting.ranks > 1)
            child.words = wordsOf(replaced(replaced(launcherOf(options_), "{ranks}", std::to_string(setting.ranks)), "{threads}",
                                           std::to_string(setting.threads)));
        std::vector<std::string> const words{program_,   "mdrun",
                                             "-f",       run.mdp,
                                             "-c",       deck.coordinates,
                                             "-p",       deck.topology,
                                             "-deffnm",  run.name,
                                             "-nt",      std::to_string(setting.threads),
                                             "-nb",      options_.nonbonded,
                                             "-windows", "1",
                                             "-window",  fmt::format("{}", options_.windowSeconds)};
        child.words.insert(child.words.end(), words.begin(), words.end());
        auto const add = [&](std::string const& flag, std::string const& value) {
            child.words.push_back(flag);
            child.words.push_back(value);
        };
        if (setting.replicas > 1) add("-warmup", fmt::format("{}", options_.windowSeconds)); // so that all are timed at the same time
        if (!deck.index.empty()) add("-n", deck.index);
        if (setting.pmeRanks >= 0) add("-npme", std::to_string(setting.pmeRanks));
        if (setting.gpus > 0 && options_.devices.empty()) add("-gpu_id", gpusOf(setting, run.replica));
        if (setting.gpus > 0 && !options_.devices.empty())
            child.environment.emplace_back("CUDA_VISIBLE_DEVICES", options_.devices[static_cast<std::size_t>(run.replica % setting.gpus)]);
        // As scripts/mpirun_alder.sh: containers run as root, and a launcher that counts processors otherwise than alder would refuse.
        for (char const* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"})
            child.environment.emplace_back(name, "1");
        child.output = run.name.string() + ".out";
        return child;
    }

    /// A run of its own on one GPU takes the next one; ranks share out all that the setting has.
    static std::string gpusOf(bench::Setting const& setting, int replica)
    {
        if (setting.replicas > 1) return std::to_string(replica % setting.gpus);
        std::vector<int> all(static_cast<std::size_t>(setting.gpus));
        std::iota(all.begin(), all.end(), 0);
        return fmt::format("{}", fmt::join(all, ","));
    }

    /// Once a deck and place: ranks and threads have no part in it, for they give the same bits.
    void findForceError(bench::BenchDeck const& deck, std::string const& place)
    {
        if (!options_.forceErrors || stopped() || figures_.knowsForceError(deck.name, place)) return;
        fs::path const json = work_.path() / (deck.name + "-energy.json");
        bench::Child child;
        child.words = {program_,         "energy", "-f",          deck.mdp, "-c",
                       deck.coordinates, "-p",     deck.topology, "-nb",    place == "cpu" ? "cpu" : options_.nonbonded,
                       "--force-error",  "--json", json};
        if (!deck.index.empty()) child.words.insert(child.words.end(), {"-n", deck.index});
        if (!options_.devices.empty() && place != "cpu") child.environment.emplace_back("CUDA_VISIBLE_DEVICES", options_.devices.front());
        child.output = work_.path() / (deck.name + "-energy.out");
        bench::ChildEnd const end = bench::runTogether({child}, {longestTiming, [this] { return stopped(); }}).front();
        if (end.status != 0) {
            fmt::print(stderr, "(error of forces not found: {}) ", end.lastWords);
            return;
        }
        figures_.forceError(deck.name, place, Json::parse(output::readWhole(json)).at("force_error").get<double>());
    }

    BenchOptions const& options_;
    bench::Machine machine_;
    loop::StopRequest stop_{-1};
    WorkFolder work_;
    bench::Figures figures_;
    std::string program_;
    double began_;
    bench::Sweep sweep_;
    std::vector<bench::BenchDeck> decks_;
    std::vector<Timing> timings_;
    int runs_ = 0, failures_ = 0;
};

} // namespace

int runBenchmark(BenchOptions const& options) { return Benchmark(options).run(); }

} // namespace alder::app
