// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/schedule.hpp>

#include <string>

namespace cartwright::plan {

/// A step in words: `send output[0] to 3`, `output[0,4) = scratch0[0,4) ∘ received from 2`.
std::string describe(const Step& step);

/// The steps of a rank, a line each, under a line for each round.
std::string describe(const Schedule& schedule);

}  // namespace cartwright::plan
