#include "domain/world.hpp"

#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <csignal>
#include <cstdlib>
#include <unistd.h>

namespace alder::domain {

namespace {

bool startedByLauncher()
{
    for (char const* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE"})
        if (std::getenv(name)) return true;
    return false;
}

} // namespace

World::World()
{
    if (!startedByLauncher()) return;
    // Threads other than the first compute and never send.
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    started_ = true;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

World::~World()
{
    if (started_) MPI_Finalize();
}

void World::abort(int status) const
{
    if (started_) {
        // MPI_Abort asks the launcher to end all ranks, and then waits to be ended, however long that takes.
        std::signal(SIGTERM, SIG_DFL);
        std::signal(SIGALRM, SIG_DFL);
        alarm(1);
        MPI_Abort(MPI_COMM_WORLD, status);
    }
    std::_Exit(status);
}

bool takesDeviceMemory()
{
#if defined(MPIX_CUDA_AWARE_SUPPORT)
    return MPIX_Query_cuda_support() == 1;
#else
    return false;
#endif
}

std::string mpiLibrary()
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
    int length = 0;
    MPI_Get_library_version(text, &length);
    std::string line(text, static_cast<std::size_t>(length));
    return line.substr(0, line.find_first_of(",\n"));
}

} // namespace alder::domain
