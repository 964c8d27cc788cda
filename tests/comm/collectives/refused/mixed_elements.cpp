// SPDX-License-Identifier: Apache-2.0
// says: must have elements of the same type
#include <refused.hpp>

void refused(const comm::Collectives& c, rt::Rank root, std::vector<double>& data) {
  std::vector<float> result(3);
  c.reduce(data, result, comm::Operator::sum, root);
}
