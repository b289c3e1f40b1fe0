#pragma once
// A stretch of the host's work with a name that profilers show: those of the log's timing table.

#include <nvtx3/nvToolsExt.h>

namespace alder::cuda {

class Range {
public:
    explicit Range(char const* name) { nvtxRangePushA(name); }
    ~Range() { nvtxRangePop(); }
    Range(Range const&) = delete;
    Range& operator=(Range const&) = delete;
};

} // namespace alder::cuda
