#include "cpu/pme/ranks/atom_exchange.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace alder::cpu {
namespace {

using domain::Tag;

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

/// Planes that an atom may pass before it is lost: 0.4 to 0.5 nm. Half of that before a new agreement is asked for.
constexpr int planesOfRoom = 4;

/// By plane, the shares that hold any plane not further away than `room`.
std::vector<std::vector<int>> sharesNear(std::vector<int> const& owners, int room)
{
    auto const n = static_cast<int>(owners.size());
    std::vector<std::vector<int>> near(owners.size());
    for (int at = 0; at < n; ++at) {
        std::vector<int>& shares = near[size(at)];
        for (int d = -std::min(room, n); d <= std::min(room, n); ++d) shares.push_back(owners[size((at + d + n) % n)]);
        std::sort(shares.begin(), shares.end());
        shares.erase(std::unique(shares.begin(), shares.end()), shares.end());
    }
    return near;
}

/// A message that is not a whole number of atoms asks for a new agreement.
constexpr std::size_t unrestBytes = sizeof(float);

constexpr float piledUpFlag = 1, regroupFlag = 2;

} // namespace

AtomExchange::AtomExchange(domain::PmeTeam const& team, pme::GridShares const& shares, std::array<int, 3> const& grid, int threads)
    : team_(team),
      shares_(shares),
      grid_(grid),
      threads_(threads),
      me_(team.solves() && team.all().rank() - team.first() < shares.ranks() ? team.all().rank() - team.first() : -1),
      ownerX_(pme::ownersOf(shares.planes)),
      ownerZ_(pme::ownersOf(shares.points)),
      mayX_(sharesNear(ownerX_, planesOfRoom)),
      mayZ_(sharesNear(ownerZ_, planesOfRoom)),
      soonX_(sharesNear(ownerX_, planesOfRoom / 2)),
      soonZ_(sharesNear(ownerZ_, planesOfRoom / 2)),
      unrest_(size(threads)),
      lost_(size(threads))
{}

void AtomExchange::take(std::vector<std::int32_t> const& atoms, std::vector<float> const& charges)
{
    charged_ = atoms;
    charges_ = charges;
    owner_.resize(atoms.size());
    agreementDue_ = true;
}

void AtomExchange::agree(std::vector<math::FractionVec> const& positions)
{
    std::vector<char> visited(size(grid_[0]) * size(grid_[2])), wanted(size(shares_.ranks()));
    for (std::int32_t const atom : charged_) {
        math::FractionVec const& r = positions[size(atom)];
        visited[size(planeOf(r.x, grid_[0])) * size(grid_[2]) + size(planeOf(r.z, grid_[2]))] = 1;
    }
    for (std::size_t x = 0; x < mayX_.size(); ++x)
        for (std::size_t z = 0; z < mayZ_.size(); ++z) {
            if (!visited[x * mayZ_.size() + z]) continue;
            for (int const i : mayX_[x])
                for (int const j : mayZ_[z]) wanted[size(shares_.rankOf(i, j))] = 1;
        }
    domain::Communicator& all = team_.all();
    // Whoever has no atoms needs the solving ranks' verdict all the same.
    if (std::count(wanted.begin(), wanted.end(), 1) == 0) wanted[size(all.rank() % shares_.ranks())] = 1;
    if (me_ >= 0) wanted[size(me_)] = 1;

    std::vector<std::vector<char>> sends(size(all.size()));
    peers_.clear();
    peerOf_.assign(wanted.size(), -1);
    for (int rank = 0; rank < shares_.ranks(); ++rank) {
        if (!wanted[size(rank)]) continue;
        sends[size(team_.first() + rank)] = {1};
        peerOf_[size(rank)] = static_cast<int>(peers_.size());
        peers_.push_back({rank});
    }
    auto const coming = all.exchange(sends);
    senders_.clear();
    for (int rank = 0; rank < all.size(); ++rank)
        if (rank != all.rank() && !coming[size(rank)].empty()) senders_.push_back(rank);
    counts_.resize(size(threads_) * peers_.size());
    agreementDue_ = false;
}

bool AtomExchange::nearStrangers(int x, int z) const
{
    for (int const i : soonX_[size(x)])
        for (int const j : soonZ_[size(z)])
            if (peerOf_[size(shares_.rankOf(i, j))] < 0) return true;
    return false;
}

void AtomExchange::assign(std::vector<math::FractionVec> const& positions, int thread)
{
    int* const counts = counts_.data() + size(thread) * peers_.size();
    std::fill(counts, counts + peers_.size(), 0);
    bool const noStrangers = static_cast<int>(peers_.size()) == shares_.ranks();
    bool unrest = false, lost = false;
    auto const [begin, end] = pme::shareOf(static_cast<int>(charged_.size()), 1, thread, threads_);
    for (int i = begin; i < end; ++i) {
        math::FractionVec const& r = positions[size(charged_[size(i)])];
        int const x = planeOf(r.x, grid_[0]), z = planeOf(r.z, grid_[2]);
        int const peer = peerOf_[size(shares_.rankOf(ownerX_[size(x)], ownerZ_[size(z)]))];
        if (peer < 0) {
            lost = true;
            continue;
        }
        if (!noStrangers && (soonX_[size(x)].size() > 1 || soonZ_[size(z)].size() > 1)) unrest = unrest || nearStrangers(x, z);
        owner_[size(i)] = peer;
        ++counts[peer];
    }
    unrest_[size(thread)] = unrest;
    lost_[size(thread)] = lost;
}

