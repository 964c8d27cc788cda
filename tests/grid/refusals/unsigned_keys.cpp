// SPDX-License-Identifier: Apache-2.0
// says: a deck has no such type: declare the member as double (for float), int or long long
#include <cartwright/cartwright.hpp>
#include <vector>

namespace cw = cartwright;

struct Heat {
  std::vector<unsigned> levels;
};
cw::Schema<Heat> schema() {
  return {cw::key("levels", &Heat::levels)};
}
