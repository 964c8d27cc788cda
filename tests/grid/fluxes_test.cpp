// SPDX-License-Identifier: Apache-2.0
// Kernels with fluxes: the bits of kernels that find all faces of a point themselves, each point
// once, and each face nearly once.
#include <gtest/gtest.h>

#include <atomic>
#include <cartwright/grid/field/pack_view.hpp>
#include <cartwright/grid/field/stencil.hpp>
#include <cartwright/grid/kernels/fluxes.hpp>
#include <cartwright/grid/kernels/row_reduction.hpp>
#include <cartwright/grid/kernels/rows.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace cartwright::grid {
namespace {

constexpr int halo = 2;

/// Values around a box, some of them ghosts.
template <class T, int D>
class Stored {
 public:
  explicit Stored(const Box<D>& box) {
    std::ptrdiff_t size = 1, origin = 0;
    const double inverse[3] = {2.0, 0.7, 1.3};
    double inverse_spacing[D];
    for (int axis = 0; axis < D; ++axis) {
      stride_[axis] = size;
      origin += size * (halo - box.lower[axis]);
      size *= box.extent(axis) + 2 * halo;
      inverse_spacing[axis] = inverse[axis];
    }
    values_.resize(static_cast<std::size_t>(size));
    std::uint32_t number = 1;
    for (T& value : values_)
      for (int c = 0; c < ElementTraits<T>::components; ++c) {
        number = 1664525 * number + 1013904223;
        component_of(value, c) = static_cast<typename ElementTraits<T>::Scalar>(
            1e-3 * static_cast<double>(number % 100000));
      }
    view_ = {values_.data() + origin, stride_, inverse_spacing, 0};
  }
  [[nodiscard]] const FieldView<T, D>& view() const { return view_; }
  [[nodiscard]] PackView<T, D> packs(bool past_caches) const { return {view_, 1, past_caches}; }
  [[nodiscard]] bool operator==(const Stored& other) const {
    return std::memcmp(values_.data(), other.values_.data(), values_.size() * sizeof(T)) == 0;
  }

 private:
  std::vector<T> values_;
  std::ptrdiff_t stride_[D];
  FieldView<T, D> view_;
};

/// No flux of nature: another one along each axis, from four points.
template <class View, class Value>
struct Flux {
  View u;

  template <class Point>
  auto operator()(const Point& i, int axis) const {
    const auto of = [&](int distance) -> ValueAt<Value, Point> {
      return u(i.shifted(axis, distance));
    };
    ValueAt<Value, Point> result = of(-2) - of(1);
    for (int k = 0; k <= axis; ++k) result = result + of(-1);
    return ValueAt<Value, Point>(result - of(0));
  }
};

/// Adds to what is there: who comes twice is found out.
template <class View, class Value, int D>
struct Update {
  View u, out;

