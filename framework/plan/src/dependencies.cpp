// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/dependencies.hpp>

#include <algorithm>

namespace cartwright::plan {

namespace {

// Numbers every block of every buffer of a schedule.
class BlockNumbers {
 public:
  explicit BlockNumbers(const Schedule& schedule) : schedule_(&schedule) {
    for (int b = 0; b < static_cast<int>(Buffer::scratch) + schedule.scratch_buffers(); ++b) {
      first_.push_back(count_);
      count_ += static_cast<std::size_t>(schedule.extent(static_cast<Buffer>(b)).count);
    }
  }

  [[nodiscard]] std::size_t count() const { return count_; }

  template <class Body>
  void for_each(Slice slice, Body body) const {
    const int distance = slice.first - schedule_->extent(slice.buffer).first;
    const std::size_t first =
        first_[static_cast<std::size_t>(slice.buffer)] +
        static_cast<std::size_t>(distance < 0 ? distance + schedule_->blocks() : distance);
    for (std::size_t i = 0; i < static_cast<std::size_t>(slice.count); ++i) body(first + i);
  }

 private:
  const Schedule* schedule_;
  std::vector<std::size_t> first_;
  std::size_t count_ = 0;
};

// Who last wrote a block, and who has read it since.
struct BlockHistory {
  std::int32_t writer = -1;
  std::vector<std::int32_t> readers;
};

}  // namespace

Dependencies::Dependencies(const Schedule& schedule) {
  const BlockNumbers blocks(schedule);
  std::vector<BlockHistory> history(blocks.count());
  std::vector<std::int32_t> found;
  const auto steps = schedule.steps();
  first_.push_back(0);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto self = static_cast<std::int32_t>(i);
    const Step& step = steps[i];
    found.clear();
    const auto read = [&](std::size_t block) {
      if (history[block].writer >= 0) found.push_back(history[block].writer);
      history[block].readers.push_back(self);
    };
    if (step.reads_source()) blocks.for_each(step.source(), read);
    if (step.reads_operand()) blocks.for_each(step.operand(), read);
    if (step.writes()) {
      blocks.for_each(step.target(), [&](std::size_t block) {
        if (history[block].writer >= 0) found.push_back(history[block].writer);
        for (const std::int32_t reader : history[block].readers)
          if (reader != self) found.push_back(reader);
        history[block].writer = self;
        history[block].readers.clear();
      });
    }
    std::ranges::sort(found);
    const auto repeated = std::unique(found.begin(), found.end());
    before_.insert(before_.end(), found.begin(), repeated);
    first_.push_back(before_.size());
  }
}

std::vector<std::int32_t> sends_before(const Schedule& schedule) {
  const BlockNumbers blocks(schedule);
  std::vector<std::int32_t> last_send(blocks.count(),
                                      0);  // 1 + number of the last send that reads it
  std::vector<std::int32_t> waits;
  waits.reserve(schedule.steps().size());
  std::int32_t sends = 0;
  for (const Step& step : schedule.steps()) {
    std::int32_t wait = 0;
    if (step.sends()) {
      ++sends;
      blocks.for_each(step.source(), [&](std::size_t block) { last_send[block] = sends; });
    } else {
      blocks.for_each(step.target(),
                      [&](std::size_t block) { wait = std::max(wait, last_send[block]); });
    }
    waits.push_back(wait);
  }
  return waits;
}

}  // namespace cartwright::plan
