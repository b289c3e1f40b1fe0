#include "cpu/pme/ranks/margin_exchange.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace alder::cpu {
namespace {

using domain::Tag;

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

} // namespace

MarginExchange::MarginExchange(domain::PmeTeam const& team, pme::GridShares const& shares, int rank, PmeLayout const& layout)
    : team_(team),
      layout_(layout),
      me_(team.first() + rank)
{
    int const i = shares.alongX(rank), j = shares.alongZ(rank);
    if (shares.parts[0] > 1) alongX_ = partsOf(shares.planes, i);
    if (shares.parts[1] > 1) alongZ_ = partsOf(shares.points, j);
    for (auto* parts : {&alongX_.mine, &alongX_.others})
        for (Part& part : *parts) part.rank = team.first() + shares.rankOf(part.rank, j);
    for (auto* parts : {&alongZ_.mine, &alongZ_.others})
        for (Part& part : *parts) part.rank = team.first() + shares.rankOf(i, part.rank);
    for (Part& part : alongX_.others) {
        awaited_ = std::max(awaited_, part.margin.within + part.margin.count);
        part.charges.resize(size(part.margin.count * layout.planePoints() + layout.lanes));
    }
    for (auto* parts : {&alongZ_.mine, &alongZ_.others})
        for (Part& part : *parts) {
            part.charges.resize(size(stripPoints(part.margin)));
            part.potential.resize(size(stripPoints(part.margin)));
        }
}

/// Ranks of parts are places along the axis at first.
MarginExchange::Axis MarginExchange::partsOf(std::vector<pme::Share> const& shares, int share) const
{
    Axis axis;
    for (pme::Margin const& margin : pme::marginsOf(shares, share, layout_.order - 1)) axis.mine.push_back({margin, margin.owner, {}, {}});
    for (int other = 0; other < static_cast<int>(shares.size()); ++other) {
        if (other == share) continue;
        for (pme::Margin const& margin : pme::marginsOf(shares, other, layout_.order - 1))
            if (margin.owner == share) axis.others.push_back({margin, other, {}, {}});
    }
    return axis;
}

std::int64_t MarginExchange::stripPoints(pme::Margin const& margin) const
{
    return std::int64_t{allPlanes()} * layout_.planeRows * margin.count;
}

void MarginExchange::packCharges(ChargeSlabs const& slabs, Part& part) const
{
    std::int32_t* to = part.charges.data();
    for (int plane = 0; plane < allPlanes(); ++plane) {
        PlaneSources const sources = slabs.sourcesOf(plane);
        for (int row = 0; row < layout_.planeRows; ++row)
            for (int z = 0; z < part.margin.count; ++z) {
                std::int64_t const at = std::int64_t{row} * layout_.rowPoints + layout_.ownZ + part.margin.beyond + z;
                std::int32_t sum = 0;
                for (int s = 0; s < sources.count; ++s) sum += sources.plane[s][at];
                *to++ = sum;
            }
    }
}

void MarginExchange::addCharges(ChargeSlabs& slabs, pme::Margin const& margin, std::int32_t const* from) const
{
    for (int plane = 0; plane < allPlanes(); ++plane) {
        std::int32_t* const points = slabs.addend(plane);
        for (int row = 0; row < layout_.planeRows; ++row)
            for (int z = 0; z < margin.count; ++z) points[std::int64_t{row} * layout_.rowPoints + margin.within + z] += *from++;
    }
}

void MarginExchange::chargesAlongZ(ChargeSlabs& slabs)
{
    domain::Communicator& all = team_.all();
    domain::Pending pending;
    for (Part& part : alongZ_.others) all.receive(part.rank, Tag::gridMargin, std::span(part.charges.data(), part.charges.size()), pending);
    for (Part& part : alongZ_.mine) {
        packCharges(slabs, part);
        if (part.rank != me_)
            all.send(part.rank, Tag::gridMargin, std::span(std::as_const(part.charges).data(), part.charges.size()), pending);
    }
    for (Part const& part : alongZ_.mine)
        if (part.rank == me_) addCharges(slabs, part.margin, part.charges.data());
    all.wait(pending);
    for (Part const& part : alongZ_.others) addCharges(slabs, part.margin, part.charges.data());
}

