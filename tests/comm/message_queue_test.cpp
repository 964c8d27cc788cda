// SPDX-License-Identifier: Apache-2.0
// Members are threads that send each other messages of random lengths, through all small shapes of
// memory, with and without links in between. No MPI in here.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cartwright/comm/transport/message_queue.hpp>
#include <cartwright/comm/transport/thread_segment.hpp>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace cartwright::comm {
namespace {

struct Conversation {
  int members = 2;
  int messages = 40;  ///< that each member sends
  std::size_t longest = 3000;
  MailboxShape shape{};
  LinkSpeed speed{};
  std::uint64_t seed = 1;
};

/// The n-th message from one member to another, if there were so many: length and bytes follow from
/// the numbers.
std::vector<std::byte> message(const Conversation& setting, int from, int to,
                               std::uint64_t number) {
  std::mt19937_64 random(setting.seed * 1000 + static_cast<std::uint64_t>(from * 64 + to) +
                         (number << 20U));
  const std::size_t kind = random() % 4;
  const std::size_t most = kind == 0 ? 1 : kind == 1 ? Entry::capacity + 1 : setting.longest + 1;
  std::vector<std::byte> bytes(random() % most);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

std::vector<int> receivers_of(const Conversation& setting, int from) {
  std::mt19937_64 random(setting.seed + static_cast<std::uint64_t>(from));
  std::vector<int> to(static_cast<std::size_t>(setting.messages));
  for (int& member : to)
    member = static_cast<int>(random() % static_cast<std::uint64_t>(setting.members));
  return to;
}

/// One member's part: what it found wrong; empty: nothing.
std::string converse(const Conversation& setting, Mailboxes& mailboxes,
                     const std::atomic<bool>& stop) {
  const int me = mailboxes.me();
  MessageQueue queue(mailboxes);
  int expected = 0;
  for (int from = 0; from < setting.members; ++from)
    expected += static_cast<int>(std::ranges::count(receivers_of(setting, from), me));
  const std::vector<int> receivers = receivers_of(setting, me);
  struct Sent {
    int to;
    std::uint64_t number;
    std::vector<std::byte> data;
  };
  std::vector<std::unique_ptr<Sent>> sent;
  std::map<int, std::uint64_t> to_next, from_next;
  std::map<int, std::vector<std::byte>> coming;
  const auto all_left = [&] {
    return std::ranges::all_of(sent,
                               [&](const auto& s) { return queue.has_left(s->to, s->number); });
  };
  while (sent.size() < receivers.size() || expected > 0 || !all_left()) {
    if (stop) return "another member has failed";
    if (sent.size() < receivers.size()) {
      const int to = receivers[sent.size()];
      auto& next = *sent.emplace_back(
          std::make_unique<Sent>(Sent{to, 0, message(setting, me, to, to_next[to]++)}));
      next.number = queue.send(to, next.data);
    }
    queue.progress();
    const auto envelope = queue.next();
    if (!envelope) {
      std::this_thread::sleep_for(std::chrono::microseconds(1));  // members outnumber cores
      continue;
    }
    const auto wanted = message(setting, envelope->from, me, from_next[envelope->from]);
    if (envelope->bytes != wanted.size()) return "a message has another length";
    auto& buffer = coming[envelope->from];
    buffer.resize(envelope->bytes);
    if (!queue.take(*envelope, buffer)) continue;
    if (buffer != wanted) return "a message has other bytes";
    buffer.clear();
    ++from_next[envelope->from];
    --expected;
  }
  return queue.next() ? "a message too many" : "";
}

std::string run(const Conversation& setting) {
  ThreadSegment segment(setting.members, setting.shape.bytes_per_member());
  std::vector<Link::Time> ways(static_cast<std::size_t>(setting.members) * 2);
  std::vector<std::string> faults(static_cast<std::size_t>(setting.members));
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (int me = 0; me < setting.members; ++me)
    threads.emplace_back([&, me] {
      std::vector<Link> links;
      const auto way = [&](int member, int in) -> Link::Time& {
        return ways[static_cast<std::size_t>(member * 2 + in)];
      };
      for (int member = 0; setting.shape.has_links && member < setting.members; ++member)
        links.push_back(member == me ? Link() : Link(setting.speed, way(me, 0), way(member, 1)));
      Mailboxes mailboxes(segment.view(me), setting.shape, std::move(links));
      try {
        faults[static_cast<std::size_t>(me)] = converse(setting, mailboxes, stop);
      } catch (const std::exception& error) {
        faults[static_cast<std::size_t>(me)] = error.what();
      }
      if (!faults[static_cast<std::size_t>(me)].empty()) stop = true;
    });
  for (std::thread& thread : threads) thread.join();
  const auto fault = std::ranges::find_if(faults, [](const auto& text) { return !text.empty(); });
  return fault == faults.end() ? std::string{} : *fault;
}

Conversation random_setting(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Conversation setting;
  setting.seed = seed;
  setting.members = 1 + static_cast<int>(random() % 5);
  MailboxShape& shape = setting.shape;
  shape.members = setting.members;
  shape.lanes = 1;
  shape.entries = 1U << random() % 3;
  shape.fragment = 64 + random() % 400;
  shape.staging = 64 * (1 + random() % 12);
  shape.slot = 64 * (1 + random() % 4);
  shape.has_links = random() % 2 == 0;
  setting.speed = {20e-6, random() % 2 == 0 ? 0 : 1e9};
  return setting;
}

TEST(MessageQueue, RandomMessagesOfUnknownLength) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Conversation setting = random_setting(seed);
    ASSERT_EQ(run(setting), "") << "seed " << seed << ", " << setting.members << " members, "
                                << setting.shape.entries << " entries"
                                << (setting.shape.has_links ? ", links" : "");
  }
}

