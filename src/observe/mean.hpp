#pragma once
// A mean over a run, and how well the run tells it.

#include <optional>
#include <span>

namespace alder::observe {

struct Mean {
    double value = 0;
    double fluctuation = 0;              ///< root mean square deviation of records from the mean
    std::optional<double> standardError; ///< of the mean; nothing under 8 records
};

/// Mean of records, in their order. Nothing where there are none, or one is not finite.
///
/// The error: n independent records of variance s^2 have a mean of variance s^2 / n, with s^2 = sum of squared deviations / (n - 1). Records
/// close to each other are alike, so the same is done with means of blocks, n, n / 2, n / 4 and so on down to 8 of them, and the largest
/// estimate is given, for the reasons in observe/drift.hpp. A run that is shorter than eight times what its slowest motion takes does not
/// know its error, and neither does this.
std::optional<Mean> meanWithError(std::span<double const> records);

} // namespace alder::observe
