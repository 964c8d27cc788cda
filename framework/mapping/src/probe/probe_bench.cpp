// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <algorithm>
#include <cartwright/mapping/probe/probe_bench.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/sleeping_barrier.hpp>
#include <chrono>
#include <thread>
#include <utility>

#include "probe_exchange.hpp"

namespace cartwright::mapping {
namespace {

constexpr std::chrono::microseconds nap{100};

/// Collective over `members` only.
rt::Communicator communicator_of(const rt::Communicator& comm, const std::vector<int>& members) {
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm active = MPI_COMM_NULL;
  rt::mpi_check(MPI_Comm_group(comm.handle(), &all), "MPI_Comm_group");
  rt::mpi_check(MPI_Group_incl(all, static_cast<int>(members.size()), members.data(), &group),
                "MPI_Group_incl");
  rt::mpi_blocking("MPI_Comm_create_group", MPI_Comm_create_group, comm.handle(), group, 0,
                   &active);
  rt::mpi_check(MPI_Group_free(&group), "MPI_Group_free");
  rt::mpi_check(MPI_Group_free(&all), "MPI_Group_free");
  return rt::Communicator::own(active);
}

/// The same on all members: the maximum of each entry.
void agree(const rt::Communicator& active, std::vector<double>& values) {
  if (active.size() > 1) rt::combine(active, values, rt::Combine::largest);
}

}  // namespace

ProbeBench::ProbeBench(const rt::Communicator& comm, const RepetitionRule& rule)
    : comm_(comm.duplicate()), rule_(rule), began_(rt::now()) {}

std::optional<ProbeRecord> ProbeBench::measure(const ProbeSpec& spec) {
  select(spec.members);
  std::optional<ProbeRecord> record;
  if (active_) {
    ProbeRecord mine = measure_among_members(with_delay(spec));
    if (active_.is_root()) {
      if (spec.test == ProbeTest::parametrised && spec.messages == 1)
        round_trips_[spec.bytes] = summarise(mine.times).median;
      record = std::move(mine);
    }
  }
  wait_for_all();
  return record;
}

ProbeSpec ProbeBench::with_delay(const ProbeSpec& spec) const {
  ProbeSpec definite = spec;
  if (spec.delay >= 0.0) return definite;
  const auto single = round_trips_.find(spec.bytes);
  definite.delay = single == round_trips_.end() ? 0.0 : 1.5 * single->second;
  return definite;
}

ProbeRecord ProbeBench::measure_among_members(const ProbeSpec& spec) {
  ProbeRecord record{spec, {}, {}, false};
  ProbeExchange exchange(active_, spec);
  const auto sample = [&] {
    exchange.prepare();
    active_.barrier();
    return exchange.run();
  };
  for (int i = 0; i < rule_.warm_up; ++i) (void)sample();
  const rt::Ticks begin = rt::now();
  for (int batch = rule_.fewest; batch > 0;) {
    std::vector<double> values;  // times, call times, how long it takes
    std::vector<double> calls;
    for (int i = 0; i < batch; ++i) {
      values.push_back(sample());
      calls.push_back(exchange.call_time());
    }
    values.insert(values.end(), calls.begin(), calls.end());
    values.push_back(rt::seconds_between(begin, rt::now()));
    values.push_back(rt::seconds_between(began_, rt::now()));
    agree(active_, values);
    const auto split = values.begin() + batch;
    record.times.insert(record.times.end(), values.begin(), split);
    if (spec.test == ProbeTest::parametrised)
      record.call_times.insert(record.call_times.end(), split, split + batch);
    const double total = values.back();
    const double seconds = *(values.end() - 2);
    batch = samples_to_take(record.times, seconds, total, rule_);
  }
  if (spec.delay > 0.0) record.spec.delay = exchange.mean_delay();  // always a little longer
  record.settled = is_settled(summarise(record.times), rule_);
  return record;
}

void ProbeBench::select(const std::vector<int>& members) {
  if (members == members_) return;
  members_ = members;
  active_ = {};
  if (std::ranges::find(members, comm_.rank().value) != members.end())
    active_ = communicator_of(comm_, members);
}

void ProbeBench::wait_for_all() const {
  rt::sleeping_barrier(comm_, nap);
}

}  // namespace cartwright::mapping
