#pragma once
// Atoms that a rank sees and another moves: the twin of domain::Halo, packed and unpacked by kernels.

#include "domain/parts/halo.hpp"
#include "halo/exchange.hpp"
#include "math/vec3.hpp"

#include <cstdint>
#include <vector>

namespace alder::cuda {

/// One message each way and step between two ranks that share anything. The host waits in each exchange.
class DeviceHalo {
public:
    DeviceHalo(domain::Communicator& ranks, Stream& stream, Carriage carriage);

    [[nodiscard]] Carriage carriage() const { return carriage_; }
    /// From here on the atoms are shared like this.
    void take(domain::Halo const& halo);
    /// Fills in the positions of borrowed atoms.
    void exchangePositions(View<math::FractionVec> positions);
    /// Adds what lent atoms feel elsewhere to their forces, three an atom. Those of borrowed atoms become zero.
    void returnForces(View<std::int64_t> forces);

private:
    domain::Communicator& ranks_;
    Stream& stream_;
    Carriage carriage_;
    std::vector<Letter> lentTo_, borrowedFrom_;
    DeviceBuffer<std::int32_t> lent_, borrowed_; ///< atoms, by peer
    Parcel<math::FractionVec> lentPositions_, borrowedPositions_;
    Parcel<math::ForceUnits> lentForces_, borrowedForces_;
};

} // namespace alder::cuda
