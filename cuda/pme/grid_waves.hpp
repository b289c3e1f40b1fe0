#pragma once
// The passes over the grid between spreading and gathering, but for the transforms.

#include "device/force_target.hpp"
#include "device/stream.hpp"
#include "pme/influence.hpp"
#include "pme/pme_views.hpp"

namespace alder::cuda {

/// Sums of the charge grid, to find out whether a point has overflowed: one a slot, so that blocks seldom meet.
inline constexpr int chargeSlots = 32;
struct PileUpViews {
    View<std::int64_t> sums;  ///< by slot; zero between steps. Where solve() is given none, somebody else looks at them
    View<std::int32_t> piled; ///< set once, where charges pile up
    double netUnits = 0;      ///< what the sum must be, within 2^31
};

/// Turns the charges of so many points into points in e, and clears them.
void takeCharges(int points, View<std::int32_t> charges, View<float> to, float unit, PileUpViews const& pileUp, Stream& stream);

struct InfluenceViews {
    View<double const> moduliX, moduliY, moduliZ; ///< Influence::moduli()
    View<float> table;                            ///< by wave of the share
};
/// The influence function of a box.
void fillInfluence(WaveShare const& share, pme::WaveLaw const& law, InfluenceViews const& influence, Stream& stream);

/// What waves add to the sums of a step that wants them.
struct WaveSums {
    ForceTarget target;
    std::int32_t recipTerm = 0, selfTerm = 0; ///< system::Term
    std::int64_t uniformUnits = 0, selfUnits = 0,
                 uniformVirialUnits = 0; ///< of the whole: the wave m = 0, its diagonal virial, self energy
};
/// Multiplies the waves with the influence function, and looks whether charges have piled up. With sums.target.wanted their energies and
/// virial are added: each block sums waves of one y in a fixed order and rounds, so that the bits depend on the grid alone. What belongs to
/// the whole is added with the share that begins at 0.
void solve(WaveShare const& share, View<float2> waves, View<float const> influence, pme::WaveLaw const& law, WaveSums const& sums,
           PileUpViews const& pileUp, Stream& stream);

} // namespace alder::cuda
