// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/elements/both_sides.hpp>
#include <cstddef>

namespace cartwright::grid {

/// An attribute of particles as kernels see it: component `c` of particle `p` is `x(p, c)`. Owned
/// particles come first, then ghosts. Each component is an array. Captured by value; valid until
/// particles move to other ranks.
class ParticleView {
 public:
  ParticleView(double* data, std::ptrdiff_t stride) : data_(data), stride_(stride) {}

  CARTWRIGHT_BOTH_SIDES double& operator()(std::ptrdiff_t particle, int component = 0) const {
    return data_[component * stride_ + particle];
  }
  /// All particles' numbers of one component.
  [[nodiscard]] CARTWRIGHT_BOTH_SIDES double* along(int component) const {
    return data_ + component * stride_;
  }

 private:
  double* data_;
  std::ptrdiff_t stride_;
};

}  // namespace cartwright::grid
