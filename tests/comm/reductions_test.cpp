// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cartwright/comm/backends/native_backend.hpp>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/rt/error.hpp>
#include <complex>
#include <cstdint>
#include <numeric>
#include <vector>

namespace cartwright::comm {
namespace {

class OnAllRanks {
 public:
  OnAllRanks()
      : parent_(rt::Communicator::duplicate(MPI_COMM_WORLD)),
        cart_(parent_, engine_, {.dims = {parent_.size()}, .periodic = {true}}) {}
  const CartComm* operator->() const { return &cart_; }
  [[nodiscard]] int ranks() const { return parent_.size(); }
  [[nodiscard]] int me() const { return cart_.rank().value; }

 private:
  rt::Communicator parent_;
  rt::ProgressEngine engine_;
  CartComm cart_;
};

/// Small numbers, different on each rank, whose sums and products are exact in every type.
template <class T>
T sample(int rank, std::size_t i) {
  const auto turn = static_cast<signed char>((rank + static_cast<int>(i)) % 3);
  if constexpr (std::same_as<T, bool>) {
    return turn == 0;
  } else if constexpr (detail::IsComplex<T>::value) {
    return {static_cast<typename T::value_type>(turn),
            static_cast<typename T::value_type>(rank == 0)};
  } else {
    return static_cast<T>(turn + (rank == 0 ? 1 : 0));
  }
}

template <class T>
T combined(Operator op, T a, T b) {
  switch (op) {
    case Operator::sum:
      return static_cast<T>(a + b);
    case Operator::product:
      return static_cast<T>(a * b);
    default:
      break;
  }
  if constexpr (!detail::IsComplex<T>::value) {
    if (op == Operator::minimum) return std::min(a, b);
    if (op == Operator::maximum) return std::max(a, b);
    const bool x = a != T{};
    const bool y = b != T{};
    if (op == Operator::logical_and) return static_cast<T>(x && y);
    if (op == Operator::logical_or) return static_cast<T>(x || y);
    if (op == Operator::logical_xor) return static_cast<T>(x != y);
    if constexpr (std::is_integral_v<T>) {
      if (op == Operator::bit_and) return static_cast<T>(a & b);
      if (op == Operator::bit_or) return static_cast<T>(a | b);
      if (op == Operator::bit_xor) return static_cast<T>(a ^ b);
    }
  }
  return a;
}

constexpr Operator all_operators[] = {
    Operator::sum,         Operator::product,    Operator::minimum,     Operator::maximum,
    Operator::logical_and, Operator::logical_or, Operator::logical_xor, Operator::bit_and,
    Operator::bit_or,      Operator::bit_xor};

template <class T>
T expected(Operator op, int ranks, std::size_t i) {
  T value = sample<T>(0, i);
  for (int rank = 1; rank < ranks; ++rank) value = combined(op, value, sample<T>(rank, i));
  return value;
}

template <class T>
class Reductions : public ::testing::Test {};
using Types = ::testing::Types<bool, char, signed char, unsigned char, short, unsigned short, int,
                               unsigned, long, unsigned long, long long, unsigned long long, float,
                               double, long double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Reductions, Types);

constexpr std::size_t length = 5;
/// Not a std::vector: that of bool has no memory to speak of.
template <class T>
using Numbers = std::array<T, length>;

template <class T>
Numbers<T> samples(int rank) {
  Numbers<T> numbers{};
  for (std::size_t i = 0; i < length; ++i) numbers[i] = sample<T>(rank, i);
  return numbers;
}

TYPED_TEST(Reductions, AllOperators) {
  const OnAllRanks cart;
  for (const Operator op : all_operators) {
    auto numbers = samples<TypeParam>(cart.me());
    const std::span<TypeParam> span(numbers);
    if (!is_defined(op, scalar_type<TypeParam>())) {
      EXPECT_THROW(cart->allreduce(span, op), rt::Error);
      EXPECT_THROW((void)cart->start_allreduce(span, op), rt::Error);
      continue;
    }
    cart->allreduce(span, op);
    auto later = samples<TypeParam>(cart.me());
    auto pending = cart->start_allreduce(std::span<TypeParam>(later), op);
    const auto single = cart->allreduce(sample<TypeParam>(cart.me(), 1), op);
    pending.wait();
    EXPECT_TRUE(pending.test());
    for (std::size_t i = 0; i < length; ++i) {
      EXPECT_EQ(numbers[i], expected<TypeParam>(op, cart.ranks(), i)) << name(op);
      EXPECT_EQ(later[i], numbers[i]) << name(op);
    }
    EXPECT_EQ(single, numbers[1]);
  }
}

TYPED_TEST(Reductions, ToAndFromEveryRoot) {
  const OnAllRanks cart;
  const Operator op =
      is_defined(Operator::sum, scalar_type<TypeParam>()) ? Operator::sum : Operator::logical_or;
  for (int root = 0; root < cart.ranks(); ++root) {
    const auto mine = samples<TypeParam>(cart.me());
    auto now = mine;
    auto later = mine;
    cart->reduce(std::span<TypeParam>(now), op, rt::Rank{root});
    cart->start_reduce(std::span<TypeParam>(later), op, rt::Rank{root}).wait();
    for (std::size_t i = 0; i < length; ++i) {
      const auto result = expected<TypeParam>(op, cart.ranks(), i);
      EXPECT_EQ(now[i], cart.me() == root ? result : mine[i]);
      EXPECT_EQ(later[i], now[i]);
    }
    auto news = mine;
    auto more = mine;
    cart->broadcast(std::span<TypeParam>(news), rt::Rank{root});
    cart->start_broadcast(std::span<TypeParam>(more), rt::Rank{root}).wait();
    EXPECT_EQ(news, samples<TypeParam>(root));
    EXPECT_EQ(more, news);
  }
}

TEST(Collectives, TakeNothingAtAll) {
  const OnAllRanks cart;
  std::vector<double> none;
  cart->allreduce(std::span<double>(none), Operator::sum);
  cart->reduce(std::span<double>(none), Operator::sum, rt::Rank{0});
  cart->broadcast(std::span<double>(none), rt::Rank{0});
  cart->start_allreduce(std::span<double>(none), Operator::sum).wait();
  cart->start_broadcast(std::span<double>(none), rt::Rank{0}).wait();
  Pending empty;
  EXPECT_TRUE(empty.test());
}

TEST(Collectives, SeveralAreInFlightTogether) {
  const OnAllRanks cart;
  std::vector<std::vector<double>> numbers;
  for (int i = 0; i < 12; ++i)
    numbers.emplace_back(static_cast<std::size_t>(100 * i + 1), cart.me() + i);
  std::vector<Pending> pending;
  for (auto& values : numbers) {
    pending.push_back(cart->start_allreduce(std::span<double>(values), Operator::sum));
  }
  pending.push_back(cart->start_barrier());
  std::reverse(pending.begin(), pending.end());
  pending.clear();  // waits for each
  const double ranks = cart.ranks();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double sum = ranks * (ranks - 1) / 2 + ranks * static_cast<double>(i);
    EXPECT_EQ(std::count(numbers[i].begin(), numbers[i].end(), sum),
              static_cast<std::ptrdiff_t>(numbers[i].size()));
  }
}

