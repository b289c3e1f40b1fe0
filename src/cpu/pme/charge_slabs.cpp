#include "cpu/pme/charge_slabs.hpp"

#include <algorithm>
#include <cstring>

namespace alder::cpu {
namespace {

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

} // namespace

ChargeSlabs::ChargeSlabs(PmeLayout const& layout, int threads) : layout_(layout), slabs_(size(threads)) {}

void ChargeSlabs::divide(std::vector<int> const& planeStart)
{
    int const planes = layout_.ownX, atoms = planeStart[size(planes)];
    int plane = 0;
    for (std::size_t t = 0; t < slabs_.size(); ++t) {
        Slab& slab = slabs_[t];
        slab.first = plane;
        std::int64_t const target = atoms * static_cast<std::int64_t>(t + 1) / static_cast<std::int64_t>(slabs_.size());
        while (plane < planes && (t + 1 == slabs_.size() || planeStart[size(plane) + 1] <= target)) ++plane;
        slab.end = plane;
        if (!slab.empty()) last_ = t;
        std::size_t const points = slab.empty() ? 0 : size(planesOf(slab) * layout_.planePoints());
        if (slab.charges.size() < points) slab.charges.resize(points + points / 8);
    }
}

void ChargeSlabs::spread(PmeKernels const& kernels, ChargeRun atoms, std::vector<int> const& planeStart, int thread)
{
    Slab& slab = slabs_[size(thread)];
    if (slab.empty()) return;
    std::memset(slab.charges.data(), 0, size(planesOf(slab) * layout_.planePoints()) * sizeof(std::int32_t));
    atoms.begin = planeStart[size(slab.first)];
    atoms.end = planeStart[size(slab.end)];
    kernels.spread(layout_, atoms, slab.charges.data(), layout_.firstX + slab.first);
}

PlaneSources ChargeSlabs::sourcesOf(int plane) const
{
    PlaneSources sources{};
    if (shared() && plane >= layout_.ownX) {
        sources.plane[sources.count++] = margin() + (plane - layout_.ownX) * layout_.planePoints();
        return sources;
    }
    for (Slab const& slab : slabs_) {
        if (slab.empty()) continue;
        int const planes = planesOf(slab);
        int local = plane - slab.first;
        if (!shared()) local = (local + layout_.nx) % layout_.nx;
        for (; local >= 0 && local < planes; local += shared() ? planes : layout_.nx)
            sources.plane[sources.count++] = slab.charges.data() + local * layout_.planePoints();
    }
    return sources;
}

void ChargeSlabs::completeMargin()
{
    std::int64_t const points = layout_.planePoints();
    for (Slab const& slab : slabs_) {
        if (slab.empty() || &slab == &slabs_[last_]) continue;
        for (int plane = layout_.ownX; plane < slab.end + layout_.order - 1; ++plane) {
            std::int32_t const* const from = slab.charges.data() + (plane - slab.first) * points;
            std::int32_t* const to = addend(plane);
            for (std::int64_t p = 0; p < points; ++p) to[p] += from[p];
        }
    }
}

std::int32_t const* ChargeSlabs::margin() const
{
    Slab const& slab = slabs_[last_];
    return slab.charges.data() + (slab.end - slab.first) * layout_.planePoints();
}

std::int32_t* ChargeSlabs::addend(int plane)
{
    for (Slab& slab : slabs_)
        if (slab.first <= plane && plane < slab.end) return slab.charges.data() + (plane - slab.first) * layout_.planePoints();
    Slab& slab = slabs_[last_];
    return slab.charges.data() + (plane - slab.first) * layout_.planePoints();
}

} // namespace alder::cpu
