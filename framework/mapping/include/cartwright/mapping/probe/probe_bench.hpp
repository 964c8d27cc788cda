// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/mapping/probe/probe_repetition.hpp>
#include <cartwright/mapping/probe/probe_samples.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/ticks.hpp>
#include <map>
#include <optional>
#include <vector>

namespace cartwright::mapping {

/// Takes measurements one after the other. Ranks that take no part sleep meanwhile, so that they
/// disturb little even where ranks share cores. The members start every sample together (barrier),
/// and agree on how often to repeat.
class ProbeBench {
 public:
  ProbeBench(const rt::Communicator& comm, const RepetitionRule& rule);

  /// Collective over all ranks, with the same spec. The record is given to the first member only.
  [[nodiscard]] std::optional<ProbeRecord> measure(const ProbeSpec& spec);

 private:
  /// For a negative delay: from the last single round trip of that size.
  [[nodiscard]] ProbeSpec with_delay(const ProbeSpec& spec) const;
  [[nodiscard]] ProbeRecord measure_among_members(const ProbeSpec& spec);
  void select(const std::vector<int>& members);
  void wait_for_all() const;

  rt::Communicator comm_;
  RepetitionRule rule_;
  rt::Ticks began_;
  std::vector<int> members_;  // of active_
  rt::Communicator active_;   // empty on ranks that take no part
  std::map<plan::Count, double> round_trips_;
};

}  // namespace cartwright::mapping
