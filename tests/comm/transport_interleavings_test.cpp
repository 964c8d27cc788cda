// SPDX-License-Identifier: Apache-2.0
// The protocol of rings and staging memory under all interleavings of small
// cases. Parties are fibres that hand over before each access to shared memory;
// all schedules are tried, depth first. (Orders that a weakly ordered processor
// adds are for the thread sanitizer: see transport_threads_test.)
#include <gtest/gtest.h>
#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cartwright/comm/transport/direct_way.hpp>
#include <cartwright/comm/transport/doorbell.hpp>
#include <cartwright/comm/transport/ring.hpp>
#include <cartwright/comm/transport/staging.hpp>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::comm {
namespace {

/// A stack of its own. Changes are jumps: a context's own would ask the system for the mask of
/// signals each time.
struct Fibre {
  void prepare(void (*enter)()) {
    getcontext(&first_);
    first_.uc_stack.ss_sp = stack_.data();
    first_.uc_stack.ss_size = stack_.size();
    makecontext(&first_, enter, 0);
  }
  /// Until it pauses.
  void resume() {
    if (_setjmp(back_) != 0) return;
    if (!std::exchange(begun_, true)) setcontext(&first_);
    _longjmp(here_, 1);
  }
  void pause() {
    if (_setjmp(here_) == 0) _longjmp(back_, 1);
  }

  bool done = false;
  bool waits = false;

 private:
  ucontext_t first_{};
  jmp_buf here_{}, back_{};
  bool begun_ = false;
  std::array<char, 32 << 10> stack_;
};

/// Runs parties step by step, in an order that a list of choices tells.
class Stepper {
 public:
  using Party = std::function<void()>;

  explicit Stepper(std::vector<Party> parties) : parties_(std::move(parties)) {
    for (std::size_t i = 0; i < parties_.size(); ++i) {
      fibres_.emplace_back(std::make_unique_for_overwrite<Fibre>())->prepare(&Stepper::enter);
    }
  }

  [[nodiscard]] std::vector<int> runnable() const {
    std::vector<int> result;
    for (std::size_t i = 0; i < fibres_.size(); ++i)
      if (!fibres_[i]->done && !fibres_[i]->waits) result.push_back(static_cast<int>(i));
    return result;
  }
  [[nodiscard]] bool all_done() const {
    return std::ranges::all_of(fibres_, [](const auto& fibre) { return fibre->done; });
  }
  void step(int party) {
    current = this;
    running_ = static_cast<std::size_t>(party);
    fibres_[running_]->resume();
    current = nullptr;
  }

  // Called by the party that runs.
  void hand_over() { fibres_[running_]->pause(); }
  /// Nothing can change until somebody stores a word: not run before that, so
  /// that waiting in vain doesn't add interleavings.
  void wait_for_a_store() {
    fibres_[running_]->waits = true;
    hand_over();
  }
  /// For who looks at several words: one may have been stored after it was looked at.
  void wait_for_a_store(std::uint64_t stores_before) {
    if (stores_ == stores_before) wait_for_a_store();
  }
  [[nodiscard]] std::uint64_t stores() const { return stores_; }
  void stored() {
    ++stores_;
    for (const auto& fibre : fibres_) fibre->waits = false;
  }

  static inline Stepper* current = nullptr;

 private:
  static void enter() {
    Stepper& self = *current;
    const std::size_t party = self.running_;
    self.parties_[party]();
    self.fibres_[party]->done = true;
    self.stored();
    self.fibres_[party]->pause();
  }

