#include "page/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace alder::page {

namespace {

constexpr double margin = 0.04;

/// The least of 1, 2, 5, 10 times a power of ten that is not below `least`.
double roundStep(double least)
{
    double const power = std::pow(10.0, std::floor(std::log10(least)));
    for (double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

std::string raised(int power)
{
    constexpr std::array<char const*, 10> digits{"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                                 "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    std::string text = power < 0 ? "\u207b" : "";
    for (char digit : std::to_string(std::abs(power))) text += digits[static_cast<std::size_t>(digit - '0')];
    return text;
}

} // namespace

void Extent::take(double value, Scale scale)
{
    if (!std::isfinite(value) || (scale == Scale::log && value <= 0)) return;
    low = std::min(low, value);
    high = std::max(high, value);
}

PlacedAxis::PlacedAxis(Axis axis, Extent extent, Ends ends, int ticks) : axis_(std::move(axis)), ends_(ends)
{
    chooseEnds(extent);
    if (axis_.scale == Scale::log)
        markDecades(ticks);
    else
        markLinear(ticks);
}

double PlacedAxis::onScale(double value) const
{
    if (axis_.scale == Scale::linear) return value;
    return value > 0 ? std::log10(value) : std::numeric_limits<double>::quiet_NaN();
}

double PlacedAxis::placeOf(double value) const
{
    if (!std::isfinite(value)) return std::numeric_limits<double>::quiet_NaN();
    double const low = onScale(low_), high = onScale(high_);
    return ends_.low + (onScale(value) - low) / (high - low) * (ends_.high - ends_.low);
}

void PlacedAxis::chooseEnds(Extent extent)
{
    bool const log = axis_.scale == Scale::log;
    if (extent.empty()) extent = log ? Extent{1, 10} : Extent{0, 1};
    bool const zero = axis_.fromZero && !log;
    if (zero) extent = {std::min(extent.low, 0.0), std::max(extent.high, 0.0)};
    double low = onScale(extent.low), high = onScale(extent.high);
    // A constant, or what differs only in the last bits: those must not fill the chart.
    double const least = std::max(std::abs(low), std::abs(high)) * 1e-12;
    if (high - low <= least) {
        double const about = log ? 0.5 : low == 0 ? 1 : std::abs(low) * 0.05;
        low -= zero && low >= 0 ? 0 : about;
        high += about;
    }
    double const beyond = margin * (high - low);
    if (!zero || low < 0) low -= beyond;
    if (!zero || high > 0) high += beyond;
    low_ = log ? std::pow(10.0, low) : low;
    high_ = log ? std::pow(10.0, high) : high;
}

void PlacedAxis::markLinear(int wanted)
{
    double const step = roundStep((high_ - low_) / std::max(wanted, 2));
    double const greatest = std::max(std::abs(low_), std::abs(high_));
    if (greatest >= 1e6 || greatest < 1e-2) power_ = 3 * static_cast<int>(std::floor(std::log10(greatest) / 3));
    double const unit = std::pow(10.0, power_);
    int const decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step / unit) + 1e-9)));
    std::int64_t const first = std::llround(std::ceil(low_ / step - 1e-9)), last = std::llround(std::floor(high_ / step + 1e-9));
    for (std::int64_t k = first; k <= last; ++k) {
        double const value = static_cast<double>(k) * step;
        ticks_.push_back({value, fmt::format("{:.{}f}", value / unit, decimals)});
    }
}

void PlacedAxis::markDecades(int wanted)
{
    double const low = std::log10(low_), high = std::log10(high_);
    if (high - low < 0.7) return markLinear(wanted);
    int const first = static_cast<int>(std::ceil(low)), last = static_cast<int>(std::floor(high));
    int const every = std::max(1, (last - first) / std::max(wanted, 2));
    std::vector<double> const factors = high - low > 2.5 ? std::vector<double>{1} : std::vector<double>{1, 2, 5};
    for (int decade = first - 1; decade <= last; ++decade)
        for (double factor : factors) {
            double const value = factor * std::pow(10.0, decade);
            if (value < low_ || value > high_ || (decade - first) % every != 0) continue;
            bool const plain = decade >= -3 && decade < 5;
            std::string const text = plain         ? fmt::format("{:.{}f}", value, std::max(0, -decade))
                                     : factor == 1 ? "10" + raised(decade)
                                                   : fmt::format("{:.0f}\u00b710{}", factor, raised(decade));
            ticks_.push_back({value, text});
        }
}

std::string PlacedAxis::label() const
{
    std::string const unit = power_ == 0 ? axis_.unit : "10" + raised(power_) + (axis_.unit.empty() ? "" : " " + axis_.unit);
    return unit.empty() ? axis_.label : axis_.label.empty() ? unit : axis_.label + " (" + unit + ")";
}

} // namespace alder::page
