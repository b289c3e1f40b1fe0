#pragma once
// How arrays in the GPU's memory get to other ranks: through memory of the host, or by an MPI that reads and writes the GPU's itself.

#include "device/buffers.hpp"
#include "device/stream.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace alder::cuda {

enum class Carriage : std::uint8_t { staged, direct };

/// Direct where the MPI library says that it takes pointers to the GPU's memory; $ALDER_GPU_MPI, `staged` or `direct`, asks for one of them.
/// No bit of any result depends on it. Throws base::RunFailed where the variable holds something else.
Carriage chosenCarriage();
std::string nameOf(Carriage carriage);

/// Elements on their way to other ranks, or from them.
template <class T> class Parcel {
public:
    explicit Parcel(Carriage carriage = Carriage::staged) : carriage_(carriage) {}

    /// Cleared, since nobody but the stream sees what an MPI library writes there.
    void resize(std::size_t count, Stream& stream)
    {
        onDevice_.resize(count);
        if (carriage_ == Carriage::staged)
            onHost_.resize(count);
        else
            onDevice_.clear(stream);
    }
    [[nodiscard]] std::size_t size() const { return onDevice_.size(); }
    /// What kernels pack and unpack.
    [[nodiscard]] View<T> view() { return onDevice_.view(); }
    /// What messages are sent from, once the stream has packed them. The host waits, also where there is nothing to send: another parcel's
    /// memory on the host, into which the next message goes, may still be read by the stream.
    [[nodiscard]] std::span<T const> packed(Stream& stream)
    {
        if (carriage_ == Carriage::staged) onDevice_.downloadLater(onHost_, stream);
        stream.synchronize();
        return elements();
    }
    /// Where messages are received.
    [[nodiscard]] std::span<T> room() { return elements(); }
    /// All messages are there, for what is given to the stream from now on.
    void arrived(Stream& stream)
    {
        if (carriage_ == Carriage::staged) onDevice_.uploadLater(onHost_, stream);
    }

private:
    [[nodiscard]] std::span<T> elements() { return {carriage_ == Carriage::staged ? onHost_.data() : onDevice_.data(), onDevice_.size()}; }
    Carriage carriage_;
    DeviceBuffer<T> onDevice_;
    PinnedBuffer<T> onHost_;
};

} // namespace alder::cuda
