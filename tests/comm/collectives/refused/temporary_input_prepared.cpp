// SPDX-License-Identifier: Apache-2.0
// says: this memory is a temporary
#include <refused.hpp>

void refused(const comm::Collectives& c, rt::Rank root, std::vector<double>& data) {
  c.prepare_gather(std::vector<double>(3), data, root).start();
}
