// The .ndx reader on any text: every atom it hands on is one of the system.
#include "deck/groups/index_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    using namespace alder;
    constexpr std::int64_t atoms = 50;
    base::FaultList faults;
    deck::IndexGroups const index = deck::readIndexText("fuzz.ndx", {reinterpret_cast<char const*>(data), size}, atoms, faults);
    for (deck::IndexGroup const& group : index.groups) {
        if (faults.empty() && (group.name.empty() || index.find(group.name) == nullptr)) __builtin_trap();
        for (std::int64_t atom : group.atoms)
            if (atom < 0 || atom >= atoms) __builtin_trap();
    }
    return 0;
}
