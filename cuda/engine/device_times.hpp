#pragma once
// Where the device's time goes: events around each part of a step, in the life of one list out of many. Steps in a graph cannot be looked
// into, so those of such a list are launched kernel by kernel.

#include "base/clock.hpp"
#include "device/range.hpp"
#include "device/stream.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace alder::cuda {

class DeviceTimes {
public:
    DeviceTimes() = default;
    DeviceTimes(DeviceTimes const&) = delete;
    DeviceTimes& operator=(DeviceTimes const&) = delete;

    /// A list is about to be built: the sample before, if there was one, ends here, and one list in 400 begins another. The tenth is the first,
    /// when everything is warm. Kernel by kernel a step costs a small system some three times as much, so this is well under 1 % of a run.
    void beginList();
    [[nodiscard]] bool sampling() const { return sampling_; }
    void countStep() { steps_ += sampling_ ? 1 : 0; }
    /// Adds what a sample that has ended took; to be called where the host has waited for all of its steps.
    void hand(base::Clock& clock);
    /// Forgets what is under way.
    void drop();

private:
    friend class PartRange;
    /// A part's beginning and end in its stream.
    struct Stretch {
        base::Part part = base::Part::count;
        cudaEvent_t begin = nullptr, end = nullptr;
        Stretch();
        ~Stretch();
        Stretch(Stretch const&) = delete;
        Stretch& operator=(Stretch const&) = delete;
        [[nodiscard]] double seconds() const;
    };
    Stretch* open(base::Part part, Stream& stream);

    std::vector<std::unique_ptr<Stretch>> stretches_; ///< made once, used by each sample anew
    std::size_t used_ = 0;
    std::int64_t lists_ = 0, steps_ = 0;
    bool sampling_ = false, ended_ = false;
};

/// A part of a step, for profilers (range.hpp) and for the sample that is under way.
class PartRange {
public:
    PartRange(DeviceTimes& times, base::Part part, Stream& stream)
        : range_(base::nameOf(part)),
          stream_(stream),
          stretch_(times.open(part, stream))
    {}
    ~PartRange();
    PartRange(PartRange const&) = delete;
    PartRange& operator=(PartRange const&) = delete;

private:
    Range range_;
    Stream& stream_;
    DeviceTimes::Stretch* stretch_;
};

} // namespace alder::cuda
