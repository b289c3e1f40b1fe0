#pragma once
// Atoms on their way to the ranks that hold their place on the grid, and the potential's slopes on their way back.
//
// A step costs one message from each rank to each solving rank that its atoms may get to, and one back. Which those are is agreed by all
// ranks together after a change of hands, with room for motion; when an atom has used up half of that room its rank asks for a new
// agreement, which the next start() makes. So nobody counts anything beforehand, and no message goes astray.

#include "domain/pme_team.hpp"
#include "math/vec3.hpp"
#include "pme/grid_shares.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace alder::cpu {

struct GridAtom {
    math::FractionVec place;
    float charge; ///< as ChargeRun wants it
};
/// As SlopeRun has it.
struct GridSlope {
    float x, y, z;
};

/// What the solving ranks have found together.
struct GridVerdict {
    bool piledUp = false; ///< the charge grid overflowed
    bool regroup = false; ///< some rank asks for a new agreement
};

/// The grid plane of a fraction.
inline int planeOf(std::int32_t fraction, int n)
{
    return static_cast<int>(static_cast<std::uint64_t>(static_cast<std::uint32_t>(fraction)) * static_cast<std::uint64_t>(n) >> 32);
}

class AtomExchange {
public:
    AtomExchange(domain::PmeTeam const& team, pme::GridShares const& shares, std::array<int, 3> const& grid, int threads);

    /// Home atoms that have a charge, and their charges. All ranks together.
    void take(std::vector<std::int32_t> const& atoms, std::vector<float> const& charges);
    void start(std::vector<math::FractionVec> const& positions);

    // ---- on ranks that hold a share of the grid

    /// Waits for the atoms of this share.
    void receive();
    [[nodiscard]] int count() const { return count_; }
    [[nodiscard]] GridAtom const* atoms() const { return atoms_.data(); }
    /// To be filled in for each of the atoms.
    [[nodiscard]] GridSlope* slopes() { return slopes_.data(); }
    /// Whether a rank whose atoms have come asks for a new agreement.
    [[nodiscard]] bool restless() const { return restless_; }
    void sendBack(GridVerdict verdict);

    // ---- on all ranks

    /// Waits for the slopes of the home atoms.
    GridVerdict finish();
    /// Home atoms that one rank has solved for, and their slopes.
    struct Solved {
        std::span<std::int32_t const> atoms;
        GridSlope const* slopes;
    };
    [[nodiscard]] std::vector<Solved> solved() const;

private:
    /// A solving rank, and what goes there in this step. Behind each one's atoms a place is left for what is added to a message.
    struct Peer {
        int rank;
        int begin = 0, count = 0;
    };
    struct Segment {
        int rank; ///< of all
        int begin, count;
    };
    void agree(std::vector<math::FractionVec> const& positions);
    void assign(std::vector<math::FractionVec> const& positions, int thread);
    void fill(std::vector<math::FractionVec> const& positions, int thread);
    [[nodiscard]] bool nearStrangers(int x, int z) const;

    domain::PmeTeam const& team_;
    pme::GridShares const& shares_;
    std::array<int, 3> grid_;
    int threads_, me_; ///< me_: this rank's place among those that hold a share, or -1
    std::vector<int> ownerX_, ownerZ_;
    std::vector<std::vector<int>> mayX_, mayZ_;   ///< by plane, the shares that an atom there may get to before the next agreement
    std::vector<std::vector<int>> soonX_, soonZ_; ///< and before it must be asked for

    std::vector<std::int32_t> charged_;
    std::vector<float> charges_;
    bool agreementDue_ = true;
    std::vector<Peer> peers_;
    std::vector<int> peerOf_;  ///< by solving rank, -1 for strangers
    std::vector<int> senders_; ///< ranks that send to this one
    std::vector<std::int32_t> owner_;
    std::vector<int> counts_;         ///< by thread and peer
    std::vector<char> unrest_, lost_; ///< by thread
    std::vector<GridAtom> leaving_;
    std::vector<GridSlope> returned_;
    std::vector<std::int32_t> homeAtoms_;

    std::vector<GridAtom> atoms_;
    std::vector<GridSlope> slopes_;
    std::vector<Segment> segments_;
    std::vector<std::vector<GridSlope>> verdicts_;
    int count_ = 0;
    bool restless_ = false;
    GridVerdict verdict_;
    domain::Pending sending_, receiving_;
};

} // namespace alder::cpu
