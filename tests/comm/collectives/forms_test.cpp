// SPDX-License-Identifier: Apache-2.0
// Every form of every collective, as a caller writes it.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cartwright/comm/collectives.hpp>
#include <cartwright/mapping/machine/topology.hpp>
#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "../imagined_device.hpp"

namespace cartwright::comm {
namespace {

/// (backend, checked)
using Option = std::tuple<std::string, bool>;

/// All ranks, talking through one of the backends.
class Talkers {
 public:
  explicit Talkers(const Option& option)
      : comm_(rt::Communicator::duplicate(MPI_COMM_WORLD)),
        collectives_(comm_, engine_, options(comm_, option)) {
    engine_.set_oversubscribed(true);
  }
  [[nodiscard]] const Collectives& collectives() const { return collectives_; }

 private:
  [[nodiscard]] static Context options(const rt::Communicator& comm, const Option& option) {
    const auto& [backend, checked] = option;
    Context options{.settings = {.backend = known_backend(backend), .checked = checked}};
    const mapping::Topology topology = mapping::discover(comm);
    options.nodes = NodeView::of(comm, topology);
    options.memory = std::make_shared<NodeMemory>(comm, topology);
    if (checked) options.settings.time_limit = std::chrono::seconds(60);
    return options;
  }

  rt::Communicator comm_;
  rt::ProgressEngine engine_;
  Collectives collectives_;
};

class CollectiveForms : public ::testing::TestWithParam<Option> {
 protected:
  CollectiveForms()
      : c(talkers(GetParam())), me(c.communicator().rank().value), p(c.communicator().size()) {}
  static void TearDownTestSuite() { made().clear(); }

