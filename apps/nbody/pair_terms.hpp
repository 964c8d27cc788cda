// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lennard_jones_kernel.hpp"
#include "pack.hpp"

namespace nbody {

/// What two particles do to each other, for pairs in lanes. `pull` times their distance along an
/// axis is the force, N.
struct PairTerms {
  Pack pull;
  Pack potential = 0.0, virial = 0.0;  ///< J, half of the pair's; with energies
};

/// Of pairs whose distances have these squares; nothing where a pair doesn't count.
template <bool with_energies>
[[nodiscard]] inline PairTerms terms_of(const PairPotential& law, const Pack& square,
                                        const Pack::mask_type& counts) {
  const Pack inverse = 1.0 / square;
  const Pack second = law.diameter_squared * inverse;
  const Pack sixth = second * second * second;
  const Pack twelfth = sixth * sixth;
  Pack strength = (24.0 * law.energy) * (2.0 * twelfth - sixth);
  PairTerms terms{strength * inverse};
  where(!counts, terms.pull) = 0.0;
  if constexpr (with_energies) {
    Pack potential = (4.0 * law.energy) * (twelfth - sixth) + law.lift;
    where(!counts, potential) = 0.0;
    where(!counts, strength) = 0.0;
    terms.potential = 0.5 * potential;
    terms.virial = 0.5 * strength;
  }
  return terms;
}

}  // namespace nbody
