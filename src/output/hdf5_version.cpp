#include "output/hdf5_version.hpp"

#include <fmt/format.h>
#include <hdf5.h>

namespace alder::output {
std::string hdf5Version()
{
    unsigned major = 0, minor = 0, release = 0;
    H5get_libversion(&major, &minor, &release);
    return fmt::format("HDF5 {}.{}.{}", major, minor, release);
}
} // namespace alder::output
