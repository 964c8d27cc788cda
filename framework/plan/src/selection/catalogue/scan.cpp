// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/scan.hpp>

#include "lists.hpp"

namespace cartwright::plan::catalogue {

namespace {

Rounds linear_scan_rounds(const Problem& problem, const std::string&) {
  if (problem.ranks == 1) return {};
  return {ring_rounds(problem.ranks - 1, problem.bytes(), true)};
}

Rounds doubling_scan_rounds(const Problem& problem, const std::string&) {
  return doubling_rounds(problem.ranks, problem.bytes(), true);
}

std::vector<Algorithm> scan_algorithms() {
  return {
      {.operation = Operation::scan,
       .name = "linear",
       .source = "rank by rank",
       .make = plain<scan::linear>,
       .rounds = linear_scan_rounds},
      {.operation = Operation::scan,
       .name = "recursive_doubling",
       .source = "Hillis and Steele 1986",
       .make = plain<scan::recursive_doubling>,
       .rounds = doubling_scan_rounds},
  };
}

std::vector<Algorithm> exscan_algorithms() {
  return {
      {.operation = Operation::exscan,
       .name = "linear",
       .source = "rank by rank",
       .make = plain<exscan::linear>,
       .rounds = linear_scan_rounds},
      {.operation = Operation::exscan,
       .name = "recursive_doubling",
       .source = "Hillis and Steele 1986",
       .make = plain<exscan::recursive_doubling>,
       .rounds = doubling_scan_rounds},
  };
}

}  // namespace

std::span<const Algorithm> scan_list() {
  static const std::vector<Algorithm> algorithms = scan_algorithms();
  return algorithms;
}
std::span<const Algorithm> exscan_list() {
  static const std::vector<Algorithm> algorithms = exscan_algorithms();
  return algorithms;
}

}  // namespace cartwright::plan::catalogue
