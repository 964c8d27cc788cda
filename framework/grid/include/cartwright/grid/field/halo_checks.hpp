// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/grid/field/field_view.hpp>
#include <cartwright/grid/space/layout.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cartwright::grid {

class Run;

/// What checked mode knows of one storage: which generation of values the owned points hold, and
/// from which generation the ghosts of each face (and the corners) are.
struct HaloState {
  explicit HaloState(const void* memory);

  static constexpr std::size_t corners = 6;  ///< the place after the faces x_low … z_high
  static constexpr std::uint64_t never = 0;

  std::uint64_t token;           ///< views carry it; unique in this process
  std::uint64_t generation = 1;  ///< of the owned points
  std::uint64_t content = 0;     ///< a hash of the owned points, by which changes are noticed
  std::array<std::uint64_t, 7> ghosts{};
};

/// Checked mode (`checks: halos`): finds kernels that read ghosts which no exchange has refreshed
/// since the field was written.
///
/// A kernel is a closure that holds its FieldViews by value; each view carries the token of its
/// storage. Before a kernel runs, its bytes are searched for known tokens, and the ghosts of those
/// storages that are stale are poisoned: set to a NaN that names field and face. Afterwards the
/// owned points are searched for such a NaN: it can only have come through a stale ghost.
/// Generations count the changes of the owned points; changes are noticed by a hash. What a check
/// cannot see: ghosts of integer fields, and values that a kernel reads but does not use.
class HaloChecks {
 public:
  /// What the checks do with one storage; they don't know its element type.
  struct Subject {
    HaloState* state;
    std::string field;
    std::function<std::uint64_t()> content;                  ///< hash of the owned points
    std::function<void(int face, int field_number)> poison;  ///< face: 0 … 5, or HaloState::corners
    std::function<std::uint64_t()> find_poison;  ///< a poisoned owned value's bits, or 0
  };

  explicit HaloChecks(Run& run) : run_(run) {}
  void watch(Subject subject);
  void forget(const HaloState& state) noexcept;

  /// Call when `state`'s ghosts on the faces (and corners) have been filled from its owned points.
  void refreshed(HaloState& state, bool with_corners);
  /// `closure`: the bytes of the kernel that is about to run.
  void before_kernel(std::span<const std::byte> closure);
  /// Throws (reach: this rank) if a stale ghost was read.
  void after_kernel();
  /// The same for the result of a reduction.
  void check_result(double value) const;

 private:
  void notice_changes(Subject& subject) const;
  [[noreturn]] void stop(std::uint64_t poison) const;

  Run& run_;
  std::vector<Subject> subjects_;
  std::vector<std::size_t> captured_;
};

}  // namespace cartwright::grid
