// SPDX-License-Identifier: Apache-2.0
// Compiled without contraction: a product and a sum that become one instruction in the middle of a
// vector, and two at its end, would make the result depend on how the data are cut.
#include "reduction_kernels.hpp"

#include <array>
#include <complex>

#include "reduction_operators.hpp"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"  // there are no vectors of long doubles
#endif

namespace cartwright::comm {

namespace {

using Function = Reduction::Function;

/// The target may be one of the operands, but never overlaps one elsewhere.
template <class Operator, class T>
[[gnu::always_inline]] inline void combine_all(const std::byte* left, const std::byte* right,
                                               std::byte* target, std::size_t count) {
  const auto* const a = reinterpret_cast<const T*>(left);
  const auto* const b = reinterpret_cast<const T*>(right);
  auto* const c = reinterpret_cast<T*>(target);
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (std::size_t i = 0; i < count; ++i) c[i] = Operator::of(a[i], b[i]);
}

template <class Operator, class T>
void portable(const std::byte* left, const std::byte* right, std::byte* target, std::size_t count,
              const void* /*context*/) {
  combine_all<Operator, T>(left, right, target, count);
}

#if defined(__x86_64__)
template <class Operator, class T>
[[gnu::target("avx2")]] void with_avx2(const std::byte* left, const std::byte* right,
                                       std::byte* target, std::size_t count,
                                       const void* /*context*/) {
  combine_all<Operator, T>(left, right, target, count);
}
bool has_avx2() {
  return __builtin_cpu_supports("avx2") != 0;
}
#else
template <class Operator, class T>
constexpr Function with_avx2 = nullptr;
constexpr bool has_avx2() {
  return false;
}
#endif

struct Kernel {
  Function portable = nullptr;
  Function avx2 = nullptr;
};

template <class Operator, class T>
constexpr Kernel kernel() {
  if constexpr (requires(T value) { Operator::of(value, value); })
    return {portable<Operator, T>, with_avx2<Operator, T>};
  else
    return {};
}

/// In the order of enum Operator.
template <class T>
constexpr auto kernels_of() {
  using namespace elementwise;
  return std::array{kernel<Sum, T>(),        kernel<Product, T>(),    kernel<Minimum, T>(),
                    kernel<Maximum, T>(),    kernel<LogicalAnd, T>(), kernel<LogicalOr, T>(),
                    kernel<LogicalXor, T>(), kernel<BitAnd, T>(),     kernel<BitOr, T>(),
                    kernel<BitXor, T>()};
}

/// In the order of enum ScalarType.
constexpr std::array kernels{kernels_of<bool>(),
                             kernels_of<std::int8_t>(),
                             kernels_of<std::int16_t>(),
                             kernels_of<std::int32_t>(),
                             kernels_of<std::int64_t>(),
                             kernels_of<std::uint8_t>(),
                             kernels_of<std::uint16_t>(),
                             kernels_of<std::uint32_t>(),
                             kernels_of<std::uint64_t>(),
                             kernels_of<float>(),
                             kernels_of<double>(),
                             kernels_of<long double>(),
                             kernels_of<std::complex<float>>(),
                             kernels_of<std::complex<double>>()};

}  // namespace

Reduction::Function reduction_kernel(Operator op, ScalarType type) {
  const Kernel& found = kernels.at(static_cast<std::size_t>(type)).at(static_cast<std::size_t>(op));
  return has_avx2() ? found.avx2 : found.portable;
}

}  // namespace cartwright::comm
