#include "plan/intervals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace alder::plan {

namespace {

constexpr std::int64_t wantedCoupling = 10;

/// nstcalcenergy and nstenergy: energies are averaged over every nstcalcenergy-th step, so nstenergy must be a multiple of it.
void setEnergyIntervals(RunOptions const& o, RunPlan& plan)
{
    std::int64_t calculated = o.nstcalcenergy;
    std::int64_t written = std::max<std::int64_t>(0, o.nstenergy);
    if (calculated < 0) {
        calculated = std::max<std::int64_t>(1, o.nstlist);
        if (written > 0 && written < calculated) calculated = std::gcd(written, calculated);
    } else if (written > 0 && calculated > written) {
        plan.notes.warn(o.placeOf("nstcalcenergy"), fmt::format("nstcalcenergy is {}, more than nstenergy", calculated),
                        fmt::format("{} is used", written));
        calculated = written;
    }
    if (calculated > 0 && written % calculated != 0) {
        std::int64_t const multiple = (written / calculated + 1) * calculated;
        plan.notes.warn(o.placeOf("nstenergy"), fmt::format("nstenergy is {}, no multiple of nstcalcenergy", written),
                        fmt::format("{} is used", multiple));
        written = multiple;
    }
    plan.energyInterval = calculated > 0 ? calculated : written;
    plan.output.energyInterval = written;
}

/// One stride for all frames: the greatest that meets every stride asked for.
void setFrameInterval(RunOptions const& o, RunPlan& plan)
{
    OutputPlan& output = plan.output;
    std::array<std::pair<char const*, std::int64_t>, 4> const asked{
        {{"nstxout", o.nstxout}, {"nstvout", o.nstvout}, {"nstfout", o.nstfout}, {"nstxout-compressed", o.nstxoutCompressed}}};
    std::int64_t common = 0;
    for (auto const& [key, stride] : asked)
        if (stride > 0) common = std::gcd(common, stride);
    output.frameInterval = common;
    output.velocities = o.nstvout > 0;
    output.forces = o.nstfout > 0;
    for (auto const& [key, stride] : asked)
        if (stride > 0 && stride != common) {
            plan.notes.warn(o.placeOf(key), fmt::format("{} is {}, and frames hold everything at one stride", key, stride),
                            fmt::format("{} is used", common));
            break;
        }
}

/// GROMACS 2022's choice of an interval for a time constant (ps) that wants so many couplings.
std::int64_t intervalFor(double tau, double dt, int couplings)
{
    // The margins: 0.02 / 0.002 is not 10 in binary.
    constexpr double margin = 1e-9;
    if (!(dt > 0) || static_cast<double>(wantedCoupling) * dt * (1 + margin) < tau) return wantedCoupling;
    std::int64_t interval = std::max<std::int64_t>(1, static_cast<std::int64_t>(tau / (dt * couplings) * (1 + margin)));
    while (wantedCoupling % interval != 0) --interval;
    return interval;
}

} // namespace

std::int64_t couplingInterval(RunOptions const& options)
{
    if (options.nsttcouple >= 0) return std::max<std::int64_t>(1, options.nsttcouple);
    double shortest = 1e20;
    for (TemperatureGroup const& group : options.temperatureGroups)
        if (group.tau > 0) shortest = std::min(shortest, group.tau);
    switch (options.thermostat) {
    case Thermostat::berendsen: return intervalFor(shortest, options.dt, 5);
    case Thermostat::noseHoover: return intervalFor(shortest, options.dt, 20);
    default: return wantedCoupling;
    }
}

std::int64_t pressureInterval(RunOptions const& options)
{
    if (options.nstpcouple >= 0) return std::max<std::int64_t>(1, options.nstpcouple);
    bool const harmonic = options.barostat == Barostat::parrinelloRahman || options.barostat == Barostat::mttk;
    return intervalFor(options.tauP, options.dt, harmonic ? 20 : 10);
}

void setIntervals(RunOptions const& options, RunPlan& plan)
{
    setEnergyIntervals(options, plan);
    setFrameInterval(options, plan);
    plan.output.logInterval = std::max<std::int64_t>(0, options.nstlog);
}

} // namespace alder::plan
