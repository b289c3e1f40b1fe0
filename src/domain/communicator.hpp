#pragma once
// What ranks say to each other. The only class, with World, that calls MPI.
//
// Every wait can end in three ways: what was waited for has come; another rank has announced a failure, and RankFailed tells it; or the
// launcher ends this process. So no rank hangs for one that has gone on alone. Sums are of integers: no order of ranks can be seen in them.

#include "base/error.hpp"
#include "domain/world.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace alder::domain {

/// Another rank has failed and says why: "rank 3: step 120: ...".
class RankFailed : public base::RunFailed {
public:
    using base::RunFailed::RunFailed;
};

/// Marks messages of one purpose between two ranks, so that purposes can overlap.
enum class Tag : int { exchange = 1, positions, forces, gridAtoms, gridForces, gridMargin, gridTranspose, gather };

/// What this rank has sent since the start.
struct Traffic {
    std::int64_t messages = 0, bytes = 0; ///< from rank to rank
    std::int64_t reductions = 0;          ///< sums and maxima over all ranks
    friend Traffic operator-(Traffic a, Traffic const& b)
    {
        a.messages -= b.messages;
        a.bytes -= b.bytes;
        a.reductions -= b.reductions;
        return a;
    }
};

class Communicator;

/// Messages under way. What they are read from or written to must outlive them; wait() before destruction.
class Pending {
public:
    Pending();
    ~Pending();
    Pending(Pending&&) noexcept;
    Pending& operator=(Pending&&) noexcept;

private:
    friend class Communicator;
    struct Requests;
    std::unique_ptr<Requests> requests_;
};

class Communicator {
public:
    /// One rank, without MPI.
    Communicator();
    /// All ranks of the world, which must outlive this.
    explicit Communicator(World const& world);
    ~Communicator();
    Communicator(Communicator&&) noexcept;
    Communicator& operator=(Communicator&&) noexcept;

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return size_; }
    [[nodiscard]] bool first() const { return rank_ == 0; }

    // ---- all ranks together, in the same order

    void barrier();
    /// Each value becomes its sum over all ranks.
    void sum(std::span<std::int64_t> values);
    /// The same, begun: the values are sums when `pending` has been waited for.
    void startSum(std::span<std::int64_t> values, Pending& pending);
    /// The largest of all ranks' values.
    [[nodiscard]] std::int64_t largest(std::int64_t value);
    /// Of each place the largest of all ranks' values.
    void largest(std::span<std::int64_t> values);
    /// Rank 0's bytes become everybody's.
    void broadcast(std::vector<std::byte>& bytes);
    /// Sends sends[r] to rank r; returns what came, by rank. Nothing is sent where there is nothing.
    template <class T> std::vector<std::vector<T>> exchange(std::vector<std::vector<T>> const& sends);
    /// Ranks of one color, in the order of this. What is announced as failed is heard there too.
    [[nodiscard]] Communicator part(int color) const;

    // ---- two ranks

    template <class T> void send(int to, Tag tag, std::span<T const> values, Pending& pending)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        startSend(to, tag, values.data(), values.size_bytes(), pending);
    }
    /// Exactly as many as were sent.
    template <class T> void receive(int from, Tag tag, std::span<T> values, Pending& pending)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        startReceive(from, tag, values.data(), values.size_bytes(), pending);
    }
    void wait(Pending& pending);
    /// Waits for the next message of this purpose, which is then to be received; returns its length.
    std::size_t bytesComing(int from, Tag tag) { return waitForLength(from, tag); }
    /// Waits for a message of unknown length.
    template <class T> std::vector<T> receiveAny(int from, Tag tag)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        std::vector<T> values(waitForLength(from, tag) / sizeof(T));
        Pending pending;
        receive(from, tag, std::span<T>(values), pending);
        wait(pending);
        return values;
    }

    /// Tells all other ranks, once, that this one cannot go on; whoever waits, or will, throws RankFailed.
    void announceFailure(std::string const& reason) const;
    /// For a rank that goes on no more: gives what it has said time to get through, and rank 0 to end all ranks.
    void linger(double seconds) const;

    /// A wait of this and of its parts throws base::RunFailed once it has lasted so many seconds while `asked` is true: a rank that was asked
    /// to end must not wait for one that is gone, where no launcher ends it. Without `asked`, waits last as long as they must.
    void waitNoLonger(double seconds, std::function<bool()> asked);

    [[nodiscard]] Traffic const& traffic() const;

private:
    struct Line;
    struct Patience;
    Communicator(std::shared_ptr<Line> line, int rank, int size);
    void startSend(int to, Tag tag, void const* from, std::size_t bytes, Pending& pending);
    void startReceive(int from, Tag tag, void* to, std::size_t bytes, Pending& pending);
    std::size_t waitForLength(int from, Tag tag);
    /// By rank: how many bytes it will send here.
    std::vector<std::int64_t> exchangeCounts(std::vector<std::int64_t> const& counts);

    std::shared_ptr<Line> line_; ///< null on one rank without MPI
    int rank_ = 0, size_ = 1;
};

template <class T> std::vector<std::vector<T>> Communicator::exchange(std::vector<std::vector<T>> const& sends)
{
    if (size_ == 1) return sends;
    std::vector<std::int64_t> counts;
    counts.reserve(sends.size());
    for (std::vector<T> const& values : sends) counts.push_back(static_cast<std::int64_t>(values.size()));
    std::vector<std::int64_t> const coming = exchangeCounts(counts);
    std::vector<std::vector<T>> received(sends.size());
    Pending pending;
    for (std::size_t r = 0; r < received.size(); ++r) {
        received[r].resize(static_cast<std::size_t>(coming[r]));
        if (static_cast<int>(r) != rank_ && coming[r] > 0) receive(static_cast<int>(r), Tag::exchange, std::span<T>(received[r]), pending);
    }
    for (std::size_t r = 0; r < sends.size(); ++r) {
        if (static_cast<int>(r) == rank_)
            received[r] = sends[r];
        else if (!sends[r].empty())
            send(static_cast<int>(r), Tag::exchange, std::span<T const>(sends[r]), pending);
    }
    wait(pending);
    return received;
}

} // namespace alder::domain
