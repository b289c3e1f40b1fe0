#pragma once
// Eight numbers side by side, in plain arrays that the compiler can put into vector registers of any width.

#include "math/vec3.hpp"

#include <array>
#include <cstddef>

namespace alder::cpu {

inline constexpr std::size_t laneCount = 8;

template <class T> using Lanes = std::array<T, laneCount>;
template <class T> using LaneVec = math::Vec3<Lanes<T>>;

} // namespace alder::cpu
