// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/ticks.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cartwright::rt {

/// A named kind of work, registered once (for instance at plan time) and timed often.
struct RegionId {
  int value = -1;
};

/// Who hears of regions when they begin and end: a profiler that knows nothing of Trace.
struct RegionListener {
  void (*begin)(const std::string& name) = nullptr;
  void (*end)() = nullptr;
};

/// Where a rank's time goes: totals per region always, and single spans for the timeline when
/// asked. A region may lie within another: totals count its time once, for the inner one. Recording
/// a span costs two clock reads and one store; nothing allocates (the span buffer is reserved when
/// tracing starts and drops, counted, what does not fit). For the main thread alone.
class Trace {
 public:
  struct Total {
    std::string name;
    double seconds = 0.0;
    std::int64_t count = 0;
    std::int64_t bytes = 0;
  };

  /// The same name gives the same id.
  RegionId region(const std::string& name);
  void record_spans(std::size_t capacity);
  /// A region in which no other one lay.
  void add(RegionId id, Ticks begin, Ticks end, std::int64_t bytes = 0) noexcept;
  /// Where a region begins that others may lie in.
  struct Mark {
    Ticks begin{};
    Ticks::duration accounted{};  ///< by other regions until then
    bool is_told = false;         ///< to the listener
  };
  [[nodiscard]] Mark mark() const noexcept { return {now(), accounted_}; }
  /// Begins a region, to be closed; the listener hears of it.
  [[nodiscard]] Mark open(RegionId id) noexcept { return open(id, mark()); }
  /// The same for one that has begun earlier: the listener hears of it now.
  [[nodiscard]] Mark open(RegionId id, Mark begin) noexcept {
    begin.is_told = listener_.begin != nullptr;
    if (begin.is_told) [[unlikely]]
      listener_.begin(totals_[static_cast<std::size_t>(id.value)].name);
    return begin;
  }
  /// The region from `mark` ends now; returns when that is.
  Ticks close(RegionId id, const Mark& mark) noexcept;
  /// From now on; {} ends it. Both functions, or none.
  void tell(const RegionListener& listener) noexcept { listener_ = listener; }
  /// Time that lies in some region.
  [[nodiscard]] double accounted_seconds() const noexcept {
    return std::chrono::duration<double>(accounted_).count();
  }
  [[nodiscard]] const std::vector<Total>& totals() const noexcept { return totals_; }
  /// Collective. Throws input_error (Reach::all_ranks) for a place that write() would refuse,
  /// unless its folder isn't there yet: it may come with the run. `may_write`: by beginning a file
  /// and removing it; else by what is there.
  static void require_writable(const Communicator& comm, const std::string& path, bool may_write);
  /// Collective. Writes a Chrome-trace/Perfetto JSON file with one track a rank, from rank 0.
  /// Clocks are aligned by a barrier at the start of the run. Returns how many spans of all ranks
  /// found no room. Throws input_error (Reach::all_ranks) when the file can't be written.
  [[nodiscard]] std::int64_t write(const Communicator& comm, const std::string& path) const;
  void set_origin(Ticks origin) noexcept { origin_ = origin; }
  [[nodiscard]] Ticks origin() const noexcept { return origin_; }

 private:
  [[nodiscard]] std::string track(int rank) const;
  void record(RegionId id, Ticks begin, Ticks end, Ticks::duration own) noexcept;

  struct Span {
    int region;
    Ticks begin, end;
  };
  std::vector<Total> totals_;
  std::vector<Span> spans_;
  std::int64_t dropped_ = 0;
  Ticks::duration accounted_{};
  Ticks origin_{};
  RegionListener listener_;
};

/// Times a scope.
class Timed {
 public:
  Timed(Trace& trace, RegionId id) noexcept : Timed(trace, id, trace.mark()) {}
  /// A region that has begun earlier.
  Timed(Trace& trace, RegionId id, const Trace::Mark& begin) noexcept
      : trace_(trace), id_(id), mark_(trace.open(id, begin)) {}
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;
  ~Timed() { trace_.close(id_, mark_); }

 private:
  Trace& trace_;
  RegionId id_;
  Trace::Mark mark_;
};

}  // namespace cartwright::rt
