// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/dependencies.hpp>
#include <cartwright/plan/program.hpp>

namespace cartwright::plan {

namespace {

// Turns slices into positions.
class Binder {
 public:
  Binder(const Schedule& schedule, const Layout& layout, std::size_t element_size)
      : schedule_(schedule),
        layout_(layout),
        element_size_(element_size),
        scratch_(scratch_offsets(schedule, layout, element_size)) {}

  [[nodiscard]] Position operator()(Slice slice) const {
    const std::int64_t bytes =
        position(schedule_, layout_, slice) * static_cast<std::int64_t>(element_size_);
    if (slice.buffer < Buffer::scratch) return {slice.buffer, bytes};
    const std::size_t begin = scratch_[static_cast<std::size_t>(scratch_number(slice.buffer))];
    return {Buffer::scratch, static_cast<std::int64_t>(begin) + bytes};
  }

 private:
  const Schedule& schedule_;
  const Layout& layout_;
  std::size_t element_size_;
  std::vector<std::size_t> scratch_;
};

}  // namespace

void Program::bind(const Schedule& schedule, const Layout& layout, std::size_t element_size) {
  const Binder position_of(schedule, layout, element_size);
  const std::vector<std::int32_t> waits = sends_before(schedule);
  steps_.clear();
  steps_.reserve(schedule.steps().size());
  sends_ = 0;
  std::vector<std::int32_t> kept_sends{0};  // by number of sends in the schedule
  for (std::size_t i = 0; i < schedule.steps().size(); ++i) {
    const Step& step = schedule.steps()[i];
    const Count count = length(layout, step.sends() ? step.source() : step.target());
    const bool kept = count > 0 || (schedule.signals() && step.peer >= 0);
    if (step.sends()) {
      sends_ += kept ? 1 : 0;
      kept_sends.push_back(sends_);
    }
    if (!kept) continue;
    BoundStep& bound = steps_.emplace_back();
    bound.kind = step.kind;
    bound.received = step.received;
    bound.peer = step.peer;
    bound.number = step.number;
    bound.sends_before = kept_sends[static_cast<std::size_t>(waits[i])];
    bound.count = count;
    if (step.reads_source()) bound.source = position_of(step.source());
    if (step.reads_operand()) bound.operand = position_of(step.operand());
    if (step.writes()) bound.target = position_of(step.target());
  }
}

}  // namespace cartwright::plan
