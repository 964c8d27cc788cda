// SPDX-License-Identifier: Apache-2.0
// mentions: no predefined operator combines elements of this type
#include <refused.hpp>

void refused(const comm::Collectives& c, rt::Rank root, std::vector<double>& data) {
  Peaks peaks(3);
  c.allreduce(peaks, comm::Operator::maximum);
  (void)root;
  (void)data;
}
