#pragma once
// Topologies written in the test itself, and what the reader says of them.

#include "deck/topology_reader.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace alder::deck::test {

/// A folder of its own for one test, gone at its end.
class Folder {
public:
    Folder()
    {
        auto const* info = ::testing::UnitTest::GetInstance()->current_test_info();
        path_ = std::filesystem::path(::testing::TempDir()) /
                ("alder_" + std::string(info->test_suite_name()) + "_" + info->name() + "_" + std::to_string(counter_++));
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(Folder const&) = delete;
    Folder& operator=(Folder const&) = delete;
    std::string write(std::string const& name, std::string const& text) const
    {
        std::filesystem::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name, std::ios::binary) << text;
        return (path_ / name).string();
    }
    [[nodiscard]] std::string at(std::string const& name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
    inline static int counter_ = 0;
};

/// What came of reading one text.
struct Reading {
    system::Topology topology;
    base::FaultList faults;
    [[nodiscard]] bool accepted() const { return faults.empty(); }
    [[nodiscard]] std::string said() const
    {
        std::string all;
        for (base::Fault const& f : faults.faults()) all += f.text() + "\n";
        for (base::Fault const& f : faults.warnings()) all += "warning: " + f.text() + "\n";
        return all;
    }
    [[nodiscard]] system::MoleculeType const& type(std::size_t index = 0) const { return topology.types.at(index); }
    /// Parameters of the given entry of a kind.
    [[nodiscard]] system::ParameterSet const& parameters(system::Kind kind, std::size_t entry = 0, std::size_t molecule = 0) const
    {
        return topology.parametersOf(kind).at(static_cast<std::size_t>(type(molecule).of(kind).parameters.at(entry)));
    }
};

inline Reading readText(std::string const& text, plan::Constraints constraints = plan::Constraints::none,
                        std::vector<std::string> const& defines = {})
{
    Reading out;
    TopologyRequest const request{"test.top", defines, {}, constraints, false};
    SourceText const source = preprocess({request.file, request.defines, request.includeDirs}, text, out.faults);
    out.topology = readTopology(source, request, out.faults);
    return out;
}

/// Parts of a small topology, of which a test changes one.
struct Parts {
    std::string defaults = "[ defaults ]\n1 2 yes 0.5 0.8333\n";
    std::string atomTypes = "[ atomtypes ]\nA 6 12.0 0.0 A 0.34 0.4\nB 8 16.0 0.0 A 0.30 0.7\n";
    std::string types; ///< further sections of the force field
    std::string moleculeType = "[ moleculetype ]\nMOL 3\n";
    std::string atoms = "[ atoms ]\n1 A 1 MOL C1 1 0.1 12.0\n2 A 1 MOL C2 1 -0.1 12.0\n3 B 1 MOL O3 1 0.2 16.0\n"
                        "4 B 1 MOL O4 1 -0.2 16.0\n5 A 1 MOL C5 1 0.0 12.0\n";
    std::string bonds = "[ bonds ]\n1 2 1 0.15 1000\n2 3 1 0.15 1000\n3 4 1 0.15 1000\n4 5 1 0.15 1000\n";
    std::string interactions; ///< further sections of the molecule
    std::string system = "[ system ]\nfive atoms\n[ molecules ]\nMOL 1\n";
    [[nodiscard]] std::string text() const { return defaults + atomTypes + types + moleculeType + atoms + bonds + interactions + system; }
};

/// The same with atom 5 a virtual site, without the bond to it.
inline Parts partsWithSite()
{
    Parts parts;
    parts.atoms = "[ atoms ]\n1 A 1 MOL C1 1 0.1 12.0\n2 A 1 MOL C2 1 -0.1 12.0\n3 B 1 MOL O3 1 0.2 16.0\n"
                  "4 B 1 MOL O4 1 -0.2 16.0\n5 A 1 MOL C5 1 0.0 0.0\n";
    parts.bonds = "[ bonds ]\n1 2 1 0.15 1000\n2 3 1 0.15 1000\n3 4 1 0.15 1000\n";
    return parts;
}

} // namespace alder::deck::test
