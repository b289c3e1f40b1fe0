#include "engine/device_times.hpp"

#include "device/check.hpp"

namespace alder::cuda {

namespace {
constexpr std::int64_t firstSampled = 10, listsBetween = 400;
}

void DeviceTimes::beginList()
{
    ended_ = sampling_;
    sampling_ = !ended_ && lists_ % listsBetween == firstSampled;
    ++lists_;
}

void DeviceTimes::hand(base::Clock& clock)
{
    if (!ended_) return;
    for (std::size_t n = 0; n < used_; ++n) clock.addDevice(stretches_[n]->part, stretches_[n]->seconds());
    clock.countSampled(steps_);
    drop();
}

void DeviceTimes::drop()
{
    used_ = 0;
    steps_ = 0;
    sampling_ = ended_ = false;
}

DeviceTimes::Stretch* DeviceTimes::open(base::Part part, Stream& stream)
{
    if (!sampling_) return nullptr;
    if (used_ == stretches_.size()) stretches_.push_back(std::make_unique<Stretch>());
    Stretch& stretch = *stretches_[used_++];
    stretch.part = part;
    check(cudaEventRecord(stretch.begin, stream.handle()), "recording an event");
    return &stretch;
}

DeviceTimes::Stretch::Stretch()
{
    check(cudaEventCreate(&begin), "making an event");
    check(cudaEventCreate(&end), "making an event");
}

DeviceTimes::Stretch::~Stretch()
{
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
}

double DeviceTimes::Stretch::seconds() const
{
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end), "timing a part of a step");
    return 1e-3 * static_cast<double>(milliseconds);
}

/// A fault of the device is told by the next call that can throw.
PartRange::~PartRange()
{
    if (stretch_ != nullptr) static_cast<void>(cudaEventRecord(stretch_->end, stream_.handle()));
}

} // namespace alder::cuda
