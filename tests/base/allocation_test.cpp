#include "base/allocation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <unistd.h>

namespace alder::base {
namespace {

namespace fs = std::filesystem;

/// A made-up system: files under a folder of its own, and an environment.
class AllocationTest : public testing::Test {
protected:
    void SetUp() override
    {
        std::string name = (fs::temp_directory_path() / "alder-allocation-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        root_ = name;
    }
    void TearDown() override { fs::remove_all(root_); }

    void write(fs::path const& file, std::string const& text)
    {
        fs::create_directories((root_ / file).parent_path());
        std::ofstream(root_ / file) << text;
    }
    /// Version 2 alone, the process in /slurm/job_7/step_0.
    void version2(std::string const& top = "/")
    {
        write("proc/self/cgroup", "0::/slurm/job_7/step_0\n");
        write("proc/self/mountinfo",
              "22 1 0:20 / /proc rw - proc proc rw\n31 23 0:28 " + top + " /sys/fs/cgroup rw,relatime shared:9 - cgroup2 cgroup2 rw\n");
    }
    Allocation read()
    {
        auto const lookUp = [&](char const* name) -> char const* {
            auto const found = environment_.find(name);
            return found == environment_.end() ? nullptr : found->second.c_str();
        };
        return readAllocation({lookUp, root_});
    }

    fs::path root_;
    std::map<std::string, std::string> environment_;
};

TEST_F(AllocationTest, IsEmptyWhereNothingIsTold)
{
    Allocation const allocation = read();
    EXPECT_TRUE(allocation.facts().empty());
    EXPECT_EQ(allocation.threads(7, 3), 7);
}

TEST_F(AllocationTest, ReadsSlurmsVariablesOfAJobAlone)
{
    environment_ = {{"SLURM_CPUS_PER_TASK", "3"}, {"SLURM_JOB_NAME", "md"}};
    EXPECT_TRUE(read().facts().empty());
    environment_["SLURM_JOB_ID"] = "4711";
    environment_["SLURM_JOB_ACCOUNT"] = "folding";
    Allocation const allocation = read();
    EXPECT_THAT(allocation.facts(),
                testing::ElementsAre(testing::Pair("Slurm job", "4711"), testing::Pair("job name", "md"),
                                     testing::Pair("job account", "folding"), testing::Pair("processors per task", "3")));
    EXPECT_EQ(allocation.threads(8, 1), 3);
    EXPECT_EQ(allocation.threads(2, 1), 2);
}

TEST_F(AllocationTest, LeavesOutWhatIsNoNumber)
{
    environment_["SLURM_JOB_ID"] = "4711";
    for (char const* odd : {"", "0", "-2", "4x", " 4", "99999999999"}) {
        environment_["SLURM_CPUS_PER_TASK"] = odd;
        EXPECT_FALSE(read().processorsPerTask) << odd;
    }
}

TEST_F(AllocationTest, TakesTheTightestLimitOfTheGroupsAboveInVersion2)
{
    version2();
    write("sys/fs/cgroup/slurm/job_7/step_0/memory.max", "max\n");
    write("sys/fs/cgroup/slurm/job_7/memory.max", "4294967296\n");
    write("sys/fs/cgroup/slurm/memory.max", "17179869184\n");
    write("sys/fs/cgroup/slurm/job_7/step_0/cpu.max", "max 100000\n");
    write("sys/fs/cgroup/slurm/job_7/cpu.max", "250000 100000\n");
    write("sys/fs/cgroup/slurm/cpu.max", "800000 100000\n");
    Allocation const allocation = read();
    EXPECT_EQ(allocation.memory, std::uint64_t{4294967296});
    EXPECT_EQ(allocation.quota, 2.5);
    EXPECT_THAT(allocation.facts(),
                testing::ElementsAre(testing::Pair("processor quota", "2.5"), testing::Pair("memory limit", "4.00 GiB")));
}

TEST_F(AllocationTest, FindsAContainersOwnGroupWhereTheTopWouldBe)
{
    version2("/slurm/job_7");
    write("sys/fs/cgroup/cpu.max", "150000 100000\n");
    write("sys/fs/cgroup/step_0/memory.max", "1073741824\n");
    EXPECT_EQ(read().quota, 1.5);
    EXPECT_EQ(read().memory, std::uint64_t{1073741824});
    version2("/../..");
    EXPECT_EQ(read().quota, 1.5);
}

TEST_F(AllocationTest, ReadsVersion1)
{
    write("proc/self/cgroup", "9:name=systemd:/\n4:memory:/job\n2:cpu,cpuacct:/docker/abc\n1:cpuset:/\n");
    write("proc/self/mountinfo", "32 31 0:29 /docker/abc /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
                                 "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
    write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "350000\n");
    write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "2147483648\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    EXPECT_EQ(read().quota, 3.5);
    EXPECT_EQ(read().memory, std::uint64_t{2147483648});
    write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
    EXPECT_TRUE(read().facts().empty());
}

TEST(Allocation, RoundsAQuotaUpAndSharesItAmongTheRanksOfAHost)
{
    Allocation allocation;
    allocation.quota = 2.5;
    EXPECT_EQ(allocation.threads(8, 1), 3);
    EXPECT_EQ(allocation.threads(8, 2), 2);
    EXPECT_EQ(allocation.threads(8, 10), 1);
    EXPECT_EQ(allocation.threads(2, 1), 2);
    allocation.quota = 2;
    EXPECT_EQ(allocation.threads(8, 1), 2);
    allocation.processorsPerTask = 1;
    EXPECT_EQ(allocation.threads(8, 1), 1);
}

} // namespace
} // namespace alder::base
