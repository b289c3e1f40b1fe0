#include "pairs/narrow_launch.hpp"

namespace alder::cuda {

void addForcesEwald11(pairs::KernelFlavour flavour, ForceInput const& input, Stream& stream)
{
    launchNarrow<pairs::CoulombFlavour::ewald11>(flavour, input, stream);
}

} // namespace alder::cuda
