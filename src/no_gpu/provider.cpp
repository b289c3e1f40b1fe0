// The provider of builds without GPU kernels.

#include "gpu/provider.hpp"

#include "base/error.hpp"

namespace alder::gpu {

namespace {

constexpr char const* reason = "this build has no GPU kernels";

} // namespace

Provider provider() { return Provider::none; }

DeviceList devices() { return {{}, reason, {}}; }

std::vector<std::string> cannotDo(system::Topology const&, plan::RunPlan const&) { return {"anything: " + std::string(reason)}; }

std::uint64_t memoryNeeded(system::Topology const&, plan::RunPlan const&, double) { return 0; }

std::uint64_t memoryFree(Choice const&) { return 0; }

std::uint64_t memoryPeak() { return 0; }

std::string arithmeticOf(Choice const&) { return {}; }

domain::ColumnNeeds columnNeeds(system::Topology const&, plan::RunPlan const&) { return {}; }

std::unique_ptr<engine::Backend> makeBackend(system::Topology const&, plan::RunPlan const&, Choice const&, domain::RunLayout const&)
{
    throw base::RunFailed(reason);
}

} // namespace alder::gpu
