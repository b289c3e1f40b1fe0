#include "base/error.hpp"

#include <gtest/gtest.h>

namespace alder::base {
namespace {

TEST(Fault, IsPrintedWithFileAndLine)
{
    EXPECT_EQ((Fault{{"run.mdp", 7}, "no such key", "write nsteps"}.text()), "run.mdp:7: no such key; write nsteps");
    EXPECT_EQ((Fault{{"run.mdp", 0}, "cannot be read", ""}.text()), "run.mdp: cannot be read");
    EXPECT_EQ((Fault{{}, "-simd foo is no level", "write avx2"}.text()), "command line: -simd foo is no level; write avx2");
}

TEST(FaultList, ThrowsAllFaultsAtOnce)
{
    FaultList faults;
    faults.warn({"a.mdp", 1}, "odd", "");
    EXPECT_NO_THROW(faults.throwIfAny());
    faults.refuse({"a.mdp", 2}, "first", "x");
    faults.refuse({"b.top", 3}, "second", "y");
    try {
        faults.throwIfAny();
        FAIL() << "nothing was thrown";
    } catch (InputRefused const& refused) {
        EXPECT_EQ(refused.faults().size(), 2U);
        EXPECT_STREQ(refused.what(), "a.mdp:2: first; x\nb.top:3: second; y");
    }
}

} // namespace
} // namespace alder::base
