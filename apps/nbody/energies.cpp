// SPDX-License-Identifier: Apache-2.0
#include "energies.hpp"

#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/comm/elements/binned_sum.hpp>

namespace nbody {

namespace comm = cartwright::comm;

Conserved conserved(cartwright::grid::Particles& bodies,
                    const std::function<double(std::size_t)>& mass,
                    const std::function<Bound(std::size_t)>& bound) {
  const auto& x = bodies.position();
  const auto& v = bodies["velocity"];
  std::array<comm::BinnedSum, 9> sums;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double m = mass(i);
    const std::array<double, 3> p{m * v.at(i, 0), m * v.at(i, 1), m * v.at(i, 2)};
    sums[0].add(0.5 * m *
                (v.at(i, 0) * v.at(i, 0) + v.at(i, 1) * v.at(i, 1) + v.at(i, 2) * v.at(i, 2)));
    const Bound more = bound(i);
    sums[1].add(more.potential);
    sums[2].add(more.virial);
    for (std::size_t a = 0; a < 3; ++a) {
      const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
      sums[3 + a].add(p[a]);
      sums[6 + a].add(x.at(i, static_cast<int>(b)) * p[c] - x.at(i, static_cast<int>(c)) * p[b]);
    }
  }
  bodies.ranks().allreduce(sums, comm::binned_sum);
  Conserved all{sums[0].value(), sums[1].value(), {}, {}, sums[2].value()};
  for (std::size_t a = 0; a < 3; ++a) {
    all.momentum[a] = sums[3 + a].value();
    all.angular[a] = sums[6 + a].value();
  }
  return all;
}

}  // namespace nbody
