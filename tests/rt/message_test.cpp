// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cartwright/rt/byte_type.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/point_to_point.hpp>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::rt {
namespace {

class MessageTest : public testing::Test {
 protected:
  [[nodiscard]] Rank right() const { return {(comm_.rank().value + 1) % comm_.size()}; }
  [[nodiscard]] Rank left() const {
    return {(comm_.rank().value + comm_.size() - 1) % comm_.size()};
  }
  Communicator comm_ = Communicator::duplicate(MPI_COMM_WORLD);
};

TEST_F(MessageTest, GoAroundARingWithAnySize) {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{100'000}}) {
    std::vector<int> sent(size);
    std::iota(sent.begin(), sent.end(), comm_.rank().value);
    std::vector<int> received(size, -1);
    Message incoming = ireceive(comm_, std::span(received), left(), Tag{7});
    Message outgoing = isend(comm_, std::span(sent), right(), Tag{7});
    incoming.wait();
    outgoing.wait();
    std::vector<int> expected(size);
    std::iota(expected.begin(), expected.end(), left().value);
    EXPECT_EQ(received, expected);
    EXPECT_FALSE(incoming.is_valid());
  }
}

TEST_F(MessageTest, TestReportsCompletion) {
  int sent = 42;
  int received = 0;
  Message incoming = ireceive(comm_, std::span(&received, 1), left(), Tag{1});
  Message outgoing = isend(comm_, std::span(&sent, 1), right(), Tag{1});
  while (!incoming.test()) {
  }
  outgoing.wait();
  EXPECT_EQ(received, 42);
  EXPECT_TRUE(incoming.test()) << "complete stays complete";
}

TEST_F(MessageTest, NeverStartedIsComplete) {
  Message none;
  EXPECT_TRUE(none.test());
  none.wait();
  Message moved = std::move(none);
  EXPECT_FALSE(moved.is_valid());
}

TEST_F(MessageTest, PersistentMessagesCarryNewDataEachTime) {
  std::array<int, 3> sent{};
  std::array<int, 3> received{};
  Message incoming =
      persistent_receive(comm_, std::as_writable_bytes(std::span(received)), left(), Tag{3});
  Message outgoing = persistent_send(comm_, std::as_bytes(std::span(sent)), right(), Tag{3});
  EXPECT_TRUE(incoming.test()) << "not started yet";
  for (int round = 0; round < 20; ++round) {
    sent.fill(1000 * round + comm_.rank().value);
    incoming.start();
    outgoing.start();
    incoming.wait();
    outgoing.wait();
    EXPECT_EQ(received[2], 1000 * round + left().value);
    EXPECT_TRUE(incoming.is_valid());
  }
}

TEST_F(MessageTest, ErrorsOfMpiAreThrownWithPlaceAndReason) {
  int sent = 0;
  try {
    Message message = isend(comm_, std::span(&sent, 1), Rank{comm_.size()}, Tag{0});
    FAIL() << "a rank that doesn't exist was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::internal_failure);
    EXPECT_NE(std::string(error.what()).find("MPI_Isend"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("point_to_point.cpp"), std::string::npos);
  }
}

// Messages beyond 2 GiB, with a limit that needs no such memory.
TEST_F(MessageTest, LargeMessagesAreOneElementOfALargeType) {
  constexpr std::size_t limit = 16;
  for (const std::size_t size :
       {std::size_t{16}, std::size_t{17}, std::size_t{64}, std::size_t{1001}}) {
    const ByteType large(size, limit);
    EXPECT_EQ(large.count(), size > limit ? 1 : static_cast<int>(size));
    std::vector<unsigned char> sent(size);
    std::iota(sent.begin(), sent.end(), static_cast<unsigned char>(comm_.rank().value));
    std::vector<unsigned char> received(size);
    Message incoming = ireceive(comm_, std::span(received), left(), Tag{4});  // as plain bytes
    mpi_check(MPI_Send(sent.data(), large.count(), large.type(), right().value, 4, comm_.handle()),
              "MPI_Send");
    incoming.wait();
    EXPECT_EQ(received.back(), static_cast<unsigned char>(left().value + int(size) - 1));
  }
}

TEST(ByteType, CountsBeyondIntAreExact) {
  for (const std::size_t size :
       {std::size_t{1} << 31U, (std::size_t{1} << 31U) + 5, std::size_t{12'345'678'901}}) {
    const ByteType large(size);
    MPI_Count bytes = 0;
    MPI_Type_size_x(large.type(), &bytes);
    EXPECT_EQ(bytes * large.count(), static_cast<MPI_Count>(size));
    MPI_Count lower = 0;
    MPI_Count extent = 0;
    MPI_Type_get_extent_x(large.type(), &lower, &extent);
    EXPECT_EQ(lower, 0);
    EXPECT_EQ(extent, static_cast<MPI_Count>(size));
  }
}

TEST_F(MessageTest, SplitOrdersByKeyAndOmitsNegativeColors) {
  const int rank = comm_.rank().value;
  const Communicator reversed = comm_.split(0, -rank);
  EXPECT_EQ(reversed.rank().value, comm_.size() - 1 - rank);
  const Communicator odd = comm_.split(rank % 2 == 1 ? 0 : -1, 0);
  EXPECT_EQ(static_cast<bool>(odd), rank % 2 == 1);
  const Communicator node = comm_.split_shared_memory();
  EXPECT_EQ(node.size(), comm_.size()) << "the tests run on one node";
}

}  // namespace
}  // namespace cartwright::rt
