#pragma once
// What splines reach beyond a rank's share of the grid: charges go to the ranks that hold those points, the potential comes from them.

#include "cpu/pme/charge_slabs.hpp"
#include "domain/pme_team.hpp"
#include "pme/grid_shares.hpp"

#include <vector>

namespace alder::cpu {

/// Along z first, then along x with all that has come along z; the potential the other way about. So corners need no messages of their own.
class MarginExchange {
public:
    MarginExchange(domain::PmeTeam const& team, pme::GridShares const& shares, int rank, PmeLayout const& layout);

    /// Charges: along z, and then starts along x.
    void startCharges(ChargeSlabs& slabs);
    void finishCharges();
    /// Adds to the sources of a plane what has come for it.
    void addSources(int plane, PlaneSources& sources) const;

    /// The potential: starts along x; the first planesAwaited() planes must be there.
    void startPotential(float* potential);
    /// When all planes are there: ends along x, and then along z.
    void finishPotential(float* potential);
    /// How many of the first planes others have points in.
    [[nodiscard]] int planesAwaited() const { return awaited_; }

private:
    /// A margin of this rank at its owner, or the other way about, and where it is buffered.
    struct Part {
        pme::Margin margin;
        int rank; ///< of all; this one where a share meets itself around the cell
        AlignedArray<std::int32_t> charges;
        AlignedArray<float> potential;
    };
    struct Axis {
        std::vector<Part> mine, others;
    };
    [[nodiscard]] Axis partsOf(std::vector<pme::Share> const& shares, int share) const;
    [[nodiscard]] int allPlanes() const { return layout_.ownX + (alongX_.mine.empty() ? 0 : layout_.order - 1); }
    [[nodiscard]] std::int64_t stripPoints(pme::Margin const& margin) const;
    void chargesAlongZ(ChargeSlabs& slabs);
    void potentialAlongZ(float* potential);
    void packCharges(ChargeSlabs const& slabs, Part& part) const;
    void addCharges(ChargeSlabs& slabs, pme::Margin const& margin, std::int32_t const* from) const;
    void packPotential(float const* potential, Part& part) const;
    void unpackPotential(float* potential, pme::Margin const& margin, float const* from) const;

    domain::PmeTeam const& team_;
    PmeLayout layout_;
    int me_;
    Axis alongX_, alongZ_;
    int awaited_ = 0;
    ChargeSlabs const* slabs_ = nullptr; ///< of the exchange under way
    domain::Pending pending_;
};

} // namespace alder::cpu
