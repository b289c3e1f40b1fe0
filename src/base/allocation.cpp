#include "base/allocation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

namespace alder::base {

namespace {

template <class Number> std::optional<Number> numberIn(std::string_view text)
{
    Number value{};
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value <= 0) return {};
    return value;
}

/// The words of a file's first line; none where it cannot be read.
std::vector<std::string> wordsOf(std::filesystem::path const& file)
{
    std::ifstream in(file);
    std::string line, word;
    std::getline(in, line);
    std::istringstream text(line);
    std::vector<std::string> words;
    while (text >> word) words.push_back(word);
    return words;
}

template <class Number> std::optional<Number> numberOf(std::filesystem::path const& file)
{
    std::vector<std::string> const words = wordsOf(file);
    return words.size() == 1 ? numberIn<Number>(words[0]) : std::nullopt;
}

template <class Number> void lower(std::optional<Number>& limit, std::optional<Number> other)
{
    if (other && (!limit || *other < *limit)) limit = other;
}

bool listed(std::string const& list, std::string const& name) { return ("," + list + ",").find("," + name + ",") != std::string::npos; }

/// Where the process stands in one hierarchy.
struct Group {
    std::filesystem::path mount, folder;
};

/// The group of version 1 that holds `controller`, or that of version 2 where it is empty.
std::optional<Group> groupOf(std::filesystem::path const& root, std::string const& controller)
{
    std::string path, line;
    for (std::ifstream in(root / "proc/self/cgroup"); std::getline(in, line);) { // 4:cpu,cpuacct:/user
        std::size_t const first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        std::string const controllers = line.substr(first + 1, second - first - 1);
        if (controller.empty() ? controllers.empty() : listed(controllers, controller)) path = line.substr(second + 1);
    }
    if (path.empty()) return {};
    for (std::ifstream in(root / "proc/self/mountinfo");
         std::getline(in, line);) { // ids, device, top, mount, options - type source options
        std::size_t const dash = line.find(" - ");
        if (dash == std::string::npos) continue;
        std::string id, parent, device, top, mount, type, from, options;
        std::istringstream(line.substr(0, dash)) >> id >> parent >> device >> top >> mount;
        std::istringstream(line.substr(dash + 3)) >> type >> from >> options;
        if (controller.empty() ? type != "cgroup2" : type != "cgroup" || !listed(options, controller)) continue;
        Group group;
        group.mount = group.folder = root / std::filesystem::path(mount).relative_path();
        // A container may see its own group alone, mounted where the hierarchy's top would be.
        std::filesystem::path const below = std::filesystem::path(path).lexically_relative(top);
        if (!below.empty() && *below.begin() != ".." && below != ".") group.folder /= below;
        return group;
    }
    return {};
}

/// A group's limits hold for those below it.
template <class Limit> void upwards(std::optional<Group> const& group, Limit const& limit)
{
    if (!group) return;
    for (std::filesystem::path folder = group->folder;; folder = folder.parent_path()) {
        limit(folder);
        if (folder == group->mount || !folder.has_relative_path()) return;
    }
}

void readGroups(std::filesystem::path const& root, Allocation& allocation)
{
    upwards(groupOf(root, ""), [&](std::filesystem::path const& folder) {
        lower(allocation.memory, numberOf<std::uint64_t>(folder / "memory.max")); // or "max"
        std::vector<std::string> const words = wordsOf(folder / "cpu.max");       // quota, or "max", and period
        if (words.size() != 2) return;
        auto const quota = numberIn<std::int64_t>(words[0]), period = numberIn<std::int64_t>(words[1]);
        if (quota && period) lower(allocation.quota, std::optional(static_cast<double>(*quota) / static_cast<double>(*period)));
    });
    upwards(groupOf(root, "memory"), [&](std::filesystem::path const& folder) {
        lower(allocation.memory, numberOf<std::uint64_t>(folder / "memory.limit_in_bytes"));
    });
    upwards(groupOf(root, "cpu"), [&](std::filesystem::path const& folder) {
        auto const quota = numberOf<std::int64_t>(folder / "cpu.cfs_quota_us"); // -1: none
        auto const period = numberOf<std::int64_t>(folder / "cpu.cfs_period_us");
        if (quota && period) lower(allocation.quota, std::optional(static_cast<double>(*quota) / static_cast<double>(*period)));
    });
    // Version 1 writes "none" as the largest number of pages.
    constexpr std::uint64_t unlimited = std::uint64_t{1} << 60;
    if (allocation.memory && *allocation.memory >= unlimited) allocation.memory.reset();
}

} // namespace

int Allocation::threads(int allowed, int ranksOnHost) const
{
    int threads = allowed;
    if (processorsPerTask) threads = std::min(threads, *processorsPerTask);
    if (quota) {
        // A quota of one and a half is used up by two threads, not by one; hundreds of processors are no limit that an int must hold.
        double const mine = std::ceil(*quota / ranksOnHost - 1e-6);
        if (mine < threads) threads = static_cast<int>(mine);
    }
    return std::max(threads, 1);
}

std::vector<std::pair<std::string, std::string>> Allocation::facts() const
{
    std::vector<std::pair<std::string, std::string>> facts;
    if (!job.empty()) facts.emplace_back("Slurm job", job);
    if (!jobName.empty()) facts.emplace_back("job name", jobName);
    if (!account.empty()) facts.emplace_back("job account", account);
    if (processorsPerTask) facts.emplace_back("processors per task", fmt::format("{}", *processorsPerTask));
    if (quota) facts.emplace_back("processor quota", fmt::format("{:.4g}", *quota));
    if (memory) facts.emplace_back("memory limit", fmt::format("{:.2f} GiB", static_cast<double>(*memory) / 1073741824.0));
    return facts;
}

Allocation readAllocation(AllocationSource const& source)
{
    auto const text = [&](char const* name) {
        char const* const value = source.environment(name);
        return std::string(value ? value : "");
    };
    Allocation allocation;
    allocation.job = text("SLURM_JOB_ID");
    if (!allocation.job.empty()) { // else the rest was left behind by another
        allocation.jobName = text("SLURM_JOB_NAME");
        allocation.account = text("SLURM_JOB_ACCOUNT");
        allocation.processorsPerTask = numberIn<int>(text("SLURM_CPUS_PER_TASK"));
    }
    readGroups(source.root, allocation);
    return allocation;
}

Allocation readAllocation()
{
    return readAllocation({[](char const* name) -> char const* { return std::getenv(name); }, "/"});
}

} // namespace alder::base
