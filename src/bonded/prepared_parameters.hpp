#pragma once
// Parameters as the laws take them: radians for degrees, cosines for angles that enter by their cosine, dihedral series by powers of
// cos phi. Converted once, so that every back end computes from the same bits.

#include "physics/cmap.hpp"
#include "system/topology.hpp"

#include <vector>

namespace alder::bonded {

/// The parameters of one entry of `kind` as Law<kind>::at() takes them.
system::ParameterSet prepare(system::Kind kind, system::ParameterSet const& asWritten);

/// A pair as plainPair() takes it: {c6, c12, qq}, where the Coulomb energy is qq / r.
system::ParameterSet preparePair(system::Kind kind, system::ParameterSet const& asWritten, double electricFactor, double chargeProduct);

/// An energy map with the derivatives that bicubic interpolation needs.
struct CmapTable {
    int size = 0;
    std::vector<physics::CmapNode<double>> nodes; ///< size x size, phi slow
};
/// From size x size values (kJ/mol), phi slow, both from -180 degrees.
CmapTable makeCmapTable(std::vector<double> const& grid);

} // namespace alder::bonded
