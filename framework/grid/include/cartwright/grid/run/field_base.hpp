// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/space/block.hpp>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace cartwright::grid {

class GridBase;

/// A number as files know it.
enum class ScalarType {
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64,
  boolean
};

struct ElementType {
  ScalarType scalar = ScalarType::float64;
  int components = 1;
  [[nodiscard]] std::size_t bytes() const;
};

/// Some of a rank's owned points, in its own coordinates, and some of their components.
struct OwnedPart {
  std::array<long long, 3> first{0, 0, 0}, count{1, 1, 1};
  int first_component = 0, components = 1;
  [[nodiscard]] constexpr long long points() const { return count[0] * count[1] * count[2]; }
};

/// What output, checkpoints and diagnostics know of a field, whatever its element and dimension.
class FieldBase {
 public:
  virtual ~FieldBase() = default;
  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual const std::string& unit() const = 0;
  [[nodiscard]] virtual const GridBase& grid() const = 0;
  [[nodiscard]] virtual Centring centring() const = 0;
  /// For how many steps it has ghosts (see fused()).
  [[nodiscard]] virtual int steps_at_once() const noexcept { return 1; }
  [[nodiscard]] virtual ElementType element() const = 0;
  /// This rank's owned points.
  [[nodiscard]] virtual Block block() const = 0;
  /// Of particles: the attribute that says where they are; their numbers are then one axis, and
  /// copies to and from memory are collective. Null: the points are the grid's.
  [[nodiscard]] virtual const FieldBase* positions() const { return nullptr; }
  /// Copies the owned points to host memory, x fastest, components of a point together.
  /// `bytes` has block().points() * element().bytes() bytes.
  virtual void copy_owned_to(std::span<std::byte> bytes) const = 0;
  /// The same of a part of them: less memory, and quicker. Not of particles, whose numbers are
  /// copied whole and then passed over.
  virtual void copy_part_to(std::span<std::byte> bytes, const OwnedPart& part) const;
  virtual void copy_owned_from(std::span<const std::byte> bytes) = 0;
  /// Collective. All fields of the run have been read from a checkpoint.
  virtual void restored() {}
  /// Sets the points on physical faces that a boundary condition prescribes (nodal Dirichlet).
  virtual void impose_boundary(double time) = 0;
  /// Global coordinates of the first owned point that is not a finite number, in memory order.
  [[nodiscard]] virtual std::optional<std::array<long long, 3>> first_not_finite() const = 0;
  /// Sets every owned component from `value(position, component)`; positions in the deck's units,
  /// unused axes 0. Evaluated on the host, once a point, by several threads at once, from global
  /// coordinates only: the same bits on any number of ranks. What it throws comes back.
  virtual void set_from(const std::function<double(const std::array<double, 3>&, int)>& value) = 0;
};

}  // namespace cartwright::grid
