#include "pairs/narrow_launch.hpp"

namespace alder::cuda {

void addForcesReactionField(pairs::KernelFlavour flavour, ForceInput const& input, Stream& stream)
{
    launchNarrow<pairs::CoulombFlavour::reactionField>(flavour, input, stream);
}

} // namespace alder::cuda
