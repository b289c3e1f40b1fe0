// The .mdp reader on any text: it refuses or accepts, and never crashes, hangs or hands on a number that was not read.
#include "deck/mdp_reader.hpp"
#include "plan/option_rules.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    using namespace alder;
    base::FaultList faults;
    deck::MdpContent const content = deck::readMdpText("fuzz.mdp", {reinterpret_cast<char const*>(data), size}, faults);
    plan::RunOptions const& o = content.options;
    plan::checkOptions(o, faults);
    for (double value : {o.dt, o.tinit, o.rcoulomb, o.rvdw, o.rlist, o.rvdwSwitch, o.epsilonR, o.epsilonRf, o.ewaldRtol, o.fourierSpacing})
        if (!std::isfinite(value)) __builtin_trap();
    for (plan::TemperatureGroup const& group : o.temperatureGroups)
        if (!std::isfinite(group.tau) || !std::isfinite(group.reference)) __builtin_trap();
    return 0;
}
