// SPDX-License-Identifier: Apache-2.0
// Fields whose components lie in arrays of their own have the same values as others, to the last
// bit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cartwright/grid/exchange/exchange.hpp>
#include <cartwright/grid/field/dot.hpp>
#include <cartwright/grid/field/for_each.hpp>
#include <cartwright/grid/field/stencil.hpp>
#include <cstring>
#include <limits>

#include "sample_run.hpp"

namespace cartwright::grid {
namespace {

using test::SampleRun;

template <class V>
double start_value(const std::array<double, 3>& x, int component) {
  return std::sin(3.0 * x[0] + component) + std::cos(5.0 * x[1]) * x[2];
}

template <class T, int D>
std::vector<std::byte> bytes_of(const Field<T, D>& field) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(field.owned().size()) *
                               sizeof(ElementOf<T>));
  field.copy_owned_to(bytes);
  return bytes;
}

/// Some steps of what solvers do: stencils, products of components, all kinds of ghosts.
template <class T, int D>
std::vector<std::byte> after_some_steps(Grid<D>& grid, const FieldOptions& options) {
  using V = ElementOf<T>;
  constexpr int n = ElementTraits<T>::components;
  Field<T, D> u(grid, "u", options);
  BoundaryCondition condition;
  condition.kind = BoundaryCondition::Kind::dirichlet;
  condition.uniform = 0.5;
  u.set_boundary({0, Side::low}, condition);
  condition.kind = BoundaryCondition::Kind::neumann;
  u.set_boundary({0, Side::high}, condition);
  u.set_boundary(
      {1, Side::high}, KOKKOS_LAMBDA(const FieldView<T, D>& view, const Index<D>& i,
                                     const Vector<double, D>& x, double) {
        Index<D> inside = i;
        inside[1] -= 1;
        const V own = view(inside);
        V ghost = own;
        ghost[n - 1] = own[0] + x[0];
        return ghost;
      });
  Field<T, D> next = u.like();
  u.set_from(start_value<V>);
  const bool corners = options.corners;
  for (int step = 0; step < 3; ++step) {
    const auto in = u.view().reading();
    auto out = next.view();
    exchange(u).overlap(KOKKOS_LAMBDA(const Index<D>& i) {
      V value = in(i) + 0.001 * laplacian(in, i) - 0.01 * derivative(in, i, 1);
      value[0] += 0.1 * in(i.shifted(0, -1))[n - 1];
      if (corners) value += 0.01 * in(i.shifted(0, 1).shifted(1, -1));
      out(i) = value;
      out(i)[n - 1] *= 0.9;
      out(i) += 0.001 * value;
    });
    swap(u, next);
  }
  return bytes_of(u);
}

template <int D, int N>
void expect_same(const std::string& deck, const FieldOptions& options) {
  SampleRun run(deck);
  Grid<D> grid(*run);
  using V = Vector<double, N>;
  const auto structures = after_some_steps<V, D>(grid, options);
  const auto arrays = after_some_steps<Arrays<V>, D>(grid, options);
  ASSERT_EQ(structures.size(), arrays.size());
  EXPECT_EQ(std::memcmp(structures.data(), arrays.data(), arrays.size()), 0) << deck << " " << N;
}

TEST(Arrays, SameBits) {
  for (const char* periodic : {"[true, true]", "[false, false]", "[false, true]"}) {
    const std::string deck = fmt::format("grid: {{extent: [29, 31], periodic: {}}}", periodic);
    expect_same<2, 2>(deck, {});
    expect_same<2, 5>(deck, {.corners = true});
    expect_same<2, 3>(deck, {.centring = Centring::node, .halo = 2});
  }
  expect_same<3, 4>("grid: {extent: [13, 17, 11], periodic: [false, false, true]}",
                    {.corners = true});
  expect_same<2, 3>("grid: {extent: [29, 31]}\nchecks: halos", {.corners = true});
  expect_same<2, 3>("grid: {extent: [29, 31]}\ncomm: {stage_messages: true}", {});
  expect_same<2, 3>("grid: {extent: [29, 31]}\ncomm: {device_memory: direct}", {});
}

TEST(Arrays, SumsAndSearches) {
  SampleRun run("grid: {extent: [40, 23]}");
  Grid<2> grid(*run);
  Field<Vector<float, 3>, 2> a(grid, "u");
  Field<Arrays<Vector<float, 3>>, 2> b(grid, "u");
  a.set_from(start_value<Vector<float, 3>>);
  b.set_from(start_value<Vector<float, 3>>);
  EXPECT_EQ(bytes_of(a), bytes_of(b));
  EXPECT_EQ(dot(a, a), dot(b, b));
  double most_a = 0.0, most_b = 0.0;
  const auto in_a = a.view();
  const auto in_b = b.view();
  reduce(
      a, KOKKOS_LAMBDA(const Index<2>& i, double& m) { m = std::max<double>(m, in_a(i)[2]); },
      Max(most_a));
  reduce(
      b, KOKKOS_LAMBDA(const Index<2>& i, double& m) { m = std::max<double>(m, in_b(i)[2]); },
      Max(most_b));
  EXPECT_EQ(most_a, most_b);
  EXPECT_EQ(b.first_not_finite(), std::nullopt);
  b.view()({1, 2})[1] = std::numeric_limits<float>::infinity();
  a.view()({1, 2})[1] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(b.first_not_finite(), a.first_not_finite());
}

template <class T>
void expect_parts_of(Grid<3>& grid) {
  constexpr int n = ElementTraits<T>::components;
  constexpr std::size_t scalar = sizeof(typename ElementTraits<T>::Scalar);
  Field<T, 3> u(grid, "u");
  u.set_from(start_value<ElementOf<T>>);
  const std::array<long long, 3> owned = u.block().count;
  for (long long k = 0; k < 20; ++k) {
    OwnedPart part;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      part.first[axis] = owned[axis] == 0 ? 0 : (7 * k + 1) % owned[axis];
      part.count[axis] = (3 * k) % (owned[axis] - part.first[axis] + 1);
    }
    part.first_component = static_cast<int>(k % n);
    part.components = 1 + static_cast<int>(k) / 2 % (n - part.first_component);
    const std::size_t size = static_cast<std::size_t>(part.points() * part.components) * scalar;
    // One of them at no number's place.
    std::vector<std::byte> parts(size + 2), expected(size);
    u.copy_part_to(std::span(parts).subspan(1, size), part);
    u.FieldBase::copy_part_to(expected, part);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), parts.begin() + 1));
    u.copy_part_to(std::span(parts).first(size), part);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), parts.begin()));
  }
}

TEST(Arrays, AndOthersAreCopiedInParts) {
  SampleRun run("grid: {extent: [13, 11, 9]}");
  Grid<3> grid(*run);
  expect_parts_of<double>(grid);
  expect_parts_of<int>(grid);
  expect_parts_of<Vector<double, 5>>(grid);
  expect_parts_of<Vector<float, 3>>(grid);
  expect_parts_of<Arrays<Vector<double, 4>>>(grid);
}

/// Arrays don't begin at the same cache set: every one of them is read at once.
TEST(Arrays, BeginAtDifferentCacheSets) {
  const Layout<3> layout({128, 128, 128}, 1, sizeof(double), 19);
  EXPECT_EQ(layout.component_stride % 8, 0);
  EXPECT_EQ(layout.component_stride / 8 % 2, 1);
  EXPECT_EQ(layout.elements, 19 * layout.component_stride);
}

}  // namespace
}  // namespace cartwright::grid
