#include "base/digest.hpp"

#include <gtest/gtest.h>

namespace alder::base {
namespace {

TEST(Digest, MatchesThePublishedVectors) // FIPS 180-4 examples
{
    Digest empty;
    EXPECT_EQ(empty.hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    Digest abc;
    abc.add("a");
    abc.add("bc");
    EXPECT_EQ(abc.hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Digest, TakesArraysByTheirBytes)
{
    Digest array, bytes;
    std::vector<int> const values{1, -2, 3};
    array.addArray(values);
    bytes.add(values.data(), 12);
    EXPECT_EQ(array.hex(), bytes.hex());
}

} // namespace
} // namespace alder::base
