// The .gro reader on any text: what it accepts is whole, finite and in a lattice whose vectors lean by no more than half.
#include "deck/gro_reader.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    using namespace alder;
    base::FaultList faults;
    deck::Configuration const c = deck::readGroText("fuzz.gro", {reinterpret_cast<char const*>(data), size}, faults);
    if (c.atomNames.size() != c.size() || c.residueNames.size() != c.size() || c.residueNumbers.size() != c.size()) __builtin_trap();
    if (!c.velocities.empty() && c.velocities.size() != c.size()) __builtin_trap();
    for (math::Vec3d const r : c.positions)
        if (!std::isfinite(math::norm2(r))) __builtin_trap();
    if (!faults.empty()) return 0;
    if (c.size() == 0 || !(c.box.volume() > 0)) __builtin_trap();
    constexpr double half = 0.501;
    if (std::abs(c.box.b().x) > half * c.box.a().x || std::abs(c.box.c().x) > half * c.box.a().x ||
        std::abs(c.box.c().y) > half * c.box.b().y)
        __builtin_trap();
    for (math::Vec3d const r : c.positions) (void)c.box.toFraction(r);
    return 0;
}
