// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/cart_comm.hpp>

#include "../common/program.hpp"

namespace cartwright::bench {

/// LU factorisation (docs/epochs/panel_lu.hpp) while ranks are disturbed: each sleeps in each step
/// for a random time, exponential, whose mean is a share of what a step takes undisturbed. Ours
/// with epochs that nobody waits for, the same code closing each by waiting, and with MPI's own
/// windows; the same disturbances for all. Two ranks or more.
void measure_lu(const rt::Communicator& world, const Setting& setting, Results& results);

}  // namespace cartwright::bench
