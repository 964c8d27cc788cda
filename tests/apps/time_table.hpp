// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace pde_test {

/// The table of times in the report of an output directory, by name: mean seconds. Expects that
/// nothing in it counts twice and nothing is left out.
std::map<std::string, double> time_table(const std::string& directory);

/// The part of a run's time behind its start-up that the table has no name for.
double unnamed_part(const std::map<std::string, double>& table);

}  // namespace pde_test
