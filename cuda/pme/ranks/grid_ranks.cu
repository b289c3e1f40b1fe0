#include "pme/ranks/grid_ranks.hpp"

#include "device/language.hpp"
#include "device/launch.hpp"

#include <algorithm>

namespace alder::cuda {

namespace {

constexpr unsigned rankThreads = 128;

__device__ int globalThread() { return static_cast<int>(blockIdx.x * rankThreads + threadIdx.x); }

LaunchShape threadsFor(std::size_t count) { return {.grid = blocksFor(count, rankThreads), .block = rankThreads}; }

__global__ void __launch_bounds__(rankThreads) addPlanes(View<std::int32_t const> from, View<std::int32_t> to, int count)
{
    int const i = globalThread();
    if (i < count) to[i] += from[i];
}

using Pieces = WavePieces;

/// Where the wave is that stands at i among the planes.
struct Piece {
    int solver, at;
    __device__ Piece(Pieces const& pieces, int i)
    {
        int const z = i % pieces.halfZ, y = i / pieces.halfZ % pieces.ny, x = i / pieces.halfZ / pieces.ny;
        solver = pieces.solverOf[y];
        int const first = pieces.firstY[solver], width = pieces.firstY[solver + 1] - first;
        bool const own = solver == pieces.own;
        at = (own ? 0 : pieces.start[solver]) + ((x + (own ? pieces.ownFirst : 0)) * width + y - first) * pieces.halfZ + z;
    }
};

__global__ void __launch_bounds__(rankThreads) packPieces(Pieces pieces, View<float2 const> planes, View<float2> out, View<float2> lines)
{
    int const i = globalThread();
    if (i >= pieces.count()) return;
    Piece const to(pieces, i);
    float2 const wave = planes[i];
    (to.solver == pieces.own ? lines : out)[to.at] = wave;
}

__global__ void __launch_bounds__(rankThreads)
    unpackPieces(Pieces pieces, View<float2 const> in, View<float2 const> lines, View<float2> planes)
{
    int const i = globalThread();
    if (i >= pieces.count()) return;
    Piece const from(pieces, i);
    float2 const wave = (from.solver == pieces.own ? lines : in)[from.at];
    planes[i] = wave;
}

} // namespace

GridRanks::GridRanks(domain::PmeTeam const& team, PmeGridShape const& grid, Stream& stream, Carriage carriage)
    : team_(team),
      grid_(grid),
      stream_(stream),
      rank_(team.all().rank()),
      chargesOut_(carriage),
      chargesIn_(carriage),
      potentialOut_(carriage),
      potentialIn_(carriage),
      planeParcel_(carriage),
      lineParcel_(carriage)
{
    int const solvers = std::min(team.count(), grid.nx);
    solver_ = team.solves() && rank_ - team.first() < solvers ? rank_ - team.first() : -1;
    planes_ = pme::sharesOf(grid.nx, 1, solvers);
    waves_ = pme::sharesOf(grid.ny, 1, solvers);
    windows_.resize(static_cast<std::size_t>(team.all().size()));
    findPieces();
}

WaveShare GridRanks::waves() const
{
    if (solver_ < 0) return {grid_, 0, 0};
    pme::Share const& share = waves_[static_cast<std::size_t>(solver_)];
    return {grid_, share.first, share.count()};
}

// ---- windows -----------------------------------------------------------------------------------------------------------------------

namespace {

/// The shortest stretch around the cell that holds all planes: what is left of the widest gap.
PlaneWindow windowOf(std::vector<char> const& planes)
{
    auto const n = static_cast<int>(planes.size());
    auto const taken = [&](int plane) { return planes[static_cast<std::size_t>(plane % n)] != 0; };
    int const some = static_cast<int>(std::find_if(planes.begin(), planes.end(), [](char c) { return c != 0; }) - planes.begin());
    if (some == n) return {0, 0};
    int widest = 0, end = some;
    for (int at = some, gap = 0; at <= some + n; ++at) {
        if (!taken(at)) {
            ++gap;
            continue;
        }
        if (gap > widest) {
            widest = gap;
            end = at;
        }
        gap = 0;
    }
    return {widest == 0 ? 0 : end % n, n - widest};
}

} // namespace

void GridRanks::take(std::vector<char> const& planes)
{
    agreeOnWindows(windowOf(planes));
    findOverlaps();
    windowCharges_.resize(atPlane(window().count));
    windowCharges_.clear(stream_);
    windowPotential_.resize(atPlane(window().count));
    stream_.synchronize(); // messages may be written to the parcels from now on
}

void GridRanks::agreeOnWindows(PlaneWindow const& mine)
{
    std::vector<std::int64_t> all(2 * windows_.size(), 0);
    all[2 * static_cast<std::size_t>(rank_)] = mine.first;
    all[2 * static_cast<std::size_t>(rank_) + 1] = mine.count;
    team_.all().sum(all);
    for (std::size_t r = 0; r < windows_.size(); ++r) windows_[r] = {static_cast<int>(all[2 * r]), static_cast<int>(all[2 * r + 1])};
}

/// One or two: a window may leave a share at its one end and enter it again at the other.
std::vector<GridRanks::Overlap> GridRanks::overlapsOf(PlaneWindow const& window, pme::Share const& share) const
{
    std::vector<Overlap> found;
    for (int const around : {0, grid_.nx}) {
        int const first = std::max(window.first, share.first + around), end = std::min(window.first + window.count, share.end + around);
        if (first < end) found.push_back({0, first - window.first, first - around - share.first, end - first});
    }
    return found;
}

void GridRanks::findOverlaps()
{
    mine_.clear();
    lent_.clear();
    own_.clear();
    toSolvers_.clear();
    fromWindows_.clear();
    std::size_t out = 0, in = 0;
    auto const note = [&](Overlap overlap, int rank, std::vector<Overlap>& overlaps, std::vector<Letter>& letters, std::size_t& size) {
        overlap.rank = rank;
        overlaps.push_back(overlap);
        letters.push_back({rank, size, atPlane(overlap.count)});
        size += atPlane(overlap.count);
    };
    for (std::size_t s = 0; s < planes_.size(); ++s)
        for (Overlap const& overlap : overlapsOf(window(), planes_[s])) {
            if (static_cast<int>(s) == solver_)
                own_.push_back(overlap);
            else
                note(overlap, solverRank(static_cast<int>(s)), mine_, toSolvers_, out);
        }
    for (std::size_t r = 0; solver_ >= 0 && r < windows_.size(); ++r)
        if (static_cast<int>(r) != rank_)
            for (Overlap const& overlap : overlapsOf(windows_[r], planes())) note(overlap, static_cast<int>(r), lent_, fromWindows_, in);
    chargesOut_.resize(out, stream_);
    chargesIn_.resize(in, stream_);
    potentialOut_.resize(in, stream_);
    potentialIn_.resize(out, stream_);
}

void GridRanks::sendCharges(View<std::int32_t> charges)
{
    View<std::int32_t const> const window = windowCharges_.constView();
    for (std::size_t n = 0; n < mine_.size(); ++n)
        copyElements(chargesOut_.view().from(toSolvers_[n].first), window.from(atPlane(mine_[n].inWindow)), toSolvers_[n].count, stream_);
    exchange(team_.all(), domain::Tag::gridMargin, Mail<std::int32_t>{chargesOut_, toSolvers_}, {chargesIn_, fromWindows_}, stream_);
    auto const add = [&](View<std::int32_t const> from, Overlap const& overlap) {
        launch<addPlanes>(threadsFor(atPlane(overlap.count)), stream_, from, charges.from(atPlane(overlap.inShare)),
                          static_cast<int>(atPlane(overlap.count)));
    };
    for (Overlap const& overlap : own_) add(window.from(atPlane(overlap.inWindow)), overlap);
    for (std::size_t n = 0; n < lent_.size(); ++n) add(View<std::int32_t const>(chargesIn_.view()).from(fromWindows_[n].first), lent_[n]);
    windowCharges_.clear(stream_);
}

void GridRanks::sendPotential(View<float const> potential)
{
    for (std::size_t n = 0; n < lent_.size(); ++n)
        copyElements(potentialOut_.view().from(fromWindows_[n].first), potential.from(atPlane(lent_[n].inShare)), fromWindows_[n].count,
                     stream_);
    exchange(team_.all(), domain::Tag::gridMargin, Mail<float>{potentialOut_, fromWindows_}, {potentialIn_, toSolvers_}, stream_);
    View<float> const window = windowPotential_.view();
    for (Overlap const& overlap : own_)
        copyElements(window.from(atPlane(overlap.inWindow)), potential.from(atPlane(overlap.inShare)), atPlane(overlap.count), stream_);
    for (std::size_t n = 0; n < mine_.size(); ++n)
        copyElements(window.from(atPlane(mine_[n].inWindow)), View<float const>(potentialIn_.view()).from(toSolvers_[n].first),
                     toSolvers_[n].count, stream_);
}

WavePieces GridRanks::pieces() const
{
    return {planes().count(),       grid_.ny, grid_.halfZ(), solver_, planes().first, solverOfY_.constView(), firstY_.constView(),
            pieceStart_.constView()};
}

// ---- waves -------------------------------------------------------------------------------------------------------------------------

/// Who has which waves never changes.
void GridRanks::findPieces()
{
    std::vector<std::int32_t> solverOf, start(waves_.size()), firstY;
    std::size_t out = 0, in = 0;
    for (std::size_t s = 0; s < waves_.size(); ++s) {
        solverOf.insert(solverOf.end(), static_cast<std::size_t>(waves_[s].count()), static_cast<std::int32_t>(s));
        firstY.push_back(waves_[s].first);
        if (solver_ < 0 || static_cast<int>(s) == solver_) continue;
        auto const pieceOf = [&](pme::Share const& planes, int width) {
            return static_cast<std::size_t>(planes.count()) * static_cast<std::size_t>(width) * static_cast<std::size_t>(grid_.halfZ());
        };
        std::size_t const there = pieceOf(planes(), waves_[s].count()), here = pieceOf(planes_[s], waves().count);
        start[s] = static_cast<std::int32_t>(out);
        if (there > 0) planePieces_.push_back({solverRank(static_cast<int>(s)), out, there});
        if (here > 0) linePieces_.push_back({solverRank(static_cast<int>(s)), in, here});
        out += there;
        in += here;
    }
    firstY.push_back(grid_.ny);
    solverOfY_.upload(solverOf, stream_);
    pieceStart_.upload(start, stream_);
    firstY_.upload(firstY, stream_);
    planeParcel_.resize(out, stream_);
    lineParcel_.resize(in, stream_);
}

/// Where another's planes begin in this rank's lines.
std::size_t GridRanks::inLines(Letter const& piece) const
{
    int const first = planes_[static_cast<std::size_t>(piece.rank - team_.first())].first;
    return static_cast<std::size_t>(first) * static_cast<std::size_t>(waves().count * grid_.halfZ());
}

void GridRanks::turnToLines(View<float2> planeWaves, View<float2> lineWaves)
{
    if (solver_ < 0) return;
    launch<packPieces>(threadsFor(static_cast<std::size_t>(this->planeWaves())), stream_, pieces(), planeWaves, planeParcel_.view(),
                       lineWaves);
    exchange(team_.all(), domain::Tag::gridTranspose, Mail<float2>{planeParcel_, planePieces_}, {lineParcel_, linePieces_}, stream_);
    for (Letter const& piece : linePieces_)
        copyElements(lineWaves.from(inLines(piece)), View<float2 const>(lineParcel_.view()).from(piece.first), piece.count, stream_);
}

void GridRanks::turnToPlanes(View<float2> lineWaves, View<float2> planeWaves)
{
    if (solver_ < 0) return;
    for (Letter const& piece : linePieces_)
        copyElements(lineParcel_.view().from(piece.first), View<float2 const>(lineWaves).from(inLines(piece)), piece.count, stream_);
    exchange(team_.all(), domain::Tag::gridTranspose, Mail<float2>{lineParcel_, linePieces_}, {planeParcel_, planePieces_}, stream_);
    launch<unpackPieces>(threadsFor(static_cast<std::size_t>(this->planeWaves())), stream_, pieces(), planeParcel_.view(), lineWaves,
                         planeWaves);
}

} // namespace alder::cuda
