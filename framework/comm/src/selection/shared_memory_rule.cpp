// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/selection/selection.hpp>
#include <cartwright/plan/selection/stages.hpp>
#include <string>
#include <vector>

namespace cartwright::comm {

namespace {

/// A message that needs one turn of each rank beats fewer messages in several turns: ranks that
/// share cores wait for the scheduler, not for memory.
constexpr int most_at_once = 16;
/// From here on it counts how many bytes are copied, not how many times ranks wait.
constexpr plan::Count large = plan::Count{16} << 10;
/// From here on pipelines along chains of ranks, in segments that stay in a core's cache.
constexpr plan::Count pipelined = plan::Count{128} << 10;
constexpr int longest_chain = 8;  // of vectors up to a MiB: later ranks wait for the first segment

bool is_for_pipeline(const plan::Problem& problem) {
  return problem.ranks <= longest_chain || problem.bytes() >= plan::Count{1} << 20;
}

plan::Count segments(const plan::Problem& problem, plan::Count bytes) {
  return std::clamp<plan::Count>(problem.bytes() / bytes, 1, 4096);
}

/// Two ranks have a core each, mostly: then one copies into the segment while the other copies out
/// of it, in pieces that stay in the first cache.
constexpr plan::Count piece_of_two = 4096;
constexpr plan::Count piece_of_many = plan::Count{16} << 10;  // where they share cores

/// Greedy factors of at most `most_at_once`, with what is left over last.
std::vector<int> large_factors(int ranks) {
  std::vector<int> factors;
  for (int factor = most_at_once; factor > 1; --factor)
    for (; ranks % factor == 0; ranks /= factor) factors.push_back(factor);
  if (ranks > 1) factors.push_back(ranks);
  return factors;
}

/// Where cores are far, single copies of whole messages instead of small pieces.
std::vector<std::string> preferred(const plan::Problem& problem, bool far_cores) {
  using enum plan::Operation;
  const bool is_large = problem.bytes() >= large;
  const int others = problem.ranks > 1 ? problem.ranks - 1 : 1;
  const int fan_out = others < most_at_once ? others : 3;
  switch (problem.operation) {
    case allreduce: {
      if (problem.ranks == 1) return {"recursive_doubling"};
      const auto factors = large_factors(problem.ranks);
      if (is_large)
        return {fmt::format("split_multiplying({})", fmt::join(factors, ",")), "rabenseifner"};
      if (factors.front() > most_at_once) return {"recursive_doubling"};
      return {
          fmt::format("recursive_multiplying({})", plan::to_string(plan::factor_stages(factors)))};
    }
    case reduce:
      if (is_large && is_for_pipeline(problem) && !far_cores)
        return {fmt::format("pipeline({})",
                            segments(problem, problem.ranks == 2 ? piece_of_two : piece_of_many))};
      if (is_large) return {"n_way_binomial(2)"};
      return {fmt::format("n_way_binomial({})", fan_out)};
    case reduce_scatter:
      return {"pairwise", "recursive_halving"};
    case broadcast:
      if (problem.ranks == 2 && is_large && problem.bytes() < pipelined && !far_cores)
        return {fmt::format("chain({})", segments(problem, piece_of_two))};
      if (problem.bytes() >= pipelined && others < most_at_once) return {"linear"};
      if (is_large) return {"k_nomial(3)"};
      if (others < most_at_once) return {"linear"};
      return {fmt::format("k_nomial({})", fan_out + 1)};
    case scatter:
    case gather:
      return {"linear"};
    case allgather:
      if (others < most_at_once || is_large) return {"direct"};
      return {"bruck(3)", "ring"};
    case alltoall:
      if (others < most_at_once) return {"linear", "pairwise"};
      return {"pairwise"};
    case scan:
    case exscan:
      return {"recursive_doubling"};
    case barrier:
      return {fmt::format("dissemination({})", fan_out)};
  }
  return {};
}

}  // namespace

plan::Choice shared_memory_rule(const plan::Problem& problem, bool far_cores) {
  for (const std::string& name : preferred(problem, far_cores)) {
    plan::Choice choice = plan::parse_choice(problem.operation, name);
    if (plan::may_solve(*choice.algorithm, problem)) return choice;
  }
  for (const plan::Algorithm& algorithm : plan::algorithms(problem.operation))
    if (algorithm.tuning.empty() && plan::may_solve(algorithm, problem)) return {&algorithm, ""};
  return {};
}

}  // namespace cartwright::comm