TEST(Collectives, APendingOneCanBeReplaced) {
  const OnAllRanks cart;
  int a = 1;
  int b = 2;
  Pending pending = cart->start_allreduce(std::span<int>(&a, 1), Operator::sum);
  pending = cart->start_allreduce(std::span<int>(&b, 1), Operator::sum);
  EXPECT_EQ(a, cart.ranks());
  pending.wait();
  EXPECT_EQ(b, 2 * cart.ranks());
}

TEST(Collectives, WorkOnAxisCommunicators) {
  const auto parent = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine;
  const int columns = parent.size() % 2 == 0 ? 2 : 1;
  const CartComm cart(parent, engine, {.dims = {columns, parent.size() / columns}},
                      mapping::discover(parent, "node:4 core:2"));
  for (int axis = 0; axis < 2; ++axis) {
    int sum = cart.coordinates()[static_cast<std::size_t>(axis)];
    sum = cart.along(axis).allreduce(sum, Operator::sum);
    const int n = cart.dims()[static_cast<std::size_t>(axis)];
    EXPECT_EQ(sum, n * (n - 1) / 2);
  }
}

TEST(NativeBackend, SplitsWhatMpiCannotCount) {
  const auto comm = rt::Communicator::duplicate(MPI_COMM_WORLD);
  rt::ProgressEngine engine;
  NativeBackend backend(comm, engine, P2pChannel(comm), NativeBackend::Blocking::by_mpi,
                        7);  // as if 7 were the largest count
  using enum plan::Operation;
  for (const std::size_t count : {1U, 6U, 7U, 8U, 14U, 100U}) {
    const auto fresh = [&] {
      std::vector<long long> numbers(count);
      std::iota(numbers.begin(), numbers.end(), comm.rank().value);
      return numbers;
    };
    const long long ranks = comm.size();
    std::vector<long long> sums(count);
    for (std::size_t i = 0; i < count; ++i) {
      sums[i] = ranks * (ranks - 1) / 2 + ranks * static_cast<long long>(i);
    }
    for (const plan::Operation operation : {allreduce, reduce, broadcast}) {
      for (const bool blocking : {true, false}) {
        const std::vector<long long> mine = fresh();
        std::vector<long long> result = fresh();
        const Call call{.operation = operation,
                        .input = reinterpret_cast<const std::byte*>(mine.data()),
                        .output = reinterpret_cast<std::byte*>(result.data()),
                        .element = element_of<long long>(),
                        .count = static_cast<plan::Count>(count),
                        .reduction = predefined(Operator::sum, ScalarType::int64)};
        if (blocking) {
          backend.run(call);
        } else {
          auto prepared = backend.prepare(call);
          prepared->start();
          Pending(engine, std::move(prepared)).wait();
        }
        if (operation == broadcast) {
          EXPECT_EQ(result.back(), static_cast<long long>(count) - 1);
        } else {
          EXPECT_EQ(result, operation == reduce && !comm.is_root() ? mine : sums);
        }
      }
    }
  }
}

}  // namespace
}  // namespace cartwright::comm
