#include "deck/topology/line.hpp"

#include "deck/topology/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace alder::deck {

namespace {

std::string expected(ParameterCounts counts)
{
    return counts.b > 0 ? fmt::format("{} or {}", counts.a, counts.a + counts.b) : fmt::format("{}", counts.a);
}

} // namespace

void warnOfStateB(TopologyLine const& line, base::FaultList& faults)
{
    if (!line.said.stateB)
        faults.warn(line.place(), "parameters of a state B are ignored here and below", "they matter in free-energy runs alone");
    line.said.stateB = true;
}

ParameterFind readParameters(TopologyLine const& line, std::size_t first, ParameterCounts counts, system::ParameterSet& parameters,
                             base::FaultList& faults)
{
    std::array<double, 2 * system::maxParameters> values{};
    std::size_t count = 0;
    std::size_t at = first;
    while (at < line.words.size() && count < values.size() && toReal(line.words[at], values[count])) {
        ++at;
        ++count;
    }
    if (at == line.words.size() && count == 0) return ParameterFind::none;
    auto const a = static_cast<std::size_t>(counts.a);
    auto const b = static_cast<std::size_t>(counts.b);
    if (count != a && count != a + b) {
        if (at < line.words.size() && count < a + b)
            faults.refuse(line.place(), fmt::format("{} is no number", shown(line.words[at])),
                          "write the parameter, or #define the macro before it is used");
        else
            faults.refuse(line.place(), fmt::format("{} parameters where {} are expected", count, expected(counts)),
                          "write all parameters or none");
        return ParameterFind::faulty;
    }
    if (count == 0) {
        faults.refuse(line.place(), fmt::format("{} is no parameter here", shown(line.words[at])), "remove it");
        return ParameterFind::faulty;
    }
    if (at < line.words.size())
        faults.warn(line.place(), fmt::format("{} after the parameters is ignored", shown(line.words[at])), "begin a comment with ';'");
    if (count > a) {
        for (std::size_t i = 0; i < b; ++i)
            if (values[a + i] != values[i]) {
                if (counts.wholeAt == static_cast<int>(i)) {
                    faults.refuse(line.place(), "state B has another multiplicity or table number", "give both states the same");
                    return ParameterFind::faulty;
                }
                warnOfStateB(line, faults);
            }
    }
    std::copy_n(values.begin(), a, parameters.begin());
    return ParameterFind::given;
}

} // namespace alder::deck
