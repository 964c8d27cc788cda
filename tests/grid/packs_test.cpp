// SPDX-License-Identifier: Apache-2.0
// Rows in packs of any length: the bits of points one by one, each point once, and nothing beside
// them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cartwright/grid/field/pack_view.hpp>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

namespace cartwright::grid {
namespace {

constexpr int beside = 24, most_points = 48;

/// A row, from a cache line on or `shift` elements behind one.
template <class T>
class StoredRow {
 public:
  explicit StoredRow(int shift) : values_(most_points + 2 * beside + 64) {
    T* first = values_.data();
    while (!begins_line(first)) ++first;
    const std::ptrdiff_t stride[3] = {1, 0, 0};
    const double inverse[3] = {1.0, 1.0, 1.0};
    view_ = {first + shift + beside, stride, inverse, 0};
    for (int x = -beside; x < most_points + beside; ++x)
      for (int c = 0; c < ElementTraits<T>::components; ++c)
        component_of((*this)[x], c) = std::sin(0.7 * x + c);
  }
  [[nodiscard]] T& operator[](int x) const { return view_(Index<3>{x, 0, 0}); }
  [[nodiscard]] PackView<T, 3> packs(bool past_caches) const { return {view_, 1, past_caches}; }

 private:
  std::vector<T> values_;
  FieldView<T, 3> view_;
};

/// Whoever is called twice for a point, or beside the row, is found out.
struct Smooth {
  PackView<double, 3> in, out, calls;

  template <class Point>
  void operator()(const Point& i) const {
    const NumberAt<Point> here = in(i), next = in(i.shifted(0, 1)), called = calls(i);
    out(i) = choose(here > 0.0, 0.3 * here + next, next);
    calls(i) = called + 1.0;
  }
};

struct Turn {
  PackView<Vector<double, 3>, 3> in, out;

  template <class Point>
  void operator()(const Point& i) const {
    using Number = NumberAt<Point>;
    const Vector<Number, 3> here = in(i);
    const Vector<Number, 3> turned{here[1], -here[0], here[2] * here[2]};
    out(i) = choose(here[0] < here[2], turned, here);
  }
};

template <class Case>
void for_rows(const Case& one) {
  for (const bool past_caches : {false, true})
    for (const int shift : {0, 1, 4})
      for (int begin = -9; begin <= 9; ++begin)
        for (int end = begin; end <= std::min(begin + 36, most_points); ++end)
          one(past_caches, shift, begin, end);
}

TEST(Packs, OfNumbersMeetEachPointOnce) {
  for_rows([](bool past_caches, int shift, int begin, int end) {
    const StoredRow<double> in(0), out(shift), calls(shift), before(shift);
    const Smooth kernel{in.packs(false), out.packs(past_caches), calls.packs(false)};
    in_packs(kernel).row(Index<3>{begin, 0, 0}, end);
    for (int x = -beside; x < most_points + beside; ++x) {
      const bool inside = x >= begin && x < end;
      double expected = before[x];
      if (inside) expected = in[x] > 0.0 ? 0.3 * in[x] + in[x + 1] : in[x + 1];
      ASSERT_EQ(out[x], expected) << x << " in " << begin << "-" << end << ", shift " << shift;
      ASSERT_EQ(calls[x], before[x] + (inside ? 1.0 : 0.0)) << x << " in " << begin << "-" << end;
    }
  });
}

TEST(Packs, OfVectorsHaveTheBitsOfPoints) {
  using Element = Vector<double, 3>;
  for_rows([](bool past_caches, int shift, int begin, int end) {
    const StoredRow<Element> in(0), out(shift), expected(shift);
    in_packs(Turn{in.packs(false), out.packs(past_caches)}).row(Index<3>{begin, 0, 0}, end);
    const Turn by_points{in.packs(false), expected.packs(false)};
    for (int x = begin; x < end; ++x) by_points(Index<3>{x, 0, 0});
    for (int x = -beside; x < most_points + beside; ++x)
      // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): the bits are what is asked for
      ASSERT_EQ(std::memcmp(&out[x], &expected[x], sizeof(Element)), 0)
          << x << " in " << begin << "-" << end << ", shift " << shift;
  });
}

}  // namespace
}  // namespace cartwright::grid
