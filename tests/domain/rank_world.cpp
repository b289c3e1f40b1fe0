#include "rank_world.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>

namespace alder::domain::test {

namespace {
std::unique_ptr<World> onlyWorld;
} // namespace

World const& world() { return *onlyWorld; }

} // namespace alder::domain::test

/// All ranks run the same tests in the same order; the status tells whether any rank has failed one.
int main(int argc, char** argv)
{
    ::testing::InitGoogleTest(&argc, argv);
    alder::domain::test::onlyWorld = std::make_unique<alder::domain::World>();
    auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
    if (alder::domain::test::world().rank() > 0 && !::testing::GTEST_FLAG(list_tests)) {
        // Ranks other than the first say only what fails.
        class Failures : public ::testing::EmptyTestEventListener {
            void OnTestPartResult(::testing::TestPartResult const& result) override
            {
                if (!result.failed()) return;
                std::fprintf(stderr, "rank %d: %s:%d: %s\n", alder::domain::test::world().rank(), result.file_name(), result.line_number(),
                             result.message());
            }
        };
        delete listeners.Release(listeners.default_result_printer());
        listeners.Append(new Failures);
    }
    int const status = RUN_ALL_TESTS();
    alder::domain::test::onlyWorld.reset();
    return status;
}
