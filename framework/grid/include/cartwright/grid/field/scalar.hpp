// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/field/field_copy.hpp>
#include <cartwright/grid/run/run.hpp>
#include <cartwright/grid/run/run_state.hpp>
#include <cartwright/grid/space/refused.hpp>
#include <concepts>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace cartwright::grid {

/// A number that a solver carries from step to step: part of checkpoints, under its name, bit by
/// bit. `Scalar rho(run, "rho")` is a double, `Scalar count(run, "count", 0LL)` a long long. Used
/// like a number; kernels capture a copy: `const double beta = rho / old`.
///
/// Made before run.steps(); set in run.on_fresh_start(); read there and after run.steps(), where a
/// restart restores it. What is assigned outside of on_fresh_start() before the loop is replaced on
/// a restart. Every rank must have the same value when a checkpoint is written.
template <class T = double>
class Scalar {
  static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8, "a Scalar is a number, or a bool");

 public:
  Scalar(Run& run, std::string name, T initial = T{})
      : value_(initial),
        member_(run.state(), std::move(name), scalar_type<T>(),
                std::as_writable_bytes(std::span<T>(&value_, 1))) {}
  Scalar(const Scalar&) noexcept(refused::CopiedScalar<T>::value);
  ~Scalar() = default;

  [[nodiscard]] T value() const {
    member_.require_usable();
    return value_;
  }
  operator T() const { return value(); }  // NOLINT(google-explicit-constructor): it is a number

  Scalar& operator=(const Scalar& other) { return *this = other.value(); }
  template <class Value>
  requires std::convertible_to<Value, T> Scalar& operator=(const Value& value) {
    static_assert(std::is_floating_point_v<T> || !std::is_floating_point_v<Value>,
                  "an integral Scalar would cut off the fraction: make it with an initial 0.0");
    value_ = static_cast<T>(value);
    return *this;
  }
  Scalar& operator+=(T other) { return *this = static_cast<T>(value() + other); }
  Scalar& operator-=(T other) { return *this = static_cast<T>(value() - other); }
  Scalar& operator*=(T other) { return *this = static_cast<T>(value() * other); }
  Scalar& operator/=(T other) { return *this = static_cast<T>(value() / other); }
  Scalar& operator++() { return *this += T{1}; }

 private:
  T value_;
  StateMember member_;
};

}  // namespace cartwright::grid
