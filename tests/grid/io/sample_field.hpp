// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/field_base.hpp>
#include <cartwright/grid/space/grid_description.hpp>
#include <cartwright/rt/communicator.hpp>

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace cartwright::grid::test {

/// A process grid for tests: the factors of `size`, the largest on the last axis, or on the first.
inline std::array<int, 3> process_grid(int size, int dimensions, bool first_axis = false) {
  std::array<int, 3> parts{1, 1, 1};
  for (int axis = 0; axis < dimensions; ++axis) {
    const bool last = axis + 1 == dimensions;
    const int factor = last ? size : (size % 2 == 0 ? 2 : 1);
    parts[static_cast<std::size_t>(first_axis ? dimensions - 1 - axis : axis)] = factor;
    size /= factor;
  }
  return parts;
}

/// The points of `rank` of a field over `grid`; some ranks have none where extents are small.
inline Block block_of(const GridDescription& grid, Centring centring, std::array<int, 3> parts,
                      int rank) {
  Block block;
  block.dimensions = grid.dimensions;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(grid.dimensions); ++axis) {
    const bool closing = centring == Centring::node && !grid.periodic[axis];
    const int place = rank % parts[axis];
    rank /= parts[axis];
    block.global[axis] = grid.extent[axis] + (closing ? 1 : 0);
    const PartRange points = part_range(block.global[axis], parts[axis], place);
    block.start[axis] = points.begin;
    block.count[axis] = points.size();
  }
  return block;
}

/// A field in plain memory, with numbers that are a function of place, component and `phase`.
template <class T>
class SampleField final : public FieldBase {
 public:
  SampleField(std::string name, const Block& block, Centring centring, ScalarType scalar,
              int components = 1)
      : name_(std::move(name)), block_(block), centring_(centring), element_{scalar, components} {
    values_.resize(static_cast<std::size_t>(block.points() * components));
  }

  /// A number that is never the same twice and, as a double, fills all its bits.
  static T number(const std::array<long long, 3>& place, int component, double phase) {
    const auto p = static_cast<double>(place[0] + 100 * place[1] + 10000 * place[2]);
    const double value = 50.0 * std::sin(0.37 * p + phase) + 60.0 + component;
    return static_cast<T>(value);
  }
  void fill(double phase) {
    fill_with(
        [phase](const auto& place, int component) { return number(place, component, phase); });
  }
  /// `value(place, component)`: of global places.
  void fill_with(const auto& value) {
    visit([&](std::size_t at, const auto& place, int component) {
      values_[at] = value(place, component);
    });
  }
  [[nodiscard]] bool holds(double phase) const {
    bool same = true;
    const_cast<SampleField*>(this)->visit([&](std::size_t at, const auto& place, int component) {
      const T expected = number(place, component, phase);
      same = same && std::memcmp(&expected, &values_[at], sizeof(T)) == 0;
    });
    return same;
  }
  [[nodiscard]] std::vector<T>& values() { return values_; }

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const std::string& unit() const override { return unit_; }
  [[nodiscard]] const GridBase& grid() const override { throw std::logic_error("no grid"); }
  [[nodiscard]] Centring centring() const override { return centring_; }
  [[nodiscard]] ElementType element() const override { return element_; }
  [[nodiscard]] Block block() const override { return block_; }
  void copy_owned_to(std::span<std::byte> bytes) const override {
    if (bytes.size() != values_.size() * sizeof(T)) throw std::logic_error("wrong size");
    if (!bytes.empty()) std::memcpy(bytes.data(), values_.data(), bytes.size());
  }
  void copy_owned_from(std::span<const std::byte> bytes) override {
    if (bytes.size() != values_.size() * sizeof(T)) throw std::logic_error("wrong size");
    if (!bytes.empty()) std::memcpy(values_.data(), bytes.data(), bytes.size());
  }
  void impose_boundary(double) override {}
  [[nodiscard]] std::optional<std::array<long long, 3>> first_not_finite() const override {
    return std::nullopt;
  }
  void set_from(const std::function<double(const std::array<double, 3>&, int)>&) override {}

 private:
  void visit(const auto& action) {
    std::size_t at = 0;
    for (long long z = 0; z < block_.count[2]; ++z)
      for (long long y = 0; y < block_.count[1]; ++y)
        for (long long x = 0; x < block_.count[0]; ++x)
          for (int c = 0; c < element_.components; ++c)
            action(at++, std::array{block_.start[0] + x, block_.start[1] + y, block_.start[2] + z},
                   c);
  }

  std::string name_;
  std::string unit_ = "K";
  Block block_;
  Centring centring_;
  ElementType element_;
  std::vector<T> values_;
};

/// One doubles field over `grid` on all ranks of `comm`.
inline SampleField<double> sample(const rt::Communicator& comm, const GridDescription& grid,
                                  std::string name, Centring centring = Centring::cell,
                                  int components = 1, bool first_axis = false) {
  const auto parts = process_grid(comm.size(), grid.dimensions, first_axis);
  return {std::move(name), block_of(grid, centring, parts, comm.rank().value), centring,
          ScalarType::float64, components};
}

}  // namespace cartwright::grid::test
