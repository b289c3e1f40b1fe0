#include "pme/line_plan.hpp"

#include "physics/constants.hpp"

#include <cmath>

namespace alder::pme {
namespace {

/// Radices in the order of the stages. Four before two: a stage of four costs as many passes as one of two and does the work of two.
std::vector<int> radices(int length)
{
    std::vector<int> found;
    for (int const radix : {4, 2, 3, 5, 7})
        for (; length % radix == 0; length /= radix) found.push_back(radix);
    for (int prime = 11; length > 1; prime += 2)
        for (; length % prime == 0; length /= prime) found.push_back(prime);
    if (found.empty()) found.push_back(1);
    return found;
}

double turn(int part, int whole) { return 2 * physics::pi * part / whole; }

} // namespace

LinePlan::LinePlan(int length) : length_(length)
{
    int rest = length, stride = 1;
    for (int const radix : radices(length)) {
        LineStage stage{radix, rest / radix, stride, static_cast<int>(factors_.size()), 0};
        for (int p = 1; p < stage.span; ++p)
            for (int k = 1; k < radix; ++k) {
                factors_.push_back(static_cast<float>(std::cos(turn(p * k, rest))));
                factors_.push_back(static_cast<float>(-std::sin(turn(p * k, rest))));
            }
        stage.roots = static_cast<int>(factors_.size());
        for (int k = 0; k < radix; ++k) factors_.push_back(static_cast<float>(std::cos(turn(k, radix))));
        for (int k = 0; k < radix; ++k) factors_.push_back(static_cast<float>(std::sin(turn(k, radix))));
        stages_.push_back(stage);
        rest = stage.span;
        stride *= radix;
    }
}

} // namespace alder::pme
