// SPDX-License-Identifier: Apache-2.0
// says: a deck has no such type: declare the member as double (for float), int or long long
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

struct Heat {
  float diffusivity = 1.0F;
};
cw::Schema<Heat> schema() {
  return {cw::key("diffusivity", &Heat::diffusivity).unit("m2/s").minimum(0.0)};
}
