#include "couple/reference_temperature.hpp"

#include <algorithm>
#include <cmath>

namespace alder::couple {

double referenceTemperature(plan::TemperatureGroupPlan const& group, double time)
{
    std::vector<double> const &times = group.annealingTimes, &temperatures = group.annealingTemperatures;
    if (group.annealing == plan::Annealing::no || times.empty()) return std::max(0.0, group.reference);
    double const period = times.back();
    if (group.annealing == plan::Annealing::periodic && period > 0) {
        // A step's time is a product of decimals: one that misses the end of a period by a rounding error has reached it.
        double const periods = time / period, nearest = std::round(periods);
        bool const atEnd = std::abs(periods - nearest) < 1e-9;
        time = atEnd ? 0.0 : time - std::floor(periods) * period;
    }
    constexpr double slack = 1e-9; // ps
    std::size_t next = 0;
    while (next < times.size() && times[next] <= time + slack) ++next;
    if (next == 0) return temperatures.front();
    if (next == times.size()) return temperatures.back();
    double const part = (time - times[next - 1]) / (times[next] - times[next - 1]);
    return part * temperatures[next] + (1.0 - part) * temperatures[next - 1];
}

double ensembleTemperature(plan::DynamicsPlan const& dynamics, double time)
{
    double sum = 0, freedom = 0;
    for (plan::TemperatureGroupPlan const& group : dynamics.groups) {
        if (group.tau < 0) continue;
        sum += group.degreesOfFreedom * referenceTemperature(group, time);
        freedom += group.degreesOfFreedom;
    }
    return freedom > 0 ? sum / freedom : 0.0;
}

} // namespace alder::couple