  /// The first rank and one in the middle.
  [[nodiscard]] std::set<int> roots() const { return {0, p / 2}; }
  /// Three numbers of a rank.
  [[nodiscard]] static std::vector<int> of(int rank) {
    return {10 * rank + 1, 10 * rank + 2, 10 * rank + 3};
  }
  /// Those of all ranks.
  [[nodiscard]] std::vector<int> of_all() const {
    std::vector<int> all;
    for (int rank = 0; rank < p; ++rank) {
      const auto one = of(rank);
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }
  [[nodiscard]] static std::vector<int> sum_of_first(int ranks) {
    std::vector<int> sum(3, 0);
    for (int rank = 0; rank < ranks; ++rank) {
      for (std::size_t i = 0; i < 3; ++i) sum[i] += of(rank)[i];
    }
    return sum;
  }
  [[nodiscard]] bool is(rt::Rank rank) const { return rank.value == me; }

  const Collectives& c;
  const int me;
  const int p;

 private:
  // Made once for each option: that takes longer than all collectives.
  static std::map<Option, std::unique_ptr<Talkers>>& made() {
    static std::map<Option, std::unique_ptr<Talkers>> all;
    return all;
  }
  static const Collectives& talkers(const Option& option) {
    auto& known = made()[option];
    if (!known) known = std::make_unique<Talkers>(option);
    return known->collectives();
  }
};

/// Blocking, nonblocking and three starts of a persistent one must do the same.
template <class Run, class Start, class Prepare, class Prime, class Check>
void three_forms(Run&& run, Start&& start, Prepare&& prepare, Prime&& prime, Check&& check) {
  prime();
  run();
  check();
  prime();
  start().wait();
  check();
  prime();
  Persistent persistent = prepare();
  for (int i = 0; i < 3; ++i) {
    prime();
    persistent.start();
    persistent.wait();
    EXPECT_TRUE(persistent.test());
    check();
  }
}

TEST_P(CollectiveForms, BarrierAndSingleValues) {
  three_forms([&] { c.barrier(); }, [&] { return c.start_barrier(); },
              [&] { return c.prepare_barrier(); }, [] {}, [] {});
  EXPECT_EQ(c.broadcast(me == p - 1 ? 42 : 0, rt::Rank{p - 1}), 42);
  EXPECT_EQ(c.allreduce(me + 1, Operator::sum), p * (p + 1) / 2);
}

TEST_P(CollectiveForms, Broadcast) {
  for (const int r : roots()) {
    const rt::Rank root{r};
    std::vector<int> data(3);
    three_forms([&] { c.broadcast(data, root); }, [&] { return c.start_broadcast(data, root); },
                [&] { return c.prepare_broadcast(data, root); },
                [&] {
                  const auto now = is(root) ? of(7) : std::vector<int>(3, 0);
                  std::copy(now.begin(), now.end(), data.begin());
                },
                [&] { EXPECT_EQ(data, of(7)); });
  }
}

TEST_P(CollectiveForms, Reduce) {
  for (const int r : roots()) {
    const rt::Rank root{r};
    const auto mine = of(me);
    std::vector<int> result;
    three_forms([&] { c.reduce(mine, result, Operator::sum, root); },
                [&] { return c.start_reduce(mine, result, Operator::sum, root); },
                [&] { return c.prepare_reduce(mine, result, Operator::sum, root); },
                [&] { result.assign(is(root) ? 3 : 0, -1); },
                [&] {
                  if (is(root)) {
                    EXPECT_EQ(result, sum_of_first(p));
                  }
                });
    three_forms([&] { c.reduce(result, Operator::sum, root); },
                [&] { return c.start_reduce(result, Operator::sum, root); },
                [&] { return c.prepare_reduce(result, Operator::sum, root); },
                [&] {
                  // Same address each time: persistent ones keep it.
                  result.resize(3);
                  const auto again = of(me);
                  std::copy(again.begin(), again.end(), result.begin());
                },
                [&] { EXPECT_EQ(result, is(root) ? sum_of_first(p) : of(me)); });
  }
}

TEST_P(CollectiveForms, AllreduceAndScans) {
  const auto mine = of(me);
  std::vector<int> out(3);
  const auto clear = [&] { std::fill(out.begin(), out.end(), -1); };
  const auto prime = [&] { std::copy(mine.begin(), mine.end(), out.begin()); };
  const auto all = [&] { EXPECT_EQ(out, sum_of_first(p)); };
  const auto so_far = [&] { EXPECT_EQ(out, sum_of_first(me + 1)); };
  const auto before = [&] {
    if (me > 0) {
      EXPECT_EQ(out, sum_of_first(me));
    }
  };
  constexpr auto op = Operator::sum;
  three_forms([&] { c.allreduce(mine, out, op); }, [&] { return c.start_allreduce(mine, out, op); },
              [&] { return c.prepare_allreduce(mine, out, op); }, clear, all);
  three_forms([&] { c.allreduce(out, op); }, [&] { return c.start_allreduce(out, op); },
              [&] { return c.prepare_allreduce(out, op); }, prime, all);
  three_forms([&] { c.scan(mine, out, op); }, [&] { return c.start_scan(mine, out, op); },
              [&] { return c.prepare_scan(mine, out, op); }, clear, so_far);
  three_forms([&] { c.scan(out, op); }, [&] { return c.start_scan(out, op); },
              [&] { return c.prepare_scan(out, op); }, prime, so_far);
  three_forms([&] { c.exscan(mine, out, op); }, [&] { return c.start_exscan(mine, out, op); },
              [&] { return c.prepare_exscan(mine, out, op); }, clear,
              [&] {
                before();
                if (me == 0) {
                  EXPECT_EQ(out, std::vector<int>(3, -1));
                }
              });
  three_forms([&] { c.exscan(out, op); }, [&] { return c.start_exscan(out, op); },
              [&] { return c.prepare_exscan(out, op); }, prime,
              [&] {
                before();
                if (me == 0) {
                  EXPECT_EQ(out, mine);
                }
              });
}

TEST_P(CollectiveForms, ReduceScatter) {
  const auto all = of_all();
  std::vector<int> mine(3);
  auto expected = of(me);
  for (int& number : expected) number *= p;
  three_forms([&] { c.reduce_scatter(all, mine, Operator::sum); },
              [&] { return c.start_reduce_scatter(all, mine, Operator::sum); },
              [&] { return c.prepare_reduce_scatter(all, mine, Operator::sum); },
              [&] { std::fill(mine.begin(), mine.end(), 0); }, [&] { EXPECT_EQ(mine, expected); });
  std::vector<int> in_out(all.size());
  three_forms([&] { c.reduce_scatter(in_out, Operator::sum); },
              [&] { return c.start_reduce_scatter(in_out, Operator::sum); },
              [&] { return c.prepare_reduce_scatter(in_out, Operator::sum); },
              [&] { std::copy(all.begin(), all.end(), in_out.begin()); },
              [&] {
                const auto block = std::span(in_out).subspan(3 * static_cast<std::size_t>(me), 3);
                EXPECT_EQ(std::vector<int>(block.begin(), block.end()), expected);
              });
}

TEST_P(CollectiveForms, GatherAndScatter) {
  for (const int r : roots()) {
    const rt::Rank root{r};
    const auto all = of_all();
    auto mine = of(me);
    std::vector<int> out(all.size());
    const auto at = 3 * static_cast<std::ptrdiff_t>(me);
    const auto clear = [&] { std::fill(out.begin(), out.end(), -1); };
    const auto at_root = [&] {
      if (is(root)) {
        EXPECT_EQ(out, all);
      }
    };
    three_forms([&] { c.gather(mine, out, root); }, [&] { return c.start_gather(mine, out, root); },
                [&] { return c.prepare_gather(mine, out, root); }, clear, at_root);
    const std::span<int> in_out = is(root) ? std::span(out) : std::span(mine);
    three_forms([&] { c.gather(in_out, root); }, [&] { return c.start_gather(in_out, root); },
                [&] { return c.prepare_gather(in_out, root); },
                [&] {
                  clear();
                  std::copy(mine.begin(), mine.end(), out.begin() + at);
                },
                at_root);
    std::vector<int> block(3);
    const auto forget = [&] { std::fill(block.begin(), block.end(), -1); };
    three_forms([&] { c.scatter(all, block, root); },
                [&] { return c.start_scatter(all, block, root); },
                [&] { return c.prepare_scatter(all, block, root); }, forget,
                [&] { EXPECT_EQ(block, of(me)); });
    std::copy(all.begin(), all.end(), out.begin());
    const std::span<int> from_root = is(root) ? std::span(out) : std::span(block);
    three_forms([&] { c.scatter(from_root, root); },
                [&] { return c.start_scatter(from_root, root); },
                [&] { return c.prepare_scatter(from_root, root); }, forget,
                [&] {
                  if (!is(root)) {
                    EXPECT_EQ(block, of(me));
                  }
                  if (is(root)) {
                    EXPECT_EQ(out, all);
                  }
                });
  }
}

TEST_P(CollectiveForms, AllgatherAndAlltoall) {
  const auto all = of_all();
  const auto mine = of(me);
  std::vector<int> out(all.size());
  const auto at = 3 * static_cast<std::ptrdiff_t>(me);
  const auto clear = [&] { std::fill(out.begin(), out.end(), -1); };
  const auto has_all = [&] { EXPECT_EQ(out, all); };
  three_forms([&] { c.allgather(mine, out); }, [&] { return c.start_allgather(mine, out); },
              [&] { return c.prepare_allgather(mine, out); }, clear, has_all);
  three_forms([&] { c.allgather(out); }, [&] { return c.start_allgather(out); },
              [&] { return c.prepare_allgather(out); },
              [&] {
                clear();
                std::copy(mine.begin(), mine.end(), out.begin() + at);
              },
              has_all);
  // Rank a sends 100 a + b to rank b.
  std::vector<int> sent(static_cast<std::size_t>(p));
  std::vector<int> expected(sent.size());
  for (int rank = 0; rank < p; ++rank) {
    sent[static_cast<std::size_t>(rank)] = 100 * me + rank;
    expected[static_cast<std::size_t>(rank)] = 100 * rank + me;
  }
  std::vector<int> got(sent.size());
  const auto is_turned = [&] { EXPECT_EQ(got, expected); };
  three_forms([&] { c.alltoall(sent, got); }, [&] { return c.start_alltoall(sent, got); },
              [&] { return c.prepare_alltoall(sent, got); },
              [&] { std::fill(got.begin(), got.end(), -1); }, is_turned);
  three_forms([&] { c.alltoall(got); }, [&] { return c.start_alltoall(got); },
              [&] { return c.prepare_alltoall(got); },
              [&] { std::copy(sent.begin(), sent.end(), got.begin()); }, is_turned);
}

TEST_P(CollectiveForms, BlocksOfDifferentLength) {
  // Rank r has r elements, all of them r.
  std::vector<int> counts(static_cast<std::size_t>(p));
  std::iota(counts.begin(), counts.end(), 0);
  const Blocks blocks(counts);
  const std::vector<int> mine(static_cast<std::size_t>(me), me);
  std::vector<int> all;
  for (int rank = 0; rank < p; ++rank) all.insert(all.end(), static_cast<std::size_t>(rank), rank);
  EXPECT_EQ(blocks.total(), static_cast<plan::Count>(all.size()));
  const rt::Rank root{p / 2};

  std::vector<int> out(all.size());
  const auto clear = [&] { std::fill(out.begin(), out.end(), -1); };
  three_forms([&] { c.allgather(mine, out, blocks); },
              [&] { return c.start_allgather(mine, out, Blocks(counts)); },
              [&] { return c.prepare_allgather(mine, out, Blocks(counts)); }, clear,
              [&] { EXPECT_EQ(out, all); });
  three_forms([&] { c.gather(mine, out, root, blocks); },
              [&] { return c.start_gather(mine, out, root, Blocks(counts)); },
              [&] { return c.prepare_gather(mine, out, root, Blocks(counts)); }, clear,
              [&] {
                if (is(root)) {
                  EXPECT_EQ(out, all);
                }
              });
  std::vector<int> block(mine.size());
  const auto forget = [&] { std::fill(block.begin(), block.end(), -1); };
  three_forms([&] { c.scatter(all, block, root, blocks); },
              [&] { return c.start_scatter(all, block, root, Blocks(counts)); },
              [&] { return c.prepare_scatter(all, block, root, Blocks(counts)); }, forget,
              [&] { EXPECT_EQ(block, mine); });
  three_forms([&] { c.reduce_scatter(all, block, Operator::maximum, blocks); },
              [&] { return c.start_reduce_scatter(all, block, Operator::maximum, blocks); },
              [&] { return c.prepare_reduce_scatter(all, block, Operator::maximum, blocks); },
              forget, [&] { EXPECT_EQ(block, mine); });
  // Rank a sends a + b elements to rank b.
  std::vector<int> to(static_cast<std::size_t>(p));
  std::iota(to.begin(), to.end(), me);
  const Blocks both(to);
  const std::vector<int> sent(static_cast<std::size_t>(both.total()), me);
  std::vector<int> got(sent.size());
  three_forms([&] { c.alltoall(sent, got, both, both); },
              [&] { return c.start_alltoall(sent, got, Blocks(to), Blocks(to)); },
              [&] { return c.prepare_alltoall(sent, got, both, both); },
              [&] { std::fill(got.begin(), got.end(), -1); },
              [&] {
                for (int rank = 0; rank < p; ++rank)
                  for (auto i = both.offset(rank); i < both.offset(rank + 1); ++i)
                    EXPECT_EQ(got[static_cast<std::size_t>(i)], rank);
              });
}

TEST_P(CollectiveForms, BlocksThatRanksTellEachOtherFirst) {
  const std::vector<double> mine(static_cast<std::size_t>(2 * me + 1), me + 0.5);
  const auto everyones = c.allgather_uneven(mine);
  const auto at_root = c.gather_uneven(mine, rt::Rank{p - 1});
  EXPECT_EQ(at_root.elements.empty(), me != p - 1);
  ASSERT_EQ(everyones.blocks.ranks(), p);
  for (int rank = 0; rank < p; ++rank) {
    const auto theirs = everyones.of(rank);
    EXPECT_EQ(theirs.size(), static_cast<std::size_t>(2 * rank + 1));
    for (const double number : theirs) EXPECT_EQ(number, rank + 0.5);
    if (me == p - 1) {
      EXPECT_EQ(at_root.of(rank).size(), theirs.size());
    }
  }
  std::vector<int> counts(static_cast<std::size_t>(p));
  std::iota(counts.begin(), counts.end(), 0);
  const Blocks blocks = me == 0 ? Blocks(counts) : Blocks();
  std::vector<int> all(static_cast<std::size_t>(blocks.total()), 5);
  EXPECT_EQ(c.scatter_uneven(all, blocks, rt::Rank{0}),
            std::vector<int>(static_cast<std::size_t>(me), 5));
  // Everybody sends as many elements to rank r as r says.
  const std::vector<int> sent(static_cast<std::size_t>(Blocks(counts).total()), me);
  const auto received = c.alltoall_uneven(sent, Blocks(counts));
  EXPECT_EQ(received.elements.size(), static_cast<std::size_t>(me * p));
  for (int rank = 0; rank < p; ++rank)
    for (const int number : received.of(rank)) EXPECT_EQ(number, rank);
}

TEST_P(CollectiveForms, MemoryOfDevices) {
  using test::imagined_copies, test::on_imagined_device;
  const std::vector<int> mine = of(me);
  std::vector<int> sum(3);
  const auto input = on_device(on_imagined_device(mine.data()), 3, imagined_copies);
  const auto output = on_device(on_imagined_device(sum.data()), 3, imagined_copies);
  const auto forget = [&] { std::fill(sum.begin(), sum.end(), -1); };
  const auto check = [&] { EXPECT_EQ(sum, sum_of_first(p)); };
  three_forms([&] { c.allreduce(input, output, Operator::sum); },
              [&] { return c.start_allreduce(input, output, Operator::sum); },
              [&] { return c.prepare_allreduce(input, output, Operator::sum); }, forget, check);
  // From the device to the host, and back; in place.
  forget();
  c.allreduce(input, sum, Operator::sum);
  check();
  forget();
  c.allreduce(mine, output, Operator::sum);
  check();
  sum = mine;
  c.allreduce(output, Operator::sum);
  check();
  const rt::Rank root{p - 1};
  sum = mine;
  c.broadcast(output, root);
  EXPECT_EQ(sum, of(root.value));
  std::vector<int> all(static_cast<std::size_t>(3 * p));
  c.allgather(input, on_device(on_imagined_device(all.data()), 3 * p, imagined_copies));
  EXPECT_EQ(all, of_all());
  // Every second element: what lies between stays.
  std::vector<int> wide{7, -1, 7, -1, 7, -1};
  const Strides odd{.block = 1, .stride = 2, .count = 3};
  c.allreduce(input, on_device(strided(on_imagined_device(wide.data()) + 1, odd), imagined_copies),
              Operator::sum);
  const std::vector<int> sums = sum_of_first(p);
  EXPECT_EQ(wide, (std::vector{7, sums[0], 7, sums[1], 7, sums[2]}));
}

/// Blocks whose lengths only those ranks know that have them: rank a has (a + 2 b + round) % 4
/// elements for rank b, many none. They say whose they are.
class UnevenForms : public CollectiveForms {
 protected:
  [[nodiscard]] static std::vector<int> block(int from, int to, int round) {
    return std::vector<int>(static_cast<std::size_t>((from + 2 * to + round) % 4),
                            10000 * round + 100 * from + to);
  }
  /// What this rank has for all.
  struct Inputs {
    int round;
    std::vector<int> to_first;
    std::vector<int> to_all;
    Blocks blocks;
  };
  [[nodiscard]] Inputs inputs(int round) const {
    Inputs in{round, block(me, 0, round), {}, {}};
    std::vector<std::size_t> counts;
    for (int to = 0; to < p; ++to) {
      const auto one = block(me, to, round);
      in.to_all.insert(in.to_all.end(), one.begin(), one.end());
      counts.push_back(one.size());
    }
    in.blocks = Blocks(counts);
    return in;
  }
  /// Of each rank, the block that it had for `to`.
  void expect_blocks_to(int to, int round, const Collected<int>& collected) const {
    ASSERT_EQ(collected.blocks.ranks(), p);
    for (int from = 0; from < p; ++from) {
      const auto got = collected.of(from);
      EXPECT_EQ(std::vector<int>(got.begin(), got.end()), block(from, to, round));
    }
  }
  void expect_gathered(rt::Rank root, int round, const Collected<int>& collected) const {
    if (is(root)) return expect_blocks_to(0, round, collected);
    EXPECT_TRUE(collected.elements.empty());
    EXPECT_EQ(collected.blocks.ranks(), 0);
  }
};

TEST_P(UnevenForms, KnownAtTheRootOnly) {
  for (int round = 0; round < 3; ++round) {
    const rt::Rank root{round % p};
    const Inputs in = inputs(round);
    // Away from the root: nothing but the own block's length.
    std::vector<plan::Count> counts;
    if (is(root))
      for (int to = 0; to < p; ++to) counts.push_back(in.blocks.count(to));
    const std::vector<int> expected = block(root.value, me, round);
    const Blocks blocks = c.blocks_at_root(root, counts, std::ssize(expected));
    std::vector<int> mine(expected.size());
    three_forms([&] { c.scatter(in.to_all, mine, root, blocks); },
                [&] { return c.start_scatter(in.to_all, mine, root, Blocks(blocks)); },
                [&] { return c.prepare_scatter(in.to_all, mine, root, blocks); },
                [&] { std::fill(mine.begin(), mine.end(), -1); },
                [&] { EXPECT_EQ(mine, expected); });
    std::vector<int> all(is(root) ? in.to_all.size() : 0);
    three_forms([&] { c.gather(mine, all, root, blocks); },
                [&] { return c.start_gather(mine, all, root, Blocks(blocks)); },
                [&] { return c.prepare_gather(mine, all, root, blocks); },
                [&] { std::fill(all.begin(), all.end(), -1); },
                [&] {
                  if (is(root)) {
                    EXPECT_EQ(all, in.to_all);
                  }
                });
    if (is(root)) {  // in place
      c.scatter(all, root, blocks);
      EXPECT_EQ(all, in.to_all);
      c.gather(all, root, blocks);
      EXPECT_EQ(all, in.to_all);
    } else {
      c.scatter(mine, root, blocks);
      c.gather(mine, root, blocks);
    }
  }
}

/// Some fit beside their length, others don't, and which ones changes.
TEST_P(UnevenForms, ShortAndLong) {
  const auto length = [](int rank, int round) {
    constexpr std::array<std::size_t, 5> lengths{0, 31, 32, 1, 5000};
    return lengths[static_cast<std::size_t>(rank + round) % lengths.size()];
  };
  for (int round = 0; round < 5; ++round) {
    const rt::Rank root{round % p};
    const std::vector<double> mine(length(me, round), me + 0.25);
    std::vector<double> expected;
    std::vector<std::size_t> counts;
    for (int rank = 0; rank < p; ++rank) {
      counts.push_back(length(rank, round));
      expected.insert(expected.end(), counts.back(), rank + 0.25);
    }
    const auto gathered = c.gather_uneven(mine, root);
    if (is(root)) {
      EXPECT_EQ(gathered.elements, expected);
    }
    const std::vector<double> nothing;
    const auto scattered = is(root) ? c.scatter_uneven(expected, Blocks(counts), root)
                                    : c.scatter_uneven(nothing, Blocks(), root);
    EXPECT_EQ(scattered, mine);
    const std::vector<double> of_root(length(root.value, round), root.value + 0.25);
    EXPECT_EQ(c.broadcast_uneven(is(root) ? mine : nothing, root), of_root);
    if (is(root)) {  // every second element
      std::vector<double> wide(2 * mine.size() + 1, -1.0);
      for (std::size_t i = 0; i < mine.size(); ++i) wide[2 * i] = mine[i];
      EXPECT_EQ(
          c.broadcast_uneven(
              strided(wide.data(), {.block = 1, .stride = 2, .count = std::ssize(mine)}), root),
          of_root);
    } else {
      EXPECT_EQ(c.broadcast_uneven(nothing, root), of_root);
    }
  }
}

TEST_P(UnevenForms, TellTheLengthsFirst) {
  for (int round = 0; round < 3; ++round) {
    const rt::Rank root{round % p};
    const Inputs in = inputs(round);
    expect_gathered(root, round, c.gather_uneven(in.to_first, root));
    expect_blocks_to(0, round, c.allgather_uneven(in.to_first));
    const Blocks blocks = is(root) ? in.blocks : Blocks();  // only the root's matter
    EXPECT_EQ(c.scatter_uneven(in.to_all, blocks, root), block(root.value, me, round));
    expect_blocks_to(me, round, c.alltoall_uneven(in.to_all, in.blocks));
  }
}

TEST_P(CollectiveForms, StridedSlices) {
  constexpr int columns = 5;
  constexpr int rows = 3;
  constexpr Strides column{.block = 1, .stride = columns, .count = rows};
  std::array<int, rows * columns> matrix{};
  const auto prime = [&] {
    matrix.fill(-1);
    for (std::size_t row = 0; row < rows; ++row) matrix[row * columns + 1] = of(me)[row];
  };
  const auto source = strided(std::span(matrix).subspan(1), column);
  const auto target = strided(matrix.data() + 3, column);
  const auto is_sum = [&] {
    for (std::size_t at = 0; at < matrix.size(); ++at) {
      const bool is_target = at % columns == 3;
      const bool is_source = at % columns == 1;
      EXPECT_EQ(matrix[at], is_target   ? sum_of_first(p)[at / columns]
                            : is_source ? of(me)[at / columns]
                                        : -1);
    }
  };
  three_forms([&] { c.allreduce(source, target, Operator::sum); },
              [&] { return c.start_allreduce(source, target, Operator::sum); },
              [&] { return c.prepare_allreduce(source, target, Operator::sum); }, prime, is_sum);
  const auto is_root_column = [&] {
    for (std::size_t row = 0; row < rows; ++row)
      EXPECT_EQ(matrix[row * columns + 1], of(p - 1)[row]);
  };
  three_forms([&] { c.broadcast(source, rt::Rank{p - 1}); },
              [&] { return c.start_broadcast(source, rt::Rank{p - 1}); },
              [&] { return c.prepare_broadcast(source, rt::Rank{p - 1}); }, prime, is_root_column);
  prime();
  std::vector<int> all(static_cast<std::size_t>(3 * p));
  c.allgather(source, all);
  EXPECT_EQ(all, of_all());
}

/// Blocks of 0, 1, 2 … elements that lie in falling order of ranks, with a gap of one before each.
class BlocksWithGaps {
 public:
  explicit BlocksWithGaps(int ranks) : counts_(static_cast<std::size_t>(ranks)) {
    std::vector<plan::Count> begins(counts_.size());
    plan::Count next = 0;
    for (int rank = ranks - 1; rank >= 0; --rank) {
      const auto at = static_cast<std::size_t>(rank);
      counts_[at] = rank % 3;
      begins[at] = next + 1;
      next = begins[at] + counts_[at];
    }
    blocks = Blocks(counts_);
    begins_ = begins;
    pieces.emplace(begins, blocks);
    memory.resize(static_cast<std::size_t>(next) + 1);
  }
  /// What `value(rank, i)` says in all blocks, -1 in the gaps.
  [[nodiscard]] std::vector<int> filled(const std::function<int(int, int)>& value) const {
    std::vector<int> all(memory.size(), -1);
    for (int rank = 0; rank < blocks.ranks(); ++rank)
      for (int i = 0; i < blocks.count(rank); ++i)
        all[static_cast<std::size_t>(begins_[static_cast<std::size_t>(rank)] + i)] = value(rank, i);
    return all;
  }

