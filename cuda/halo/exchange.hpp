#pragma once
// Messages from and to arrays in the GPU's memory.

#include "domain/communicator.hpp"
#include "halo/carriage.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace alder::cuda {

/// Elements of a parcel that go to one rank, or come from it.
struct Letter {
    int rank = 0;
    std::size_t first = 0, count = 0;
};

template <class T> struct Mail {
    Parcel<T>& parcel;
    std::vector<Letter> const& letters;
};

/// Sends what the stream has packed, one message a letter; what comes is there for what is given to the stream afterwards. Several letters
/// between two ranks keep their order. The host waits.
template <class T> void exchange(domain::Communicator& ranks, domain::Tag tag, Mail<T> const& out, Mail<T> const& in, Stream& stream)
{
    domain::Pending pending;
    std::span<T> const room = in.parcel.room();
    for (Letter const& from : in.letters) ranks.receive(from.rank, tag, room.subspan(from.first, from.count), pending);
    std::span<T const> const packed = out.parcel.packed(stream);
    for (Letter const& to : out.letters) ranks.send(to.rank, tag, packed.subspan(to.first, to.count), pending);
    ranks.wait(pending);
    in.parcel.arrived(stream);
}

} // namespace alder::cuda
