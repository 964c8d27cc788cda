// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/arguments.hpp>
#include <cartwright/comm/calls/buffer.hpp>
#include <cartwright/comm/elements/element.hpp>
#include <cartwright/comm/elements/user_operator.hpp>
#include <memory>
#include <type_traits>
#include <utility>

namespace cartwright::comm::detail {

// The three forms of a collective.
struct Blocking {};
struct Started {};
struct Repeated {};

/// Of collectives that don't combine.
struct NoOperator {};

/// An operator that its caller keeps, or that has no state to keep.
template <class Op>
class PassedOperator {
 public:
  explicit PassedOperator(Op op) : op_(std::move(op)) {}
  [[nodiscard]] const Op& get() const { return op_; }
  [[nodiscard]] static std::shared_ptr<const void> keeper() { return nullptr; }

 private:
  Op op_;
};

template <class Op>
inline constexpr bool is_without_state =
    std::is_same_v<Op, NoOperator> || std::is_same_v<Op, Operator>;

/// An operator as long as a form needs it: beyond the caller's line, where the call is.
template <class Form, class Op>
using HeldOperator = std::conditional_t<std::is_same_v<Form, Blocking> || is_without_state<Op>,
                                        PassedOperator<Op>, KeptOperator<Op>>;

template <class T, class Op>
[[nodiscard]] decltype(auto) reduction_by(const Op& op) {
  if constexpr (std::is_same_v<Op, NoOperator>)
    return Reduction{};
  else
    return reduction_of<T>(op);
}

/// A call with elements like those of `Data`, which is written, and the operator; what the compiler
/// can see to be wrong is refused here. Sizes and addresses are filled in later. Made where it
/// stays, since a copy of a call that was just put together would wait for its stores; in one
/// expression, since a compiler would otherwise clear it all first, by an instruction that takes
/// longer than the rest.
template <class Data, class Op>
[[nodiscard]] Arguments described(plan::Operation operation, rt::Rank root, CallSite site,
                                  const Op& op) {
  using T = ElementOf<Data>;
  must_be_transferable<T>();
  must_outlive_call<Data>();
  return {.call = {.operation = operation,
                   .element = element_of<T>(),
                   .root = root,
                   .reduction = reduction_by<T>(op),
                   .site = site}};
}

}  // namespace cartwright::comm::detail
