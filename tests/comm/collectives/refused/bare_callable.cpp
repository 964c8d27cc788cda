// SPDX-License-Identifier: Apache-2.0
// mentions: say whether this operator commutes
#include <refused.hpp>

void refused(const comm::Collectives& c, rt::Rank root, std::vector<double>& data) {
  c.allreduce(data, [](double l, double r) { return l + r; });
  (void)root;
}
