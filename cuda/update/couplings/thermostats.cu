#include "update/couplings/thermostats.hpp"

#include "couple/reference_temperature.hpp"
#include "device/launch.hpp"
#include "physics/leap_frog.hpp"
#include "update/motion_sums.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace alder::cuda {

namespace {

constexpr unsigned groupThreads = 32;

/// The trace of a group's kinetic energies, in the order of the host.
__device__ double kineticEnergyOf(View<std::int64_t const> sums, int group)
{
    auto const at = momentumWords + kineticWords * static_cast<std::size_t>(group);
    return math::FixedSum{sums[at]}.value() + math::FixedSum{sums[at + 3]}.value() + math::FixedSum{sums[at + 5]}.value();
}

struct Groups {
    int count = 0;
    View<couple::GroupThermostat const> thermostats;
    View<double const> references; ///< K
    View<std::int64_t const> sums;
};

struct Factors {
    View<double> lambda, kick;
    double kickShare = 1;
};

/// One thread a group: there are few, and each draws what it needs by the number of the step.
__global__ void __launch_bounds__(groupThreads) coupleGroups(Groups groups, StepConstants step, ThermostatMemory memory, Factors made)
{
    int const g = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (g >= groups.count) return;
    couple::GroupThermostat const thermostat = groups.thermostats[g];
    couple::GroupMemory<View<double>> mine{memory.integral.from(static_cast<std::size_t>(g)), {}, {}};
    if (memory.chainPosition.given()) {
        auto const first = static_cast<std::size_t>(g) * static_cast<std::size_t>(thermostat.links > 0 ? thermostat.links : 1);
        mine.chainPosition = memory.chainPosition.from(first);
        mine.chainVelocity = memory.chainVelocity.from(first);
    }
    couple::GroupResponse const response =
        couple::coupleGroup(thermostat, {step.number(), kineticEnergyOf(groups.sums, g), groups.references[g]}, mine);
    made.lambda[g] = physics::draggedLambda(response.lambda, response.drag);
    made.kick[g] = physics::draggedKick(response.drag) * made.kickShare;
}

} // namespace

Thermostats::Thermostats(plan::DynamicsPlan const& dynamics, Stream& stream)
    : stream_(stream),
      plans_(dynamics.groups),
      chainNumbers_(couple::chainNumbers(dynamics)),
      kickShare_(dynamics.integrator == plan::Integrator::mdVv ? 0.5 : 1.0),
      sums_(motionWords(plans_.size())),
      lambda_(plans_.size()),
      kick_(plans_.size()),
      memory_(plans_.size() + 2 * chainNumbers_)
{
    std::vector<couple::GroupThermostat> groups;
    for (std::size_t g = 0; g < plans_.size(); ++g) groups.push_back(couple::groupThermostat(dynamics, g));
    groups_.upload(groups, stream_);
    adopt({});
}

void Thermostats::adopt(system::CouplingState const& coupling)
{
    std::vector<double> numbers;
    auto const append = [&](std::vector<double> values, std::size_t count) {
        values.resize(count, 0.0);
        numbers.insert(numbers.end(), values.begin(), values.end());
    };
    append(coupling.thermostatIntegral, plans_.size());
    append(coupling.chainPosition, chainNumbers_);
    append(coupling.chainVelocity, chainNumbers_);
    memory_.upload(numbers, stream_);
}

/// The schedule of temperatures is the host's to read, so that the bits are.
void Thermostats::prepare(std::vector<double> const& times)
{
    std::vector<double> references;
    for (double const time : times)
        for (plan::TemperatureGroupPlan const& group : plans_) references.push_back(couple::referenceTemperature(group, time));
    if (references == asked_) return; // most temperatures stay
    asked_ = std::move(references);
    references_.upload(asked_, stream_);
}

ThermostatMemory Thermostats::memory()
{
    View<double> const all = memory_.view();
    if (chainNumbers_ == 0) return {all, {}, {}};
    return {all, all.from(plans_.size()), all.from(plans_.size() + chainNumbers_)};
}

FactorViews Thermostats::couple(UpdateTables const& tables, View<math::Vec3d const> velocities, StepConstants const& step, std::size_t time)
{
    auto const count = static_cast<int>(plans_.size());
    sums_.clear(stream_);
    sumMotion(tables, velocities, count, sums_.view(), stream_);
    Groups const groups{count, groups_.constView(), references_.constView().from(time * plans_.size()), sums_.constView()};
    launch<coupleGroups>({.grid = blocksFor(plans_.size(), groupThreads), .block = groupThreads}, stream_, groups, step, memory(),
                         Factors{lambda_.view(), kick_.view(), kickShare_});
    return {lambda_.constView(), kick_.constView()};
}

void Thermostats::fetchLater() { memory_.downloadLater(fetched_, stream_); }

void Thermostats::give(system::CouplingState& coupling) const
{
    std::span<double const> const numbers = fetched_.span();
    auto const take = [&](std::size_t first, std::size_t count) {
        std::span<double const> const part = numbers.subspan(first, count);
        return std::vector<double>(part.begin(), part.end());
    };
    coupling.thermostatIntegral = take(0, plans_.size());
    if (chainNumbers_ == 0) return;
    coupling.chainPosition = take(plans_.size(), chainNumbers_);
    coupling.chainVelocity = take(plans_.size() + chainNumbers_, chainNumbers_);
}

} // namespace alder::cuda