void AtomExchange::fill(std::vector<math::FractionVec> const& positions, int thread)
{
    int* const next = counts_.data() + size(thread) * peers_.size();
    auto const [begin, end] = pme::shareOf(static_cast<int>(charged_.size()), 1, thread, threads_);
    for (int i = begin; i < end; ++i) {
        std::int32_t const atom = charged_[size(i)];
        Peer const& peer = peers_[size(owner_[size(i)])];
        int const at = next[owner_[size(i)]]++;
        homeAtoms_[size(at)] = atom;
        GridAtom& to = peer.rank == me_ ? atoms_[size(at - peer.begin)] : leaving_[size(at)];
        to = {positions[size(atom)], charges_[size(i)]};
    }
}

void AtomExchange::start(std::vector<math::FractionVec> const& positions)
{
    if (agreementDue_) agree(positions);
#pragma omp parallel for num_threads(threads_) schedule(static, 1)
    for (int t = 0; t < threads_; ++t) assign(positions, t);
    if (std::count(lost_.begin(), lost_.end(), 1) > 0)
        throw base::RunFailed(
            "an atom has moved by more than the room for it on the PME grid, some 0.2 nm, in one step: the forces are too large");

    int begin = 0;
    for (std::size_t p = 0; p < peers_.size(); ++p) {
        peers_[p].begin = begin;
        for (int t = 0; t < threads_; ++t) {
            int& count = counts_[size(t) * peers_.size() + p];
            int const mine = count;
            count = begin;
            begin += mine;
        }
        peers_[p].count = begin - peers_[p].begin;
        ++begin;
    }
    if (leaving_.size() < size(begin)) {
        leaving_.resize(size(begin + begin / 8));
        returned_.resize(leaving_.size());
        homeAtoms_.resize(leaving_.size());
    }
    count_ = me_ < 0 ? 0 : peers_[size(peerOf_[size(me_)])].count;
    if (atoms_.size() < size(count_) + 1) atoms_.resize(size(count_ + count_ / 8 + 1));
#pragma omp parallel for num_threads(threads_) schedule(static, 1)
    for (int t = 0; t < threads_; ++t) fill(positions, t);

    restless_ = std::count(unrest_.begin(), unrest_.end(), 1) > 0;
    for (Peer const& peer : peers_) {
        if (peer.rank == me_) continue;
        int const rank = team_.first() + peer.rank;
        // A place more than slopes: what comes there is a verdict out of the ordinary.
        returned_[size(peer.begin + peer.count)] = {0, 0, 0};
        team_.all().receive(rank, Tag::gridForces, std::span(returned_.data() + peer.begin, size(peer.count) + 1), receiving_);
        auto const bytes = std::as_bytes(std::span(leaving_.data() + peer.begin, size(peer.count) + 1));
        team_.all().send(rank, Tag::gridAtoms, bytes.first(size(peer.count) * sizeof(GridAtom) + (restless_ ? unrestBytes : 0)), sending_);
    }
}

void AtomExchange::receive()
{
    domain::Communicator& all = team_.all();
    segments_.clear();
    std::vector<std::size_t> bytes;
    for (int const rank : senders_) {
        bytes.push_back(all.bytesComing(rank, Tag::gridAtoms));
        auto const count = static_cast<int>(bytes.back() / sizeof(GridAtom));
        segments_.push_back({rank, count_, count});
        count_ += count;
    }
    if (atoms_.size() < size(count_) + 1) atoms_.resize(size(count_ + count_ / 8 + 1));
    if (slopes_.size() < size(count_) + 1) slopes_.resize(size(count_ + count_ / 8 + 1));
    domain::Pending pending;
    for (std::size_t s = 0; s < segments_.size(); ++s) {
        auto* const to = reinterpret_cast<std::byte*>(atoms_.data() + segments_[s].begin);
        all.receive(segments_[s].rank, Tag::gridAtoms, std::span(to, bytes[s]), pending);
        if (bytes[s] % sizeof(GridAtom) == 0) continue;
        restless_ = true;
        all.wait(pending); // before what follows overwrites what is too much
    }
    all.wait(pending);
}

void AtomExchange::sendBack(GridVerdict verdict)
{
    verdict_ = verdict;
    float const flags = (verdict.piledUp ? piledUpFlag : 0) + (verdict.regroup ? regroupFlag : 0);
    verdicts_.clear();
    verdicts_.reserve(segments_.size());
    for (Segment const& segment : segments_) {
        std::span<GridSlope const> slopes(slopes_.data() + segment.begin, size(segment.count));
        if (flags != 0) {
            verdicts_.emplace_back(slopes.begin(), slopes.end()).push_back({flags, 0, 0});
            slopes = verdicts_.back();
        }
        team_.all().send(segment.rank, Tag::gridForces, slopes, sending_);
    }
}

GridVerdict AtomExchange::finish()
{
    team_.all().wait(receiving_);
    team_.all().wait(sending_);
    if (me_ < 0) {
        auto const flags = static_cast<int>(returned_[size(peers_[0].begin + peers_[0].count)].x);
        verdict_ = {(flags & static_cast<int>(piledUpFlag)) != 0, (flags & static_cast<int>(regroupFlag)) != 0};
    }
    agreementDue_ = verdict_.regroup;
    return verdict_;
}

std::vector<AtomExchange::Solved> AtomExchange::solved() const
{
    std::vector<Solved> all;
    for (Peer const& peer : peers_) {
        std::span<std::int32_t const> const atoms(homeAtoms_.data() + peer.begin, size(peer.count));
        all.push_back({atoms, peer.rank == me_ ? slopes_.data() : returned_.data() + peer.begin});
    }
    return all;
}

} // namespace alder::cpu
