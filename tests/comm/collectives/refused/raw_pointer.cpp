// SPDX-License-Identifier: Apache-2.0
// mentions: an address means nothing on another rank
#include <refused.hpp>

void refused(const comm::Collectives& c, rt::Rank root, std::vector<double>& data) {
  (void)c.allreduce(data.data(), comm::Operator::sum);
  (void)root;
}
