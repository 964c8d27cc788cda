// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field_copy.hpp>
#include <cartwright/grid/run/run.hpp>
#include <cartwright/grid/run/run_state.hpp>
#include <cartwright/grid/space/refused.hpp>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace cartwright::grid {

/// A few numbers that a solver carries from step to step, at first 0: `Array h(run, "h", 30)` holds
/// doubles, `Array<int> counts(run, "counts", 3)` integers. As with Scalar: made before
/// run.steps(), the same on every rank, and part of checkpoints under its name; a restart needs the
/// same length. It is used in run.on_fresh_start() and after run.steps(), nowhere else.
template <class T = double>
class Array {
  static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8, "an Array holds numbers, or bools");

 public:
  Array(Run& run, std::string name, std::size_t size)
      : values_(std::make_unique<T[]>(size)),
        size_(size),
        member_(run.state(), std::move(name), scalar_type<T>(),
                std::as_writable_bytes(std::span<T>(values_.get(), size))) {}
  Array(const Array&) noexcept(refused::CopiedArray<T>::value);
  Array& operator=(const Array&) = delete;
  ~Array() = default;

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<T> values() {
    member_.require_usable();
    return {values_.get(), size_};
  }
  [[nodiscard]] std::span<const T> values() const {
    member_.require_usable();
    return {values_.get(), size_};
  }
  [[nodiscard]] T& operator[](std::size_t i) { return values()[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return values()[i]; }
  [[nodiscard]] auto begin() { return values().begin(); }
  [[nodiscard]] auto end() { return values().end(); }
  [[nodiscard]] auto begin() const { return values().begin(); }
  [[nodiscard]] auto end() const { return values().end(); }

 private:
  std::unique_ptr<T[]> values_;
  std::size_t size_;
  StateMember member_;
};

}  // namespace cartwright::grid
