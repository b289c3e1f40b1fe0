#include "report/results_file.hpp"

#include "base/error.hpp"
#include "report/json_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>

namespace alder::report {

namespace fs = std::filesystem;

namespace {

constexpr char const* schema = "alder-bench-2";

/// A window below this tells no rate.
constexpr std::int64_t fewestSteps = 100;

/// Figures are written with six digits or more.
bool agree(double a, double b) { return std::abs(a - b) <= 1e-4 * std::max(std::abs(a), std::abs(b)); }

std::string oneOf(JsonKeys const& keys, char const* key, std::vector<std::string> const& known)
{
    std::string text = keys.text(key);
    if (std::find(known.begin(), known.end(), text) == known.end() && !text.empty())
        keys.refuse(key, fmt::format("'{}' is not known", text), "write it as docs/bench_schema.md says");
    return text;
}

/// Holds least, median and most to the values. What they say is not kept: rows of several files have their own.
void holdToValues(JsonKeys const& speed, std::vector<double> values)
{
    struct Figure {
        char const* key;
        std::optional<double> given, meant;
    };
    std::array<Figure, 3> figures{{{"least", speed.amountOrNull("least"), {}},
                                   {"median", speed.amountOrNull("median"), {}},
                                   {"most", speed.amountOrNull("most"), {}}}};
    if (!values.empty()) {
        std::sort(values.begin(), values.end());
        figures[0].meant = values.front();
        figures[1].meant = (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
        figures[2].meant = values.back();
    }
    for (Figure const& figure : figures) {
        if (!figure.meant && figure.given) speed.refuse(figure.key, "a figure without values", "write null");
        if (figure.meant && (!figure.given || !agree(*figure.given, *figure.meant)))
            speed.refuse(
                figure.key,
                fmt::format("{} where the values give {:.6g}", figure.given ? fmt::format("{:.6g}", *figure.given) : "null", *figure.meant),
                "make the file anew");
    }
}

std::vector<double> ratesOf(JsonKeys const& keys, double dtPs)
{
    std::vector<JsonKeys> const windows = keys.objects("windows");
    std::vector<double> rates;
    bool tooShort = false;
    for (JsonKeys const& window : windows) {
        std::int64_t const steps = window.count("steps", 0);
        // steps of dt ps, a thousand of which are a ns, in seconds, 86400 of which are a day
        rates.push_back(static_cast<double>(steps) * dtPs / 1000 / window.amount("seconds") * 86400);
        tooShort = tooShort || steps < fewestSteps;
    }
    std::optional<JsonKeys> const speed = keys.objectOrNull("ns_per_day");
    if (!speed) return {};
    std::vector<double> values = speed->amounts("values");
    holdToValues(*speed, values);
    if (values.empty()) return values;
    if (tooShort)
        speed->refuse("values", fmt::format("rates of windows under {} steps", fewestSteps), "write null");
    else if (values.size() != rates.size())
        speed->refuse("values", fmt::format("{} rates of {} windows", values.size(), rates.size()), "make the file anew");
    else
        for (std::size_t i = 0; i < values.size(); ++i)
            if (!agree(values[i], rates[i]))
                speed->refuse(fmt::format("values[{}]", i), fmt::format("{:.6g} ns/day where its window gives {:.6g}", values[i], rates[i]),
                              "make the file anew");
    return values;
}

Timing timingOf(JsonKeys const& keys)
{
    Timing timing;
    timing.system = {keys.text("deck"), keys.count("atoms", 1), keys.amount("dt_ps"), keys.number("rcoulomb_nm"), keys.number("rvdw_nm")};
    timing.setup.place = oneOf(keys, "place", {"gpu", "cpu", "emulated-gpu"});
    timing.setup.transform = keys.textOrNull("transform");
    timing.setup.ranks = keys.count("ranks", 1);
    timing.setup.pmeRanks = keys.count("pme_ranks", 0);
    timing.setup.threads = keys.count("threads", 1);
    timing.setup.replicas = keys.count("replicas", 1);
    timing.setup.gpus = keys.count("gpus", 0);
    if (timing.setup.place == "gpu" && timing.setup.gpus == 0 && keys.has("gpus"))
        keys.refuse("gpus", "none, of a timing on GPUs", "make the file anew");
    if (timing.setup.place == "cpu" && timing.setup.gpus > 0) keys.refuse("gpus", "some, of a timing on CPUs", "make the file anew");
    timing.nsPerDay = ratesOf(keys, timing.system.dtPs);
    timing.steady = keys.flagOrNull("steady");
    timing.drift = keys.numberOrNull("drift_kJ_mol_ns_atom");
    timing.driftError = keys.numberOrNull("drift_error");
    if (timing.driftError && !timing.drift) keys.refuse("drift_error", "the error of a drift that is not told", "write null, or the drift");
    timing.forceError = keys.numberOrNull("force_error");
    if (std::optional<JsonKeys> const memory = keys.object("peak_memory")) {
        timing.hostMiB = memory->amountOrNull("host_MiB");
        timing.deviceMiB = memory->amountOrNull("device_MiB");
    }
    timing.powerW = keys.amountOrNull("power_W");
    for (JsonKeys const& row : keys.objects("table")) {
        static_cast<void>(row.text("part"));
        static_cast<void>(row.count("calls", 0));
    }
    if (!keys.has("kernels")) static_cast<void>(keys.textOrNull("kernels"));
    return timing;
}

Gpu gpuOf(JsonKeys const& keys)
{
    Gpu gpu;
    gpu.name = keys.text("name");
    gpu.slice = keys.textOrNull("mig_profile");
    gpu.driver = keys.textOrNull("driver");
    gpu.cuda = keys.textOrNull("cuda");
    gpu.powerLimitW = keys.amountOrNull("power_limit_W");
    static_cast<void>(keys.amountOrNull("memory_GiB"));
    static_cast<void>(keys.textOrNull("compute_capability"));
    static_cast<void>(keys.textOrNull("uuid"));
    static_cast<void>(keys.amountOrNull("clock_MHz"));
    return gpu;
}

void readChecks(JsonKeys const& top, ResultsFile& file)
{
    bool all = true;
    for (JsonKeys const& check : top.objects("checks")) {
        std::string const name = check.text("name");
        bool const right = check.flag("right");
        if (!right) file.wrongChecks.push_back(name);
        all = all && right;
    }
    file.right = top.flag("right");
    if (file.right && !all) top.refuse("right", "true, where a check failed", "make the file anew");
    if (!file.right && all && file.madeBy != "mdrun" && top.has("right"))
        top.refuse("right", "false, where no check failed", "make the file anew");
}

void readHardware(JsonKeys const& top, ResultsFile& file)
{
    std::optional<JsonKeys> const hardware = top.object("hardware");
    if (!hardware) return;
    file.host = hardware->text("host");
    file.cpu = hardware->text("CPU");
    static_cast<void>(hardware->count("processors", 1));
    if (std::optional<JsonKeys> const gpu = hardware->objectOrNull("GPU")) file.gpu = gpuOf(*gpu);
    if (!hardware->has("GPU")) return;
    for (std::size_t i = 0; i < file.timings.size(); ++i) {
        std::string const& place = file.timings[i].setup.place;
        if (place == "gpu" && !file.gpu)
            hardware->refuse("GPU", fmt::format("null, where results[{}] is of a GPU", i), "make the file anew");
        if (place == "emulated-gpu" && file.standing == Standing::measured)
            top.refuse("rehearsal", fmt::format("false, where results[{}] is of the emulation", i), "write true");
    }
}

/// The file's content, as far as it can be read.
ResultsFile resultsOf(JsonKeys const& top, std::string const& path)
{
    ResultsFile file;
    file.path = path;
    file.madeBy = oneOf(top, "made_by", {"bench", "mdrun", "gpu_check"});
    file.madeAt = top.text("made_at");
    bool const fixture = top.flag("fixture"), rehearsal = top.flag("rehearsal");
    file.standing = fixture ? Standing::fixture : rehearsal ? Standing::rehearsal : Standing::measured;
    readChecks(top, file);
    if (std::optional<JsonKeys> const build = top.object("build")) {
        file.version = build->text("version");
        file.revision = build->text("revision");
        file.buildType = build->text("type");
        static_cast<void>(build->text("compiler"));
    }
    for (JsonKeys const& timing : top.objects("results")) file.timings.push_back(timingOf(timing));
    readHardware(top, file);
    file.leftOut = top.texts("left_out");
    return file;
}

std::optional<ResultsFile> read(fs::path const& path, base::FaultList& faults)
{
    base::Place const place{path.string(), 0};
    std::error_code unreadable;
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    if (!in || fs::is_directory(path, unreadable) || (in.peek() != EOF && !(text << in.rdbuf()))) {
        faults.refuse(place, fmt::format("cannot be read: {}", fs::is_directory(path, unreadable) ? "is a folder" : std::strerror(errno)),
                      "name files of alder bench, mdrun (its .json) or gpu_check.sh");
        return {};
    }
    JsonKeys::Json json;
    try {
        json = JsonKeys::Json::parse(text.str());
    } catch (JsonKeys::Json::exception const& broken) {
        faults.refuse(place, fmt::format("no JSON ({})", broken.what()), "name files of alder bench, mdrun (its .json) or gpu_check.sh");
        return {};
    }
    std::string const found =
        json.is_object() && json.contains("schema") && json["schema"].is_string() ? json["schema"].get<std::string>() : "";
    if (found != schema) {
        faults.refuse(place, found.empty() ? std::string("schema: none is named") : fmt::format("schema: '{}' is not known", found),
                      fmt::format("give files of schema {}, which alder bench, mdrun and gpu_check.sh write", schema));
        return {};
    }
    return resultsOf(JsonKeys(json, "", path.string(), faults), path.string());
}

} // namespace

char const* nameOf(Standing standing)
{
    switch (standing) {
    case Standing::measured: return "measured";
    case Standing::rehearsal: return "rehearsal";
    case Standing::fixture: return "fixture";
    }
    return "";
}

std::string ResultsFile::machineOf(Timing const& timing) const
{
    if (timing.setup.place == "emulated-gpu") return cpu + ", emulating a GPU";
    if (timing.setup.place != "gpu" || !gpu) return cpu;
    return gpu->slice ? fmt::format("{} MIG {}", gpu->name, *gpu->slice) : gpu->name;
}

std::vector<ResultsFile> readResults(std::vector<fs::path> const& files)
{
    base::FaultList faults;
    std::vector<ResultsFile> results;
    std::set<fs::path> seen;
    for (fs::path const& path : files) {
        std::error_code absent;
        fs::path const whole = fs::canonical(path, absent);
        if (!absent && !seen.insert(whole).second) {
            faults.refuse({path.string(), 0}, "given twice", "name each file once: its figures would count twice");
            continue;
        }
        if (std::optional<ResultsFile> file = read(path, faults)) results.push_back(std::move(*file));
    }
    faults.throwIfAny();
    return results;
}

} // namespace alder::report
