// What ranks say to each other arrives, whole and by rank; on one rank the same calls do nothing.

#include "rank_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace alder::domain {

namespace {

std::size_t indexOf(int rank) { return static_cast<std::size_t>(rank); }

/// What rank `from` sends to rank `to`: nothing at all to every third.
std::vector<std::int64_t> messageOf(int from, int to)
{
    if ((from + to) % 3 == 0) return {};
    std::vector<std::int64_t> values(static_cast<std::size_t>(10 * to + from + 1));
    std::iota(values.begin(), values.end(), 1000 * from + to);
    return values;
}

} // namespace

TEST(Communicator, AddsIntegers)
{
    Communicator ranks(test::world());
    std::int64_t const n = ranks.size(), r = ranks.rank();
    std::vector<std::int64_t> values{r + 1, -(std::int64_t{1} << 60) / n, 0};
    ranks.sum(values);
    EXPECT_EQ(values[0], n * (n + 1) / 2);
    EXPECT_EQ(values[1], -(std::int64_t{1} << 60) / n * n);
    EXPECT_EQ(values[2], 0);
}

TEST(Communicator, FindsTheLargest)
{
    Communicator ranks(test::world());
    EXPECT_EQ(ranks.largest(-ranks.rank() - 5), -5);
    std::vector<std::int64_t> values(indexOf(ranks.size()), -1);
    values[indexOf(ranks.rank())] = ranks.rank();
    ranks.largest(values);
    for (int r = 0; r < ranks.size(); ++r) EXPECT_EQ(values[indexOf(r)], r);
}

TEST(Communicator, BroadcastsWhatRankZeroHolds)
{
    Communicator ranks(test::world());
    for (std::size_t const size : {std::size_t{0}, std::size_t{1}, std::size_t{100'000}}) {
        std::vector<std::byte> bytes(ranks.first() ? size : 7, std::byte{1});
        if (ranks.first() && size > 0) bytes.back() = std::byte{42};
        ranks.broadcast(bytes);
        ASSERT_EQ(bytes.size(), size);
        if (size > 0) { EXPECT_EQ(bytes.back(), std::byte{42}); }
    }
}

TEST(Communicator, ExchangesWithEmptyParts)
{
    Communicator ranks(test::world());
    Traffic const before = ranks.traffic();
    std::vector<std::vector<std::int64_t>> sends;
    std::int64_t messages = 0;
    for (int to = 0; to < ranks.size(); ++to) {
        sends.push_back(messageOf(ranks.rank(), to));
        if (to != ranks.rank() && !sends.back().empty()) ++messages;
    }
    std::vector<std::vector<std::int64_t>> const received = ranks.exchange(sends);
    ASSERT_EQ(received.size(), indexOf(ranks.size()));
    for (int from = 0; from < ranks.size(); ++from) EXPECT_EQ(received[indexOf(from)], messageOf(from, ranks.rank())) << from;
    EXPECT_EQ((ranks.traffic() - before).messages, messages);
}

TEST(Communicator, ExchangesNothingAtAll)
{
    Communicator ranks(test::world());
    std::vector<std::vector<double>> const received = ranks.exchange(std::vector<std::vector<double>>(indexOf(ranks.size())));
    EXPECT_TRUE(std::all_of(received.begin(), received.end(), [](auto const& part) { return part.empty(); }));
}

TEST(Communicator, SendsAroundARingUnderSeveralTags)
{
    Communicator ranks(test::world());
    if (ranks.size() == 1) return;
    int const next = (ranks.rank() + 1) % ranks.size(), last = (ranks.rank() + ranks.size() - 1) % ranks.size();
    std::vector<int> const a(50'000, ranks.rank());
    std::vector<double> const b{0.5 * ranks.rank()};
    std::vector<int> gotA(a.size());
    std::vector<double> gotB(1);
    Pending pending;
    ranks.receive(last, Tag::forces, std::span<double>(gotB), pending); // asked for in another order than sent
    ranks.receive(last, Tag::positions, std::span<int>(gotA), pending);
    ranks.send(next, Tag::positions, std::span<int const>(a), pending);
    ranks.send(next, Tag::forces, std::span<double const>(b), pending);
    ranks.wait(pending);
    EXPECT_EQ(gotA, std::vector<int>(a.size(), last));
    EXPECT_EQ(gotB[0], 0.5 * last);
}

TEST(Communicator, ReceivesMessagesOfUnknownLength)
{
    Communicator ranks(test::world());
    Pending pending;
    std::vector<std::int64_t> const mine = messageOf(ranks.rank(), 0);
    if (!ranks.first()) ranks.send(0, Tag::gather, std::span<std::int64_t const>(mine), pending);
    for (int from = 1; ranks.first() && from < ranks.size(); ++from)
        EXPECT_EQ(ranks.receiveAny<std::int64_t>(from, Tag::gather), messageOf(from, 0));
    ranks.wait(pending);
}

TEST(Communicator, PartsTalkAmongThemselves)
{
    Communicator ranks(test::world());
    int const color = ranks.rank() % 2;
    Communicator part = ranks.part(color);
    EXPECT_EQ(part.size(), (ranks.size() + 1 - color) / 2);
    EXPECT_EQ(part.rank(), ranks.rank() / 2);
    std::vector<std::int64_t> values{ranks.rank()};
    part.sum(values);
    std::int64_t wanted = 0;
    for (int r = color; r < ranks.size(); r += 2) wanted += r;
    EXPECT_EQ(values[0], wanted);
    ranks.barrier();
}

} // namespace alder::domain
