// SPDX-License-Identifier: Apache-2.0
// What the refused programs vary: it must compile.
#include <refused.hpp>

void accepted(const comm::Collectives& c, rt::Rank root) {
  std::vector<double> a(3);
  std::vector<double> b(3);
  c.reduce(a, b, comm::Operator::sum, root);
  c.allreduce(a, comm::commutative([](double l, double r) { return l > r ? l : r; }));
  c.start_broadcast(std::span<double>(a), root).wait();
  Peaks peaks(3);
  c.allgather(peaks, peaks);
}
