#pragma once
// cuda::PairForces as tests ask it: positions in, sums out.

#include "device/buffers.hpp"
#include "pairs/pair_forces.hpp"
#include "pairs/sample_systems.hpp"
#include "simt/control.hpp"

namespace alder::test {

struct DeviceSums {
    std::vector<math::ForceUnits> forces;
    std::vector<std::int64_t> virial; ///< nine
};

class DevicePairs {
public:
    DevicePairs(system::Topology const& topology, plan::PairPlan const& plan) : pairs(topology, plan, stream) {}

    void buildList(std::vector<math::FractionVec> const& positions, physics::Box const& box) { pairs.buildList(onDevice(positions), box); }
    void prune(std::vector<math::FractionVec> const& positions) { pairs.prune(onDevice(positions)); }
    bool stale(std::vector<math::FractionVec> const& positions) { return pairs.stale(onDevice(positions)); }

    std::vector<math::ForceUnits> forces(std::vector<math::FractionVec> const& positions) { return sums(positions, false).forces; }
    DeviceSums withVirial(std::vector<math::FractionVec> const& positions) { return sums(positions, true); }
    system::ForceSums energies(std::vector<math::FractionVec> const& positions)
    {
        DeviceBuffer<std::int64_t> out(system::termCount + 9);
        out.clear(stream);
        pairs.addEnergies(onDevice(positions), out.view(), cuda::EnergyVirial::added);
        std::vector<std::int64_t> const found = out.download(stream);
        system::ForceSums sums;
        for (std::size_t t = 0; t < system::termCount; ++t) sums.terms[t].units = found[t];
        auto const v = [&](std::size_t k) { return math::FixedSum{found[system::termCount + k]}; };
        sums.virial = {v(0), v(1), v(2), v(3), v(4), v(5), v(6), v(7), v(8)};
        return sums;
    }

    template <class T> using DeviceBuffer = cuda::DeviceBuffer<T>;
    cuda::Stream stream;
    cuda::PairForces pairs;

private:
    cuda::View<math::FractionVec const> onDevice(std::vector<math::FractionVec> const& positions)
    {
        positions_.upload(positions, stream);
        return positions_.constView();
    }
    DeviceSums sums(std::vector<math::FractionVec> const& positions, bool virial)
    {
        DeviceBuffer<std::int64_t> forces(3 * positions.size()), tensor(9);
        forces.clear(stream);
        tensor.clear(stream);
        pairs.addForces(onDevice(positions), forces.view(), virial ? tensor.view() : cuda::View<std::int64_t>{});
        std::vector<std::int64_t> const flat = forces.download(stream);
        DeviceSums out{std::vector<math::ForceUnits>(positions.size()), tensor.download(stream)};
        for (std::size_t i = 0; i < positions.size(); ++i) out.forces[i] = {flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]};
        return out;
    }
    DeviceBuffer<math::FractionVec> positions_;
};

inline bool same(std::vector<math::ForceUnits> const& a, std::vector<math::ForceUnits> const& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

/// Each component a multiple of four quanta of 2^-22 nm.
inline physics::Box const skewed({2.625, 0, 0}, {0.875, 2.375, 0}, {-0.75, 1.125, 2.25});

inline std::vector<math::FractionVec> moved(std::vector<math::FractionVec> positions, physics::Box const& box, double rms, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0, rms);
    for (math::FractionVec& f : positions) f = math::wrappingSum(f, box.toFractionStep({normal(random), normal(random), normal(random)}));
    return positions;
}

} // namespace alder::test
