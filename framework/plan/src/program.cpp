// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/dependencies.hpp>
#include <cartwright/plan/program.hpp>

namespace cartwright::plan {

namespace {

// Turns slices into pointers.
class Binder {
 public:
  Binder(const Schedule& schedule, const Layout& layout, std::size_t element_size,
         const Buffers& buffers)
      : schedule_(schedule),
        layout_(layout),
        element_size_(element_size),
        buffers_(buffers),
        scratch_(scratch_offsets(schedule, layout, element_size)) {}

  [[nodiscard]] const std::byte* read(Slice slice) const {
    return slice.buffer == Buffer::input ? buffers_.input + offset(slice) : write(slice);
  }
  [[nodiscard]] std::byte* write(Slice slice) const {
    if (slice.buffer == Buffer::output) return buffers_.output + offset(slice);
    return buffers_.scratch + scratch_[static_cast<std::size_t>(scratch_number(slice.buffer))] +
           offset(slice);
  }

 private:
  [[nodiscard]] std::size_t offset(Slice slice) const {
    return static_cast<std::size_t>(position(schedule_, layout_, slice)) * element_size_;
  }

  const Schedule& schedule_;
  const Layout& layout_;
  std::size_t element_size_;
  Buffers buffers_;
  std::vector<std::size_t> scratch_;
};

}  // namespace

void Program::bind(const Schedule& schedule, const Layout& layout, std::size_t element_size,
                   const Buffers& buffers) {
  const Binder binder(schedule, layout, element_size, buffers);
  const std::vector<std::int32_t> waits = sends_before(schedule);
  steps_.clear();
  steps_.reserve(schedule.steps().size());
  sends_ = 0;
  std::int32_t sends_in_schedule = 0;
  std::vector<std::int32_t> kept_sends{0};  // by number of sends in the schedule
  for (std::size_t i = 0; i < schedule.steps().size(); ++i) {
    const Step& step = schedule.steps()[i];
    const Count count = length(layout, step.sends() ? step.source() : step.target());
    const bool kept = count > 0 || (schedule.signals() && step.peer >= 0);
    if (step.sends()) {
      sends_ += kept ? 1 : 0;
      ++sends_in_schedule;
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
    if (step.reads_source()) bound.source = binder.read(step.source());
    if (step.reads_operand()) bound.operand = binder.read(step.operand());
    if (step.writes()) bound.target = binder.write(step.target());
  }
}

}  // namespace cartwright::plan
