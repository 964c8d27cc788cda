// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/grid/kernels/built_for.hpp>

namespace cartwright::grid {
namespace {

#if defined(__AVX512F__)
constexpr int vector_bits = 512;
#elif defined(__AVX__)
constexpr int vector_bits = 256;
#else
constexpr int vector_bits = 128;
#endif

#ifdef CARTWRIGHT_NATIVE
constexpr const char* processors = "the processor that built it";
#else
constexpr const char* processors = "any processor of its kind";
#endif

}  // namespace

std::string built_for() {
  return fmt::format("{}, vectors of {} bits", processors, vector_bits);
}

std::string missing_instructions() {
  std::string missing;
  [[maybe_unused]] const auto want = [&missing](bool is_there, const char* name) {
    if (!is_there) missing += (missing.empty() ? "" : ", ") + std::string(name);
  };
#if defined(__x86_64__) && defined(__GNUC__)
#ifdef __AVX__
  want(__builtin_cpu_supports("avx") != 0, "AVX");
#endif
#ifdef __AVX2__
  want(__builtin_cpu_supports("avx2") != 0, "AVX2");
#endif
#ifdef __FMA__
  want(__builtin_cpu_supports("fma") != 0, "FMA");
#endif
#ifdef __AVX512F__
  want(__builtin_cpu_supports("avx512f") != 0, "AVX-512F");
#endif
#ifdef __AVX512VL__
  want(__builtin_cpu_supports("avx512vl") != 0, "AVX-512VL");
#endif
#ifdef __AVX512BW__
  want(__builtin_cpu_supports("avx512bw") != 0, "AVX-512BW");
#endif
#endif
  return missing;
}

}  // namespace cartwright::grid
