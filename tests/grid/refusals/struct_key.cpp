// SPDX-License-Identifier: Apache-2.0
// says: a deck has no such type: declare the member as double (for float), int or long long
#include <cartwright/cartwright.hpp>

namespace cw = cartwright;

struct Point {
  double x = 0, y = 0;
};
struct Heat {
  Point centre;
};
cw::Schema<Heat> schema() {
  return {cw::key("centre", &Heat::centre)};
}
