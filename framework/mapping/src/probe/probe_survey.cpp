// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <algorithm>
#include <cartwright/mapping/probe/probe_bench.hpp>
#include <cartwright/mapping/probe/probe_hierarchy.hpp>
#include <cartwright/mapping/probe/probe_survey.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <numeric>
#include <sstream>

namespace cartwright::mapping {
namespace {

/// Takes measurements, keeps this rank's records, and tells the observer.
class Surveyor {
 public:
  Surveyor(const rt::Communicator& comm, const RepetitionRule& rule, const ProbeObserver& observe)
      : bench_(comm, rule), observe_(observe) {}

  void expect(std::size_t measurements) { all_ += static_cast<int>(measurements); }
  void measure(const ProbeSpec& spec, const ProbeHierarchy& hierarchy) {
    if (observe_) observe_(done_, all_, describe(spec, hierarchy));
    if (auto record = bench_.measure(spec)) records_.push_back(std::move(*record));
    ++done_;
  }
  [[nodiscard]] const std::vector<ProbeRecord>& records() const noexcept { return records_; }

 private:
  ProbeBench bench_;
  const ProbeObserver& observe_;
  std::vector<ProbeRecord> records_;
  int done_ = 0, all_ = 0;
};

std::size_t index_of(const std::vector<int>& ranks, int rank) {
  return static_cast<std::size_t>(std::ranges::lower_bound(ranks, rank) - ranks.begin());
}

/// Half round trips between all probed ranks, the same on every rank.
CostMatrix scanned_costs(const rt::Communicator& comm, const std::vector<int>& ranks,
                         const std::vector<ProbeRecord>& records) {
  std::vector<double> costs(ranks.size() * ranks.size(), 0.0);
  for (const ProbeRecord& record : records) {
    if (record.spec.test != ProbeTest::scan) continue;
    const std::size_t row = index_of(ranks, record.spec.members[0]);
    const std::size_t column = index_of(ranks, record.spec.members[1]);
    costs[row * ranks.size() + column] = summarise(record.times).median / 2.0;
  }
  rt::combine(comm, costs, rt::Combine::largest);
  return CostMatrix(std::move(costs));
}

/// Scans are many and need no narrow interval: their number and the t-test make up for it.
RepetitionRule rule_of_scan(const RepetitionRule& rule) {
  RepetitionRule scan = rule;
  scan.most = std::min(rule.most, 40);
  scan.seconds = std::min(rule.seconds, 0.02);
  return scan;
}

/// The records of all ranks on the first one, in the order of the ranks that took them.
std::vector<ProbeRecord> gathered(const rt::Communicator& comm,
                                  const std::vector<ProbeRecord>& records) {
  std::string mine;
  for (const ProbeRecord& record : records) mine += record_text(record);
  const auto length = static_cast<int>(mine.size());
  std::vector<int> lengths(comm.is_root() ? static_cast<std::size_t>(comm.size()) : 0);
  rt::mpi_blocking("MPI_Gather", MPI_Gather, &length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0,
                   comm.handle());
  std::vector<int> starts(lengths.size());
  std::exclusive_scan(lengths.begin(), lengths.end(), starts.begin(), 0);
  std::string all(lengths.empty() ? 0 : static_cast<std::size_t>(starts.back() + lengths.back()),
                  ' ');
  rt::mpi_blocking("MPI_Gatherv", MPI_Gatherv, mine.data(), length, MPI_CHAR, all.data(),
                   lengths.data(), starts.data(), MPI_CHAR, 0, comm.handle());
  std::vector<ProbeRecord> everyones;
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);) everyones.push_back(parse_record(line));
  return everyones;
}

}  // namespace

ProbeSamples survey(const rt::Communicator& comm, const Topology& topology,
                    const ProbeEffort& effort, const RepetitionRule& rule,
                    const ProbeObserver& observe) {
  if (comm.size() < 2)
    throw rt::input_error("one rank has nobody to exchange messages with",
                          "Start at least two ranks: ./cartwright probe -n 2.",
                          rt::Reach::all_ranks);
  const ProbedPlaces probed = choose_probed(comm, topology, effort.most_ranks);
  ProbeSamples samples;
  samples.quick = effort.quick;
  samples.is_virtual = topology.is_virtual;
  if (topology.nodes == 1) samples.node_size = topology.largest_node;
  samples.hierarchy.ranks = probed.ranks;

  Surveyor scanner(comm, rule_of_scan(rule), observe);
  const auto scans = scan_plan(probed.ranks, effort);
  scanner.expect(scans.size());
  for (const ProbeSpec& spec : scans) scanner.measure(spec, samples.hierarchy);
  samples.hierarchy =
      hierarchy_from(scanned_costs(comm, probed.ranks, scanner.records()), probed, topology);

  Surveyor surveyor(comm, rule, observe);
  const auto specs = level_plan(samples.hierarchy, effort);
  surveyor.expect(specs.size());
  for (const ProbeSpec& spec : specs) surveyor.measure(spec, samples.hierarchy);

  samples.records = gathered(comm, scanner.records());
  std::ranges::move(gathered(comm, surveyor.records()), std::back_inserter(samples.records));
  return samples;
}

}  // namespace cartwright::mapping
