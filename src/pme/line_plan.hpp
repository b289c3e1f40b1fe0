#pragma once
// How one line of a given length is transformed: the stages of a Stockham transform and their factors. Made once, read by the kernels.

#include <vector>

namespace alder::pme {

/// One stage: length = radix * span points are combined in `span` groups, each repeated for `stride` interleaved sub-lines.
struct LineStage {
    int radix, span, stride;
    int twiddles; ///< offset into the factors: (span - 1) x (radix - 1) pairs cos, -sin
    int roots;    ///< offset into the factors: radix times cos, then radix times sin
};

/// What the kernels read. Plain pointers: no library code may be compiled for a narrower processor than the one it runs on.
struct LineView {
    int length, stageCount;
    LineStage const* stages;
    float const* factors;
};

class LinePlan {
public:
    explicit LinePlan(int length);
    [[nodiscard]] int length() const { return length_; }
    [[nodiscard]] std::vector<LineStage> const& stages() const { return stages_; }
    [[nodiscard]] std::vector<float> const& factors() const { return factors_; }
    [[nodiscard]] LineView view() const { return {length_, static_cast<int>(stages_.size()), stages_.data(), factors_.data()}; }

private:
    int length_;
    std::vector<LineStage> stages_;
    std::vector<float> factors_;
};

} // namespace alder::pme
