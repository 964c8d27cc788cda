// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "../peer/block.hpp"

namespace cartwright::bench {

/// The STREAM triad a[i] = b[i] + s * c[i] on this rank's threads, on memory that the same threads
/// touched first. Counts 24 bytes an element, as STREAM does (the line that a store fetches first
/// is not counted).
class Triad {
 public:
  static constexpr double bytes_per_element = 24.0;

  /// Arrays as long as blocks of these extents.
  explicit Triad(const peer::Extents& extents);
  void run();
  [[nodiscard]] std::size_t elements() const noexcept;

 private:
  peer::Block a_, b_, c_;
};

/// Copies arrays past the caches: 16 bytes an element, and none that is read only to be
/// overwritten.
class StreamedCopy {
 public:
  /// `arrays` of them, as long as blocks of these extents.
  StreamedCopy(const peer::Extents& extents, int arrays);
  void run();

 private:
  std::vector<peer::Block> from_, to_;
};

}  // namespace cartwright::bench
