// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/axis_collectives.hpp>

namespace cartwright::comm {

AxisCollectives::AxisCollectives(const CartComm& cart, AxisOrder order, double typical_bytes)
    : overlapped_(order == AxisOrder::overlapped ||
                  (order == AxisOrder::automatic && cart.overlap_pays(typical_bytes))) {}

void AxisCollectives::start() {
  Persistent* before = nullptr;
  for (Persistent& collective : collectives_) {
    if (!overlapped_ && before != nullptr) before->wait();
    collective.start();
    before = &collective;
  }
}

bool AxisCollectives::test() {
  bool all = true;
  for (Persistent& collective : collectives_) all = collective.test() && all;
  return all;
}

void AxisCollectives::wait() {
  for (Persistent& collective : collectives_) collective.wait();
}

}  // namespace cartwright::comm
