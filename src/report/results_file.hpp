#pragma once
// A file of benchmark figures, alder-bench-2 (docs/bench_schema.md), as it is compared with others.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace alder::report {

/// What the figures of a file are worth.
enum class Standing : std::uint8_t {
    measured,
    rehearsal, ///< tried without the GPU that it is about
    fixture    ///< made up, to try a program with
};
char const* nameOf(Standing standing);

struct Gpu {
    std::string name;
    std::optional<std::string> slice; ///< MIG profile
    std::optional<std::string> driver, cuda;
    std::optional<double> powerLimitW;
};

/// What ran: figures are compared within one system alone.
struct System {
    std::string deck;
    std::int64_t atoms = 1;
    double dtPs = 1, rcoulombNm = 0, rvdwNm = 0;
    [[nodiscard]] auto key() const { return std::tie(deck, atoms, dtPs, rcoulombNm, rvdwNm); }
    bool operator==(System const& other) const { return key() == other.key(); }
    bool operator<(System const& other) const { return key() < other.key(); }
};

/// How it was spread over what was there.
struct Setup {
    std::string place; ///< "gpu", "cpu" or "emulated-gpu"
    std::optional<std::string> transform;
    std::int64_t ranks = 1, pmeRanks = 0, threads = 1; ///< of each run; threads of each rank
    std::int64_t replicas = 1;                         ///< runs at the same time
    std::int64_t gpus = 0;                             ///< different ones, of all runs
    [[nodiscard]] auto key() const { return std::tie(place, transform, ranks, pmeRanks, threads, replicas, gpus); }
    bool operator<(Setup const& other) const { return key() < other.key(); }
    [[nodiscard]] std::int64_t processors() const { return ranks * threads * replicas; }
};

struct Timing {
    System system;
    Setup setup;
    std::vector<double> nsPerDay;            ///< of each window, all replicas together; empty where a window was too short to tell
    std::optional<bool> steady;              ///< none: not judged
    std::optional<double> drift, driftError; ///< kJ/mol/ns/atom
    std::optional<double> forceError;        ///< relative, rms
    std::optional<double> hostMiB, deviceMiB;
    std::optional<double> powerW; ///< of all GPUs
};

struct ResultsFile {
    std::string path;
    std::string madeBy, madeAt;
    Standing standing = Standing::measured;
    bool right = false;
    std::vector<std::string> wrongChecks; ///< names of those that failed
    std::string version, revision, buildType;
    std::string host, cpu;
    std::optional<Gpu> gpu;
    std::vector<Timing> timings;
    std::vector<std::string> leftOut;

    /// What computed a timing: "NVIDIA A100-SXM4-80GB MIG 1g.10gb", or the CPU.
    [[nodiscard]] std::string machineOf(Timing const& timing) const;
};

/// Throws InputRefused with the faults of all files: those that are no JSON or of another schema, what is missing, of a wrong kind, or does not
/// agree with the rest of its file; and files that were given twice.
std::vector<ResultsFile> readResults(std::vector<std::filesystem::path> const& files);

} // namespace alder::report
