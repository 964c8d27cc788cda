// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/rt/report.hpp>

namespace cartwright::comm {

/// Collective. Adds to the section "collectives" who carried out which of them and why, on all
/// ranks and along the axes, and the messages that schedules sent.
void report_collectives(rt::Report& report, const CartComm& comm);
/// Collective. The same of a communicator without axes: `cartwright::rt::Report report;`,
/// `report_collectives(report, all);`, and rank 0 prints `report.text()`.
void report_collectives(rt::Report& report, const Collectives& all);

}  // namespace cartwright::comm
