#pragma once
// Waters in any orientation, and small vectors, from a stream with a fixed seed.

#include "math/variates.hpp"
#include "physics/settle.hpp"

namespace alder::trial {

class RandomWater {
public:
    explicit RandomWater(std::int64_t id) : variates_(77, math::RandomPurpose::test, 0, id) {}

    math::Vec3d vector(double width) { return {width * variates_.normal(), width * variates_.normal(), width * variates_.normal()}; }
    physics::WaterVectors<double> vectors(double width) { return {vector(width), vector(width), vector(width)}; }

    /// The rigid triangle's bonds, turned at random.
    physics::WaterBonds<double> bonds(physics::WaterGeometry<double> const& water)
    {
        math::Vec3d x = vector(1), y = vector(1);
        x = (1 / norm(x)) * x;
        y = y - dot(x, y) * x;
        y = (1 / norm(y)) * y;
        double const height = water.ra + water.rb;
        return {-height * y - water.rc * x, -height * y + water.rc * x};
    }

private:
    math::Variates variates_;
};

} // namespace alder::trial
