// SPDX-License-Identifier: Apache-2.0
// Rows in packs of any length: the bits of points one by one, each point once, and nothing beside
// them.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cartwright/grid/field/pack_view.hpp>
#include <cartwright/grid/field/stencil.hpp>
#include <cartwright/grid/kernels/pack_functions.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
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

std::uint64_t bits_of(double number) {
  return std::bit_cast<std::uint64_t>(number);
}

#ifdef CARTWRIGHT_PACKS
/// Whether `function` of packs has the bits of `function` of their numbers.
template <int points, class Function, class... Rows>
void expect_bits_of_numbers(const char* name, const Function& function, const Rows&... rows) {
  const auto pack_from = [](const std::vector<double>& row, std::size_t first) {
    return PackOf<points>(&row[first], std::experimental::element_aligned);
  };
  const std::size_t count = std::min({rows.size()...});
  for (std::size_t first = 0; first + points <= count; first += points) {
    const PackOf<points> found = function(pack_from(rows, first)...);
    for (std::size_t k = 0; k < points; ++k)
      ASSERT_EQ(bits_of(found[k]), bits_of(function(rows[first + k]...)))
          << name << " of number " << first + k;
  }
}

/// All kinds of numbers, in an order that `turn` changes.
std::vector<double> some_numbers(std::size_t turn) {
  using Limits = std::numeric_limits<double>;
  std::vector<double> numbers{0.0,
                              -0.0,
                              1.0,
                              -1.0,
                              Limits::infinity(),
                              -Limits::infinity(),
                              Limits::quiet_NaN(),
                              Limits::denorm_min(),
                              -Limits::min(),
                              Limits::max(),
                              700.0,
                              -745.0};
  for (int n = 0; n < 500; ++n) numbers.push_back(std::sin(n) * std::exp2(n % 40 - 20));
  std::rotate(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(turn), numbers.end());
  return numbers;
}

template <int points>
void expect_functions_of_packs() {
  const std::vector<double> x = some_numbers(0);
  const auto of_one = [&](const char* name, const auto& function) {
    expect_bits_of_numbers<points>(name, function, x);
  };
  of_one("abs", [](const auto& a) { return grid::abs(a); });
  of_one("sqrt", [](const auto& a) { return grid::sqrt(a); });
  of_one("exp", [](const auto& a) { return grid::exp(a); });
  of_one("log", [](const auto& a) { return grid::log(a); });
  of_one("sin", [](const auto& a) { return grid::sin(a); });
  of_one("cos", [](const auto& a) { return grid::cos(a); });
  of_one("cbrt", [](const auto& a) {
    return grid::elementwise([](double number) { return std::cbrt(number); }, a);
  });
  of_one("max(a, 0)", [](const auto& a) { return grid::max(a, 0.0); });
  of_one("min(0.5, a)", [](const auto& a) { return grid::min(0.5, a); });
  of_one("2.5^a", [](const auto& a) { return grid::pow(2.5, a); });
  for (std::size_t turn = 0; turn < 24; ++turn) {
    const std::vector<double> y = some_numbers(turn);
    const auto of_two = [&](const char* name, const auto& function) {
      expect_bits_of_numbers<points>(name, function, x, y);
    };
    of_two("pow", [](const auto& a, const auto& b) { return grid::pow(a, b); });
    of_two("min", [](const auto& a, const auto& b) { return grid::min(a, b); });
    of_two("max", [](const auto& a, const auto& b) { return grid::max(a, b); });
  }
}

TEST(Packs, FunctionsHaveTheBitsOfNumbers) {
  expect_functions_of_packs<points_of_vector>();
  expect_functions_of_packs<points_of_line>();
}

/// A field of two dimensions with ghosts around, and cells that become wider.
template <class T>
class StoredPlane {
 public:
  StoredPlane()
      : values_(static_cast<std::size_t>(layout.elements * (is_in_arrays<T> ? 1 : components))) {
    for (std::size_t n = 0; n < values_.size(); ++n)
      values_[n] = static_cast<Scalar>(100.0 + 99.0 * std::sin(0.37 * static_cast<double>(n)));
    for (int axis = 0; axis < 2; ++axis)
      for (int n = 0; n < places; ++n) {
        widths_[axis][n] = 1.0 / (0.1 + 0.013 * n + 0.01 * axis);
        steps_[axis][n] = 1.0 / (0.1 + 0.0123 * n + 0.01 * axis);
      }
  }
  /// `is_cubic`: spacings are equal.
  [[nodiscard]] FieldView<const T, 2> view(bool is_cubic) {
    const double inverse[2] = {3.7, is_cubic ? 3.7 : 1.3};
    if constexpr (is_in_arrays<T>)
      return FieldView<T, 2>(values_.data() + layout.origin, layout, inverse, 0).reading();
    else
      return FieldView<T, 2>(reinterpret_cast<T*>(values_.data()) + layout.origin, layout, inverse,
                             0)
          .reading();
  }
  [[nodiscard]] PackView<const T, 2> packs(bool is_cubic) {
    return {view(is_cubic), is_in_arrays<T> ? layout.component_stride : 1, false};
  }
  [[nodiscard]] StretchedCells<2> cells() const {
    return {{&widths_[0][ghosts], &widths_[1][ghosts]},
            {&steps_[0][ghosts], &steps_[1][ghosts]},
            {false, true}};
  }

 private:
  static constexpr int extent = 32, ghosts = 4, places = extent + 2 * ghosts;
  static constexpr int components = ElementTraits<T>::components;
  using Scalar = typename ElementTraits<T>::Scalar;
  const Layout<2> layout{Index<2>{extent, extent}, ghosts,
                         is_in_arrays<T> ? sizeof(Scalar) : sizeof(ElementOf<T>),
                         is_in_arrays<T> ? components : 1};
  std::vector<Scalar> values_;
  double widths_[2][places], steps_[2][places];
};

