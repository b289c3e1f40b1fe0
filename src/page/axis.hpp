#pragma once
// From values to places on a chart, and the round values that an axis is marked with.

#include <limits>
#include <string>
#include <vector>

namespace alder::page {

enum class Scale { linear, log };

/// What an axis says and how it runs.
struct Axis {
    std::string label; ///< "time"
    std::string unit;  ///< "ps"; empty: a plain number
    Scale scale = Scale::linear;
    bool fromZero = false; ///< a linear axis that holds zero; for lengths that stand for values, as in bars
};

/// The values that an axis has to hold.
struct Extent {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    /// What is not finite, and what is not positive on a logarithmic axis, has no place and is passed over.
    void take(double value, Scale scale);
    [[nodiscard]] bool empty() const { return low > high; }
};

struct Tick {
    double value = 0;
    std::string text;
};

/// Where the low and the high end of an axis lie, in units of the drawing.
struct Ends {
    double low = 0, high = 0;
};

/// An axis with its place. It reaches 4 % beyond the values on either side, except to zero where it begins there.
class PlacedAxis {
public:
    /// `ticks` is about how many marks there is room for. An empty extent is shown as 0 to 1 (1 to 10).
    PlacedAxis(Axis axis, Extent extent, Ends ends, int ticks);

    /// Place of a value; not a number where it has none.
    [[nodiscard]] double placeOf(double value) const;
    /// Steps of 1, 2 or 5 times a power of ten; on a logarithmic axis decades, with 2 and 5 where they are few. At least two.
    [[nodiscard]] std::vector<Tick> const& ticks() const { return ticks_; }
    /// "time (ps)"; where marks would have many digits, "Potential (10^6 kJ/mol)" with a raised 6, and marks in that.
    [[nodiscard]] std::string label() const;
    [[nodiscard]] double low() const { return low_; }
    [[nodiscard]] double high() const { return high_; }

private:
    [[nodiscard]] double onScale(double value) const;
    void chooseEnds(Extent extent);
    void markLinear(int wanted);
    void markDecades(int wanted);

    Axis axis_;
    Ends ends_;
    double low_ = 0, high_ = 1; ///< values at the ends
    int power_ = 0;             ///< marks are in units of 10^power
    std::vector<Tick> ticks_;
};

} // namespace alder::page
