// SPDX-License-Identifier: Apache-2.0
// Rows of new values, stored in any manner: the bits of points one by one, and nothing beside them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/grid/field/new_values.hpp>
#include <cartwright/grid/field/stencil.hpp>
#include <cartwright/grid/kernels/caches.hpp>
#include <cartwright/grid/kernels/row_blocks.hpp>
#include <cartwright/grid/kernels/sweep_trial.hpp>
#include <cmath>
#include <span>
#include <stdexcept>
#include <vector>

namespace cartwright::grid {
namespace {

/// Points along x in front of and behind what tests compute.
constexpr int margin = 24;
constexpr int longest = 100;

template <class T>
T value_of(std::size_t number) {
  const double value = std::sin(0.7 * static_cast<double>(number));
  T element{};
  for (int c = 0; c < ElementTraits<T>::components; ++c)
    component_of(element, c) = static_cast<typename ElementTraits<T>::Scalar>(value + c);
  return element;
}

/// Three rows in each of three planes, from a cache line on or `shift` elements behind one.
template <class T>
class Rows3 {
 public:
  explicit Rows3(int shift, double spacing) {
    constexpr std::size_t row = longest + 2 * margin;
    values_.resize(9 * row + 128);
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = value_of<T>(i);
    T* first = values_.data();
    while (!begins_line(first)) ++first;
    const std::ptrdiff_t stride[3] = {1, static_cast<std::ptrdiff_t>(row),
                                      static_cast<std::ptrdiff_t>(3 * row)};
    const double inverse[3] = {1.0, 1.0, spacing};
    view_ = {first + shift + margin + stride[1] + stride[2], stride, inverse, 0};
  }
  [[nodiscard]] const FieldView<T, 3>& view() const { return view_; }

