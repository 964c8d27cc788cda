// SPDX-License-Identifier: Apache-2.0
// says: must have elements of the same type
#include <refused.hpp>

void refused(const comm::Collectives& c, rt::Rank root, std::vector<double>& data) {
  std::vector<int> all(3);
  c.start_allgather(data, all).wait();
  (void)root;
}
