#include "bench/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace alder::bench {

namespace {

std::string counted(int n, char const* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

template <class T> std::vector<T> orOne(std::vector<T> const& list, T one) { return list.empty() ? std::vector<T>{one} : list; }

/// Why a setting cannot be; empty: it can.
std::string trouble(Setting const& setting, Machine const& machine)
{
    int const threads = setting.ranks * setting.threads * setting.replicas;
    if (threads > machine.processors) return fmt::format("{} threads on {}", threads, counted(machine.processors, "processor"));
    if (setting.ranks > 1 && !machine.launcher) return "no mpirun or srun was found that starts ranks; name one with -launcher";
    if (setting.pmeRanks >= setting.ranks && setting.pmeRanks > 0)
        return fmt::format("{} of {} for PME leave none for the rest", counted(setting.pmeRanks, "rank"), setting.ranks);
    if (setting.gpus > machine.gpus) return fmt::format("{}, of which {} can be seen", counted(setting.gpus, "GPU"), machine.gpus);
    if (setting.gpus > setting.ranks * setting.replicas)
        return fmt::format("{} for {}", counted(setting.gpus, "GPU"), counted(setting.ranks * setting.replicas, "process"));
    return {};
}

/// Ranks, threads (0: what is left), replicas, GPUs.
struct Shape {
    int ranks, threads, replicas, gpus;
};

std::vector<Shape> chosenShapes(Machine const& machine)
{
    if (machine.gpus == 0) {
        std::vector<Shape> shapes{{1, 0, 1, 0}};
        if (machine.processors > 1 && machine.launcher) shapes.push_back({machine.processors, 1, 1, 0});
        return shapes;
    }
    std::vector<Shape> shapes{{1, 0, 1, 1}};
    for (int const replicas : {2, 4})
        if (replicas <= machine.processors) shapes.push_back({1, 0, replicas, 1});
    if (machine.gpus > 1 && machine.launcher) shapes.push_back({machine.gpus, 0, 1, machine.gpus});
    return shapes;
}

std::vector<Shape> askedShapes(SweepWish const& wish, Machine const& machine)
{
    std::vector<Shape> shapes;
    for (int const gpus : orOne(wish.gpus, machine.gpus > 0 ? 1 : 0))
        for (int const ranks : orOne(wish.ranks, 1))
            for (int const threads : orOne(wish.threads, 0))
                for (int const replicas : orOne(wish.replicas, 1)) shapes.push_back({ranks, threads, replicas, gpus});
    return shapes;
}

} // namespace

std::string Setting::text() const
{
    std::string text = fmt::format("{} x {}", counted(ranks, "rank"), counted(threads, "thread"));
    if (pmeRanks >= 0) text += fmt::format(", {} for PME", pmeRanks);
    if (replicas > 1) text += fmt::format(", {} at the same time", counted(replicas, "run"));
    if (gpus > 0) text += ", " + counted(gpus, "GPU");
    if (dt) text += fmt::format(", {} fs", 1000 * *dt);
    return text;
}

Sweep sweepOf(SweepWish const& wish, Machine const& machine)
{
    Sweep sweep;
    bool const asked = !wish.ranks.empty() || !wish.threads.empty() || !wish.replicas.empty() || !wish.gpus.empty();
    for (Shape const& shape : asked ? askedShapes(wish, machine) : chosenShapes(machine))
        for (int const pmeRanks : orOne(wish.pmeRanks, -1)) {
            Setting setting{shape.ranks, shape.threads, pmeRanks, shape.replicas, shape.gpus, {}};
            if (setting.threads == 0) setting.threads = std::max(1, machine.processors / (shape.ranks * shape.replicas));
            if (std::string const why = trouble(setting, machine); !why.empty()) {
                sweep.leftOut.push_back(fmt::format("{}: {}", setting.text(), why));
                continue;
            }
            if (wish.dt.empty()) sweep.settings.push_back(setting);
            for (double const dt : wish.dt) {
                setting.dt = dt;
                sweep.settings.push_back(setting);
            }
        }
    return sweep;
}

} // namespace alder::bench
