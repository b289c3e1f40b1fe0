#include "backend/backends.hpp"

#include "cpu/cpu_backend.hpp"
#include "gpu/provider.hpp"

namespace alder::test {

std::vector<BackendMaker> backendMakers()
{
    std::vector<BackendMaker> makers;
    for (cpu::SimdLevel const level : {cpu::SimdLevel::sse41, cpu::SimdLevel::avx2, cpu::SimdLevel::avx512}) {
        if (!cpu::supported(level)) continue;
        std::string const name = level == cpu::SimdLevel::sse41 ? "sse41" : level == cpu::SimdLevel::avx2 ? "avx2" : "avx512";
        for (int const threads : {1, 2})
            makers.push_back(
                {"cpu_" + name + "_" + std::to_string(threads), [=](system::Topology const& topology, plan::RunPlan const& plan) {
                     return std::make_unique<cpu::CpuBackend>(topology, plan, cpu::CpuChoice{level, threads});
                 }});
    }
    makers.push_back({gpu::provider() == gpu::Provider::emulated ? "emulated_gpu" : "gpu",
                      [](system::Topology const& topology, plan::RunPlan const& plan) { return gpu::makeBackend(topology, plan, {}); }});
    return makers;
}

} // namespace alder::test
