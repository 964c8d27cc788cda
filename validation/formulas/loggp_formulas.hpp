// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/log_gp.hpp>
#include <cstddef>
#include <vector>

namespace cartwright::validation::formulas {

using namespace plan;
using namespace plan::formulas;

/// Viertel 2007 charges m blocks of s bytes in one message m (s - 1) G and adds an interval here
/// and there; `exact` charges (m s - 1) G and what the end points really wait.
enum class Form : std::uint8_t { thesis, exact };

/// ceil(log_base ranks), in integers (Viertel's floating-point logarithm, 5.1.3, is one too many
/// for 125, 216 …).
int rounds_of(Count ranks, int base);

/// Scatter of one block of `bytes` to each of `ranks` ranks (Viertel 2007, 5.1).
struct LogGpScatter {
  LogGp model;
  Count ranks = 1;
  Count bytes = 1;
  Form form = Form::exact;

  /// S1, the root sends to everyone: printed o_s + (P-1)(max{o_s, g} + c) + L + o_r.
  [[nodiscard]] double linear() const;
  /// S2, halving: R₂ L' + (P-1) c; also the slowest leaf.
  [[nodiscard]] double splitting() const;
  /// S2's leaf that is served first: (log₂P - 1) g + L' + (P-1) c.
  [[nodiscard]] double splitting_fastest_leaf() const;
  /// S4 with `fanout` children a round: R (o_s + (k-1) g + L + o_r) + (P-1) c.
  [[nodiscard]] double n_way(int fanout) const;

 private:
  [[nodiscard]] double bytes_time(Count blocks, Count messages) const;
};

/// S3: the best splitting in LogGP by dynamic programming, O(P²) (Viertel 2007, 5.1.2).
struct OptimalSplitting {
  std::vector<double> time;  ///< [p]: until p ranks have their blocks; [0] unused
  std::vector<Count> sent;   ///< [p]: blocks that the holder of p sends first; 0 for p = 1
};
OptimalSplitting optimal_splitting(const LogGp& model, Count ranks, Count bytes,
                                   Form form = Form::exact);
/// What S3 gains over S2 at most, as printed: (log₂P - 1)(L' - g) / 2. Wrong: 6 at P = 4, L' = 8,
/// g = 1, c = 0, where this gives 3.5.
double printed_splitting_gain(const LogGp& model, Count ranks);

/// Rounds of an allgather by recursive doubling: log₂P; for other counts 2 R₂ in the thesis, and
/// with the extra ranks folded in floor(log₂P) + 2.
int doubling_allgather_rounds(Count ranks, Form form = Form::exact);

/// Allgather of one block of `bytes` from each of `ranks` ranks (Viertel 2007, 5.3).
struct LogGpAllgather {
  LogGp model;
  Count ranks = 1;
  Count bytes = 1;
  Form form = Form::exact;

  [[nodiscard]] double ring() const;           ///< A1: (P-1)(L' + c)
  [[nodiscard]] double modified_ring() const;  ///< A2: all messages independent
  /// A3: P/2 L' + (P-1) c. Throws std::invalid_argument for odd P.
  [[nodiscard]] double neighbour_exchange() const;
  /// A4: log₂P L' + (P-1) c; other counts fold extra ranks in, of which the last round carries P
  /// blocks.
  [[nodiscard]] double recursive_doubling() const;
  /// A5 with `ports`: R (o_s + o_r + max{(k-1) g + L, (k-1)(o_s + o_r)}) + (P-1) c; printed with
  /// one c a round instead.
  [[nodiscard]] double bruck(int ports) const;

 private:
  [[nodiscard]] double bytes_time(Count blocks, Count messages) const;
};

}  // namespace cartwright::validation::formulas