 private:
  std::vector<T> values_;
  FieldView<T, 3> view_;
};

template <class T>
bool has_same_bits(const T& a, const T& b) {
  return std::ranges::equal(std::as_bytes(std::span(&a, 1)), std::as_bytes(std::span(&b, 1)));
}

template <class T>
void expect_bits(const RowManner& manner, int shift, int begin, int end, double spacing) {
  const Rows3<T> from(3, spacing), expected(shift, spacing), found(shift, spacing);
  const auto kernel = [](const FieldView<const T, 3>& in, const Index<3>& i) {
    return in(i) + 0.1 * laplacian(in, i);
  };
  const FieldView<const T, 3> in = from.view().reading();
  for (int x = begin; x < end; ++x) {
    const Index<3> i{x, 0, 0};
    expected.view()(i) = kernel(in, i);
  }
  run_new_row<T, 3>(kernel, in, found.view(), Index<3>{begin, 0, 0}, end, manner);
  finish_streaming();
  for (int x = begin; x < end; ++x) {
    const Index<3> i{x, 0, 0};
    EXPECT_TRUE(has_same_bits(found.view()(i), expected.view()(i)))
        << x << " in " << begin << "-" << end << ", shift " << shift;
  }
}

/// What lies around the row stays.
template <class T>
void expect_nothing_beside(const RowManner& manner, int shift, int begin, int end) {
  const Rows3<T> from(3, 1.0);
  Rows3<T> to(shift, 1.0);
  std::vector<T> before;
  for (int x = -margin; x < longest + margin; ++x) before.push_back(to.view()(Index<3>{x, 0, 0}));
  const auto kernel = [](const FieldView<const T, 3>& u, const Index<3>& i) { return -1.0 * u(i); };
  run_new_row<T, 3>(kernel, from.view().reading(), to.view(), Index<3>{begin, 0, 0}, end, manner);
  finish_streaming();
  for (int x = -margin; x < longest + margin; ++x) {
    if (x >= begin && x < end) continue;
    const T now = to.view()(Index<3>{x, 0, 0});
    EXPECT_TRUE(has_same_bits(now, before[static_cast<std::size_t>(x + margin)])) << x;
  }
}

template <class T>
void expect_all() {
  for (const RowManner manner : {RowManner{}, RowManner{true, 0}, RowManner{true, 300}})
    for (const int shift : {0, 1, 5})
      for (const int begin : {-7, 0, 1, 8})
        for (const int end : {-7, 0, 2, 15, 16, 17, 24, 63, 64, 97}) {
          for (const double spacing : {1.0, 2.0})
            expect_bits<T>(manner, shift, begin, end, spacing);
          expect_nothing_beside<T>(manner, shift, begin, end);
        }
}

TEST(NewValues, Doubles) {
  expect_all<double>();
}
TEST(NewValues, Vectors) {
  expect_all<Vector<double, 3>>();
}

/// Wherever it lies: nothing is refused, and nothing changes.
TEST(RowFetch, BeyondAnyMemory) {
  constexpr std::ptrdiff_t far = std::ptrdiff_t{1} << 56;
  const Rows3<double> rows(0, 1.0);
  const Index<3> first{0, 0, 0};
  const double before = rows.view()(first);
  for (const std::ptrdiff_t ahead : {std::ptrdiff_t{0}, far, -far})
    for (const int end : {-1, 0, 1, longest})
      RowFetch<double, 3>{rows.view().reading(), ahead}(first, end);
  EXPECT_TRUE(has_same_bits(rows.view()(first), before));
}

struct TriedManner {
  SweepManner manner;
  double seconds;
  int sweeps = 0;
};

/// The manner in which a trial ends: each takes as long as is said, but for its first sweep of a
/// turn, and one that something disturbs. All are tried as often.
SweepManner chosen(SweepTrial trial, std::vector<TriedManner> all) {
  const TriedManner* before = nullptr;
  for (int sweep = 0; trial.is_under_way(); ++sweep) {
    const auto one = std::ranges::find(all, trial.manner(), &TriedManner::manner);
    if (one == all.end()) throw std::logic_error("an unknown manner");
    trial.took((before != &*one || sweep == 4 ? 100.0 : 1.0) * one->seconds);
    ++one->sweeps;
    before = &*one;
  }
  for (const TriedManner& each : all) EXPECT_EQ(each.sweeps, all.size() > 1 ? 12 : 0);
  EXPECT_LE(12 * std::ssize(all), SweepTrial::most_sweeps());
  const SweepManner manner = trial.manner();
  for (const double seconds : {1.0e6, 0.0, 1.0e6}) {
    trial.took(seconds);  // what comes later changes nothing
    EXPECT_EQ(trial.manner(), manner);
  }
  return manner;
}

TEST(SweepTrial, KeepsWhatIsClearlyQuicker) {
  const SweepManner any{false, false}, own{true, false}, past{true, true};
  const StoreRule in_caches{}, past_caches{true, true}, perhaps{false, false}, likely{true, false};
  EXPECT_EQ(chosen(SweepTrial(in_caches, false), {{any, 1.0}}), any);
  EXPECT_EQ(chosen(SweepTrial(past_caches, true), {{past, 1.0}}), past);
  EXPECT_EQ(chosen(SweepTrial(in_caches, true), {{any, 1.0}, {own, 0.83}}), own);
  EXPECT_EQ(chosen(SweepTrial(in_caches, true), {{any, 1.0}, {own, 0.99}}), any);
  EXPECT_EQ(chosen(SweepTrial(in_caches, true), {{any, 1.0}, {own, 1.3}}), any);
  EXPECT_EQ(chosen(SweepTrial(perhaps, false), {{any, 1.0}, {past, 0.7}}), past);
  EXPECT_EQ(chosen(SweepTrial(perhaps, true), {{any, 1.0}, {own, 0.8}, {past, 0.7}}), past);
  EXPECT_EQ(chosen(SweepTrial(perhaps, false), {{any, 1.0}, {past, 0.95}}), any);
  EXPECT_EQ(chosen(SweepTrial(perhaps, true), {{any, 1.0}, {own, 0.8}, {past, 0.9}}), own);
  EXPECT_EQ(chosen(SweepTrial(likely, true), {{past, 1.0}, {any, 0.99}, {own, 0.98}}), past);
  EXPECT_EQ(chosen(SweepTrial(likely, false), {{past, 1.0}, {any, 0.9}}), any);
}

TEST(RowBlocks, CutWhatIsTooLargeForACache) {
  for (const bool in_own_cache : {false, true}) {
    const StencilRead read{sizeof(double), 1, room_for_planes(in_own_cache)};
    // Twice as many rows as fit, of which four planes are in use.
    const int row = 256;
    const int rows = static_cast<int>(read.room / (4 * sizeof(double) * row));
    EXPECT_EQ(row_blocks<3>({row, rows / 2, 64}, read), 1);
    EXPECT_GE(row_blocks<3>({row, 2 * rows, 64}, read), 2);
    EXPECT_LE(row_blocks<3>({row, 2 * rows, 64}, read), 3);
    EXPECT_EQ(row_blocks<3>({row, 8, 64}, read), 1);
    EXPECT_EQ(row_blocks<2>({1 << 20, 1 << 20}, read), 1);
    // Too few rows would fit, or none.
    EXPECT_EQ(row_blocks<3>({1 << 24, 4096, 64}, read), 1);
    EXPECT_EQ(row_blocks<3>({0, 0, 0}, read), 1);
  }
}

TEST(Caches, AreThoseOfAProcessor) {
  EXPECT_GE(bytes_of_own_cache(), std::size_t{1} << 15U);
  EXPECT_GE(bytes_of_core_caches(), bytes_of_own_cache());
  EXPECT_LE(bytes_of_core_caches(), bytes_of_own_cache() + (std::size_t{64} << 20U));
  EXPECT_EQ(bytes_of_caches() % bytes_of_core_caches(), 0U);
  EXPECT_FALSE(leaves_caches(bytes_of_caches() / 2));
  EXPECT_EQ(leaves_caches(bytes_of_caches()), has_streaming_stores);
  EXPECT_EQ(is_sure_to_leave_or_stay(bytes_of_caches()), !has_streaming_stores);
  EXPECT_TRUE(is_sure_to_leave_or_stay(4 * bytes_of_caches()));
  EXPECT_TRUE(is_sure_to_leave_or_stay(bytes_of_caches() / 16));
}

}  // namespace
}  // namespace cartwright::grid
