// SPDX-License-Identifier: Apache-2.0
// Collectives of more than 2^31 elements on 2 ranks: every byte of every result is looked at. Takes
// minutes, and 13 GiB in all.
#include <gtest/gtest.h>
#include <mpi.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cartwright/comm/collectives.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <span>
#include <string>

namespace cartwright::comm {
namespace {

constexpr plan::Count n = (plan::Count{1} << 31) + 17;
constexpr std::size_t bytes = n;
constexpr int ranks = 2;
using Byte = std::uint8_t;

/// Bytes that tell who gave them, and where they stood: a few at a time.
class Pattern {
 public:
  static constexpr std::size_t chunk = 4096;
  using Chunk = std::array<Byte, chunk>;

  explicit Pattern(int number) : seed_(0xD1B54A32D192ED03U * static_cast<unsigned>(number + 1)) {}
  /// Those from `first` on, which is a multiple of `chunk`.
  [[nodiscard]] Chunk at(std::size_t first) const {
    std::array<std::uint64_t, chunk / 8> words{};
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::uint64_t word = (first / 8 + i + seed_) * 0x9E3779B97F4A7C15U;
      words[i] = word ^ (word >> 29U);
    }
    Chunk bytes_of_words;
    std::memcpy(bytes_of_words.data(), words.data(), chunk);
    return bytes_of_words;
  }
  void fill(std::span<Byte> block) const {
    for (std::size_t first = 0; first < block.size(); first += chunk) {
      const Chunk part = at(first);
      std::copy_n(part.begin(), std::min(chunk, block.size() - first),
                  block.begin() + static_cast<std::ptrdiff_t>(first));
    }
  }

 private:
  std::uint64_t seed_;
};

/// The greater ones of two patterns.
class Greatest {
 public:
  Greatest(Pattern a, Pattern b) : a_(a), b_(b) {}
  [[nodiscard]] Pattern::Chunk at(std::size_t first) const {
    Pattern::Chunk greatest = a_.at(first);
    const Pattern::Chunk other = b_.at(first);
    for (std::size_t i = 0; i < greatest.size(); ++i) greatest[i] = std::max(greatest[i], other[i]);
    return greatest;
  }

 private:
  Pattern a_, b_;
};

/// Where a block first differs from what it should be; its length if nowhere.
template <class Expected>
std::size_t first_fault(std::span<const Byte> block, const Expected& expected) {
  for (std::size_t first = 0; first < block.size(); first += Pattern::chunk) {
    const Pattern::Chunk part = expected.at(first);
    const std::size_t length = std::min(Pattern::chunk, block.size() - first);
    if (std::memcmp(part.data(), block.data() + first, length) == 0) continue;
    std::size_t at = 0;
    while (part[at] == block[first + at]) ++at;
    return first + at;
  }
  return block.size();
}

/// Room for two large blocks: as little as will do, the same for all tests.
std::span<Byte> memory() {
  static const auto all = std::make_unique_for_overwrite<Byte[]>(2 * bytes);
  return {all.get(), 2 * bytes};
}

double gibibytes_available() {
  std::ifstream info("/proc/meminfo");
  for (std::string line; std::getline(info, line);) {
    double kibibytes = 0;
    if (std::sscanf(line.c_str(), "MemAvailable: %lf", &kibibytes) == 1)
      return kibibytes / (1 << 20);
  }
  return 0;
}

/// Before anything of it was taken.
bool is_there_enough(const Collectives& collectives) {
  static const bool is_enough =
      collectives.broadcast(gibibytes_available() > 14 ? 1 : 0, rt::Rank{0}) == 1;
  return is_enough;
}

class LargeCounts : public ::testing::TestWithParam<const char*> {
 protected:
  LargeCounts() : comm_(rt::Communicator::duplicate(MPI_COMM_WORLD)), me(comm_.rank().value) {}

