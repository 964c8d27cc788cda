// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__) && !defined(__CUDACC__) && !defined(__HIPCC__)
#include <immintrin.h>
#define CARTWRIGHT_STREAMING_STORES 1
#endif

namespace cartwright::grid {

/// Whether this processor can store past its caches, and the compiler was told how.
#ifdef CARTWRIGHT_STREAMING_STORES
inline constexpr bool has_streaming_stores = true;
#else
inline constexpr bool has_streaming_stores = false;
#endif

/// True where a cache line begins.
[[nodiscard]] inline bool begins_line(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % 64 == 0;
}

/// Whether some elements of so many bytes fill whole cache lines: 16 of them, of floats and of what
/// is made of them.
template <std::size_t element_bytes>
inline constexpr bool can_stream = has_streaming_stores&& element_bytes % sizeof(float) == 0;

/// Copies whole cache lines, from and to where such begin, to memory that nobody reads soon. After
/// the last of them, finish_streaming().
template <std::size_t bytes>
[[gnu::always_inline]] inline void stream_lines(const void* from, void* to) {
  static_assert(bytes % 64 == 0);
#ifdef CARTWRIGHT_STREAMING_STORES
#if defined(__AVX__)
  using Part = __m256i;
#else
  using Part = __m128i;
#endif
  const auto* source = static_cast<const Part*>(from);
  auto* target = static_cast<Part*>(to);
  for (std::size_t part = 0; part < bytes / sizeof(Part); ++part) {
#if defined(__AVX__)
    _mm256_stream_si256(target + part, _mm256_load_si256(source + part));
#else
    _mm_stream_si128(target + part, _mm_load_si128(source + part));
#endif
  }
#else
  std::memcpy(to, from, bytes);
#endif
}

/// Copies to memory that nobody reads soon: whole cache lines past the caches, which then needn't
/// read them first. After the last of them, finish_streaming().
inline void stream(const void* from, void* to, std::size_t bytes) {
#ifdef CARTWRIGHT_STREAMING_STORES
  constexpr std::size_t line = 64;
  const auto* source = static_cast<const std::byte*>(from);
  auto* target = static_cast<std::byte*>(to);
  const std::size_t misfit = reinterpret_cast<std::uintptr_t>(target) % line;
  const std::size_t head = std::min(bytes, misfit == 0 ? 0 : line - misfit);
  std::memcpy(target, source, head);
  std::size_t done = head;
  for (; done + line <= bytes; done += line) {
#if defined(__AVX512F__)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(target + done),
                        _mm512_loadu_si512(source + done));
#else
    for (std::size_t part = done; part < done + line; part += sizeof(__m128i))
      _mm_stream_si128(reinterpret_cast<__m128i*>(target + part),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(source + part)));
#endif
  }
  std::memcpy(target + done, source + done, bytes - done);
#else
  std::memcpy(to, from, bytes);
#endif
}

/// What this thread has streamed is there for others.
inline void finish_streaming() {
#ifdef CARTWRIGHT_STREAMING_STORES
  _mm_sfence();
#endif
}

}  // namespace cartwright::grid