  template <class Point, class F>
  void operator()(const Point& i, const Fluxes<F, D>& fluxes) const {
    F sum = u(i);
    for (int axis = 0; axis < D; ++axis)
      for (int k = 0; k <= axis; ++k)
        sum = sum + fluxes.low[axis] + fluxes.low[axis] - fluxes.high[axis];
    const F before = out(i);
    out(i) = F(before + sum);
  }
};

template <int D>
std::vector<Box<D>> boxes() {
  std::mt19937 random(17);
  std::vector<Box<D>> result;
  const int lengths[] = {1, 2, 3, 16, 40, D == 1 ? 1000 : 300};
  for (const int most : lengths)
    for (int k = 0; k < 12; ++k) {
      Box<D> box;
      for (int axis = 0; axis < D; ++axis) {
        const int extent = 1 + static_cast<int>(random() % (axis == k % D ? most : most % 43 + 1));
        box.lower[axis] = static_cast<int>(random() % 300) - 20;
        box.upper[axis] = box.lower[axis] + extent;
      }
      result.push_back(box);
    }
  return result;
}

template <class Value, int D>
void expect_bits_of_points() {
  using View = FieldView<Value, D>;
  for (const Box<D>& box : boxes<D>()) {
    const Stored<Value, D> in(box), by_rows(box), by_points(box);
    const Flux<View, Value> flux{in.view()};
    for_each_point<D>(box, with_fluxes(flux, Update<View, Value, D>{in.view(), by_rows.view()}));
    const auto all_faces = with_fluxes(flux, Update<View, Value, D>{in.view(), by_points.view()});
    for_each_point<D>(box, [all_faces](const Index<D>& i) { all_faces(i); });
    ASSERT_TRUE(by_rows == by_points) << box.lower[0] << "-" << box.upper[0];
  }
}

template <class Value, int D>
void expect_bits_of_points_in_packs() {
  using View = PackView<Value, D>;
  for (const Box<D>& box : boxes<D>()) {
    const Stored<Value, D> in(box), by_packs(box), by_points(box);
    const Flux<View, Value> flux{in.packs(false)};
    for_each_point<D>(
        box, with_fluxes(in_packs(flux),
                         in_packs(Update<View, Value, D>{in.packs(false), by_packs.packs(true)})));
    const auto all_faces =
        with_fluxes(flux, Update<View, Value, D>{in.packs(false), by_points.packs(false)});
    for_each_point<D>(box, [all_faces](const Index<D>& i) { all_faces(i); });
    ASSERT_TRUE(by_packs == by_points) << box.lower[0] << "-" << box.upper[0];
  }
}

template <class Value>
void expect_bits_in_all_dimensions() {
  expect_bits_of_points<Value, 1>();
  expect_bits_of_points<Value, 2>();
  expect_bits_of_points<Value, 3>();
}

TEST(Fluxes, OfNumbersHaveTheBitsOfPoints) {
  expect_bits_in_all_dimensions<double>();
  expect_bits_in_all_dimensions<float>();
  expect_bits_in_all_dimensions<int>();
}

TEST(Fluxes, OfVectorsHaveTheBitsOfPoints) {
  expect_bits_in_all_dimensions<Vector<double, 5>>();
  expect_bits_in_all_dimensions<Vector<float, 3>>();
  expect_bits_of_points<Vector<double, 70>, 1>();
  expect_bits_of_points<Vector<double, 70>, 2>();
  expect_bits_of_points<Vector<double, 19>, 3>();
}

TEST(Fluxes, InPacksHaveTheBitsOfPoints) {
  expect_bits_of_points_in_packs<double, 1>();
  expect_bits_of_points_in_packs<double, 2>();
  expect_bits_of_points_in_packs<double, 3>();
  expect_bits_of_points_in_packs<Vector<double, 5>, 1>();
  expect_bits_of_points_in_packs<Vector<double, 4>, 2>();
  expect_bits_of_points_in_packs<Vector<double, 3>, 3>();
}

TEST(Fluxes, OfAFaceAreFoundOnceNearly) {
  const Box<3> box{{0, 0, 0}, {96, 80, 64}};
  const Stored<double, 3> in(box), out(box);
  std::atomic<long long> calls = 0;
  std::atomic<long long>* const counter = &calls;
  const FieldView<double, 3> u = in.view(), to = out.view();
  const auto flux = [=](const Index<3>& i, int axis) {
    counter->fetch_add(1, std::memory_order_relaxed);
    return u(i) - u(i.shifted(axis, -1));
  };
  for_each_point<3>(box, with_fluxes(flux, [=](const Index<3>& i, const Fluxes<double, 3>& f) {
                      to(i) = divergence(f, u, i);
                    }));
  EXPECT_LT(static_cast<double>(calls), 1.1 * 3.0 * static_cast<double>(box.size()));
}

TEST(Fluxes, CanBeReduced) {
  const Box<2> box{{0, 0}, {33, 21}};
  const Stored<int, 2> in(box);
  const FieldView<int, 2> u = in.view();
  const auto flux = [=](const Index<2>& i, int axis) { return u(i) * u(i.shifted(axis, -1)); };
  const auto kernel = with_fluxes(flux, [](const Index<2>&, const Fluxes<int, 2>& f, long& sum) {
    sum += f.high[0] - f.low[0] + f.high[1] - f.low[1];
  });
  long sum = 0, around = 0;
  RowReduction<2, Sum<long>> all(box);
  all.add(box, kernel);
  sum = all.result();
  for (int x = 0; x < 33; ++x) around += flux({x, 21}, 1) - flux({x, 0}, 1);
  for (int y = 0; y < 21; ++y) around += flux({33, y}, 0) - flux({0, y}, 0);
  EXPECT_EQ(sum, around) << "nothing is lost between points";
}

}  // namespace
}  // namespace cartwright::grid
