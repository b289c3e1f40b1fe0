#pragma once
// The double-precision side of the pair interactions: what 32-bit sums cannot hold, energies, and the virial.

#include "device/launch.hpp"
#include "pairs/narrow_kernel.hpp"
#include "pairs/pair_law.hpp"
#include "system/sums.hpp"

namespace alder::cuda {

/// Tables for the law in double precision.
struct LawTables {
    View<double const> charge;          ///< by kind, e
    View<std::int32_t const> ljType;    ///< by kind
    View<double const> c6, c12, gridC6; ///< row-major
    int typeCount;
    double electricFactor;
};

/// Distances as the stored positions give them, not rounded to the lattice.
struct ExactPlaces {
    View<math::FractionVec const> positions;
    View<math::Vec3<std::int32_t> const> images; ///< by shift, whole box vectors
    View<physics::Box const> box;                ///< one
};

struct WideInput {
    ForceInput force;
    pairs::KernelFlavour flavour;
    LawTables law;
    ExactPlaces places;
    double quanta; ///< quanta a kJ/mol/nm
};

/// Puts every item of the list on the wide kernel's.
void queueAll(ForceInput const& input, Stream& stream);
/// Forces of the pairs on the list of wide items, in 64 bits.
void addWideForces(WideInput const& input, pairs::PairLaw const& law, Stream& stream);

struct EnergyInput {
    SlotViews slots;
    ListViews list;
    View<pairs::LatticeVec const> shifts;
    LawTables law;
    double quantum;           ///< nm a lattice unit
    View<std::int64_t> sums;  ///< as system::ForceSums
    std::int64_t chargeUnits; ///< what charges have with themselves, for the Coulomb term
    int withVirial;
};
void addPairEnergies(EnergyInput const& input, pairs::PairLaw const& law, Stream& stream);

/// Sums of coordinate times force over atoms, by element of the tensor and 32-bit limb of the product: sums of 2^31 limbs fit 64 bits.
inline constexpr int limbs = 3, momentCount = 9 * limbs;

struct VirialInput {
    SlotViews slots;
    View<std::uint32_t const> counters;
    View<std::int64_t> slotForces; ///< by slot; zero afterwards
    View<std::int64_t> forces;     ///< by atom: gains them
    View<std::int64_t> moments;    ///< zero before and after
    View<pairs::LatticeVec const> shifts;
    View<std::int64_t> shiftForces; ///< zero afterwards
    int shiftCount, slotRoom;
    double factor;             ///< from lattice units times units of force to units of 2^-24 kJ/mol
    View<std::int64_t> virial; ///< nine
};
/// Gives atoms the forces of their slots, and sums the moments.
void sumMoments(VirialInput const& input, Stream& stream);
/// Adds the virial that the moments stand for.
void addVirial(VirialInput const& input, Stream& stream);

} // namespace alder::cuda
