// SPDX-License-Identifier: Apache-2.0
// MPI's own collectives behind our interface, against values computed here; with limits of MPI's
// counts as if they were small.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cartwright/comm/backends/native_backend.hpp>
#include <cartwright/comm/pending.hpp>
#include <cartwright/rt/error.hpp>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

#include "expected_collective.hpp"

namespace cartwright::comm {
namespace {

using plan::Count;
using plan::Operation;
using plan::Place;
using test::Case;
using test::Numbers;

template <class T>
const std::byte* bytes_of(const std::vector<T>& values) {
  return reinterpret_cast<const std::byte*>(values.data());
}
template <class T>
std::byte* bytes_of(std::vector<T>& values) {
  return reinterpret_cast<std::byte*>(values.data());
}

class NativeBackendTest : public ::testing::TestWithParam<std::size_t> {
 protected:
  NativeBackendTest()
      : comm_(rt::Communicator::duplicate(MPI_COMM_WORLD)),
        backend_(comm_, engine_, P2pChannel(comm_), Blocking::by_mpi, GetParam()),
        polled_(comm_, engine_, P2pChannel(comm_), Blocking::polled, GetParam()) {}
  using Blocking = NativeBackend::Blocking;

  [[nodiscard]] int ranks() const { return comm_.size(); }
  [[nodiscard]] int me() const { return comm_.rank().value; }

  /// Blocking, or started, or started a second time after `refill`, or blocking and polled.
  template <class Refill>
  void carry_out(const Call& call, int way, Refill&& refill) {
    if (way == 0) return backend_.run(call);
    if (way == 3) return polled_.run(call);
    auto prepared = backend_.prepare(call);
    for (int again = 1; again <= way; ++again) {
      refill();
      prepared->start();
      while (!prepared->advance()) std::this_thread::yield();
    }
  }
  /// Lengths of blocks, different and some of them zero, and where these begin.
  [[nodiscard]] std::vector<Count> offsets(int seed) const {
    std::vector<Count> result{0};
    for (int rank = 0; rank < ranks(); ++rank)
      result.push_back(result.back() + (rank * 5 + seed) % 7);
    return result;
  }
  static std::int64_t given(int rank, Count i) { return rank * 1000 + i; }
  [[nodiscard]] Numbers contribution(int rank, Count first, Count end) const {
    Numbers result;
    for (Count i = first; i < end; ++i) result.push_back(given(rank, i));
    return result;
  }

