#pragma once
// Energies, virial and forces of one configuration, as `alder energy` and `alder validate` compute them.

#include "app/hardware.hpp"
#include "deck/deck.hpp"
#include "observe/frame.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace alder::app {

struct SinglePoint {
    deck::Deck deck;
    std::vector<system::Term> terms; ///< those the deck can make non-zero, always with "LJ (SR)" and "Coulomb (SR)"
    observe::Energies energies;
    std::vector<std::pair<std::string, double>> groupTerms; ///< see groupEnergies()
    std::vector<math::Vec3d> forces;                        ///< kJ/mol/nm, after virtual-site spreading, before constraints
    /// What step 0 of a leap-frog run reports as "Kinetic En.": the mean over the half step that the velocities given stand for and the
    /// one after it. Empty for other integrators, and where constraints take part.
    std::optional<double> leapFrogKinetic;
    [[nodiscard]] bool hasVelocities() const { return deck.hasVelocities; }
};

/// Terms are clamped where atoms overlap (math::roundedTerm), and a clamped number must not leave as a result. Forces tell: where a pair's
/// energy reaches the clamp its force is far beyond it, and so is that on an atom at the edge of the overlap. Throws base::RunFailed.
void refuseBlownUp(std::vector<math::Vec3d> const& forces);

/// With which settings of Ewald sums.
enum class Accuracy : std::uint8_t {
    ofTheDeck,
    reference, ///< the same model, and sums whose truncation is below what the arithmetic rounds
};

/// Reads the deck and computes, on all ranks together. Coordinates are taken as given; nothing is constrained. On all ranks but the first,
/// what comes back is not whole. Throws InputRefused with all faults; RunFailed where energies or forces are not finite.
SinglePoint computeSinglePoint(deck::DeckFiles const& files, Hardware hardware, RankPlacement const& where,
                               Accuracy accuracy = Accuracy::ofTheDeck);

/// How far forces are from a reference: rms of the difference over rms of the reference, over all atoms and components.
double relativeRms(std::vector<math::Vec3d> const& forces, std::vector<math::Vec3d> const& reference);

/// The terms by name, and "Potential" last.
std::vector<std::pair<std::string, double>> namedTerms(SinglePoint const& point);

} // namespace alder::app
