#pragma once
// Numbers held against references, term by term.

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace alder::app {

/// One number to be met.
struct Expectation {
    std::string term;
    double reference = 0;
    double relative = 1e-5; ///< of |reference|
    double absolute = 0;    ///< kJ/mol (or the term's unit), added to the relative part
    std::string source;
};

/// The verdict on one term.
struct Verdict {
    Expectation expectation;
    double value = 0;
    bool given = false; ///< false: the calculation has no such term
    [[nodiscard]] double difference() const { return value - expectation.reference; }
    [[nodiscard]] double tolerance() const;
    [[nodiscard]] bool passed() const;
};

/// Holds values against expectations. A term without a value fails, unless its reference is zero.
std::vector<Verdict> compare(std::map<std::string, double> const& values, std::vector<Expectation> const& expectations);

/// Prints a table, a term a line, and names the first that fails. Returns true where all passed.
bool printVerdicts(std::vector<Verdict> const& verdicts);

} // namespace alder::app
