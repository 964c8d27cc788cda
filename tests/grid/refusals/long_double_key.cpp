// SPDX-License-Identifier: Apache-2.0
// says: a deck has no such type: declare the member as double (for float), int or long long
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

struct Heat {
  long double diffusivity = 1.0L;
};
cw::Schema<Heat> schema() {
  return {cw::key("diffusivity", &Heat::diffusivity)};
}
