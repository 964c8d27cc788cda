// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cartwright/rt/ticks.hpp>
#include <cartwright/rt/trace.hpp>
#include <cstddef>
#include <string>
#include <vector>

namespace matmul {

/// What a rank's time goes to.
enum class Phase { generate, pack, broadcast, shift, dgemm, poll, pdgemm, check };
inline constexpr std::size_t phase_count = 8;

/// "dgemm", "wait for broadcasts": names of regions in the report and of colours in the picture.
[[nodiscard]] const char* name(Phase phase) noexcept;

/// One stretch of time of one rank, in seconds from the start of the product.
struct Span {
  Phase phase;
  double begin, end;
};

/// The time of one rank by phase: totals in the run's trace, and single spans for the picture.
class Phases {
 public:
  /// `trace` must outlive this.
  explicit Phases(cartwright::rt::Trace& trace);

  /// Times a scope.
  class Scope {
   public:
    Scope(Phases& phases, Phase phase) noexcept
        : phases_(phases),
          phase_(phase),
          mark_(phases.trace_.open(phases.regions_[static_cast<std::size_t>(phase)])) {}
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() { phases_.close(phase_, mark_); }

   private:
    Phases& phases_;
    Phase phase_;
    cartwright::rt::Trace::Mark mark_;
  };
  [[nodiscard]] Scope time(Phase phase) {
    enter(phase);
    return {*this, phase};
  }

  /// Forgets the spans, not the totals: a product starts now.
  void restart();
  [[nodiscard]] const std::vector<Span>& spans() const noexcept { return spans_; }

 private:
  /// A region that is never entered is not in the report.
  void enter(Phase phase);
  void close(Phase phase, const cartwright::rt::Trace::Mark& mark) noexcept;

  static constexpr std::size_t most_spans = 16384;  // later ones are in the totals only
  cartwright::rt::Trace& trace_;
  std::array<cartwright::rt::RegionId, phase_count> regions_;
  std::vector<Span> spans_;
  cartwright::rt::Ticks origin_;
};

}  // namespace matmul
