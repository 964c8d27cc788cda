// SPDX-License-Identifier: Apache-2.0
#include "rank_check.hpp"

#include <algorithm>

namespace cartwright::plan::validation {

namespace {

// The distance, in ring order, from the beginning of its buffer to a slice.
int distance(const Schedule& schedule, Slice slice) {
  const int d = slice.first - schedule.extent(slice.buffer).first;
  return d < 0 ? d + schedule.blocks() : d;
}

class RankCheck {
 public:
  RankCheck(const Schedule& schedule, const Layout& layout, FaultList& faults)
      : schedule_(schedule), layout_(layout), faults_(faults) {
    for (int b = 0; b < buffers(); ++b) {
      const Extent extent = schedule.extent(static_cast<Buffer>(b));
      written_.emplace_back(static_cast<std::size_t>(std::max(extent.count, 0)),
                            begins_written(static_cast<Buffer>(b)));
    }
  }

  void run() {
    int round = 0;
    bool received = false;
    for (const Step& step : schedule_.steps()) {
      if (step.round != round) received = false;
      if (step.round < round) fault(step, "stands behind a later round");
      if (step.round >= schedule_.rounds()) fault(step, "is in a round that the operation hasn't");
      round = step.round;
      if (step.sends() && received) fault(step, "sends behind a receive of its round");
      received = received || step.receives();
      check(step);
    }
  }

 private:
  [[nodiscard]] int buffers() const {
    return static_cast<int>(Buffer::scratch) + schedule_.scratch_buffers();
  }

  [[nodiscard]] bool begins_written(Buffer buffer) const {
    if (buffer == Buffer::input || schedule_.signals()) return true;
    // In place, and where there is no input at all (broadcast), the output begins with data.
    return buffer == Buffer::output && (schedule_.team().place == Place::in_place ||
                                        schedule_.extent(Buffer::input).count == 0);
  }

  void fault(const Step& step, const std::string& what) {
    faults_.add(schedule_.team().me, step, what);
  }

  bool inside(const Step& step, Slice slice) {
    const bool known = static_cast<int>(slice.buffer) < buffers();
    if (known && slice.count > 0 && slice.first >= 0 && slice.first < schedule_.blocks() &&
        distance(schedule_, slice) + slice.count <= schedule_.extent(slice.buffer).count)
      return true;
    fault(step, "reaches out of its buffer");
    return false;
  }

  void check(const Step& step) {
    const bool message = step.sends() || step.receives();
    if (message && (step.peer < 0 || step.peer >= schedule_.team().ranks))
      return fault(step, "names a rank that isn't in the team");
    if (message && step.peer == schedule_.team().me) return fault(step, "is a message to itself");
    if (step.reads_source() && !read(step, step.source())) return;
    if (step.reads_operand() && !read(step, step.operand())) return;
    if (step.writes()) write(step);
  }

  // Whether there is such a slice to be read.
  bool read(const Step& step, Slice slice) {
    if (!inside(step, slice)) return false;
    const auto& written = written_[static_cast<std::size_t>(slice.buffer)];
    const auto first = written.begin() + distance(schedule_, slice);
    if (std::find(first, first + slice.count, false) != first + slice.count)
      fault(step, "reads what nobody has written");
    return true;
  }

  void write(const Step& step) {
    const Slice target = step.target();
    if (!inside(step, target)) return;
    if (target.buffer == Buffer::input) return fault(step, "writes the input");
    overlap(step, step.reads_source() ? step.source() : target, step.kind != StepKind::copy);
    overlap(step, step.reads_operand() ? step.operand() : target, true);
    if (step.kind != StepKind::receive && length(layout_, step.source()) != length(layout_, target))
      fault(step, "has operands of different lengths");
    auto& written = written_[static_cast<std::size_t>(target.buffer)];
    std::fill_n(written.begin() + distance(schedule_, target), target.count, true);
  }

  // An operand may be overwritten as a whole, element by element, but not be shifted onto itself.
  void overlap(const Step& step, Slice read, bool whole_is_fine) {
    const Slice target = step.target();
    if (read.buffer != target.buffer || (read == target && (whole_is_fine || step.receives())))
      return;
    const int a = distance(schedule_, read);
    const int b = distance(schedule_, target);
    if (a < b + target.count && b < a + read.count) fault(step, "overwrites what it reads");
  }

  const Schedule& schedule_;
  const Layout& layout_;
  FaultList& faults_;
  std::vector<std::vector<bool>> written_;  // by buffer and block
};

}  // namespace

void check_rank(const Schedule& schedule, const Layout& layout, FaultList& faults) {
  RankCheck(schedule, layout, faults).run();
}

}  // namespace cartwright::plan::validation
