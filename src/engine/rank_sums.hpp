#pragma once
// From the sums of each rank's part to those of the whole system: integers, added in one message.

#include "domain/communicator.hpp"
#include "engine/backend.hpp"

#include <vector>

namespace alder::engine {

/// Collects integers that are to be summed over ranks, and puts the sums back in their places.
class RankSums {
public:
    void take(math::FixedSum& sum) { places_.push_back(&sum.units); }
    void take(math::FixedTensor& t)
    {
        for (math::FixedSum* sum : {&t.xx, &t.xy, &t.xz, &t.yx, &t.yy, &t.yz, &t.zx, &t.zy, &t.zz}) take(*sum);
    }
    void take(system::ForceSums& sums)
    {
        for (math::FixedSum& term : sums.terms) take(term);
        take(sums.virial);
    }
    void take(system::MotionSums& sums)
    {
        for (math::FixedTensor& kinetic : sums.kinetic) take(kinetic);
        for (math::FixedSum* sum : {&sums.momentumX, &sums.momentumY, &sums.momentumZ}) take(*sum);
    }
    /// What a step on this plan has left, and nothing that is older.
    void take(AdvanceSums& sums, plan::StepPlan const& plan)
    {
        if (plan.kinetic) take(sums.motion);
        if (plan.virial()) take(sums.constraintVirial);
        for (math::FixedSum& heat : sums.heat) take(heat);
    }
    /// Called by all ranks, which have taken as many. Nothing to do on one rank, for which `ranks` is null.
    void sumOver(domain::Communicator* ranks)
    {
        if (ranks == nullptr || places_.empty()) return;
        std::vector<std::int64_t> values;
        for (std::int64_t const* place : places_) values.push_back(*place);
        ranks->sum(values);
        for (std::size_t i = 0; i < values.size(); ++i) *places_[i] = values[i];
    }

private:
    std::vector<std::int64_t*> places_;
};

} // namespace alder::engine
