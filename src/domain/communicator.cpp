#include "domain/communicator.hpp"

#include "base/clock.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <utility>

namespace alder::domain {

struct Pending::Requests {
    std::vector<MPI_Request> all;
};

Pending::Pending() : requests_(std::make_unique<Requests>()) {}
Pending::~Pending() = default;
Pending::Pending(Pending&&) noexcept = default;
Pending& Pending::operator=(Pending&&) noexcept = default;

namespace {

constexpr int failureTag = 99;

int count(std::size_t bytes)
{
    if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw base::RunFailed("a message between two ranks would be larger than 2 GiB: use more ranks");
    return static_cast<int>(bytes);
}

} // namespace

/// How long a rank waits that was asked to end.
struct Communicator::Patience {
    double seconds = 0;
    std::function<bool()> asked; ///< empty: for ever
};

struct Communicator::Line {
    MPI_Comm ranks = MPI_COMM_NULL;
    MPI_Comm failures = MPI_COMM_NULL; ///< of all ranks of the world, for announcements
    bool ownsFailures = false;
    std::shared_ptr<Line> whole; ///< of a part: what it was made of, for failures are told there
    int turnsAtOnce = 2000;      ///< of some 100 ns
    std::shared_ptr<Traffic> traffic = std::make_shared<Traffic>();
    std::shared_ptr<Patience> patience = std::make_shared<Patience>();

    Line() = default;
    Line(Line const&) = delete;
    Line& operator=(Line const&) = delete;
    ~Line()
    {
        int finalized = 0;
        MPI_Finalized(&finalized);
        if (finalized) return;
        if (ranks != MPI_COMM_NULL) MPI_Comm_free(&ranks);
        if (ownsFailures && failures != MPI_COMM_NULL) MPI_Comm_free(&failures);
    }

    /// Throws where a rank has announced that it failed.
    void listen() const
    {
        int heard = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, failureTag, failures, &heard, &status);
        if (!heard) return;
        int length = 0;
        MPI_Get_count(&status, MPI_CHAR, &length);
        std::string reason(static_cast<std::size_t>(length), ' ');
        MPI_Recv(reason.data(), length, MPI_CHAR, status.MPI_SOURCE, failureTag, failures, MPI_STATUS_IGNORE);
        throw RankFailed(fmt::format("rank {}: {}", status.MPI_SOURCE, reason));
    }

    /// Throws where this wait has gone on too long since it was first found, at `askedAt`, that this rank was asked to end.
    void losePatience(double& askedAt) const
    {
        if (!patience->asked || !patience->asked()) return;
        if (askedAt == 0) askedAt = base::now();
        if (base::now() - askedAt > patience->seconds)
            throw base::RunFailed(
                fmt::format("asked to end, and for {:g} s no word has come from other ranks: one may be gone", patience->seconds));
    }

    /// Calls done() until it is true: at once again for as long as messages take between cores, then after short sleeps, in which others run
    /// that this one may be waiting for; where ranks share cores, nearly always. Listens for failures every millisecond of them.
    template <class Done> void poll(Done&& done) const
    {
        constexpr double untilListening = 1e-3;
        double askedAt = 0, listened = 0;
        for (int turn = 1; !done(); ++turn) {
            if (turn < turnsAtOnce) continue;
            timespec const nap{0, 20'000};
            nanosleep(&nap, nullptr);
            double const time = base::now();
            if (time - listened < untilListening) continue;
            listened = time;
            listen();
            losePatience(askedAt);
        }
    }
    void poll(MPI_Request request) const
    {
        poll([&] {
            int done = 0;
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
            return done != 0;
        });
    }
};

Communicator::Communicator() = default;
Communicator::~Communicator() = default;
Communicator::Communicator(Communicator&&) noexcept = default;
Communicator& Communicator::operator=(Communicator&&) noexcept = default;
Communicator::Communicator(std::shared_ptr<Line> line, int rank, int size) : line_(std::move(line)), rank_(rank), size_(size) {}

Communicator::Communicator(World const& world) : rank_(world.rank()), size_(world.size())
{
    if (!world.started() || size_ == 1) return;
    line_ = std::make_shared<Line>();
    MPI_Comm_dup(MPI_COMM_WORLD, &line_->ranks);
    MPI_Comm_dup(MPI_COMM_WORLD, &line_->failures);
    line_->ownsFailures = true;
    MPI_Comm here = MPI_COMM_NULL;
    int sharing = 1;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &sharing);
    MPI_Comm_free(&here);
    if (sharing > sysconf(_SC_NPROCESSORS_ONLN)) line_->turnsAtOnce = 20;
}

Communicator Communicator::part(int color) const
{
    if (!line_) return {};
    auto line = std::make_shared<Line>();
    MPI_Comm_split(line_->ranks, color, rank_, &line->ranks);
    line->failures = line_->failures;
    line->whole = line_;
    line->traffic = line_->traffic;
    line->patience = line_->patience;
    line->turnsAtOnce = line_->turnsAtOnce;
    int rank = 0, size = 1;
    MPI_Comm_rank(line->ranks, &rank);
    MPI_Comm_size(line->ranks, &size);
    return {std::move(line), rank, size};
}

