#pragma once
// A grid that ranks share: charges on their way to the ranks that hold their planes, the potential on its way back, and waves between lines
// of y and lines of x.
//
// Each rank has the planes of x that its atoms can get to (its window), and spreads their charges there. Ranks that solve hold a share of
// the planes each while lines along z and y are transformed, then a share of the waves of y with whole lines of x. What belongs to another
// rank is sent to it and added there: integers, so that nobody can tell who had which atom. A line is never divided.

#include "device/buffers.hpp"
#include "domain/pme_team.hpp"
#include "halo/exchange.hpp"
#include "pme/grid_shares.hpp"
#include "pme/pme_views.hpp"

#include <cstdint>
#include <vector>

namespace alder::cuda {

/// Waves of one rank's planes, [x][y][z], cut by y into pieces for those who have these waves: each [x][its y][z].
struct WavePieces {
    int planes, ny, halfZ;
    int own, ownFirst;                 ///< this rank among the solvers; its first plane, where its own piece belongs in its lines
    View<std::int32_t const> solverOf; ///< by y
    View<std::int32_t const> firstY;   ///< by solver, one more at the end
    View<std::int32_t const> start;    ///< by solver, of its piece among those of others
    [[nodiscard]] ALDER_HD int count() const { return planes * ny * halfZ; }
};

class GridRanks {
public:
    /// The team and the stream must outlive this.
    GridRanks(domain::PmeTeam const& team, PmeGridShape const& grid, Stream& stream, Carriage carriage);

    /// All ranks together: the planes, by number, that this rank's atoms can get to until this is next called. An empty list: none.
    void take(std::vector<char> const& planes);

    [[nodiscard]] PlaneWindow window() const { return windows_[static_cast<std::size_t>(rank_)]; }
    /// Of the window. Charges are zero between steps.
    [[nodiscard]] View<std::int32_t> windowCharges() { return windowCharges_.view(); }
    [[nodiscard]] View<float const> windowPotential() const { return windowPotential_.constView(); }

    /// What this rank solves: nothing, where it is none that does.
    [[nodiscard]] pme::Share planes() const { return solver_ < 0 ? pme::Share{} : planes_[static_cast<std::size_t>(solver_)]; }
    [[nodiscard]] WaveShare waves() const;
    /// Of its planes.
    [[nodiscard]] int points() const { return planes().count() * planePoints(); }
    [[nodiscard]] int planeWaves() const { return planes().count() * grid_.ny * grid_.halfZ(); }

    // ---- the steps of a solution, all ranks together; the host waits in each

    /// Charges of all windows to the planes of those who solve. `charges`: of this rank's planes, zero before; null where it has none.
    void sendCharges(View<std::int32_t> charges);
    /// Waves of this rank's planes to whole lines of x, and back.
    void turnToLines(View<float2> planeWaves, View<float2> lineWaves);
    void turnToPlanes(View<float2> lineWaves, View<float2> planeWaves);
    /// The potential of planes to all windows.
    void sendPotential(View<float const> potential);

private:
    /// Planes that are in a rank's window and a solver's share: where they lie in the memory of each.
    struct Overlap {
        int rank = 0; ///< the other one
        int inWindow = 0, inShare = 0, count = 0;
    };
    [[nodiscard]] int planePoints() const { return grid_.ny * grid_.nz; }
    [[nodiscard]] std::size_t inLines(Letter const& piece) const;
    [[nodiscard]] int solverRank(int solver) const { return team_.first() + solver; }
    [[nodiscard]] std::vector<Overlap> overlapsOf(PlaneWindow const& window, pme::Share const& share) const;
    void agreeOnWindows(PlaneWindow const& mine);
    void findOverlaps();
    void findPieces();
    [[nodiscard]] WavePieces pieces() const;
    [[nodiscard]] std::size_t atPlane(int plane) const { return static_cast<std::size_t>(plane) * static_cast<std::size_t>(planePoints()); }

    domain::PmeTeam const& team_;
    PmeGridShape grid_;
    Stream& stream_;
    int rank_;
    int solver_;                             ///< this rank's place among those that hold a share; -1: none
    std::vector<pme::Share> planes_, waves_; ///< by solver
    std::vector<PlaneWindow> windows_;       ///< by rank

    std::vector<Overlap> mine_, lent_, own_; ///< of this window with others' shares, of this share with others' windows, of both
    std::vector<Letter> toSolvers_, fromWindows_;
    DeviceBuffer<std::int32_t> windowCharges_;
    DeviceBuffer<float> windowPotential_;
    Parcel<std::int32_t> chargesOut_, chargesIn_;
    Parcel<float> potentialOut_, potentialIn_;

    /// Of this rank's planes the waves that others have, and of its waves others' planes.
    std::vector<Letter> planePieces_, linePieces_;
    DeviceBuffer<std::int32_t> solverOfY_, pieceStart_, firstY_; ///< by wave of y; by solver
    Parcel<float2> planeParcel_, lineParcel_;
};

} // namespace alder::cuda
