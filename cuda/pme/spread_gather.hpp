#pragma once
// Charges to the grid and forces back.

#include "device/stream.hpp"
#include "pme/pme_views.hpp"

namespace alder::cuda {

/// Adds the charges to the grid, each point's share rounded by itself: the integers of cpu::PmeForces.
void spreadCharges(int order, SourceViews const& sources, View<std::int32_t> charges, Stream& stream);

/// F = -(slope along each grid axis) times the gradient of that grid coordinate: what multiplies the slopes, kJ/mol/nm.
struct SlopeFactors {
    math::Vec3d a, b, c;
};
/// Adds the forces that the potential on the grid exerts.
void gatherForces(int order, SourceViews const& sources, View<float const> potential, View<SlopeFactors const> factors,
                  View<std::int64_t> forces, Stream& stream);

} // namespace alder::cuda
