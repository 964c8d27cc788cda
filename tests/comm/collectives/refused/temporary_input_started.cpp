// SPDX-License-Identifier: Apache-2.0
// says: this memory is a temporary
#include <refused.hpp>

void refused(const comm::Collectives& c, rt::Rank root, std::vector<double>& data) {
  c.start_allgather(std::vector<double>(3), data).wait();
  (void)root;
}
