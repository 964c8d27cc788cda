// SPDX-License-Identifier: Apache-2.0
// mentions: Buffer
#include <refused.hpp>

void refused(const comm::Collectives& c, rt::Rank root, std::vector<double>& data) {
  std::list<double> nodes(3);
  c.allgather(nodes, data);
  (void)root;
}