void MarginExchange::startCharges(ChargeSlabs& slabs)
{
    if (!alongX_.mine.empty()) slabs.completeMargin();
    if (!alongZ_.mine.empty()) chargesAlongZ(slabs);
    slabs_ = &slabs;
    std::int64_t const points = layout_.planePoints();
    for (Part& part : alongX_.others)
        team_.all().receive(part.rank, Tag::gridMargin, std::span(part.charges.data(), size(part.margin.count * points)), pending_);
    for (Part const& part : alongX_.mine)
        if (part.rank != me_)
            team_.all().send(part.rank, Tag::gridMargin,
                             std::span(slabs_->margin() + part.margin.beyond * points, size(part.margin.count * points)), pending_);
}

void MarginExchange::finishCharges() { team_.all().wait(pending_); }

void MarginExchange::addSources(int plane, PlaneSources& sources) const
{
    auto const add = [&](pme::Margin const& margin, std::int32_t const* charges) {
        if (plane < margin.within || plane >= margin.within + margin.count) return;
        sources.plane[sources.count++] = charges + (plane - margin.within) * layout_.planePoints();
    };
    for (Part const& part : alongX_.others) add(part.margin, part.charges.data());
    for (Part const& part : alongX_.mine)
        if (part.rank == me_) add(part.margin, slabs_->margin() + part.margin.beyond * layout_.planePoints());
}

void MarginExchange::startPotential(float* potential)
{
    std::int64_t const points = layout_.planePoints();
    for (Part const& part : alongX_.mine)
        if (part.rank != me_)
            team_.all().receive(part.rank, Tag::gridMargin,
                                std::span(potential + (layout_.ownX + part.margin.beyond) * points, size(part.margin.count * points)),
                                pending_);
    for (Part const& part : alongX_.others) {
        std::span<float const> const planes(potential + part.margin.within * points, size(part.margin.count * points));
        team_.all().send(part.rank, Tag::gridMargin, planes, pending_);
    }
}

void MarginExchange::finishPotential(float* potential)
{
    std::int64_t const points = layout_.planePoints();
    for (Part const& part : alongX_.mine)
        if (part.rank == me_)
            std::memcpy(potential + (layout_.ownX + part.margin.beyond) * points, potential + part.margin.within * points,
                        size(part.margin.count * points) * sizeof(float));
    team_.all().wait(pending_);
    if (!alongZ_.mine.empty()) potentialAlongZ(potential);
}

void MarginExchange::packPotential(float const* potential, Part& part) const
{
    float* to = part.potential.data();
    for (int plane = 0; plane < allPlanes(); ++plane)
        for (int row = 0; row < layout_.planeRows; ++row) {
            float const* const points = potential + plane * layout_.planePoints() + std::int64_t{row} * layout_.rowPoints;
            for (int z = 0; z < part.margin.count; ++z) *to++ = points[part.margin.within + z];
        }
}

void MarginExchange::unpackPotential(float* potential, pme::Margin const& margin, float const* from) const
{
    for (int plane = 0; plane < allPlanes(); ++plane)
        for (int row = 0; row < layout_.planeRows; ++row) {
            float* const points = potential + plane * layout_.planePoints() + std::int64_t{row} * layout_.rowPoints;
            for (int z = 0; z < margin.count; ++z) points[layout_.ownZ + margin.beyond + z] = *from++;
        }
}

void MarginExchange::potentialAlongZ(float* potential)
{
    domain::Communicator& all = team_.all();
    domain::Pending pending;
    for (Part& part : alongZ_.mine)
        if (part.rank != me_) all.receive(part.rank, Tag::gridMargin, std::span(part.potential.data(), part.potential.size()), pending);
    for (Part& part : alongZ_.others) {
        packPotential(potential, part);
        all.send(part.rank, Tag::gridMargin, std::span(std::as_const(part.potential).data(), part.potential.size()), pending);
    }
    for (Part& part : alongZ_.mine)
        if (part.rank == me_) {
            // A share meets itself around the cell: what it holds at `within` it also needs beyond its end.
            packPotential(potential, part);
            unpackPotential(potential, part.margin, part.potential.data());
        }
    all.wait(pending);
    for (Part const& part : alongZ_.mine)
        if (part.rank != me_) unpackPotential(potential, part.margin, part.potential.data());
}

} // namespace alder::cpu
