// SPDX-License-Identifier: Apache-2.0
// The watchers' messages, within one process.
#include "watch_link.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

namespace cartwright::rt {
namespace {

using Key = std::array<std::uint64_t, 2>;
constexpr Key ours{1, 2};

class WatchLinkTest : public testing::Test {
 protected:
  void SetUp() override {
    if (first_.address().port == 0) GTEST_SKIP() << "UDP is forbidden here";
    connect(ours, ours);
  }
  void connect(const Key& of_first, const Key& of_second) {
    first_.connect({first_.address(), second_.address()}, 0, of_first);
    second_.connect({first_.address(), second_.address()}, 1, of_second);
  }
  static WatchMessage saying(const std::string& text) {
    WatchMessage message;
    message.set_text(text);
    return message;
  }
  /// Messages within one machine are there at once, or soon.
  static std::optional<WatchMessage> await(WatchLink& link, double seconds = 5.0) {
    link.wait(-1, seconds);
    return link.receive();
  }
  /// All copies of a message: it went to every address.
  static void drain(WatchLink& link) {
    while (await(link, 0.1)) {
    }
  }

  WatchLink first_, second_;
};

TEST_F(WatchLinkTest, FindsTheWayThereAndBack) {
  second_.send(0, saying("hello"));
  const auto heard = await(first_);
  ASSERT_TRUE(heard);
  EXPECT_EQ(heard->said(), "hello");
  EXPECT_EQ(heard->from, 1);
  drain(first_);
  first_.send(1, saying("once"));
  ASSERT_TRUE(await(second_));
  EXPECT_FALSE(await(second_, 0.1))
      << "an answer goes where the question came from, and only there";
}

TEST_F(WatchLinkTest, LongTextsAreCut) {
  second_.send(0, saying(std::string(5000, 'x')));
  const auto heard = await(first_);
  ASSERT_TRUE(heard);
  EXPECT_EQ(heard->said(), std::string(heard->text.size() - 1, 'x'));
}

TEST_F(WatchLinkTest, OtherRunsAreNotHeard) {
  connect(ours, {1, 3});
  second_.send(0, saying("from another run"));
  EXPECT_FALSE(await(first_, 0.2));
}

TEST_F(WatchLinkTest, MessagesForOtherNodesAreNotHeard) {
  second_.connect({first_.address(), first_.address(), second_.address()}, 2, ours);
  second_.send(1, saying("for node 1, at the address of node 0"));
  EXPECT_FALSE(await(first_, 0.2));
}

TEST_F(WatchLinkTest, RubbishIsPassedOver) {
  const int stranger = ::socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  to.sin_port = first_.address().port;
  WatchMessage message = saying("numbers of nodes that don't exist");
  message.key = ours;
  for (const std::int32_t from : {-1, 2, 1 << 30}) {
    message.from = from;
    (void)::sendto(stranger, &message, sizeof message, 0, reinterpret_cast<sockaddr*>(&to),
                   sizeof to);
  }
  message.from = 1;
  message.kind = static_cast<WatchMessage::Kind>(77);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{5}, sizeof message - 1, sizeof message})
    (void)::sendto(stranger, &message, size, 0, reinterpret_cast<sockaddr*>(&to), sizeof to);
  ::close(stranger);
  second_.send(0, saying("good"));
  std::optional<WatchMessage> heard;
  for (int tries = 0; tries < 20 && !heard; ++tries) heard = await(first_, 0.5);
  ASSERT_TRUE(heard);
  EXPECT_EQ(heard->said(), "good");
}

TEST_F(WatchLinkTest, FilesDoWhereMessagesDont) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("watch_link_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  first_.use_directory(folder.string());
  second_.use_directory(folder.string());
  EXPECT_FALSE(first_.look(1));
  second_.leave(saying("by file"));
  const auto found = first_.look(1);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->said(), "by file");
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    std::ofstream(entry.path()) << "rubbish";
  EXPECT_FALSE(first_.look(1));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace cartwright::rt
