#pragma once
#include <string>

namespace alder::cpu {
std::string fftwVersion(); ///< "fftw-3.3.10-..."
}
