// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/elements/element.hpp>
#include <cartwright/comm/elements/reduction.hpp>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace cartwright::comm {

/// A caller's way to combine two elements: `T operator()(const T& left, const T& right) const`.
/// Made by `associative` or `commutative`. `F` is a reference where the caller keeps the callable.
/// One whose results have the same bits in any order says so: `static constexpr bool is_exact`.
template <class F, bool Commutes>
struct UserOperator {
  using Callable = std::remove_cvref_t<F>;
  /// Nothing to remember: any object of the type does the same.
  static constexpr bool is_stateless =
      std::is_empty_v<Callable> && std::is_default_constructible_v<Callable>;
  static constexpr bool commutes = Commutes;
  static constexpr bool is_exact = [] {
    if constexpr (requires { Callable::is_exact; }) return Commutes && Callable::is_exact;
    return false;
  }();
  static constexpr bool is_borrowed = std::is_lvalue_reference_v<F>;

  F callable;
};

/// Combines in the order of ranks; only the brackets may be set at will. A callable that has a name
/// is not copied: it must live as long as the collective.
template <class F>
[[nodiscard]] UserOperator<F, false> associative(F&& callable) {
  return {std::forward<F>(callable)};
}
/// Combines in any order.
template <class F>
[[nodiscard]] UserOperator<F, true> commutative(F&& callable) {
  return {std::forward<F>(callable)};
}

namespace detail {

template <class T, class F>
struct Combine {
  static const T* elements(const void* memory) { return static_cast<const T*>(memory); }

  static void over(const std::byte* left, const std::byte* right, std::byte* target,
                   std::size_t count, const void* context) {
    const F& combine = *static_cast<const F*>(context);
    for (std::size_t i = 0; i < count; ++i) {
      static_cast<T*>(static_cast<void*>(target))[i] =
          combine(elements(left)[i], elements(right)[i]);
    }
  }
  static void stateless_over(const std::byte* left, const std::byte* right, std::byte* target,
                             std::size_t count, const void* /*context*/) {
    const F combine{};
    over(left, right, target, count, &combine);
  }
  // NOLINTNEXTLINE(readability-non-const-parameter): as MPI declares it
  static void for_mpi(void* in, void* inout, int* count, void* /*type*/) {
    auto* const target = static_cast<std::byte*>(inout);
    stateless_over(static_cast<const std::byte*>(in), target, target,
                   static_cast<std::size_t>(*count), nullptr);
  }
};

template <class Op>
struct IsUserOperator : std::false_type {};
template <class F, bool Commutes>
struct IsUserOperator<UserOperator<F, Commutes>> : std::true_type {};

/// What backends understand of an operator for elements of type T (a Reduction, or one of the
/// table). Borrows its state from `op`.
template <class T, class Op>
[[nodiscard]] decltype(auto) reduction_of(const Op& op) {
  if constexpr (std::is_same_v<Op, Operator>) {
    static_assert(Reducible<T>,
                  "cartwright: no predefined operator combines elements of this type: they are for "
                  "arithmetic types and complex numbers; wrap a callable of your own in "
                  "comm::associative or comm::commutative");
    return predefined(op, scalar_type<T>());
  } else {
    static_assert(IsUserOperator<Op>::value,
                  "cartwright: say whether this operator commutes: wrap the callable in "
                  "comm::commutative or comm::associative (or take one of comm::Operator)");
    using F = typename Op::Callable;
    static_assert(std::is_invocable_r_v<T, const F&, const T&, const T&>,
                  "cartwright: an operator must be callable as T(const T&, const T&) const, for "
                  "the elements' type T");
    if constexpr (Op::is_stateless) {
      return Reduction{.function = Combine<T, F>::stateless_over,
                       .commutes = Op::commutes,
                       .exact = Op::is_exact,
                       .mpi_function = Combine<T, F>::for_mpi};
    } else {
      return Reduction{.function = Combine<T, F>::over,
                       .context = std::addressof(op.callable),
                       .commutes = Op::commutes,
                       .exact = Op::is_exact};
    }
  }
}

/// An operator that stays as long as `keeper`.
template <class Op>
class KeptOperator {
 public:
  explicit KeptOperator(Op op) : op_(std::make_shared<const Op>(std::move(op))) {}
  [[nodiscard]] const Op& get() const { return *op_; }
  [[nodiscard]] std::shared_ptr<const void> keeper() const { return op_; }

 private:
  std::shared_ptr<const Op> op_;
};

}  // namespace detail

}  // namespace cartwright::comm
