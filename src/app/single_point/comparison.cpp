#include "app/single_point/comparison.hpp"

#include <fmt/format.h>

#include <cmath>

namespace alder::app {

double Verdict::tolerance() const { return expectation.relative * std::fabs(expectation.reference) + expectation.absolute; }

bool Verdict::passed() const
{
    if (!given) return expectation.reference == 0;
    return std::fabs(difference()) <= tolerance(); // false for not-a-number
}

std::vector<Verdict> compare(std::map<std::string, double> const& values, std::vector<Expectation> const& expectations)
{
    std::vector<Verdict> verdicts;
    for (Expectation const& expectation : expectations) {
        auto const found = values.find(expectation.term);
        verdicts.push_back({expectation, found == values.end() ? 0 : found->second, found != values.end()});
    }
    return verdicts;
}

bool printVerdicts(std::vector<Verdict> const& verdicts)
{
    fmt::print("  {:<20} {:>20} {:>20} {:>11} {:>11}  {:<6} {}\n", "term", "value", "reference", "difference", "tolerance", "", "source");
    Verdict const* firstFailure = nullptr;
    for (Verdict const& v : verdicts) {
        std::string const value = v.given ? fmt::format("{:.8f}", v.value) : "missing";
        fmt::print("  {:<20} {:>20} {:>20.8f} {:>11.2e} {:>11.2e}  {:<6} {}\n", v.expectation.term, value, v.expectation.reference,
                   v.difference(), v.tolerance(), v.passed() ? "ok" : "FAILED", v.expectation.source);
        if (!v.passed() && !firstFailure) firstFailure = &v;
    }
    if (firstFailure) fmt::print("  first failure: {}\n", firstFailure->expectation.term);
    return firstFailure == nullptr;
}

} // namespace alder::app
