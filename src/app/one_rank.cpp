#include "app/one_rank.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

namespace alder::app {

OneRank::OneRank()
{
    if (!refused() || world_.rank() != 0) return;
    base::Fault const fault{{},
                            fmt::format("{} MPI ranks were started, and this version runs on one", world_.size()),
                            "start one process and give it threads with -nt"};
    fmt::print(stderr, "{}\n", fault.text());
}

} // namespace alder::app
