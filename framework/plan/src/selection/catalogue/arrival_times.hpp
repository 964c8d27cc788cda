// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/selection/catalogue.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Algorithms whose ranks are expected at different times.
namespace cartwright::plan::catalogue {

/// " for arrivals 0*3,90000": so often the same; nothing for no arrivals.
std::string arrivals_text(const std::vector<std::int64_t>& arrivals);
/// Takes it off the end of a choice's text. Throws std::invalid_argument for what can't be read.
std::vector<std::int64_t> take_arrivals(std::string_view& text);

/// What a choice with arrivals does. Throws std::invalid_argument where they mean nothing.
Maker for_arrivals(const Problem& problem, const Choice& choice);

}  // namespace cartwright::plan::catalogue