  void SetUp() override {
    if (comm_.size() != ranks) GTEST_SKIP() << "is for 2 ranks";
    engine_.set_oversubscribed(true);
    Context options{.settings = {.backend = known_backend(GetParam())}};
    const mapping::Topology topology = mapping::discover(comm_);
    options.nodes = NodeView::of(comm_, topology);
    options.memory = std::make_shared<NodeMemory>(comm_, topology);
    // One for each test: what it keeps ready for the next call may be large.
    collectives_ = std::make_unique<Collectives>(comm_, engine_, std::move(options));
    if (!is_there_enough(c())) GTEST_SKIP() << "needs 14 GiB";
  }
  [[nodiscard]] const Collectives& c() const { return *collectives_; }
  [[nodiscard]] int other() const { return 1 - me; }
  static std::span<Byte> low() { return memory().first(bytes); }
  static std::span<Byte> high() { return memory().last(bytes); }
  /// Forgets what an earlier test has left.
  static void clear(std::span<Byte> block) { std::fill(block.begin(), block.end(), Byte{0}); }

  template <class Call>
  void timed(Call&& call) {
    comm_.barrier();
    const auto begin = std::chrono::steady_clock::now();
    call();
    comm_.barrier();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    if (me == 0)
      std::printf("  %s: %.2f s; rank 0 has had at most %.2f GiB\n", GetParam(), took.count(),
                  static_cast<double>(usage.ru_maxrss) / (1 << 20));
  }
  template <class Expected>
  static void expect(std::span<const Byte> block, const Expected& expected) {
    EXPECT_EQ(first_fault(block, expected), block.size());
  }