  std::vector<Party> parties_;
  std::vector<std::unique_ptr<Fibre>> fibres_;
  std::size_t running_ = 0;
  std::uint64_t stores_ = 0;
};

/// Each word of data is an access of its own.
struct SteppedAccess {
  static std::uint64_t load(const std::uint64_t& word) {
    Stepper::current->hand_over();
    return word;
  }
  static void store(std::uint64_t& word, std::uint64_t value) {
    Stepper::current->hand_over();
    word = value;
    Stepper::current->stored();
  }
  // One access each: that is what makes them atomic.
  template <class Change>
  static std::uint64_t update(std::uint64_t& word, Change change) {
    Stepper::current->hand_over();
    const std::uint64_t before = word;
    word = change(before);
    Stepper::current->stored();
    return before;
  }
  static std::uint64_t fetch_add(std::uint64_t& word, std::uint64_t value) {
    return update(word, [&](std::uint64_t now) { return now + value; });
  }
  static std::uint64_t fetch_or(std::uint64_t& word, std::uint64_t bits) {
    return update(word, [&](std::uint64_t now) { return now | bits; });
  }
  static std::uint64_t exchange(std::uint64_t& word, std::uint64_t value) {
    return update(word, [&](std::uint64_t) { return value; });
  }
  static bool compare_exchange(std::uint64_t& word, std::uint64_t& expected,
                               std::uint64_t desired) {
    Stepper::current->hand_over();
    if (word != expected) {
      expected = word;
      return false;
    }
    word = desired;
    Stepper::current->stored();
    return true;
  }
  static void copy(std::byte* to, const std::byte* from, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; i += 8) {
      Stepper::current->hand_over();
      std::memcpy(to + i, from + i, std::min<std::size_t>(8, bytes - i));
    }
  }
};

/// Makes a fresh case and tells its fault once it has ended.
struct Case {
  std::vector<Stepper::Party> parties;
  std::function<std::string()> fault;
};

struct Outcome {
  long schedules = 0;
  std::string fault;
};

#if defined(__SANITIZE_ADDRESS__)
// A change of fibres takes many times as long there. What they look for shows in any schedule.
constexpr long kLimit = 20'000;
constexpr bool kTriesAll = false;
#else
constexpr long kLimit = 3'000'000;
constexpr bool kTriesAll = true;
#endif

/// All schedules of a case, or the first `limit` of them.
Outcome explore(const std::function<Case()>& make, long limit = kLimit) {
  struct Choice {
    int taken = 0;
    int of = 0;
  };
  Outcome outcome;
  std::vector<Choice> path;
  for (; outcome.schedules < limit; ++outcome.schedules) {
    Case now = make();
    Stepper stepper(std::move(now.parties));
    std::size_t depth = 0;
    for (std::vector<int> ready; !(ready = stepper.runnable()).empty(); ++depth) {
      if (depth == path.size()) path.push_back({0, static_cast<int>(ready.size())});
      stepper.step(ready[static_cast<std::size_t>(path[depth].taken)]);
    }
    outcome.fault = stepper.all_done() ? now.fault() : "all parties wait";
    if (!outcome.fault.empty()) return outcome;
    path.resize(depth);
    while (!path.empty() && ++path.back().taken == path.back().of) path.pop_back();
    if (path.empty()) {
      ++outcome.schedules;
      return outcome;
    }
  }
  if (kTriesAll) outcome.fault = "more schedules than the limit";
  return outcome;
}

using Writer = RingWriter<SteppedAccess>;
using Reader = RingReader<SteppedAccess>;

struct SharedRing {
  std::array<Entry, 4> entries{};
  SharedCounter taken;
};

/// A value in two words, so that a torn read shows.
struct Value {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};
Value value(std::uint64_t number) {
  return {number, ~number};
}
const std::byte* bytes_of(const Value& v) {
  return reinterpret_cast<const std::byte*>(&v);
}
/// Reads `bytes` of it: one word or both.
bool is_value(const std::byte* from, std::size_t bytes, std::uint64_t number) {
  Value v = value(number);
  SteppedAccess::copy(reinterpret_cast<std::byte*>(&v), from, bytes);
  return v.first == number && v.second == ~number;
}

