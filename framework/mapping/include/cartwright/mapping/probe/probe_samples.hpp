// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/cuts.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace cartwright::mapping {

/// What a measurement does. Of ping_pong, window and bidirectional one or more pairs of ranks do it
/// at the same time: with those in and between nodes, the Extended Parallel Ping-Pong (Karlsson
/// 2012, chapter 3).
enum class ProbeTest {
  scan,           ///< ping_pong of one size, for every ordered pair
  ping_pong,      ///< a message there and one back
  window,         ///< several messages there, one short answer
  bidirectional,  ///< several messages each way at the same time
  parametrised,   ///< PRTT(n, d, s): several messages, busy for a delay between them, one answer
  multicast,      ///< synchronous messages to several ranks, one wait for all
  copy,           ///< of memory, by one rank
  combine,        ///< of two vectors of doubles, by one rank
};
[[nodiscard]] std::string_view name_of(ProbeTest test);

/// One measurement.
struct ProbeSpec {
  ProbeTest test = ProbeTest::ping_pong;
  int level = -1;              ///< of the hierarchy at which the members part; -1: none
  std::vector<int> members{};  ///< ranks: pairs one after the other, or a sender and its receivers
  plan::Count bytes = 0;       ///< of a message
  int messages = 1;    ///< from each sender to each receiver; of ping_pong, turns of one sample
  double delay = 0.0;  ///< s between the messages of parametrised; < 0: one and a half round trips
};

/// What came out, in seconds: each sample is the maximum over the ranks that time it. Of ping_pong
/// it is one round trip.
struct ProbeRecord {
  ProbeSpec spec;
  std::vector<double> times;
  std::vector<double> call_times;  ///< of parametrised: until the sender's last send call returned
  bool settled = false;            ///< the confidence interval was narrow enough

  [[nodiscard]] int pairs() const { return static_cast<int>(spec.members.size()) / 2; }
};

/// Units of one kind that hold the ranks.
struct ProbeLevel {
  std::string name;
  std::vector<int> unit_of;  ///< by index in ProbeHierarchy::ranks; numbered through the machine
};

/// The ranks that were probed, in levels from the outermost in; the last has a unit for each rank.
struct ProbeHierarchy {
  std::vector<int> ranks;  ///< ascending
  std::vector<ProbeLevel> levels;
  std::vector<int> sizes;  ///< by level: of the real machine, the most units in one unit above
  std::vector<std::string> notes;  ///< how the groups were found, for people
};

/// All that one probe gave: enough to analyse it again elsewhere.
struct ProbeSamples {
  std::string name;         ///< of the machine
  std::string about;        ///< ranks, nodes, processor
  std::string library;      ///< MPI
  std::string fingerprint;  ///< equal: the same machine, library and layout
  bool quick = false;
  bool is_virtual = false;  ///< "between nodes" is between imagined ones
  int node_size =
      0;  ///< ranks of the node, if there was only one; 0: nodes are a level, or unknown
  ProbeHierarchy hierarchy;
  std::vector<ProbeRecord> records;
};

/// One line of JSON.
[[nodiscard]] std::string record_text(const ProbeRecord& record);
/// Lines of JSON: what was probed, then a line for each record.
[[nodiscard]] std::string samples_text(const ProbeSamples& samples);
/// Throws an input error that names the line.
[[nodiscard]] ProbeRecord parse_record(const std::string& line);
[[nodiscard]] ProbeSamples parse_samples(const std::string& text);

}  // namespace cartwright::mapping
