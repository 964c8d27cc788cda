// SPDX-License-Identifier: Apache-2.0
// says: ignoring returned value
#include <refused.hpp>

void refused(const comm::Collectives& c, rt::Rank root, std::vector<double>& data) {
  c.start_broadcast(data, root);
}