Case ring_case(std::uint32_t size, int messages, std::size_t bytes) {
  struct State {
    SharedRing ring;
    int read_right = 0;
  };
  auto state = std::make_shared<State>();
  const auto writer = [=] {
    Writer out(state->ring.entries.data(), &state->ring.taken, size);
    for (int i = 0; i < messages; ++i) {
      while (!out.has_known_room()) {
        if (out.look() + size <= out.posted()) Stepper::current->wait_for_a_store();
      }
      const Value v = value(static_cast<std::uint64_t>(i));
      out.post({PieceKind::inside, true, static_cast<std::uint32_t>(bytes)}, bytes_of(v), bytes);
    }
  };
  const auto reader = [=] {
    Reader in(state->ring.entries.data(), &state->ring.taken, size);
    for (int i = 0; i < messages; ++i) {
      Piece piece;
      while (!in.peek(piece)) Stepper::current->wait_for_a_store();
      if (piece.length == bytes && is_value(in.data(), bytes, static_cast<std::uint64_t>(i)))
        ++state->read_right;
      in.pop();
    }
  };
  return {{writer, reader}, [=] {
            return state->read_right == messages ? std::string{} : "a message was read wrongly";
          }};
}

/// One thread that changes its stack, which the thread sanitizer doesn't follow: its own grows
/// until memory is full. The threads of transport_threads_test are for it.
class TransportInterleavings : public testing::Test {
#if defined(__SANITIZE_THREAD__)
  void SetUp() override {
    GTEST_SKIP();
  }
#endif
};

void expect_right(const std::function<Case()>& make, const std::string& what) {
  const Outcome outcome = explore(make);
  EXPECT_EQ(outcome.fault, "") << what;
  testing::Test::RecordProperty(what, std::to_string(outcome.schedules) + " schedules");
}

TEST_F(TransportInterleavings, RingOfOneEntry) {
  for (const int messages : {1, 2, 3})
    expect_right([&] { return ring_case(1, messages, 16); },
                 std::to_string(messages) + "_messages");
}

TEST_F(TransportInterleavings, RingOfTwoEntries) {
  for (const int messages : {2, 3})
    expect_right([&] { return ring_case(2, messages, 8); }, std::to_string(messages) + "_messages");
  expect_right([] { return ring_case(2, 2, 16); }, "messages_of_two_words");
}

/// A sender stages values in memory for one block; its receivers read them
/// there.
Case staged_case(int receivers, int messages, std::size_t bytes, bool reuses_too_early = false) {
  struct State {
    std::array<SharedRing, 2> rings{};
    std::array<Value, 4> staging{};
    std::array<int, 2> read_right{};
  };
  auto state = std::make_shared<State>();
  const auto sender = [=] {
    std::vector<Writer> out;
    for (int r = 0; r < receivers; ++r) {
      SharedRing& ring = state->rings[static_cast<std::size_t>(r)];
      out.emplace_back(ring.entries.data(), &ring.taken, 4U);
    }
    Staging staging(64);  // one block
    std::vector<std::vector<Staging::Block>> blocks(static_cast<std::size_t>(receivers));
    for (int i = 0; i < messages; ++i) {
      Staging::Block block = staging.allocate(bytes);
      while (block == Staging::none) {
        bool has_news = false;
        for (std::size_t r = 0; r < out.size(); ++r) {
          const std::uint64_t before = out[r].seen();
          const std::uint64_t now = out[r].look();
          has_news = has_news || now > before;
          for (std::uint64_t n = before; n < now; ++n) staging.drop_reader(blocks[r][n]);
        }
        if (reuses_too_early) staging = Staging(64);
        block = staging.allocate(bytes);
        if (block == Staging::none && !has_news) Stepper::current->wait_for_a_store();
      }
      const Value v = value(static_cast<std::uint64_t>(i));
      SteppedAccess::copy(
          reinterpret_cast<std::byte*>(state->staging.data()) + staging.offset(block), bytes_of(v),
          bytes);
      for (std::size_t r = 0; r < out.size(); ++r) {
        staging.add_reader(block);
        blocks[r].push_back(block);
        const std::uint64_t offset = staging.offset(block);
        out[r].post({PieceKind::staged, true, static_cast<std::uint32_t>(bytes)},
                    reinterpret_cast<const std::byte*>(&offset), sizeof offset);
      }
    }
  };
  std::vector<Stepper::Party> parties{sender};
  for (int r = 0; r < receivers; ++r)
    parties.emplace_back([=] {
      SharedRing& ring = state->rings[static_cast<std::size_t>(r)];
      Reader in(ring.entries.data(), &ring.taken, 4);
      for (int i = 0; i < messages; ++i) {
        Piece piece;
        while (!in.peek(piece)) Stepper::current->wait_for_a_store();
        std::uint64_t offset = 0;
        std::memcpy(&offset, in.data(),
                    sizeof offset);  // its word order is the ring's business
        const auto* const from = reinterpret_cast<const std::byte*>(state->staging.data()) + offset;
        if (is_value(from, bytes, static_cast<std::uint64_t>(i)))
          ++state->read_right[static_cast<std::size_t>(r)];
        in.pop();
      }
    });
  return {std::move(parties), [=] {
            for (int r = 0; r < receivers; ++r)
              if (state->read_right[static_cast<std::size_t>(r)] != messages)
                return "receiver " + std::to_string(r) + " has read what it must not";
            return std::string{};
          }};
}

