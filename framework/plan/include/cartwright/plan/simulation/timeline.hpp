// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/plan/models/time.hpp>
#include <cartwright/plan/step.hpp>

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace cartwright::plan {

/// One step of a simulated run.
struct TimelineStep {
  StepKind kind = StepKind::copy;
  std::int32_t rank = 0;
  std::int32_t step = 0;    ///< of the rank, from 0; those without data aren't counted
  std::int32_t peer = -1;   ///< rank at the other end of a message
  std::int32_t number = 0;  ///< of the message, among those of its ordered pair of ranks
  std::int64_t bytes = 0;
  Picoseconds due = 0;      ///< the processor comes to the step
  Picoseconds begin = 0;    ///< later than `due` when a receive waits for its message
  Picoseconds end = 0;      ///< the processor is done with it
  Picoseconds arrival = 0;  ///< of a send: when its message arrives
};

/// All steps of a simulated run, by rank and time.
struct Timeline {
  int ranks = 0;
  std::vector<TimelineStep> steps;
};

struct PictureOptions {
  std::string title{};
  int width = 1100;      ///< pixels
  int most_ranks = 128;  ///< of more ranks, so many are shown, evenly sampled
};

/// Draws a timeline as SVG: a row for each rank; sends, receives, combinations, copies and waits in
/// colours, messages as lines; with axes, units and a legend.
void write_svg(std::ostream& out, const Timeline& timeline, const PictureOptions& options = {});

/// Writes a timeline in the trace event format, for ui.perfetto.dev or chrome://tracing: a thread
/// for each rank, a flow for each message. Timestamps are in µs.
void write_trace(std::ostream& out, const Timeline& timeline);

}  // namespace cartwright::plan
