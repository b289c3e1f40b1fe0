#include "cpu/fftw_version.hpp"

#include <fftw3.h>

namespace alder::cpu {
std::string fftwVersion()
{
    return fftwf_version;
}
} // namespace alder::cpu