/// The numbers of a value, or of a pack of values at its point k.
std::vector<std::uint64_t> bits_at(double value, std::size_t /*k*/) {
  return {bits_of(value)};
}
template <class Kind>
std::vector<std::uint64_t> bits_at(const PackOfKind<Kind>& value, std::size_t k) {
  return {bits_of(value[k])};
}
template <class Number, int N>
std::vector<std::uint64_t> bits_at(const Vector<Number, N>& value, std::size_t k) {
  std::vector<std::uint64_t> bits(N);
  for (int c = 0; c < N; ++c) bits[static_cast<std::size_t>(c)] = bits_at(value[c], k).front();
  return bits;
}

template <int points, class View, class Packs, class Difference>
void expect_same_at(const View& view, const Packs& packs, const Difference& difference) {
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x + points <= 24; x += points) {
      const auto found = difference(packs, PackIndex<2, points>{{x, y}});
      for (int k = 0; k < points; ++k) {
        const Index<2> i{x + k, y};
        const auto expected = bits_at(difference(view, i), 0);
        ASSERT_EQ(bits_at(found, static_cast<std::size_t>(k)), expected) << x + k << ", " << y;
        ASSERT_EQ(bits_at(difference(packs, i), 0), expected) << x + k << ", " << y;
      }
    }
}

/// Of packs of both lengths, on equal cells (cubes or not) and on stretched ones.
template <class T, class Difference>
void expect_same(const char* name, const Difference& difference) {
  SCOPED_TRACE(name);
  StoredPlane<T> plane;
  for (const bool is_cubic : {false, true}) {
    const auto check = [&](const auto& cells) {
      const auto at = [&](const auto& u, const auto& i) { return difference(u, i, cells); };
      expect_same_at<points_of_vector>(plane.view(is_cubic), plane.packs(is_cubic), at);
      expect_same_at<points_of_line>(plane.view(is_cubic), plane.packs(is_cubic), at);
    };
    check(EqualCells<2>{});
    check(plane.cells());
  }
}

template <class T>
void expect_same_differences() {
  expect_same<T>("laplacian",
                 [](const auto& u, const auto& i, const auto& c) { return laplacian(u, i, c); });
  for (const int axis : {0, 1}) {
    const auto expect = [&](const char* name, const auto& difference) {
      expect_same<T>(name, [&](const auto& u, const auto& i, const auto& c) {
        return difference(u, i, axis, c);
      });
    };
    expect("second_derivative", [](const auto& u, const auto& i, int a, const auto& c) {
      return second_derivative(u, i, a, c);
    });
    expect("derivative", [](const auto& u, const auto& i, int a, const auto& c) {
      return derivative(u, i, a, c);
    });
    expect("difference_below", [](const auto& u, const auto& i, int a, const auto& c) {
      return difference_below(u, i, a, c);
    });
    expect("difference_above", [](const auto& u, const auto& i, int a, const auto& c) {
      return difference_above(u, i, a, c);
    });
    expect("mean_below", [](const auto& u, const auto& i, int a, const auto& c) {
      return mean_below(u, i, a, c);
    });
    expect("mean_above", [](const auto& u, const auto& i, int a, const auto& c) {
      return mean_above(u, i, a, c);
    });
    expect("flow_below", [](const auto& u, const auto& i, int a, const auto& c) {
      return flow_below(u, i, a, c);
    });
    expect("inverse_width", [](const auto& u, const auto& i, int a, const auto& c) {
      return NumberAt<std::remove_cvref_t<decltype(i)>>(inverse_width(u, i, a, c));
    });
  }
}

TEST(Packs, DifferencesHaveTheBitsOfPoints) {
  expect_same_differences<double>();
  expect_same<double>(
      "gradient", [](const auto& u, const auto& i, const auto& c) { return gradient(u, i, c); });
}
TEST(Packs, DifferencesOfVectorsHaveTheBitsOfPoints) {
  expect_same_differences<Vector<double, 3>>();
  expect_same_differences<Arrays<Vector<double, 3>>>();
}

TEST(Packs, OfMasksAreReadAsDoubles) {
  StoredPlane<unsigned char> plane;
  const auto mask = plane.packs(true);
  const auto bytes = plane.view(true);
  const PackOf<points_of_line> found = mask(PackIndex<2, points_of_line>{{3, 5}});
  for (int k = 0; k < points_of_line; ++k)
    EXPECT_EQ(found[static_cast<std::size_t>(k)], static_cast<double>(bytes(Index<2>{3 + k, 5})));
  EXPECT_EQ(mask(Index<2>{3, 5}), bytes(Index<2>{3, 5}));
}
#endif

TEST(Vectors, CalculateAsTheirComponents) {
  using V = Vector<double, 3>;
  constexpr V a{1.0, -2.0, 0.5}, b{4.0, 3.0, -8.0};
  static_assert(a + b == V{5.0, 1.0, -7.5} && a - b == V{-3.0, -5.0, 8.5});
  static_assert(2.0 * a == V{2.0, -4.0, 1.0} && a * 2.0 == 2.0 * a && -a == -1.0 * a);
  static_assert(b / 4.0 == V{1.0, 0.75, -2.0});
  V c = a;
  EXPECT_EQ(c += b, a + b);
  EXPECT_EQ(c -= b, a);
  EXPECT_EQ(c *= 3.0, 3.0 * a);
  EXPECT_EQ(c /= 3.0, a);
  // A quotient isn't the product with a reciprocal.
  EXPECT_EQ((V{5.0, 5.0, 5.0} / 49.0)[0], 5.0 / 49.0);
}

}  // namespace
}  // namespace cartwright::grid