  Blocks blocks;
  std::optional<Pieces> pieces;
  std::vector<int> memory;

 private:
  std::vector<plan::Count> counts_, begins_;
};

TEST_P(CollectiveForms, BlocksWithGaps) {
  BlocksWithGaps parts(p);
  const auto value = [](int rank, int i) { return 10 * rank + i; };
  const auto apart = in_pieces(std::span(parts.memory), *parts.pieces);
  const auto mine_is = [&](int rank) {
    std::vector<int> mine;
    for (int i = 0; i < parts.blocks.count(rank); ++i) mine.push_back(value(rank, i));
    return mine;
  };
  std::vector<int> mine = mine_is(me);
  const auto empty = [&] { std::ranges::fill(parts.memory, -1); };
  three_forms([&] { c.allgather(mine, apart, parts.blocks); },
              [&] { return c.start_allgather(mine, apart, parts.blocks); },
              [&] { return c.prepare_allgather(mine, apart, parts.blocks); }, empty,
              [&] { EXPECT_EQ(parts.memory, parts.filled(value)); });
  const rt::Rank root{p - 1};
  three_forms([&] { c.gather(mine, apart, root, parts.blocks); },
              [&] { return c.start_gather(mine, apart, root, parts.blocks); },
              [&] { return c.prepare_gather(mine, apart, root, parts.blocks); }, empty,
              [&] {
                EXPECT_EQ(parts.memory, is(root) ? parts.filled(value)
                                                 : std::vector<int>(parts.memory.size(), -1));
              });
  std::ranges::copy(parts.filled(value), parts.memory.begin());
  const auto forget = [&] { std::ranges::fill(mine, -2); };
  three_forms([&] { c.scatter(apart, mine, root, parts.blocks); },
              [&] { return c.start_scatter(apart, mine, root, parts.blocks); },
              [&] { return c.prepare_scatter(apart, mine, root, parts.blocks); }, forget,
              [&] { EXPECT_EQ(mine, mine_is(me)); });
}

TEST(Pieces, AreRefusedWhereTheyOverlapOrLeave) {
  const Blocks blocks{2, 0, 3};
  EXPECT_NO_THROW(Pieces({3, 4, 0}, blocks));  // the empty one lies nowhere
  EXPECT_ANY_THROW(Pieces({2, 0, 0}, blocks));
  EXPECT_ANY_THROW(Pieces({-1, 0, 3}, blocks));
  EXPECT_ANY_THROW(Pieces({0, 3}, blocks));
  const Pieces pieces({3, 0, 0}, blocks);
  std::array<int, 5> enough{};
  EXPECT_NO_THROW((void)in_pieces(std::span(enough), pieces));
  EXPECT_ANY_THROW((void)in_pieces(std::span(enough).first(4), pieces));
}

/// Keeps the place where the greatest value stands; the first one among equals.
struct Peak {
  double value;
  int rank;
  friend bool operator==(const Peak&, const Peak&) = default;
};

TEST_P(CollectiveForms, OperatorsOfTheCaller) {
  std::vector<Peak> peaks = {{static_cast<double>(me % 2), me}, {1.0, me}};
  const auto stateless = [](const Peak& l, const Peak& r) { return r.value > l.value ? r : l; };
  const std::vector<Peak> expected = {{p > 1 ? 1.0 : 0.0, p > 1 ? 1 : 0}, {1.0, 0}};
  std::vector<Peak> result(2);
  const auto clear = [&] { std::fill(result.begin(), result.end(), Peak{-1, -1}); };
  const auto is_right = [&] { EXPECT_TRUE(result == expected); };
  three_forms([&] { c.allreduce(peaks, result, associative(stateless)); },
              [&] { return c.start_allreduce(peaks, result, associative(stateless)); },
              [&] { return c.prepare_allreduce(peaks, result, associative(stateless)); }, clear,
              is_right);
  if (std::get<0>(GetParam()) == "native") return;  // MPI gives operators no state
  const auto factory = [](double tolerance) {
    return
        [tolerance](const Peak& l, const Peak& r) { return r.value > l.value + tolerance ? r : l; };
  };
  const auto named = factory(0.25);
  three_forms([&] { c.allreduce(peaks, result, associative(named)); },
              [&] { return c.start_allreduce(peaks, result, associative(factory(0.5))); },
              [&] { return c.prepare_allreduce(peaks, result, associative(factory(0.5))); }, clear,
              is_right);
}

const auto all_options = ::testing::Combine(
    ::testing::Values("native", "p2p", "shared", "rma", "auto"), ::testing::Bool());
std::string name_of(const ::testing::TestParamInfo<Option>& option) {
  return std::get<0>(option.param) + (std::get<1>(option.param) ? "_checked" : "");
}
INSTANTIATE_TEST_SUITE_P(, CollectiveForms, all_options, name_of);
INSTANTIATE_TEST_SUITE_P(, UnevenForms, all_options, name_of);

}  // namespace
}  // namespace cartwright::comm
