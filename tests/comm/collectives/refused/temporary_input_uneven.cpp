// SPDX-License-Identifier: Apache-2.0
// refused: this memory is a temporary
#include "refused.hpp"

void refused(const comm::Collectives& c, rt::Rank root, std::vector<double>& data) {
  (void)c.start_gather_uneven(std::vector<double>(data), root).wait();
}