TEST_F(TransportInterleavings, StagedMemoryIsReusedInTime) {
  for (const int messages : {1, 2, 3})
    expect_right([&] { return staged_case(1, messages, 16); },
                 std::to_string(messages) + "_messages");
}

TEST_F(TransportInterleavings, StagedMemoryIsSharedByTwoReceivers) {
  expect_right([] { return staged_case(2, 1, 8); }, "1_message");
}

/// Senders post into rings of their own, then ring. The receiver looks only at rings of senders
/// that have rung. `answers_late`: it looks first and clears the bell afterwards, which loses
/// messages.
Case doorbell_case(int senders, int messages, bool answers_late = false) {
  struct State {
    std::array<SharedRing, 2> rings{};
    std::array<std::uint64_t, 1> bell{};
    int read_right = 0;
  };
  auto state = std::make_shared<State>();
  std::vector<Stepper::Party> parties;
  for (int sender = 0; sender < senders; ++sender)
    parties.emplace_back([=] {
      SharedRing& ring = state->rings[static_cast<std::size_t>(sender)];
      Writer out(ring.entries.data(), &ring.taken, 4);
      const Doorbell<SteppedAccess> bell(state->bell);
      for (int i = 0; i < messages; ++i) {
        const Value v = value(static_cast<std::uint64_t>(i));
        out.post({PieceKind::inside, true, 8}, bytes_of(v), 8);
        bell.ring(sender);
      }
    });
  parties.emplace_back([=] {
    std::vector<Reader> in;
    for (SharedRing& ring : state->rings) in.emplace_back(ring.entries.data(), &ring.taken, 4U);
    std::array<std::uint64_t, 2> read{};
    const Doorbell<SteppedAccess> bell(state->bell);
    const auto look = [&](int sender) {
      const auto at = static_cast<std::size_t>(sender);
      for (Piece piece; in[at].peek(piece); in[at].pop())
        state->read_right += is_value(in[at].data(), 8, read[at]++) ? 1 : 0;
    };
    while (state->read_right < senders * messages) {
      const int before = state->read_right;
      if (answers_late) {
        for (int sender = 0; sender < senders; ++sender)
          if ((state->bell[0] >> static_cast<unsigned>(sender) & 1U) != 0) look(sender);
        bell.answer([](int) {});
      } else {
        bell.answer(look);
      }
      if (state->read_right == before) Stepper::current->wait_for_a_store();
    }
  });
  return {std::move(parties), [=] {
            return state->read_right == senders * messages ? std::string{}
                                                           : "a message was not noticed";
          }};
}

TEST_F(TransportInterleavings, DoorbellMissesNothing) {
  for (const int messages : {1, 2})
    expect_right([&] { return doorbell_case(1, messages); },
                 std::to_string(messages) + "_messages");
  expect_right([] { return doorbell_case(2, 1); }, "of_two_senders");
}