void Communicator::barrier()
{
    if (!line_) return;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(line_->ranks, &request);
    line_->poll(request);
}

void Communicator::sum(std::span<std::int64_t> values)
{
    Pending pending;
    startSum(values, pending);
    wait(pending);
}

void Communicator::startSum(std::span<std::int64_t> values, Pending& pending)
{
    if (!line_) return;
    ++line_->traffic->reductions;
    MPI_Request& request = pending.requests_->all.emplace_back(MPI_REQUEST_NULL);
    MPI_Iallreduce(MPI_IN_PLACE, values.data(), count(values.size()), MPI_INT64_T, MPI_SUM, line_->ranks, &request);
}

void Communicator::largest(std::span<std::int64_t> values)
{
    if (!line_) return;
    ++line_->traffic->reductions;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(MPI_IN_PLACE, values.data(), count(values.size()), MPI_INT64_T, MPI_MAX, line_->ranks, &request);
    line_->poll(request);
}

std::int64_t Communicator::largest(std::int64_t value)
{
    largest(std::span<std::int64_t>(&value, 1));
    return value;
}

void Communicator::broadcast(std::vector<std::byte>& bytes)
{
    if (!line_) return;
    auto length = static_cast<std::int64_t>(bytes.size());
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(&length, 1, MPI_INT64_T, 0, line_->ranks, &request);
    line_->poll(request);
    bytes.resize(static_cast<std::size_t>(length));
    constexpr std::size_t most = std::size_t{1} << 30;
    for (std::size_t done = 0; done < bytes.size(); done += most) {
        MPI_Ibcast(bytes.data() + done, count(std::min(most, bytes.size() - done)), MPI_BYTE, 0, line_->ranks, &request);
        line_->poll(request);
    }
}

std::vector<std::int64_t> Communicator::exchangeCounts(std::vector<std::int64_t> const& counts)
{
    std::vector<std::int64_t> coming(counts.size());
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ialltoall(counts.data(), 1, MPI_INT64_T, coming.data(), 1, MPI_INT64_T, line_->ranks, &request);
    line_->poll(request);
    return coming;
}

void Communicator::startSend(int to, Tag tag, void const* from, std::size_t bytes, Pending& pending)
{
    ++line_->traffic->messages;
    line_->traffic->bytes += static_cast<std::int64_t>(bytes);
    MPI_Request& request = pending.requests_->all.emplace_back(MPI_REQUEST_NULL);
    MPI_Isend(from, count(bytes), MPI_BYTE, to, static_cast<int>(tag), line_->ranks, &request);
}

void Communicator::startReceive(int from, Tag tag, void* to, std::size_t bytes, Pending& pending)
{
    MPI_Request& request = pending.requests_->all.emplace_back(MPI_REQUEST_NULL);
    MPI_Irecv(to, count(bytes), MPI_BYTE, from, static_cast<int>(tag), line_->ranks, &request);
}

void Communicator::wait(Pending& pending)
{
    std::vector<MPI_Request>& all = pending.requests_->all;
    if (all.empty()) return;
    line_->poll([&] {
        int done = 0;
        MPI_Testall(static_cast<int>(all.size()), all.data(), &done, MPI_STATUSES_IGNORE);
        return done != 0;
    });
    all.clear();
}

std::size_t Communicator::waitForLength(int from, Tag tag)
{
    MPI_Status status;
    line_->poll([&] {
        int here = 0;
        MPI_Iprobe(from, static_cast<int>(tag), line_->ranks, &here, &status);
        return here != 0;
    });
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    return static_cast<std::size_t>(bytes);
}

void Communicator::announceFailure(std::string const& reason) const
{
    if (!line_) return;
    int world = 0, rank = 0;
    MPI_Comm_size(line_->failures, &world);
    MPI_Comm_rank(line_->failures, &rank);
    for (int r = 0; r < world; ++r) {
        if (r == rank) continue;
        // Short messages leave at once; whether they are received is for the others to say, so nobody waits.
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Isend(reason.data(), count(std::min<std::size_t>(reason.size(), 2000)), MPI_CHAR, r, failureTag, line_->failures, &request);
        MPI_Request_free(&request);
    }
}

void Communicator::waitNoLonger(double seconds, std::function<bool()> asked)
{
    if (line_) *line_->patience = {seconds, std::move(asked)};
}

void Communicator::linger(double seconds) const
{
    if (!line_) return;
    for (double const end = base::now() + seconds; base::now() < end; usleep(20'000)) {
        int heard = 0; // asking is what moves messages along
        MPI_Iprobe(MPI_ANY_SOURCE, failureTag, line_->failures, &heard, MPI_STATUS_IGNORE);
    }
}

Traffic const& Communicator::traffic() const
{
    static Traffic const none;
    return line_ ? *line_->traffic : none;
}

} // namespace alder::domain