TEST(MessageQueue, MembersBeyondOneWordOfTheBell) {
  Conversation setting{.members = 70, .messages = 3, .longest = 200};
  setting.shape = {.members = 70, .lanes = 1, .entries = 2, .staging = 256, .slot = 64};
  setting.shape.fragment = 128;
  EXPECT_EQ(run(setting), "");
}

TEST(MessageQueue, SlowSenderKeepsNobodyWaiting) {
  const MailboxShape shape{.members = 3, .lanes = 1, .entries = 2, .staging = 64, .slot = 64};
  ThreadSegment segment(3, shape.bytes_per_member());
  Mailboxes slow_boxes(segment.view(0), shape), quick_boxes(segment.view(1), shape),
      reader_boxes(segment.view(2), shape);
  MessageQueue slow(slow_boxes), quick(quick_boxes), reader(reader_boxes);
  const std::vector<std::byte> longer(1000), shorter(5);
  (void)slow.send(2, longer);  // as much as there is room for; then it computes
  std::vector<std::byte> buffer(1000);
  const auto first = reader.next();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->bytes, 1000U);
  EXPECT_FALSE(reader.take(*first, buffer));
  const std::uint64_t number = quick.send(2, shorter);
  EXPECT_TRUE(quick.has_left(2, number));
  const auto second = reader.next();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->from, 1);
  EXPECT_TRUE(reader.take(*second, buffer));
  EXPECT_ANY_THROW((void)reader.take(*second, buffer));  // there is no other one
}

/// What lies between two members, and how long a message took at least.
TEST(MessageQueue, LinksTakeTheirTime) {
  const MailboxShape shape{.members = 2, .lanes = 1, .has_links = true};
  ThreadSegment segment(2, shape.bytes_per_member());
  std::array<Link::Time, 2> ways{};
  const LinkSpeed speed{.latency = 20e-3, .bandwidth = 10e6};
  Mailboxes sender_boxes(segment.view(0), shape, {Link(), Link(speed, ways[0], ways[1])});
  Mailboxes receiver_boxes(segment.view(1), shape, {Link(speed, ways[1], ways[0]), Link()});
  MessageQueue sender(sender_boxes), receiver(receiver_boxes);
  const auto begin = Link::now();
  const std::vector<std::byte> data(200'000), mine(8);
  const std::uint64_t number = sender.send(1, data);
  (void)sender.send(0, mine);
  EXPECT_TRUE(sender.next()) << "what goes to oneself crosses no link";
  EXPECT_FALSE(receiver.next()) << "before the latency has passed";
  std::vector<std::byte> into(data.size());
  for (bool done = false; !done;) {
    sender.progress();
    const auto message = receiver.next();
    done = message && receiver.take(*message, into);
  }
  EXPECT_TRUE(sender.has_left(1, number));
  EXPECT_GE(static_cast<double>(Link::now() - begin) * 1e-9, 20e-3 + 200'000 / 10e6);
}

}  // namespace
}  // namespace cartwright::comm
