// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/run/halo_statistics.hpp>
#include <cartwright/rt/report.hpp>
#include <span>

namespace cartwright::grid {

void report_halos(rt::Report& report, const comm::CartComm& comm, const HaloStatistics& mine) {
  const comm::Traffic& sent = mine.traffic;
  std::array counts{sent.messages_on_node, sent.bytes_on_node, sent.messages_off_node,
                    sent.bytes_off_node};
  comm.allreduce(std::span<std::int64_t>(counts), comm::Operator::sum);
  std::array seconds{mine.overlapped_seconds, mine.waited_seconds};
  comm.allreduce(std::span<double>(seconds), comm::Operator::sum);
  auto& section = report.section("halo exchange");
  section.add("exchanges", mine.exchanges);
  section.add("messages within nodes", counts[0]);
  section.add("bytes within nodes", counts[1]);
  section.add("messages between nodes", counts[2]);
  section.add("bytes between nodes", counts[3]);
  const double in_flight = seconds[0] + seconds[1];
  if (in_flight > 0.0) section.add("hidden behind kernels", 100.0 * seconds[0] / in_flight, "%");
}

}  // namespace cartwright::grid
