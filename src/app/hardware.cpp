#include "app/hardware.hpp"

#include "app/run_facts.hpp"
#include "base/allocation.hpp"
#include "base/digest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>

namespace alder::app {

namespace {

/// The first number of OMP_NUM_THREADS, which may list one for each nesting level; 0 where there is none.
int threadsFromEnvironment(base::FaultList& faults)
{
    char const* const text = std::getenv("OMP_NUM_THREADS");
    if (!text || *text == '\0') return 0;
    char const* const textEnd = text + std::strlen(text);
    int value = 0;
    auto const [end, error] = std::from_chars(text, textEnd, value);
    if (error == std::errc() && (end == textEnd || *end == ',') && value > 0 && value <= mostThreads) return value;
    faults.refuse({}, fmt::format("OMP_NUM_THREADS is '{}'", text), fmt::format("set a number from 1 to {}, or unset it", mostThreads));
    return 0;
}

cpu::CpuChoice chooseCpu(HardwareOptions const& options, domain::NodeShare const& share, base::FaultList& faults)
{
    cpu::CpuChoice choice;
    choice.simd = cpu::bestSimdLevel();
    if (options.simd != "auto") {
        auto const level = cpu::simdLevelNamed(options.simd);
        if (!level)
            faults.refuse({}, fmt::format("-simd {} is no SIMD level", options.simd), "write auto, sse4.1, avx2 or avx512");
        else if (!cpu::supported(*level))
            faults.refuse({}, fmt::format("-simd {}: this processor cannot run it", options.simd),
                          fmt::format("use -simd {} or leave it out", nameOf(choice.simd)));
        else
            choice.simd = *level;
    }
    choice.threads = options.threads > 0 ? options.threads : threadsFromEnvironment(faults);
    if (choice.threads == 0) choice.threads = base::readAllocation().threads(share.threads(), share.ranks);
    return choice;
}

GpuWish wishOf(HardwareOptions const& options, base::FaultList& faults)
{
    gpu::Provider const provider = gpu::provider();
    if (options.nonbonded == "cpu") return GpuWish::never;
    if (options.nonbonded == "emulated-gpu") {
        if (provider == gpu::Provider::emulated) return GpuWish::always;
        faults.refuse({}, "-nb emulated-gpu: only the test program alder_emulated emulates a GPU", "use -nb cpu, -nb gpu or leave it out");
        return GpuWish::never;
    }
    if (options.nonbonded == "gpu") {
        if (provider == gpu::Provider::cuda) return GpuWish::always;
        faults.refuse({}, "-nb gpu: this build has no GPU kernels", "use -nb cpu or leave it out");
        return GpuWish::never;
    }
    return provider == gpu::Provider::cuda ? GpuWish::ifPossible : GpuWish::never;
}

double inGiB(std::uint64_t bytes) { return static_cast<double>(bytes) / (1024.0 * 1024.0 * 1024.0); }

/// The numbers of -gpu_id; none: any.
std::vector<int> wantedDevices(std::string const& list, base::FaultList& faults)
{
    std::vector<int> wanted;
    char const* at = list.data();
    char const* const end = at + list.size();
    while (at != end) {
        int index = 0;
        auto const [next, error] = std::from_chars(at, end, index);
        if (error != std::errc() || index < 0 || (next != end && (*next != ',' || next + 1 == end))) {
            faults.refuse({}, fmt::format("-gpu_id {} is no list of numbers", list), "write one as in -gpu_id 0 or -gpu_id 0,2");
            return {};
        }
        wanted.push_back(index);
        at = next == end ? end : next + 1;
    }
    return wanted;
}

/// Of the devices asked for, or of all that can run this build's code, that of the rank's turn; without one, why.
std::string chooseDevice(HardwareOptions const& options, int place, Hardware& hardware, base::FaultList& faults)
{
    gpu::DeviceList const list = gpu::devices();
    std::vector<int> wanted = wantedDevices(options.gpuIds, faults);
    if (list.devices.empty()) return list.trouble;
    if (wanted.empty())
        for (gpu::Device const& device : list.devices) wanted.push_back(device.index);
    std::vector<gpu::Device> usable;
    std::vector<std::string> without;
    for (int const index : wanted) {
        auto const device = std::find_if(list.devices.begin(), list.devices.end(), [&](gpu::Device const& d) { return d.index == index; });
        if (device == list.devices.end()) {
            faults.refuse({},
                          fmt::format("-gpu_id {}: {} GPU{} can be seen, numbered from 0", options.gpuIds, list.devices.size(),
                                      list.devices.size() == 1 ? "" : "s"),
                          "choose among those that `alder info` lists");
            return "no such GPU";
        }
        if (device->hasKernels)
            usable.push_back(*device);
        else
            without.push_back(fmt::format("{} (sm_{}{})", device->name, device->major, device->minor));
    }
    if (usable.empty()) return fmt::format("this build holds no code for {}", fmt::join(without, ", "));
    hardware.device = usable[static_cast<std::size_t>(place) % usable.size()];
    hardware.gpu = {hardware.device.index, static_cast<std::uint64_t>(options.gpuMemory * 1024.0 * 1024.0 * 1024.0)};
    hardware.usableGpus = static_cast<int>(usable.size());
    return {};
}

Hardware chooseOnThisRank(HardwareOptions const& options, domain::NodeShare const& share)
{
    base::FaultList faults;
    Hardware hardware;
    hardware.cpu = chooseCpu(options, share, faults);
    hardware.wish = wishOf(options, faults);
    if (hardware.wish != GpuWish::never) hardware.trouble = chooseDevice(options, share.place, hardware, faults);
    faults.throwIfAny();
    if (!hardware.trouble.empty() && hardware.wish == GpuWish::always)
        throw base::RunFailed("-nb gpu: no GPU can be used: " + hardware.trouble);
    return hardware;
}

/// The best SIMD level that all ranks have, and one make of processor: approximate reciprocals differ between makes.
void agreeOnArithmetic(HardwareOptions const& options, Ranks& ranks, Hardware& hardware)
{
    auto const level = static_cast<std::int64_t>(hardware.cpu.simd);
    if (options.simd == "auto") hardware.cpu.simd = static_cast<cpu::SimdLevel>(-ranks.all().largest(-level));
    std::string const mine = processorMake();
    std::vector<std::byte> bytes(mine.size());
    std::memcpy(bytes.data(), mine.data(), mine.size());
    ranks.all().broadcast(bytes);
    std::string const firsts(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    ranks.together([&] {
        if (mine == firsts) return;
        base::refuseInput({}, fmt::format("computes on a processor by {}, rank 0 on one by {}: their roundings differ", mine, firsts),
                          "start all ranks on machines of one kind");
    });
}

/// All ranks have a GPU, and of one architecture, or none of them uses one.
void agreeOnGpus(Ranks& ranks, Hardware& hardware)
{
    bool const found = hardware.wish != GpuWish::never && hardware.trouble.empty();
    auto const architecture = std::int64_t{10} * hardware.device.major + hardware.device.minor;
    std::array<std::int64_t, 3> most{found ? 0 : 1, architecture, -architecture};
    ranks.all().largest(most);
    if (hardware.wish == GpuWish::never) return;
    if (most[0] != 0 && found) hardware.trouble = "another rank finds none";
    if (most[0] == 0 && most[1] != -most[2])
        hardware.trouble = fmt::format("ranks have GPUs of sm_{} and of sm_{}, whose roundings differ", -most[2], most[1]);
    ranks.together([&] {
        if (!hardware.trouble.empty() && hardware.wish == GpuWish::always)
            throw base::RunFailed("-nb gpu: no GPU can be used: " + hardware.trouble);
    });
}

/// Ranks that wait for each other are as fast as the slowest; who has started too many wants to hear of it.
void warnOfCrowding(Ranks& ranks, int threads)
{
    domain::NodeShare const& share = ranks.share();
    std::array<std::int64_t, 2> worst{share.part + 1e-6 < threads ? 1 : 0, threads > share.allowed ? 1 : 0};
    ranks.all().largest(worst);
    if (!ranks.first()) return;
    char const* const kept = "alder pins nothing: what the launcher has bound stays bound";
    if (worst[1] != 0 && share.ranks * threads <= share.processors)
        fmt::print(stderr,
                   "warning: ranks are bound to fewer processors than their {} threads need ({} on rank 0); bind wider, as with mpirun "
                   "--map-by slot:PE={} --bind-to core, or use -ntomp {}. {}\n",
                   threads, share.allowed, threads, share.threads(), kept);
    else if (worst[0] != 0)
        fmt::print(stderr,
                   "warning: processors are oversubscribed: {} ranks of {} thread{} share {} processor{} here, take turns and wait for "
                   "each other; "
                   "fewer ranks or threads are faster. {}\n",
                   share.ranks, threads, threads == 1 ? "" : "s", share.processors, share.processors == 1 ? "" : "s", kept);
}

/// The same for all ranks that use one device, and above 0.
std::int64_t numberOf(gpu::Device const& device)
{
    base::Digest digest;
    std::string const name = device.uuid.empty() ? fmt::format("{} {}", hostName(), device.index) : device.uuid;
    digest.addArray(std::vector<char>(name.begin(), name.end()));
    return std::stoll(digest.hex().substr(0, 15), nullptr, 16) + 1;
}

HardwareCount countHardware(Hardware const& hardware, Ranks& ranks)
{
    bool const hasDevice = hardware.wish != GpuWish::never && hardware.trouble.empty();
    auto const size = static_cast<std::size_t>(ranks.size()), own = static_cast<std::size_t>(ranks.all().rank());
    std::vector<std::int64_t> devices(size, 0);
    devices[own] = hasDevice ? numberOf(hardware.device) : 0;
    std::array<std::int64_t, 1> threads{hardware.cpu.threads};
    if (size > 1) {
        ranks.all().largest(devices);
        ranks.all().sum(threads);
    }
    bool const first = std::find(devices.begin(), devices.end(), devices[own]) == devices.begin() + static_cast<std::ptrdiff_t>(own);
    std::set<std::int64_t> different(devices.begin(), devices.end());
    different.erase(0);
    return {static_cast<std::int64_t>(different.size()), threads[0], first};
}

} // namespace

Hardware chooseHardware(HardwareOptions const& options, Ranks& ranks)
{
    Hardware hardware;
    ranks.together([&] { hardware = chooseOnThisRank(options, ranks.share()); });
    if (ranks.size() > 1) {
        agreeOnArithmetic(options, ranks, hardware);
        agreeOnGpus(ranks, hardware);
        warnOfCrowding(ranks, hardware.cpu.threads);
    }
    hardware.count = countHardware(hardware, ranks);
    return hardware;
}

void settleHardware(Hardware& hardware, RunToPlace const& run, Ranks const& ranks)
{
    hardware.onGpu = false;
    if (hardware.wish == GpuWish::never) return;
    if (!hardware.trouble.empty()) {
        fmt::print(stderr, "note: running on the CPU: no GPU can be used: {}\n", hardware.trouble);
        return;
    }
    bool const insists = hardware.wish == GpuWish::always;
    std::vector<std::string> const missing = gpu::cannotDo(run.topology, run.plan);
    if (!missing.empty()) {
        if (!insists) {
            fmt::print(stderr, "note: running on the CPU: no GPU kernel yet for {}\n", fmt::join(missing, ", "));
            return;
        }
        base::FaultList faults;
        for (std::string const& what : missing)
            faults.refuse({}, fmt::format("-nb gpu: no GPU kernel yet for {}", what), "leave it out of the deck, or use -nb cpu");
        faults.throwIfAny();
    }
    // Ranks divide the whole and see half as much again of each other's; those of one GPU share its memory.
    double const part = std::min(1.0, 1.5 / ranks.size());
    int const sharing = (ranks.share().ranks + hardware.usableGpus - 1) / hardware.usableGpus;
    auto const needed = static_cast<std::uint64_t>(part * static_cast<double>(gpu::memoryNeeded(run.topology, run.plan, run.box.volume())));
    std::uint64_t const free = gpu::memoryFree(hardware.gpu) / static_cast<std::uint64_t>(sharing);
    if (needed > free) {
        std::string const what = fmt::format("the run needs {:.2f} GiB of GPU memory{} and may have {:.2f} GiB", inGiB(needed),
                                             ranks.size() > 1 ? " a rank" : "", inGiB(free));
        if (insists) base::refuseInput({}, "-nb gpu: " + what, "use a GPU with more memory, raise -gpu_mem, or use -nb cpu");
        fmt::print(stderr, "note: running on the CPU: {}\n", what);
        return;
    }
    hardware.onGpu = true;
}

std::unique_ptr<engine::Backend> makeBackend(Hardware const& hardware, RunToPlace const& run, RankPlacement const& where)
{
    int const ranks = where.ranks.size();
    std::array<int, 3> const& n = where.wish.domains;
    if (ranks == 1 && ((where.wish.fixed() && n != std::array<int, 3>{1, 1, 1}) || where.wish.pmeRanks > 0))
        base::refuseInput({}, "-dd and -npme divide the work among more ranks than the one that was started",
                          "start them with mpirun -n N, or leave -dd and -npme out");
    bool const onGpu = where.ranks.all().largest(hardware.onGpu ? 1 : 0) != 0; // the first has decided
    domain::RunLayout layout;
    if (ranks > 1) {
        bool const grids = run.plan.pme.active || !run.plan.dispersionGrids.empty();
        domain::ColumnNeeds columns{run.topology.atomCount, run.plan.pairs.listCutoff};
        if (onGpu) columns = gpu::columnNeeds(run.topology, run.plan);
        layout = domain::settleLayout(where.ranks.all(), where.wish, {run.box, columns, grids});
    }
    if (onGpu) return gpu::makeBackend(run.topology, run.plan, hardware.gpu, layout);
    return std::make_unique<cpu::CpuBackend>(run.topology, run.plan, hardware.cpu, layout);
}

std::string arithmeticOf(Hardware const& hardware)
{
    if (!hardware.onGpu) return std::string(nameOf(hardware.cpu.simd));
    return gpu::arithmeticOf(hardware.gpu);
}

} // namespace alder::app
