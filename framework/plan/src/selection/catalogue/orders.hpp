// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/selection/operation.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

/// Algorithms whose ranks take part in another order than that of their numbers.
namespace cartwright::plan::catalogue {

/// " in order 2,0,1"; nothing for an empty order.
std::string order_text(const std::vector<int>& order);
/// Takes it off the end of a choice's text. Throws std::invalid_argument where it isn't one of the
/// numbers 0, 1, …
std::vector<int> take_order(std::string_view& text);

/// What `make` does for a problem of places, for ranks: place p is order[p]'s.
Maker in_order(const Problem& problem, const std::vector<int>& order,
               const std::function<Maker(const Problem&)>& make);

}  // namespace cartwright::plan::catalogue
