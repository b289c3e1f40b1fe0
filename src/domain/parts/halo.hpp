#pragma once
// Atoms that a rank sees and another moves: their positions come before forces are computed, what they feel here goes back afterwards.

#include "domain/communicator.hpp"
#include "math/fixed_sum.hpp"

#include <cstdint>
#include <vector>

namespace alder::domain {

/// One message each way and step between two ranks that share anything.
class Halo {
public:
    struct Peer {
        int rank = 0;
        std::vector<std::int32_t> lent;     ///< home atoms that it sees
        std::vector<std::int32_t> borrowed; ///< atoms here that are its own
    };
    Halo() = default;
    Halo(Communicator& ranks, std::vector<Peer> peers) : ranks_(&ranks), peers_(std::move(peers)) {}

    [[nodiscard]] std::vector<Peer> const& peers() const { return peers_; }
    /// Fills in the positions of borrowed atoms.
    void exchangePositions(std::vector<math::FractionVec>& positions);
    /// Adds what lent atoms feel elsewhere to their forces. Those of borrowed atoms become zero.
    void returnForces(std::vector<math::ForceUnits>& forces);

private:
    template <class T> struct Buffers {
        std::vector<std::vector<T>> out, in; ///< by peer
    };
    Communicator* ranks_ = nullptr;
    std::vector<Peer> peers_;
    Buffers<math::FractionVec> positions_;
    Buffers<math::ForceUnits> forces_;
};

} // namespace alder::domain
