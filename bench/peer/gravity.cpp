// SPDX-License-Identifier: Apache-2.0
#include "gravity.hpp"

#include <immintrin.h>

namespace cartwright::bench {
namespace {

#if defined(__AVX512F__)
struct Lanes {
  using Type = __m512d;
  static constexpr std::size_t count = 8;
  static Type load(const double* from) { return _mm512_loadu_pd(from); }
  static Type all(double value) { return _mm512_set1_pd(value); }
  static Type root(Type value) { return _mm512_sqrt_pd(value); }
  static void add_to(double* to, Type value) { _mm512_storeu_pd(to, _mm512_loadu_pd(to) + value); }
};
#elif defined(__AVX__)
struct Lanes {
  using Type = __m256d;
  static constexpr std::size_t count = 4;
  static Type load(const double* from) { return _mm256_loadu_pd(from); }
  static Type all(double value) { return _mm256_set1_pd(value); }
  static Type root(Type value) { return _mm256_sqrt_pd(value); }
  static void add_to(double* to, Type value) { _mm256_storeu_pd(to, _mm256_loadu_pd(to) + value); }
};
#else
struct Lanes {
  using Type = __m128d;
  static constexpr std::size_t count = 2;
  static Type load(const double* from) { return _mm_loadu_pd(from); }
  static Type all(double value) { return _mm_set1_pd(value); }
  static Type root(Type value) { return _mm_sqrt_pd(value); }
  static void add_to(double* to, Type value) { _mm_storeu_pd(to, _mm_loadu_pd(to) + value); }
};
#endif

}  // namespace

void add_gravity_by_hand(const BodyArrays& bodies, std::size_t targets, std::size_t sources,
                         double softening_squared, std::array<double*, 3> sums) {
  const auto softening = Lanes::all(softening_squared);
  for (std::size_t i = 0; i < targets; i += Lanes::count) {
    const auto x = Lanes::load(bodies.x + i), y = Lanes::load(bodies.y + i),
               z = Lanes::load(bodies.z + i);
    auto ax = Lanes::all(0), ay = Lanes::all(0), az = Lanes::all(0);
    for (std::size_t j = 0; j < sources; ++j) {
      const auto dx = Lanes::all(bodies.x[j]) - x;
      const auto dy = Lanes::all(bodies.y[j]) - y;
      const auto dz = Lanes::all(bodies.z[j]) - z;
      const auto square = dx * dx + dy * dy + dz * dz + softening;
      const auto weight = Lanes::all(bodies.mass[j]) / (square * Lanes::root(square));
      ax += weight * dx;
      ay += weight * dy;
      az += weight * dz;
    }
    Lanes::add_to(sums[0] + i, ax);
    Lanes::add_to(sums[1] + i, ay);
    Lanes::add_to(sums[2] + i, az);
  }
}

}  // namespace cartwright::bench
