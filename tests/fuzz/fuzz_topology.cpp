// The topology reader on any text: it refuses or accepts, and never crashes, hangs or computes with what is not there.
#include "deck/topology_reader.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    using namespace alder;
    if (size == 0) return 0;
    // The first byte chooses what the .mdp would: constraints, Morse bonds, macros.
    unsigned const choice = data[0];
    deck::TopologyRequest request{"fuzz.top", {}, {}, plan::Constraints::none, (choice & 8U) != 0};
    if (choice & 1U) request.constraints = plan::Constraints::hBonds;
    if (choice & 2U) request.constraints = plan::Constraints::allBonds;
    if (choice & 4U) request.defines = {"POSRES", "BOND=1 0.1 1000"};
    std::string_view const text(reinterpret_cast<char const*>(data) + 1, size - 1);
    base::FaultList faults;
    deck::SourceText const source = deck::preprocess({request.file, request.defines, request.includeDirs}, text, faults);
    system::Topology const topology = deck::readTopology(source, request, faults);
    // What is handed on must be whole, refused or not: every index inside its list.
    for (system::MoleculeType const& type : topology.types) {
        auto const atoms = static_cast<std::int64_t>(type.atoms.size());
        for (std::int32_t const partner : type.exclusions)
            if (partner < 0 || partner >= atoms) __builtin_trap();
        for (std::size_t k = 0; k < system::kindCount; ++k) {
            for (std::int32_t const atom : type.interactions[k].atoms)
                if (atom < 0 || atom >= atoms) __builtin_trap();
            for (std::int32_t const set : type.interactions[k].parameters)
                if (set < 0 || static_cast<std::size_t>(set) >= topology.parameters[k].size()) __builtin_trap();
        }
    }
    return 0;
}
