// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/simulation/timeline.hpp>

#include <ostream>
#include <string>

namespace cartwright::plan {

namespace {

const char* trace_name(StepKind kind) {
  switch (kind) {
    case StepKind::send:
      return "send";
    case StepKind::receive:
      return "receive";
    case StepKind::receive_combine:
      return "receive and combine";
    case StepKind::combine:
      return "combine";
    case StepKind::copy:
      return "copy";
  }
  return "";
}

// Events of a trace, one a line.
class TraceWriter {
 public:
  explicit TraceWriter(std::ostream& out) : out_(out) { out_ << "{\"traceEvents\":[\n"; }

  void name_rank(int rank) {
    next();
    out_ << R"({"ph":"M","name":"thread_name","pid":0,"tid":)" << rank
         << R"(,"args":{"name":"rank )" << rank << "\"}}";
    next();
    out_ << R"({"ph":"M","name":"thread_sort_index","pid":0,"tid":)" << rank
         << R"(,"args":{"sort_index":)" << rank << "}}";
  }

  void slice(const char* name, int rank, Picoseconds begin, Picoseconds end,
             const TimelineStep& step) {
    next();
    out_ << R"({"ph":"X","name":")" << name << R"(","pid":0,"tid":)" << rank << R"(,"ts":)"
         << microseconds(begin) << R"(,"dur":)" << microseconds(end - begin)
         << R"(,"args":{"step":)" << step.step << R"(,"bytes":)" << step.bytes;
    if (step.peer >= 0) out_ << R"(,"peer":)" << step.peer << R"(,"message":)" << step.number;
    out_ << "}}";
  }

  // One end of a message: it hangs on the slice that begins then.
  void flow(bool leaves, const TimelineStep& step) {
    const int from = leaves ? step.rank : step.peer;
    const int to = leaves ? step.peer : step.rank;
    next();
    out_ << R"({"ph":")" << (leaves ? "s" : "f") << R"(","name":"message","cat":"message","id":")"
         << from << '-' << to << '-' << step.number << R"(","pid":0,"tid":)" << step.rank
         << R"(,"ts":)" << microseconds(step.begin) << (leaves ? "}" : R"(,"bp":"e"})");
  }

  void finish() { out_ << "\n],\"displayTimeUnit\":\"ns\"}\n"; }

 private:
  void next() {
    if (any_) out_ << ",\n";
    any_ = true;
  }

  static std::string microseconds(Picoseconds time) {
    const std::string digits = std::to_string(time % 1'000'000);
    return std::to_string(time / 1'000'000) + '.' + std::string(6 - digits.size(), '0') + digits;
  }

  std::ostream& out_;
  bool any_ = false;
};

}  // namespace

void write_trace(std::ostream& out, const Timeline& timeline) {
  TraceWriter trace(out);
  for (int r = 0; r < timeline.ranks; ++r) trace.name_rank(r);
  for (const TimelineStep& step : timeline.steps) {
    if (step.begin > step.due) trace.slice("wait", step.rank, step.due, step.begin, step);
    trace.slice(trace_name(step.kind), step.rank, step.begin, step.end, step);
    if (step.peer >= 0) trace.flow(step.kind == StepKind::send, step);
  }
  trace.finish();
}

}  // namespace cartwright::plan
