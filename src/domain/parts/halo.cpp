#include "domain/parts/halo.hpp"

#include <span>

namespace alder::domain {

void Halo::exchangePositions(std::vector<math::FractionVec>& positions)
{
    positions_.out.resize(peers_.size());
    positions_.in.resize(peers_.size());
    Pending pending;
    for (std::size_t p = 0; p < peers_.size(); ++p) {
        Peer const& peer = peers_[p];
        positions_.in[p].resize(peer.borrowed.size());
        if (!peer.borrowed.empty()) ranks_->receive(peer.rank, Tag::positions, std::span(positions_.in[p]), pending);
    }
    for (std::size_t p = 0; p < peers_.size(); ++p) {
        Peer const& peer = peers_[p];
        std::vector<math::FractionVec>& out = positions_.out[p];
        out.clear();
        for (std::int32_t const atom : peer.lent) out.push_back(positions[static_cast<std::size_t>(atom)]);
        if (!out.empty()) ranks_->send(peer.rank, Tag::positions, std::span<math::FractionVec const>(out), pending);
    }
    if (peers_.empty()) return;
    ranks_->wait(pending);
    for (std::size_t p = 0; p < peers_.size(); ++p)
        for (std::size_t n = 0; n < peers_[p].borrowed.size(); ++n)
            positions[static_cast<std::size_t>(peers_[p].borrowed[n])] = positions_.in[p][n];
}

void Halo::returnForces(std::vector<math::ForceUnits>& forces)
{
    forces_.out.resize(peers_.size());
    forces_.in.resize(peers_.size());
    Pending pending;
    for (std::size_t p = 0; p < peers_.size(); ++p) {
        Peer const& peer = peers_[p];
        forces_.in[p].resize(peer.lent.size());
        if (!peer.lent.empty()) ranks_->receive(peer.rank, Tag::forces, std::span(forces_.in[p]), pending);
    }
    for (std::size_t p = 0; p < peers_.size(); ++p) {
        Peer const& peer = peers_[p];
        std::vector<math::ForceUnits>& out = forces_.out[p];
        out.clear();
        for (std::int32_t const atom : peer.borrowed) {
            math::ForceUnits& force = forces[static_cast<std::size_t>(atom)];
            out.push_back(force);
            force = {};
        }
        if (!out.empty()) ranks_->send(peer.rank, Tag::forces, std::span<math::ForceUnits const>(out), pending);
    }
    if (peers_.empty()) return;
    ranks_->wait(pending);
    for (std::size_t p = 0; p < peers_.size(); ++p)
        for (std::size_t n = 0; n < peers_[p].lent.size(); ++n) forces[static_cast<std::size_t>(peers_[p].lent[n])] += forces_.in[p][n];
}

} // namespace alder::domain
