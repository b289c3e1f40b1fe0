#pragma once
// The narrow kernels of one form of Coulomb interaction: one translation unit each, since each kernel takes the compilers seconds.

#include "device/launch.hpp"
#include "pairs/narrow_kernel.hpp"

namespace alder::cuda {

void addForcesReactionField(pairs::KernelFlavour flavour, ForceInput const& input, Stream& stream);
void addForcesEwald11(pairs::KernelFlavour flavour, ForceInput const& input, Stream& stream);
void addForcesEwald19(pairs::KernelFlavour flavour, ForceInput const& input, Stream& stream);

template <class Flavour> void launchNarrow(ForceInput const& input, Stream& stream)
{
    launch<narrowForces<Flavour>>({.grid = blocksFor(input.list.entryRoom, narrowWarps), .block = narrowWarps * warpLanes}, stream, input);
}

template <pairs::CoulombFlavour coulomb, pairs::LjFlavour lj>
void launchNarrow(pairs::KernelFlavour flavour, ForceInput const& input, Stream& stream)
{
    if (flavour.parameters == pairs::ParameterFlavour::geometric)
        launchNarrow<StaticFlavour<coulomb, lj, pairs::ParameterFlavour::geometric>>(input, stream);
    else
        launchNarrow<StaticFlavour<coulomb, lj, pairs::ParameterFlavour::table>>(input, stream);
}

template <pairs::CoulombFlavour coulomb> void launchNarrow(pairs::KernelFlavour flavour, ForceInput const& input, Stream& stream)
{
    using pairs::LjFlavour;
    switch (flavour.lj) {
    case LjFlavour::cut: return launchNarrow<coulomb, LjFlavour::cut>(flavour, input, stream);
    case LjFlavour::cutShort: return launchNarrow<coulomb, LjFlavour::cutShort>(flavour, input, stream);
    case LjFlavour::potentialSwitch: return launchNarrow<coulomb, LjFlavour::potentialSwitch>(flavour, input, stream);
    case LjFlavour::forceSwitch: return launchNarrow<coulomb, LjFlavour::forceSwitch>(flavour, input, stream);
    case LjFlavour::ewald: return launchNarrow<coulomb, LjFlavour::ewald>(flavour, input, stream);
    case LjFlavour::count: break;
    }
}

} // namespace alder::cuda
