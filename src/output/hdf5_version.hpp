#pragma once
#include <string>

namespace alder::output {
std::string hdf5Version(); ///< "HDF5 1.10.8", of the library that is linked
}
