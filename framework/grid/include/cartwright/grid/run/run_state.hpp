// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/run/field_base.hpp>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace cartwright::grid {

class RunState;

/// Numbers as checkpoints hold them.
struct SavedNumbers {
  std::string name;
  ScalarType type = ScalarType::float64;
  std::vector<std::byte> bytes;
};

/// Makes numbers in memory part of a run's state for as long as it lives. Scalar and Array have
/// one.
class StateMember {
 public:
  /// Throws an internal failure (all ranks) for a name that is taken, too many numbers, or too late
  /// a moment.
  StateMember(RunState& state, std::string name, ScalarType type, std::span<std::byte> memory);
  StateMember(const StateMember&) = delete;
  StateMember& operator=(const StateMember&) = delete;
  ~StateMember();

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] ScalarType type() const noexcept { return type_; }
  [[nodiscard]] std::span<std::byte> memory() const noexcept { return memory_; }
  /// Throws an internal failure (all ranks) while a restart would still have other values.
  void require_usable() const;

 private:
  RunState& state_;
  std::string name_;
  ScalarType type_;
  std::span<std::byte> memory_;
};

/// What belongs to a run's state beside its fields, and how far the run has come: numbers are
/// registered, then run.steps() is called (a restart restores them there), then the loop begins.
class RunState {
 public:
  static constexpr std::size_t most_bytes = std::size_t{1} << 20;  ///< of one array

  /// While it lives, the code that only a fresh start needs is run.
  class FreshStart {
   public:
    explicit FreshStart(RunState& state) : state_(state) { ++state_.fresh_starts_; }
    FreshStart(const FreshStart&) = delete;
    FreshStart& operator=(const FreshStart&) = delete;
    ~FreshStart() { --state_.fresh_starts_; }

   private:
    RunState& state_;
  };
  /// Throws an internal failure (all ranks) once the loop has begun.
  [[nodiscard]] FreshStart begin_fresh_start();

  /// run.steps() was called. Throws an internal failure (all ranks) if it was before, or if a name
  /// among those of its fields, of other fields and of numbers isn't unique.
  void close(const std::vector<FieldBase*>& fields, const std::vector<std::string>& other_fields);
  void begin_loop() noexcept { phase_ = Phase::loop; }

  [[nodiscard]] std::vector<SavedNumbers> save() const;
  /// `saved` has all members' names, types and lengths.
  void restore(const std::vector<SavedNumbers>& saved);

 private:
  friend class StateMember;
  enum class Phase { registration, steps, loop };

  void add(StateMember& member);
  [[nodiscard]] bool is_usable() const noexcept {
    return phase_ != Phase::registration || fresh_starts_ > 0;
  }

  std::vector<StateMember*> members_;
  Phase phase_ = Phase::registration;
  int fresh_starts_ = 0;
};

}  // namespace cartwright::grid
