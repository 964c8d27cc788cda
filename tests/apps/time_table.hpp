// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>

namespace pde_test {

/// The table of times in the report of an output directory, by name: mean seconds. Expects that
/// nothing in it counts twice and nothing is left out.
std::map<std::string, double> time_table(const std::string& directory);

/// The part of a run's time behind its start-up that the table has no name for.
double unnamed_part(const std::map<std::string, double>& table);

/// The least unnamed part that `attempt` returns, of so many attempts at most; no more of them once
/// it is 5 %, or the test has failed. A name that is missing is missing in each, an interruption by
/// others isn't.
double least_unnamed_part(int attempts, const std::function<double()>& attempt);

}  // namespace pde_test
