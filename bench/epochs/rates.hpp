// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/cart_comm.hpp>

#include "../common/program.hpp"

namespace cartwright::bench {

/// 8 bytes from rank 0 to rank 1 in an epoch of each kind, against the MPI library's. Two ranks.
void measure_latency(const comm::CartComm& cart, const Setting& setting, Results& results);

/// Transactions: a random rank is locked exclusively, 32 words are added, it is unlocked; closed by
/// waiting, with some under way, and with leave to overtake each other. Two ranks or more.
void measure_transactions(const comm::CartComm& cart, const Setting& setting, Results& results);

/// Rank 0 holds a lock of all and reads from rank 1, or writes there, which is busy for so many
/// seconds: by shared memory, by messages, and by a window of MPI's. Two ranks or more.
void measure_busy_target(const comm::CartComm& cart, const Setting& setting, double busy,
                         Results& results);

}  // namespace cartwright::bench
