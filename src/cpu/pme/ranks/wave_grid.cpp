#include "cpu/pme/ranks/wave_grid.hpp"

#include <cstring>
#include <span>

namespace alder::cpu {
namespace {

using domain::Tag;

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

void copy(float* to, float const* from, std::int64_t floats) { std::memcpy(to, from, size(floats) * sizeof(float)); }

} // namespace

WaveGrid::WaveGrid(domain::PmeTeam const* team, pme::GridShares const& shares, int rank, PmeLayout const& layout, PmeLayout const& lines)
    : team_(team),
      shares_(shares),
      i_(shares.alongX(rank)),
      j_(shares.alongZ(rank)),
      layout_(layout),
      lineLayout_(lines),
      waves_(shares.waves[size(i_)]),
      planes_(size(waves_.count() * layout.wavePlaneFloats())),
      byY_(size(layout.halfY)),
      besideY_(size(shares.parts[0])),
      besideX_(size(shares.parts[0])),
      beforeZ_(size(shares.parts[1])),
      besideZ_(size(shares.parts[1]))
{
    for (int i = 0; i < shares.parts[0]; ++i) {
        pme::Share const waves = shares.waves[size(i)];
        std::int64_t const step = i == i_ ? layout.wavePlaneFloats() : pieceFloats(layout.ownX);
        if (i != i_) {
            besideY_[size(i)].resize(size(waves.count() * step));
            besideX_[size(i)].resize(size(waves_.count() * pieceFloats(planesOf(i).count())));
        }
        float* const first = i == i_ ? planes_.data() + layout.firstX * layout.waveRowFloats() : besideY_[size(i)].data();
        for (int w = waves.first; w < waves.end; ++w) byY_[size(w)] = first + (w - waves.first) * step;
    }
    if (!alongZ()) return;
    lines_.resize(size(waves_.count() * lines.wavePlaneFloats()));
    for (int j = 0; j < shares.parts[1]; ++j) {
        if (j == j_) continue;
        beforeZ_[size(j)].resize(size(waves_.count() * rowsOf(j).count() * widthOf(j_)));
        besideZ_[size(j)].resize(size(waves_.count() * rowsOf(j_).count() * widthOf(j)));
    }
}

/// Of a row of points j, in floats.
std::int64_t WaveGrid::widthOf(int j) const
{
    int const lanes = layout_.lanes, points = shares_.points[size(j)].count();
    return std::int64_t{(points + lanes - 1) / lanes} * 2 * lanes;
}

void WaveGrid::exchangeAlong(Axis axis, std::vector<AlignedArray<float>> const& from, std::vector<AlignedArray<float>>& to)
{
    domain::Communicator& all = team_->all();
    domain::Pending pending;
    bool const x = axis == Axis::x;
    int const me = x ? i_ : j_, parts = shares_.parts[x ? 0 : 1];
    auto const rankOf = [&](int other) { return team_->first() + (x ? shares_.rankOf(other, j_) : shares_.rankOf(i_, other)); };
    for (int other = 0; other < parts; ++other)
        if (other != me && to[size(other)].size() > 0)
            all.receive(rankOf(other), Tag::gridTranspose, std::span(to[size(other)].data(), to[size(other)].size()), pending);
    // Each begins with the one after it, so that not all send to the same one at a time.
    for (int step = 1; step < parts; ++step) {
        int const other = (me + step) % parts;
        if (from[size(other)].size() > 0)
            all.send(rankOf(other), Tag::gridTranspose, std::span(from[size(other)].data(), from[size(other)].size()), pending);
    }
    all.wait(pending);
}

void WaveGrid::turnToX()
{
    if (shares_.parts[0] > 1) exchangeAlong(Axis::x, besideY_, besideX_);
}
void WaveGrid::turnToY()
{
    if (shares_.parts[0] > 1) exchangeAlong(Axis::x, besideX_, besideY_);
}
void WaveGrid::turnToZ()
{
    if (alongZ()) exchangeAlong(Axis::z, beforeZ_, besideZ_);
}
void WaveGrid::turnFromZ()
{
    if (alongZ()) exchangeAlong(Axis::z, besideZ_, beforeZ_);
}

void WaveGrid::arriveForX(int w)
{
    for (int i = 0; i < shares_.parts[0]; ++i)
        if (i != i_)
            copy(plane(w) + planesOf(i).first * layout_.waveRowFloats(), besideX_[size(i)].data() + w * pieceFloats(planesOf(i).count()),
                 planesOf(i).count() * layout_.waveRowFloats());
}

void WaveGrid::leaveFromX(int w)
{
    for (int i = 0; i < shares_.parts[0]; ++i)
        if (i != i_)
            copy(besideX_[size(i)].data() + w * pieceFloats(planesOf(i).count()), plane(w) + planesOf(i).first * layout_.waveRowFloats(),
                 planesOf(i).count() * layout_.waveRowFloats());
}

void WaveGrid::leaveForZ(int w)
{
    std::int64_t const width = widthOf(j_), place = std::int64_t{shares_.points[size(j_)].first} * 2;
    for (int j = 0; j < shares_.parts[1]; ++j) {
        int const rows = rowsOf(j).count();
        float const* const from = plane(w) + rowsOf(j).first * layout_.waveRowFloats();
        float* const to = j == j_ ? lines(w) + place : beforeZ_[size(j)].data() + w * rows * width;
        std::int64_t const step = j == j_ ? lineLayout_.waveRowFloats() : width;
        for (int row = 0; row < rows; ++row) copy(to + row * step, from + row * layout_.waveRowFloats(), width);
    }
}

void WaveGrid::arriveFromZ(int w)
{
    std::int64_t const width = widthOf(j_), place = std::int64_t{shares_.points[size(j_)].first} * 2;
    for (int j = 0; j < shares_.parts[1]; ++j) {
        int const rows = rowsOf(j).count();
        float* const to = plane(w) + rowsOf(j).first * layout_.waveRowFloats();
        float const* const from = j == j_ ? lines(w) + place : beforeZ_[size(j)].data() + w * rows * width;
        std::int64_t const step = j == j_ ? lineLayout_.waveRowFloats() : width;
        for (int row = 0; row < rows; ++row) copy(to + row * layout_.waveRowFloats(), from + row * step, width);
    }
}

void WaveGrid::arriveForZ(int w)
{
    int const rows = rowsOf(j_).count();
    for (int j = 0; j < shares_.parts[1]; ++j) {
        if (j == j_) continue;
        float* const to = lines(w) + std::int64_t{shares_.points[size(j)].first} * 2;
        float const* const from = besideZ_[size(j)].data() + w * rows * widthOf(j);
        for (int row = 0; row < rows; ++row) copy(to + row * lineLayout_.waveRowFloats(), from + row * widthOf(j), widthOf(j));
    }
}

void WaveGrid::leaveFromZ(int w)
{
    int const rows = rowsOf(j_).count();
    for (int j = 0; j < shares_.parts[1]; ++j) {
        if (j == j_) continue;
        float const* const from = lines(w) + std::int64_t{shares_.points[size(j)].first} * 2;
        float* const to = besideZ_[size(j)].data() + w * rows * widthOf(j);
        for (int row = 0; row < rows; ++row) copy(to + row * widthOf(j), from + row * lineLayout_.waveRowFloats(), widthOf(j));
    }
}

} // namespace alder::cpu
