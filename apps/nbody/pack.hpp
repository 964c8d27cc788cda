// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <experimental/simd>

namespace nbody {

/// Numbers of as many bodies as fit into a vector of the processor.
using Pack = std::experimental::native_simd<double>;

}  // namespace nbody
