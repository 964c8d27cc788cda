// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/arguments.hpp>
#include <cartwright/comm/calls/buffer.hpp>
#include <cartwright/comm/elements/element.hpp>
#include <cartwright/comm/elements/user_operator.hpp>
#include <cartwright/comm/forms/fill.hpp>

namespace cartwright::comm::detail {

/// A call that writes `Data`; what the compiler can see to be wrong is refused here. Sizes and
/// addresses are filled in later.
template <class Data>
[[nodiscard]] Arguments describe(plan::Operation operation, CallSite site) {
  using T = ElementOf<Data>;
  must_be_transferable<T>();
  must_outlive_call<Data>();
  return {.call = {.operation = operation, .element = element_of<T>(), .site = site}};
}
/// … that combines elements.
template <class Data, class Op>
[[nodiscard]] Arguments describe(plan::Operation operation, const Op& op, CallSite site) {
  Arguments arguments = describe<Data>(operation, site);
  arguments.call.reduction = reduction_of<ElementOf<Data>>(op);
  return arguments;
}

/// … that reads `Input` besides.
template <class Input, class Output>
[[nodiscard]] Arguments describe(plan::Operation operation, CallSite site) {
  must_be_transferable<ElementOf<Input>>();
  must_have_same_elements<Input, Output>();
  return describe<Output>(operation, site);
}
template <class Input, class Output, class Op>
[[nodiscard]] Arguments describe(plan::Operation operation, const Op& op, CallSite site) {
  must_be_transferable<ElementOf<Input>>();
  must_have_same_elements<Input, Output>();
  return describe<Output>(operation, op, site);
}

}  // namespace cartwright::comm::detail
