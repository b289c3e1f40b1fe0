#include "base/clock.hpp"

namespace alder::base {

char const* nameOf(Part part)
{
    static constexpr std::array<char const*, partCount> names{"redistribution", "halo",   "list build",  "list pruning", "pair forces",
                                                              "pair energies",  "bonded", "PME spread",  "PME FFT",      "PME solve",
                                                              "PME gather",     "update", "constraints", "output",       "checkpoint"};
    return names[static_cast<std::size_t>(part)];
}

} // namespace alder::base
