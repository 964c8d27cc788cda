// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cartwright/comm/arrival_report.hpp>
#include <cartwright/comm/collective_report.hpp>
#include <span>
#include <string>

namespace cartwright::comm {

namespace {

void add_decisions(rt::Report::Section& section, const Collectives& collectives,
                   const std::string& where) {
  for (const DecisionNote& note : collectives.backends().decisions())
    section.add(
        fmt::format("{}{}{}, {} B{}", plan::name_of(note.key.operation),
                    note.key.combining == Combining::ordered ? " (in order)" : "",
                    note.key.waiting == Waiting::later ? " (nonblocking)" : "", note.bytes, where),
        note.explanation);
}

/// Collective.
void add_traffic(rt::Report::Section& section, const Collectives& all, const Traffic& sent) {
  std::array counts{sent.messages_on_node, sent.bytes_on_node, sent.messages_off_node,
                    sent.bytes_off_node};
  all.allreduce(std::span<std::int64_t>(counts), Operator::sum);
  if (counts[0] + counts[2] == 0) return;
  section.add("messages within nodes", counts[0]);
  section.add("bytes within nodes", counts[1]);
  section.add("messages between nodes", counts[2]);
  section.add("bytes between nodes", counts[3]);
}

/// One alone says nothing to anybody.
void add_collectives(rt::Report& report, const Collectives& all) {
  auto& section = report.section("collectives");
  section.add("backend", std::string(all.backend().name()));
  if (all.communicator().size() > 1) add_decisions(section, all, "");
}

}  // namespace

void report_collectives(rt::Report& report, const Collectives& all) {
  const Traffic sent = all.backends().traffic();
  add_collectives(report, all);
  report_arrivals(report, all);
  add_traffic(report.section("collectives"), all, sent);
}

void report_collectives(rt::Report& report, const CartComm& comm) {
  Traffic sent = comm.all().backends().traffic();
  add_collectives(report, comm.all());
  auto& section = report.section("collectives");
  for (int axis = 0; axis < comm.dimensions(); ++axis) {
    const Collectives& along = comm.along(axis);
    sent += along.backends().traffic();
    if (comm.dims()[static_cast<std::size_t>(axis)] > 1)
      add_decisions(section, along, fmt::format(", axis {}", axis));
  }
  report_arrivals(report, comm.all());
  add_traffic(section, comm.all(), sent);
}

}  // namespace cartwright::comm
