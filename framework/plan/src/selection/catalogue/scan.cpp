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

const std::vector<Algorithm> scan_algorithms{
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

const std::vector<Algorithm> exscan_algorithms{
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

}  // namespace

std::span<const Algorithm> scan_list() {
  return scan_algorithms;
}
std::span<const Algorithm> exscan_list() {
  return exscan_algorithms;
}

}  // namespace cartwright::plan::catalogue
