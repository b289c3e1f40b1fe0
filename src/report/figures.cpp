#include "report/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace alder::report {

std::string figure(double value)
{
    double const size = std::abs(value);
    if (size == 0) return "0";
    if (size < 1e-4 || size >= 1e7) return fmt::format("{:.3e}", value);
    int const before = static_cast<int>(std::floor(std::log10(size))) + 1;
    return fmt::format("{:.{}f}", value, std::max(0, 4 - before));
}

std::string figure(std::optional<double> const& value) { return value ? figure(*value) : "-"; }

std::string plain(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto const byte = static_cast<unsigned char>(text[i]);
        // U+0080 to U+009F are controls too: C2 80 to C2 9F in UTF-8
        if (byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) {
            out += '?';
            ++i;
        } else {
            out += byte < 0x20 || byte == 0x7F ? '?' : text[i];
        }
    }
    return out;
}

std::string titleOf(System const& system)
{
    return fmt::format("{}: {} atoms, step {:g} fs, rcoulomb {:g} nm, rvdw {:g} nm", system.deck, system.atoms, system.dtPs * 1000,
                       system.rcoulombNm, system.rvdwNm);
}

std::string titleOf(Setup const& setup)
{
    auto const counted = [](std::int64_t n, char const* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
    std::string text = setup.gpus > 0 ? counted(setup.gpus, "GPU") + ", " : "";
    if (setup.ranks > 1)
        text += counted(setup.ranks, "rank") + (setup.pmeRanks > 0 ? fmt::format(" ({} PME)", setup.pmeRanks) : "") + " x ";
    text += counted(setup.threads, "thread");
    if (setup.replicas > 1) text += fmt::format(", {} runs", setup.replicas);
    if (setup.transform) text += fmt::format(", {} FFT", *setup.transform);
    return text;
}

} // namespace alder::report
