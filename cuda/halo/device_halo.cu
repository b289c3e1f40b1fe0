#include "halo/device_halo.hpp"

#include "device/language.hpp"
#include "device/launch.hpp"

namespace alder::cuda {

namespace {

constexpr unsigned haloThreads = 128;

__device__ int globalThread() { return static_cast<int>(blockIdx.x * haloThreads + threadIdx.x); }

LaunchShape threadsFor(std::size_t atoms) { return {.grid = blocksFor(atoms, haloThreads), .block = haloThreads}; }

__global__ void __launch_bounds__(haloThreads)
    packPositions(View<math::FractionVec const> positions, View<std::int32_t const> atoms, int count, View<math::FractionVec> out)
{
    int const n = globalThread();
    if (n < count) out[n] = positions[atoms[n]];
}

__global__ void __launch_bounds__(haloThreads)
    unpackPositions(View<math::FractionVec const> in, View<std::int32_t const> atoms, int count, View<math::FractionVec> positions)
{
    int const n = globalThread();
    if (n < count) positions[atoms[n]] = in[n];
}

__global__ void __launch_bounds__(haloThreads)
    packForces(View<std::int64_t> forces, View<std::int32_t const> atoms, int count, View<math::ForceUnits> out)
{
    int const n = globalThread();
    if (n >= count) return;
    std::size_t const at = 3 * static_cast<std::size_t>(atoms[n]);
    out[n] = math::ForceUnits{forces[at], forces[at + 1], forces[at + 2]};
    forces[at] = forces[at + 1] = forces[at + 2] = 0;
}

/// An atom may have been lent to several ranks: integers, so that the order of their sums does not matter.
__global__ void __launch_bounds__(haloThreads)
    addForces(View<math::ForceUnits const> in, View<std::int32_t const> atoms, int count, View<std::int64_t> forces)
{
    int const n = globalThread();
    if (n >= count) return;
    std::size_t const at = 3 * static_cast<std::size_t>(atoms[n]);
    math::ForceUnits const force = in[n];
    addUnits(forces, at, force.x);
    addUnits(forces, at + 1, force.y);
    addUnits(forces, at + 2, force.z);
}

} // namespace

DeviceHalo::DeviceHalo(domain::Communicator& ranks, Stream& stream, Carriage carriage)
    : ranks_(ranks),
      stream_(stream),
      carriage_(carriage),
      lentPositions_(carriage),
      borrowedPositions_(carriage),
      lentForces_(carriage),
      borrowedForces_(carriage)
{}

void DeviceHalo::take(domain::Halo const& halo)
{
    lentTo_.clear();
    borrowedFrom_.clear();
    std::vector<std::int32_t> lent, borrowed;
    auto const append = [](std::vector<std::int32_t>& all, std::vector<std::int32_t> const& atoms, int rank, std::vector<Letter>& by) {
        if (!atoms.empty()) by.push_back({rank, all.size(), atoms.size()});
        all.insert(all.end(), atoms.begin(), atoms.end());
    };
    for (domain::Halo::Peer const& peer : halo.peers()) {
        append(lent, peer.lent, peer.rank, lentTo_);
        append(borrowed, peer.borrowed, peer.rank, borrowedFrom_);
    }
    lent_.upload(lent, stream_);
    borrowed_.upload(borrowed, stream_);
    lentPositions_.resize(lent.size(), stream_);
    lentForces_.resize(lent.size(), stream_);
    borrowedPositions_.resize(borrowed.size(), stream_);
    borrowedForces_.resize(borrowed.size(), stream_);
    stream_.synchronize(); // messages may be written there from now on
}

void DeviceHalo::exchangePositions(View<math::FractionVec> positions)
{
    if (lent_.size() > 0)
        launch<packPositions>(threadsFor(lent_.size()), stream_, positions, lent_.constView(), static_cast<int>(lent_.size()),
                              lentPositions_.view());
    exchange(ranks_, domain::Tag::positions, Mail<math::FractionVec>{lentPositions_, lentTo_}, {borrowedPositions_, borrowedFrom_},
             stream_);
    if (borrowed_.size() > 0)
        launch<unpackPositions>(threadsFor(borrowed_.size()), stream_, borrowedPositions_.view(), borrowed_.constView(),
                                static_cast<int>(borrowed_.size()), positions);
}

void DeviceHalo::returnForces(View<std::int64_t> forces)
{
    if (borrowed_.size() > 0)
        launch<packForces>(threadsFor(borrowed_.size()), stream_, forces, borrowed_.constView(), static_cast<int>(borrowed_.size()),
                           borrowedForces_.view());
    exchange(ranks_, domain::Tag::forces, Mail<math::ForceUnits>{borrowedForces_, borrowedFrom_}, {lentForces_, lentTo_}, stream_);
    if (lent_.size() > 0)
        launch<addForces>(threadsFor(lent_.size()), stream_, lentForces_.view(), lent_.constView(), static_cast<int>(lent_.size()), forces);
}

} // namespace alder::cuda