/// Two ranks with a value each and a ghost of the other's: in each exchange, whoever comes to a
/// copy first makes it. Values change as soon as an exchange has ended.
Case direct_case(std::uint64_t exchanges, bool owner_waits = true) {
  using Way = DirectWay<SteppedAccess>;
  struct Rank {
    std::uint64_t value = 0, ghost = 0;
    std::array<std::uint64_t, 2> begun{};
    Way in;
  };
  struct State {
    std::array<Rank, 2> ranks;
    std::uint64_t read_right = 0;
  };
  auto state = std::make_shared<State>();
  const auto copy = [](const Rank& from, Rank& to) {
    SteppedAccess::copy(reinterpret_cast<std::byte*>(&to.ghost),
                        reinterpret_cast<const std::byte*>(&from.value), 8);
  };
  const auto rank = [=](std::size_t me) {
    Rank &mine = state->ranks[me], &theirs = state->ranks[1 - me];
    for (std::uint64_t k = 1; k <= exchanges; ++k) {
      mine.value = 10 * k + me;
      SteppedAccess::store(mine.begun[k % 2], k);
      const auto move = [&](Way& way, const Rank& from, Rank& to) {
        if (way.claim(k)) {
          copy(from, to);
          way.finish(k);
        }
        return way.is_done(k);
      };
      bool is_taken = false, is_given = !owner_waits;
      while (!is_taken || !is_given) {
        const std::uint64_t before = Stepper::current->stores();
        const bool is_ready = SteppedAccess::load(theirs.begun[k % 2]) == k;
        if (is_ready && !is_taken) is_taken = move(mine.in, theirs, mine);
        if (is_ready && !is_given) is_given = move(theirs.in, mine, theirs);
        if (!is_taken || !is_given) Stepper::current->wait_for_a_store(before);
      }
      if (mine.ghost == 10 * k + 1 - me) ++state->read_right;
    }
  };
  return {{[=] { rank(0); }, [=] { rank(1); }},
          [=] { return state->read_right == 2 * exchanges ? std::string{} : "a ghost is wrong"; }};
}

TEST_F(TransportInterleavings, CopiesBetweenMemoriesAreMadeOnceAndInTime) {
  expect_right([] { return direct_case(1); }, "one_exchange");
  const Outcome several = explore([] { return direct_case(3); }, 30'000);
  EXPECT_TRUE(several.fault.empty() || several.fault == "more schedules than the limit")
      << several.fault;
}

/// Parties add to one word: by fetch_add, by compare_exchange, or by a load and a store.
enum class Adds { at_once, by_exchange, in_two_steps };
Case sum_case(int parties, int times, Adds how) {
  auto word = std::make_shared<std::uint64_t>(0);
  const auto add = [=] {
    for (int i = 0; i < times; ++i) {
      if (how == Adds::at_once) {
        (void)SteppedAccess::fetch_add(*word, 1);
      } else if (how == Adds::by_exchange) {
        std::uint64_t now = SteppedAccess::load(*word);
        while (!SteppedAccess::compare_exchange(*word, now, now + 1)) {
        }
      } else {
        SteppedAccess::store(*word, SteppedAccess::load(*word) + 1);
      }
    }
  };
  return {std::vector<Stepper::Party>(static_cast<std::size_t>(parties), add), [=] {
            return *word == static_cast<std::uint64_t>(parties * times) ? std::string{}
                                                                        : "an addition was lost";
          }};
}

TEST_F(TransportInterleavings, WordsAreChangedInOneGo) {
  for (const Adds how : {Adds::at_once, Adds::by_exchange}) {
    expect_right([&] { return sum_case(2, 3, how); }, "two_parties");
    expect_right([&] { return sum_case(3, 1, how); }, "three_parties");
  }
}

// The explorer must find what is wrong.
TEST_F(TransportInterleavings, LostAdditionsAndBellsAreFound) {
  EXPECT_EQ(explore([] { return sum_case(2, 1, Adds::in_two_steps); }, 1'000'000).fault,
            "an addition was lost");
  EXPECT_EQ(explore([] { return doorbell_case(1, 1, true); }, 1'000'000).fault, "all parties wait");
}

TEST_F(TransportInterleavings, OwnersThatDontWaitForTheirReadersAreFound) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP();
#endif
  EXPECT_EQ(explore([] { return direct_case(2, false); }, 1'000'000).fault, "a ghost is wrong");
}

TEST_F(TransportInterleavings, EarlyReuseIsFound) {
  const Outcome outcome = explore([] { return staged_case(1, 2, 16, true); });
  EXPECT_EQ(outcome.fault, "receiver 0 has read what it must not");
}

}  // namespace
}  // namespace cartwright::comm
