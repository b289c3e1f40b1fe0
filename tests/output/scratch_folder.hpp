#pragma once
// A folder of a test's own, gone at its end.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

namespace alder::test {

class ScratchFolder : public ::testing::Test {
protected:
    ScratchFolder()
    {
        auto const* info = ::testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() /
                  (std::string("alder-") + info->test_suite_name() + "-" + info->name() + "-" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder_);
    }
    ~ScratchFolder() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] std::string at(std::string const& name) const { return (folder_ / name).string(); }
    static std::string read(std::string const& path)
    {
        std::ifstream in(path, std::ios::binary);
        std::stringstream text;
        text << in.rdbuf();
        return text.str();
    }
    static void write(std::string const& path, std::string const& text) { std::ofstream(path, std::ios::binary) << text; }

private:
    std::filesystem::path folder_;
};

} // namespace alder::test
