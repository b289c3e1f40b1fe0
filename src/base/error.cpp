#include "base/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace alder::base {

namespace {
std::string joined(std::vector<Fault> const& faults)
{
    std::string all;
    for (Fault const& f : faults) {
        if (!all.empty()) all += '\n';
        all += f.text();
    }
    return all;
}
} // namespace

std::string Fault::text() const
{
    std::string const where = place.file.empty() ? std::string("command line") : place.file;
    std::string const line = place.line > 0 ? fmt::format(":{}", place.line) : std::string();
    return instead.empty() ? fmt::format("{}{}: {}", where, line, what) : fmt::format("{}{}: {}; {}", where, line, what, instead);
}

InputRefused::InputRefused(std::vector<Fault> faults) : std::runtime_error(joined(faults)), faults_(std::move(faults)) {}

void refuseInput(Place place, std::string what, std::string instead)
{
    std::vector<Fault> faults;
    faults.push_back({std::move(place), std::move(what), std::move(instead)});
    throw InputRefused(std::move(faults));
}

void FaultList::refuse(Place place, std::string what, std::string instead)
{
    faults_.push_back({std::move(place), std::move(what), std::move(instead)});
}

void FaultList::warn(Place place, std::string what, std::string instead)
{
    warnings_.push_back({std::move(place), std::move(what), std::move(instead)});
}

void FaultList::append(FaultList const& other)
{
    faults_.insert(faults_.end(), other.faults_.begin(), other.faults_.end());
    warnings_.insert(warnings_.end(), other.warnings_.begin(), other.warnings_.end());
}

void FaultList::throwIfAny() const
{
    if (!faults_.empty()) throw InputRefused(faults_);
}

} // namespace alder::base