  rt::Communicator comm_;
  rt::ProgressEngine engine_;
  NativeBackend backend_;
  NativeBackend polled_;
};

TEST_P(NativeBackendTest, CarriesOutEveryOperation) {
  for (const Operation operation : plan::operations()) {
    for (const Count count : {0, 1, 5, 30}) {
      for (const int root : {0, ranks() - 1}) {
        for (const bool in_place : {false, true}) {
          const Case asked{operation, ranks(), me(),
                           count,     root,    test::place_of(operation, in_place, me(), root)};
          for (const int way : {0, 1, 2, 3}) {
            test::Data data(asked);
            const Call call{.operation = operation,
                            .place = asked.place,
                            .input = data.input(),
                            .output = data.output(),
                            .element = element_of<std::int64_t>(),
                            .count = count,
                            .root = rt::Rank{root},
                            .reduction = predefined(Operator::sum, ScalarType::int64)};
            carry_out(call, way, [&] { data.refill(asked); });
            ASSERT_EQ(data.fault(asked), "")
                << plan::name_of(operation) << " of " << count << " at " << root
                << (in_place ? " in place" : "") << ", way " << way;
          }
        }
      }
    }
  }
}

/// Ranks have the ends of what a type can hold; enough of them for vectors and for what is left.
template <class T>
void expect_ends(NativeBackend& backend, int ranks, int me) {
  using Limits = std::numeric_limits<T>;
  constexpr std::size_t count = 67;
  const bool last = me == ranks - 1;
  const T one{1}, low = ranks == 1 ? Limits::max() : one;
  const T sum = static_cast<T>(static_cast<std::uint64_t>(ranks - 1) +
                               static_cast<std::uint64_t>(Limits::max()));
  const auto combined = [&](Operator op) {
    const std::vector<T> mine(count, last ? Limits::max() : one);
    std::vector<T> result(count);
    backend.run({.operation = Operation::allreduce,
                 .input = bytes_of(mine),
                 .output = bytes_of(result),
                 .element = element_of<T>(),
                 .count = count,
                 .reduction = predefined(op, scalar_type<T>())});
    return result;
  };
  EXPECT_EQ(combined(Operator::maximum), std::vector<T>(count, Limits::max()));
  EXPECT_EQ(combined(Operator::minimum), std::vector<T>(count, low));
  EXPECT_EQ(combined(Operator::product), std::vector<T>(count, Limits::max()));
  EXPECT_EQ(combined(Operator::sum), std::vector<T>(count, sum));
}

/// MPI libraries were seen to compare unsigned numbers as if they had signs, and to saturate sums.
TEST_P(NativeBackendTest, IntegersWrapAndUnsignedOnesHaveNoSigns) {
  expect_ends<std::int8_t>(backend_, ranks(), me());
  expect_ends<std::int16_t>(backend_, ranks(), me());
  expect_ends<std::uint8_t>(backend_, ranks(), me());
  expect_ends<std::uint16_t>(backend_, ranks(), me());
  expect_ends<std::uint32_t>(backend_, ranks(), me());
  expect_ends<std::uint64_t>(backend_, ranks(), me());
}

TEST_P(NativeBackendTest, GathersAndScattersUnevenBlocks) {
  const auto where = offsets(2);
  const auto at = [&](int rank) { return where[static_cast<std::size_t>(rank)]; };
  Numbers all;
  for (int rank = 0; rank < ranks(); ++rank) {
    const auto block = contribution(rank, 0, at(rank + 1) - at(rank));
    all.insert(all.end(), block.begin(), block.end());
  }
  const auto own = contribution(me(), 0, at(me() + 1) - at(me()));
  const int root = ranks() / 2;
  const bool is_root = me() == root;
  for (const int way : {0, 1, 2, 3}) {
    for (const bool in_place : {false, true}) {
      Call call{.place = in_place ? Place::in_place : Place::separate,
                .input = bytes_of(own),
                .element = element_of<std::int64_t>(),
                .offsets = where,
                .root = rt::Rank{root}};
      Numbers result;
      const auto refill = [&] {
        std::fill(result.begin(), result.end(), -1);
        if (call.place == Place::in_place)
          std::copy(own.begin(), own.end(), result.begin() + at(me()));
      };
      call.operation = Operation::allgather;
      result.resize(all.size());
      refill();
      call.output = bytes_of(result);
      carry_out(call, way, refill);
      EXPECT_EQ(result, all);

      call.operation = Operation::gather;
      if (!is_root) call.place = Place::separate;
      refill();
      carry_out(call, way, refill);
      if (is_root) {
        EXPECT_EQ(result, all);
      }

      call.operation = Operation::scatter;
      call.input = is_root ? bytes_of(all) : nullptr;
      result.assign(own.size(), -1);
      call.output = call.place == Place::in_place ? nullptr : bytes_of(result);
      carry_out(call, way, [] {});
      if (call.place == Place::separate) {
        EXPECT_EQ(result, own);
      }
    }
  }
}

TEST_P(NativeBackendTest, ScattersSumsOfUnevenBlocks) {
  const auto where = offsets(3);
  const Count first = where[static_cast<std::size_t>(me())];
  const Count end = where[static_cast<std::size_t>(me()) + 1];
  const Numbers mine = contribution(me(), 0, where.back());
  Numbers expected;
  for (Count i = first; i < end; ++i)
    expected.push_back(1000 * ranks() * (ranks() - 1) / 2 + i * ranks());
  for (const int way : {0, 1, 2, 3}) {
    for (const bool in_place : {false, true}) {
      Numbers result = in_place ? mine : Numbers(expected.size(), -1);
      const Call call{.operation = Operation::reduce_scatter,
                      .place = in_place ? Place::in_place : Place::separate,
                      .input = bytes_of(mine),
                      .output = bytes_of(result),
                      .element = element_of<std::int64_t>(),
                      .offsets = where,
                      .reduction = predefined(Operator::sum, ScalarType::int64)};
      carry_out(call, way, [&] {
        if (in_place) result = mine;
      });
      const auto begin = result.begin() + (in_place ? first : 0);
      EXPECT_EQ(Numbers(begin, begin + (end - first)), expected);
    }
  }
}

TEST_P(NativeBackendTest, ExchangesUnevenBlocks) {
  // From a to b: (a + 2 b) % 5 elements; in place as many both ways.
  for (const bool in_place : {false, true}) {
    const auto length = [&](int from, int to) -> Count {
      return in_place ? (from + to) % 5 : (from + 2 * to) % 5;
    };
    std::vector<Count> out{0};
    std::vector<Count> in{0};
    Numbers given_away;
    Numbers expected;
    for (int rank = 0; rank < ranks(); ++rank) {
      out.push_back(out.back() + length(me(), rank));
      in.push_back(in.back() + length(rank, me()));
      for (Count i = 0; i < length(me(), rank); ++i)
        given_away.push_back(me() * 10000 + rank * 100 + i);
      for (Count i = 0; i < length(rank, me()); ++i)
        expected.push_back(rank * 10000 + me() * 100 + i);
    }
    for (const int way : {0, 1, 2, 3}) {
      Numbers result = in_place ? given_away : Numbers(expected.size(), -1);
      const Call call{.operation = Operation::alltoall,
                      .place = in_place ? Place::in_place : Place::separate,
                      .input = bytes_of(given_away),
                      .output = bytes_of(result),
                      .element = element_of<std::int64_t>(),
                      .offsets = out,
                      .output_offsets = in};
      carry_out(call, way, [&] {
        if (in_place) result = given_away;
      });
      EXPECT_EQ(result, expected) << "way " << way;
    }
  }
}

/// x → a x + b, of which one after another is a third: associative, and doesn't commute.
struct Affine {
  std::int64_t a, b;
  friend bool operator==(const Affine&, const Affine&) = default;
};
Affine composed(const Affine& left, const Affine& right) {
  return {left.a * right.a, left.a * right.b + left.b};
}
void compose(void* in, void* inout, int* count, void* /*type*/) {
  const auto* const left = static_cast<const Affine*>(in);
  auto* const right = static_cast<Affine*>(inout);
  for (int i = 0; i < *count; ++i) right[i] = composed(left[i], right[i]);
}

TEST_P(NativeBackendTest, KeepsTheOrderOfAUsersOperator) {
  const Reduction reduction{.commutes = false, .mpi_function = compose};
  const auto of = [](int rank, std::size_t i) {
    return Affine{rank % 2 == 0 ? 2 : -1, rank + static_cast<std::int64_t>(i)};
  };
  constexpr std::size_t n = 4;
  const auto blocks = static_cast<std::size_t>(ranks());
  std::vector<Affine> mine;
  for (std::size_t i = 0; i < n * blocks; ++i) mine.push_back(of(me(), i));
  const auto expected = [&](int end, std::size_t i) {
    Affine result = of(0, i);
    for (int rank = 1; rank < end; ++rank) result = composed(result, of(rank, i));
    return result;
  };
  using enum Operation;
  for (const Operation operation : {allreduce, reduce, scan, exscan, reduce_scatter}) {
    for (const int way : {0, 2}) {
      std::vector<Affine> result(n, Affine{7, 7});
      const Call call{.operation = operation,
                      .input = bytes_of(mine),
                      .output = bytes_of(result),
                      .element = {sizeof(Affine), std::nullopt},
                      .count = n,
                      .root = rt::Rank{ranks() - 1},
                      .reduction = reduction};
      carry_out(call, way, [] {});
      for (std::size_t i = 0; i < n; ++i) {
        const int end = operation == scan ? me() + 1 : operation == exscan ? me() : ranks();
        const auto from = operation == reduce_scatter ? static_cast<std::size_t>(me()) * n + i : i;
        const bool written = end > 0 && (operation != reduce || me() == ranks() - 1);
        EXPECT_EQ(result[i], written ? expected(end, from) : (Affine{7, 7}))
            << plan::name_of(operation);
      }
    }
  }
}

TEST_P(NativeBackendTest, SendsElementsThatItDoesNotKnow) {
  using Element = std::array<char, 24>;
  std::vector<Element> values(9);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int shown = me() == 0 ? static_cast<int>(i) : 100;
    values[i].fill(static_cast<char>(shown));
  }
  const Call call{.operation = Operation::broadcast,
                  .place = Place::in_place,
                  .output = bytes_of(values),
                  .element = element_of<Element>(),
                  .count = 9};
  carry_out(call, 0, [] {});
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i].back(), static_cast<char>(i));
}

TEST_P(NativeBackendTest, RefusesAnOperatorWithAState) {
  std::int64_t value = 1;
  const Call call{.operation = Operation::allreduce,
                  .place = Place::in_place,
                  .output = reinterpret_cast<std::byte*>(&value),
                  .element = element_of<std::int64_t>(),
                  .count = 1,
                  .reduction = {.context = &value}};
  EXPECT_THROW(backend_.run(call), rt::Error);
  EXPECT_THROW(backend_.prepare(call)->start(), rt::Error);
}

// As if MPI could count to 7, to 40, and as it is.
INSTANTIATE_TEST_SUITE_P(Chunks, NativeBackendTest,
                         ::testing::Values(7, 40, NativeBackend::largest_count));

}  // namespace
}  // namespace cartwright::comm
