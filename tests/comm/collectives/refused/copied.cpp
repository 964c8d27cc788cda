// SPDX-License-Identifier: Apache-2.0
// says: use of deleted function
#include <refused.hpp>

void refused(const comm::Collectives& c, rt::Rank root, std::vector<double>& data) {
  const comm::Pending one = c.start_broadcast(data, root);
  const comm::Pending other = one;
}
