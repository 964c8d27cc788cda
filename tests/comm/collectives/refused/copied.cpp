// SPDX-License-Identifier: Apache-2.0
// refused: use of deleted function|call to deleted constructor
#include "refused.hpp"

void refused(const comm::Collectives& c, rt::Rank root, std::vector<double>& data) {
  const comm::Pending one = c.start_broadcast(data, root);
  const comm::Pending other = one;
}
