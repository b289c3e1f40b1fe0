#pragma once
// The waves of one rank's share of the grid, and how they change hands between the transforms along y, x and z.

#include "cpu/pme/aligned_array.hpp"
#include "cpu/pme/pme_kernels.hpp"
#include "domain/pme_team.hpp"
#include "pme/grid_shares.hpp"

#include <vector>

namespace alder::cpu {

/// Between the passes along y and x each of the P ranks that hold the same points of z keeps 1/P of its waves and sends 1/P to each other
/// one; between those along x and z likewise the ranks that hold the same waves of y. What is sent after the transform along y is written
/// where it is sent from, and what comes back is read where it came; between them pieces are copied while their plane is in cache.
class WaveGrid {
public:
    /// Sizes of the share of this rank, and of the lines along z that it transforms. A null team: one rank.
    WaveGrid(domain::PmeTeam const* team, pme::GridShares const& shares, int rank, PmeLayout const& layout, PmeLayout const& lines);

    /// What forwardY and backwardY want: by wave along y the row of the rank's first plane.
    [[nodiscard]] float* const* byY() { return byY_.data(); }
    /// Waves along y that this rank has between the turns; w counts from the first.
    [[nodiscard]] int count() const { return waves_.count(); }
    [[nodiscard]] int first() const { return waves_.first; }
    [[nodiscard]] float* plane(int w) { return planes_.data() + w * layout_.wavePlaneFloats(); }
    /// The rows of a wave that this rank transforms along z.
    [[nodiscard]] float* lines(int w) { return alongZ() ? lines_.data() + w * lineLayout_.wavePlaneFloats() : plane(w); }
    [[nodiscard]] bool alongZ() const { return shares_.parts[1] > 1; }

    // The steps in the order of a solution: messages, and for each wave the copies before or after them, which threads may do at once.
    void turnToX();
    void arriveForX(int w);
    void leaveForZ(int w);
    void turnToZ();
    void arriveForZ(int w);
    void leaveFromZ(int w);
    void turnFromZ();
    void arriveFromZ(int w);
    void leaveFromX(int w);
    void turnToY();

private:
    enum class Axis { x, z };
    [[nodiscard]] std::int64_t pieceFloats(int planes) const { return std::int64_t{(planes * layout_.waveRow) | 1} * 2 * layout_.lanes; }
    [[nodiscard]] pme::Share planesOf(int i) const { return shares_.planes[static_cast<std::size_t>(i)]; }
    [[nodiscard]] pme::Share rowsOf(int j) const { return shares_.rows[static_cast<std::size_t>(j)]; }
    [[nodiscard]] std::int64_t widthOf(int j) const;
    void exchangeAlong(Axis axis, std::vector<AlignedArray<float>> const& from, std::vector<AlignedArray<float>>& to);

    domain::PmeTeam const* team_;
    pme::GridShares const& shares_;
    int i_, j_;
    PmeLayout layout_, lineLayout_;
    pme::Share waves_;
    AlignedArray<float> planes_, lines_;
    std::vector<float*> byY_;
    std::vector<AlignedArray<float>> besideY_, besideX_; ///< by i: its waves of own planes; own waves of its planes
    std::vector<AlignedArray<float>> beforeZ_, besideZ_; ///< by j: its rows of own points; own rows of its points
};

} // namespace alder::cpu
