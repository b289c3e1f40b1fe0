#pragma once
// A folder of its own for each test, and files in it.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace alder::test {

class ScratchFiles : public ::testing::Test {
protected:
    ScratchFiles()
    {
        std::string name = (std::filesystem::temp_directory_path() / "alder-accounting-XXXXXX").string();
        folder_ = mkdtemp(name.data());
    }
    ~ScratchFiles() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] std::filesystem::path at(std::string const& name) const { return folder_ / name; }
    std::filesystem::path write(std::string const& name, std::string const& text) const
    {
        std::ofstream(at(name), std::ios::binary) << text;
        return at(name);
    }
    [[nodiscard]] std::string read(std::string const& name) const
    {
        std::ifstream in(at(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

private:
    std::filesystem::path folder_;
};

} // namespace alder::test
