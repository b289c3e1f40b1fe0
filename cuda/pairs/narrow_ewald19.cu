#include "pairs/narrow_launch.hpp"

namespace alder::cuda {

void addForcesEwald19(pairs::KernelFlavour flavour, ForceInput const& input, Stream& stream)
{
    launchNarrow<pairs::CoulombFlavour::ewald19>(flavour, input, stream);
}

} // namespace alder::cuda
