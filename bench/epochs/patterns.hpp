// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/cart_comm.hpp>

#include "../common/program.hpp"

namespace cartwright::bench {

/// Who waits for whom where epochs are closed by waiting (Zounmevo 2016, 5.2): one rank is late by
/// `delay`, and the time of its victim is measured, with ours and with the MPI library's windows.
/// Three ranks or more; of two, patterns that need no third.
void measure_patterns(const comm::CartComm& cart, const Setting& setting, double delay,
                      Results& results);

}  // namespace cartwright::bench