  rt::Communicator comm_;
  rt::ProgressEngine engine_;
  std::unique_ptr<Collectives> collectives_;
  const int me;
};

// Of patterns, 0 and 1 are those that ranks 0 and 1 give.

TEST_P(LargeCounts, Broadcast) {
  me == 1 ? Pattern(1).fill(low()) : clear(low());
  timed([&] { c().broadcast(low(), rt::Rank{1}); });
  expect(low(), Pattern(1));
}

TEST_P(LargeCounts, BroadcastNonblocking) {
  me == 0 ? Pattern(0).fill(high()) : clear(high());
  timed([&] { c().start_broadcast(high(), rt::Rank{0}).wait(); });
  expect(high(), Pattern(0));
}

TEST_P(LargeCounts, Allreduce) {
  Pattern(me).fill(low());
  clear(high());
  timed([&] { c().allreduce(low(), high(), Operator::maximum); });
  expect(high(), Greatest(Pattern(0), Pattern(1)));
  expect(low(), Pattern(me));
}

TEST_P(LargeCounts, AllreduceInPlaceOfACallable) {
  Pattern(me).fill(low());
  const auto greater = commutative([](const Byte& a, const Byte& b) { return std::max(a, b); });
  timed([&] { c().allreduce(low(), greater); });
  expect(low(), Greatest(Pattern(0), Pattern(1)));
}

TEST_P(LargeCounts, Reduce) {
  Pattern(me).fill(low());
  clear(high());
  timed([&] { c().reduce(low(), high(), Operator::maximum, rt::Rank{1}); });
  if (me == 1) expect(high(), Greatest(Pattern(0), Pattern(1)));
  expect(low(), Pattern(me));
}

TEST_P(LargeCounts, Scan) {
  Pattern(me).fill(low());
  timed([&] { c().scan(low(), Operator::maximum); });
  if (me == 0) expect(low(), Pattern(0));
  if (me == 1) expect(low(), Greatest(Pattern(0), Pattern(1)));
}

TEST_P(LargeCounts, Exscan) {
  Pattern(me).fill(low());
  timed([&] { c().exscan(low(), Operator::maximum); });
  expect(low(), Pattern(0));
}

TEST_P(LargeCounts, ReduceScatter) {
  // Rank r's blocks: 2 r and 2 r + 1.
  Pattern(2 * me).fill(low());
  Pattern(2 * me + 1).fill(high());
  timed([&] { c().reduce_scatter(memory(), Operator::maximum); });
  expect(me == 0 ? low() : high(), Greatest(Pattern(me), Pattern(2 + me)));
}

TEST_P(LargeCounts, ReduceScatterOfBlocks) {
  const auto all = memory().first(bytes + 5);
  Pattern(2 * me).fill(all.first(5));
  Pattern(2 * me + 1).fill(all.last(bytes));
  timed([&] { c().reduce_scatter(all, Operator::maximum, Blocks({5, n})); });
  expect(me == 0 ? all.first(5) : all.last(bytes), Greatest(Pattern(me), Pattern(2 + me)));
}

TEST_P(LargeCounts, Gather) {
  clear(memory());
  Pattern(me).fill(me == 0 ? low() : high());
  timed([&] { c().gather(me == 0 ? memory() : high(), rt::Rank{0}); });
  if (me == 1) return;
  expect(low(), Pattern(0));
  expect(high(), Pattern(1));
}

TEST_P(LargeCounts, Scatter) {
  clear(memory());
  if (me == 0) Pattern(0).fill(low());
  if (me == 0) Pattern(1).fill(high());
  timed([&] { c().scatter(me == 0 ? memory() : low(), rt::Rank{0}); });
  expect(low(), Pattern(me));
}

TEST_P(LargeCounts, Allgather) {
  clear(memory());
  Pattern(me).fill(me == 0 ? low() : high());
  timed([&] { c().allgather(memory()); });
  expect(low(), Pattern(0));
  expect(high(), Pattern(1));
}

TEST_P(LargeCounts, Alltoall) {
  // Block b of rank a is 2 a + b; both together are large (what is sent is kept beside them).
  constexpr std::size_t half = bytes / 2 + 1;
  const auto all = memory().first(2 * half);
  Pattern(2 * me).fill(all.first(half));
  Pattern(2 * me + 1).fill(all.last(half));
  timed([&] { c().alltoall(all); });
  expect(all.first(half), Pattern(me));
  expect(all.last(half), Pattern(2 + me));
}

// Blocks of which one is large.

TEST_P(LargeCounts, GatherOfBlocks) {
  const auto all = memory().first(bytes + 3);
  clear(all);
  const auto mine = me == 0 ? all.first(3) : all.last(bytes);
  Pattern(me).fill(mine);
  timed([&] { c().gather(me == 0 ? all : mine, rt::Rank{0}, Blocks({3, n})); });
  if (me == 1) return;
  expect(all.first(3), Pattern(0));
  expect(all.last(bytes), Pattern(1));
}

TEST_P(LargeCounts, ScatterOfBlocks) {
  const auto all = memory().first(bytes + 3);
  clear(all);
  if (me == 0) Pattern(0).fill(all.first(3));
  if (me == 0) Pattern(1).fill(all.last(bytes));
  timed([&] { c().scatter(me == 0 ? all : low(), rt::Rank{0}, Blocks({3, n})); });
  expect(me == 0 ? all.first(3) : low(), Pattern(me));
}

TEST_P(LargeCounts, AllgatherOfBlocks) {
  const auto all = memory().first(bytes + 3);
  clear(all);
  Pattern(me).fill(me == 0 ? all.first(3) : all.last(bytes));
  timed([&] { c().allgather(all, Blocks({3, n})); });
  expect(all.first(3), Pattern(0));
  expect(all.last(bytes), Pattern(1));
}

TEST_P(LargeCounts, AlltoallOfBlocks) {
  // Rank 0 keeps 3 and sends n; rank 1 sends 7 and keeps 2.
  const Blocks sent = me == 0 ? Blocks({3, n}) : Blocks({7, 2});
  const Blocks received = me == 0 ? Blocks({3, 7}) : Blocks({n, 2});
  std::array<Byte, 10> few{};
  const auto large = memory().first(bytes + 3);
  clear(large);
  const std::span<Byte> small(few);
  const auto input = me == 0 ? large : small.first(9);
  const auto output = me == 0 ? small : large.first(bytes + 2);
  const auto first = static_cast<std::size_t>(sent.count(0));
  Pattern(2 * me).fill(input.first(first));
  Pattern(2 * me + 1).fill(input.subspan(first));
  timed([&] { c().alltoall(input, output, sent, received); });
  const auto from_first = static_cast<std::size_t>(received.count(0));
  expect(output.first(from_first), Pattern(me));
  expect(output.subspan(from_first), Pattern(2 + me));
}

TEST_P(LargeCounts, AllgatherUneven) {
  const auto mine = me == 0 ? memory().first(3) : low();
  Pattern(me).fill(mine);
  Collected<Byte> all;
  timed([&] { all = c().allgather_uneven(mine); });
  ASSERT_EQ(all.blocks.total(), n + 3);
  expect(all.of(0), Pattern(0));
  expect(all.of(1), Pattern(1));
}

INSTANTIATE_TEST_SUITE_P(, LargeCounts, ::testing::Values("native", "p2p", "shared", "rma", "auto"),
                         [](const auto& backend) { return std::string(backend.param); });

}  // namespace
}  // namespace cartwright::comm
