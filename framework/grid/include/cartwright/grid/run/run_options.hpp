// SPDX-License-Identifier: Apache-2.0
// The sections of a deck that every solver shares.
#pragma once

#include <array>
#include <cartwright/grid/run/grid_options.hpp>
#include <cartwright/grid/run/volume_options.hpp>
#include <cartwright/rt/schema.hpp>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::rt {
class Deck;
}

namespace cartwright::grid {

struct TimeOptions {
  std::optional<long long> steps;  ///< number of the last step
  std::optional<double> step;      ///< empty: the solver's limit times `safety`
  std::optional<double> end;
  double safety = 0.9;
  std::string stability = "enforce";  ///< "warn": a larger step than the stable one is made
  long long finite_every =
      100;                    ///< steps between searches for values that aren't numbers; 0: never
  std::string fuse = "auto";  ///< or a number: of steps at once, where a solver can do that

  /// What `fuse` says, if it is a number.
  [[nodiscard]] std::optional<long long> steps_at_once() const;
};

/// How long an iteration goes on.
struct IterationOptions {
  double tolerance = 1e-8;      ///< of the residual, relative to the first one
  long long limit = 10000;      ///< iterations
  long long stagnation = 1000;  ///< without a residual that is 1 % lower; 0: never given up
  double divergence = 1e8;      ///< given up where the residual is so many times the first one
};

struct PictureOptions {
  long long every = 0;                         ///< steps; 0: none
  std::optional<double> interval;              ///< simulated time between pictures
  std::vector<std::string> fields;             ///< empty: all that the solver declares
  std::string slice;                           ///< 3-D: "z=0.5"; empty: the middle of the last axis
  std::optional<std::array<double, 2>> range;  ///< empty: found from the data
  std::string colours = "viridis";
  std::string mask;     ///< where it isn't 0 nothing is drawn; empty: the run's
  int contours = 0;     ///< lines of equal value
  std::string vectors;  ///< drawn as arrows; empty: none
  double film = 0;      ///< pictures a second; 0: no films
};

struct OutputOptions {
  std::string directory;           ///< empty: out/ and the deck's name
  std::optional<long long> every;  ///< steps; empty: first and last only; 0: no fields at all
  std::optional<double> interval;  ///< simulated time between outputs
  std::optional<long long>
      diagnostics;                  ///< steps between rows of diagnostics.csv; empty: as `every`
  std::vector<std::string> fields;  ///< empty: all that the solver declares
  std::string precision = "float64";
  PictureOptions pictures;
  InSituOptions render;
};

struct CheckpointOptions {
  long long every = 0;  ///< steps; 0: only when stopped early
  int keep = 2;
  std::string changes = "refuse";  ///< "accept": a restart may have other parameters
};

/// How ghosts are exchanged: keys of section `comm`.
struct ExchangeOptions {
  bool overlap = true;          ///< compute while messages fly
  bool stage_messages = false;  ///< through host memory, also where they needn't
  bool direct_ghosts = false;   ///< straight from a neighbour's field, or to it, on a node
};
/// Adds these keys to a deck's section `comm`.
void bind_exchange_options(rt::SectionNode& root, ExchangeOptions& options);

struct RunOptions {
  GridOptions grid;
  TimeOptions time;
  IterationOptions iteration;
  OutputOptions output;
  CheckpointOptions checkpoint;
  std::string checks = "none";  ///< "halos": checked mode
  ExchangeOptions exchange;

  [[nodiscard]] bool check_halos() const { return checks == "halos"; }
  [[nodiscard]] bool accepts_changes() const { return checkpoint.changes == "accept"; }
  /// Simulated times between what is written; adaptive steps meet their multiples.
  [[nodiscard]] std::vector<double> intervals() const;
  [[nodiscard]] int dimensions() const { return static_cast<int>(grid.extent.size()); }
};

/// Adds the shared sections to the tree that the deck is checked against.
void bind_run_options(rt::SectionNode& root, RunOptions& options);

/// Gives absent lists of the grid their defaults; throws Deck::error where keys contradict each
/// other or can't be heeded, as far as the deck alone can tell.
void complete_run_options(const rt::Deck& deck, RunOptions& options);

}  // namespace cartwright::grid
