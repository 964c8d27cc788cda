// SPDX-License-Identifier: Apache-2.0
#include "energies.hpp"

namespace nbody {

namespace cw = cartwright;

Conserved conserved(cw::Particles& bodies, const std::function<double(std::size_t)>& mass,
                    const std::function<Bound(std::size_t)>& bound) {
  const auto x = bodies.position().view(), v = bodies["velocity"].view();
  // Kinetic and potential energy, virial, momentum, angular momentum.
  cw::Vector<double, 9> sums{};
  cw::reduce(
      bodies,
      [=, &mass, &bound](std::ptrdiff_t i, cw::Vector<double, 9>& sum) {
        const auto body = static_cast<std::size_t>(i);
        const double m = mass(body);
        const double p[3]{m * v(i, 0), m * v(i, 1), m * v(i, 2)};
        sum[0] += 0.5 * m * (v(i, 0) * v(i, 0) + v(i, 1) * v(i, 1) + v(i, 2) * v(i, 2));
        const Bound more = bound(body);
        sum[1] += more.potential;
        sum[2] += more.virial;
        for (int a = 0; a < 3; ++a) {
          const int b = (a + 1) % 3, c = (a + 2) % 3;
          sum[3 + a] += p[a];
          sum[6 + a] += x(i, b) * p[c] - x(i, c) * p[b];
        }
      },
      cw::Sum(sums));
  return {sums[0], sums[1], {sums[3], sums[4], sums[5]}, {sums[6], sums[7], sums[8]}, sums[2]};
}

}  // namespace nbody
