// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/compose.hpp>

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace cartwright::plan {

namespace {

void require_one_team(std::span<const Schedule> parts) {
  if (parts.empty()) throw std::invalid_argument("nothing can't be merged");
  const Team& team = parts[0].team();
  for (const Schedule& part : parts)
    if (part.team().ranks != team.ranks || part.team().me != team.me ||
        part.team().place != team.place || part.signals() != parts[0].signals())
      throw std::invalid_argument(
          "only schedules of the same rank and team, all in place or all not, all of data or all "
          "of signals, can be merged");
}

// Block numbers of the whole: those of a part begin at `first` and are there twice.
std::vector<int> first_blocks(std::span<const Schedule> parts) {
  std::vector<int> first{0};
  for (const Schedule& part : parts) first.push_back(first.back() + 2 * part.blocks());
  return first;
}

// From the first to the last block that a part has in a buffer.
Extent hull(std::span<const Schedule> parts, std::span<const int> first, Buffer buffer) {
  Extent all;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Extent extent = parts[i].extent(buffer);
    if (extent.count == 0) continue;
    if (all.count == 0) all.first = first[i] + extent.first;
    all.count = first[i] + extent.first + extent.count - all.first;
  }
  return all;
}

// Carries the steps of a part over into the whole.
class PartRenumbering {
 public:
  PartRenumbering(const Schedule& part, int first_block, int first_scratch)
      : part_(&part), first_block_(first_block), first_scratch_(first_scratch) {}

  Step operator()(Step step) const {
    renumber(step.source_buffer, step.source_first, step.reads_source());
    renumber(step.operand_buffer, step.operand_first, step.reads_operand());
    renumber(step.target_buffer, step.target_first, step.writes());
    return step;
  }

 private:
  void renumber(Buffer& buffer, std::int32_t& first, bool used) const {
    if (!used) return;
    first += first_block_ + (first < part_->extent(buffer).first ? part_->blocks() : 0);
    if (buffer >= Buffer::scratch)
      buffer = static_cast<Buffer>(static_cast<int>(buffer) + first_scratch_);
  }

  const Schedule* part_;
  int first_block_;
  int first_scratch_;
};

// Both ends of a message know how many the earlier parts have for the same pair of ranks.
class MessageRenumbering {
 public:
  void operator()(std::vector<Step>& part) {
    for (Step& step : part)
      if (step.peer >= 0) step.number += earlier_[key(step)];
    for (const Step& step : part)
      if (step.peer >= 0) ++count_[key(step)];
    earlier_ = count_;
  }

 private:
  static std::int64_t key(const Step& step) {
    return 2 * static_cast<std::int64_t>(step.peer) + (step.sends() ? 1 : 0);
  }
  std::unordered_map<std::int64_t, std::int32_t> earlier_;
  std::unordered_map<std::int64_t, std::int32_t> count_;
};

// The steps of one round, taken from each part in turn.
void merge_round(std::span<const std::vector<Step>> parts, std::vector<std::size_t>& next,
                 int round, std::vector<Step>& merged) {
  const auto take = [&](std::size_t i, bool receives_too) {
    for (; next[i] < parts[i].size() && parts[i][next[i]].round == round; ++next[i]) {
      if (!receives_too && parts[i][next[i]].receives()) return;
      merged.push_back(parts[i][next[i]]);
    }
  };
  for (std::size_t i = 0; i < parts.size(); ++i) take(i, false);
  for (std::size_t i = 0; i < parts.size(); ++i) take(i, true);
}

// Appends the ends of a part's blocks in a buffer, each block twice.
void append_offsets(std::vector<Count>& offsets, const Cuts& cuts, int blocks, Extent extent,
                    bool all) {
  for (int b = 0; b < 2 * blocks; ++b) {
    const bool held = all || (b >= extent.first && b < extent.first + extent.count);
    offsets.push_back(offsets.back() + (held ? cuts.length(b % blocks, 1) : 0));
  }
}

}  // namespace

Schedule side_by_side(std::span<const Schedule> parts) {
  require_one_team(parts);
  const std::vector<int> first = first_blocks(parts);
  Schedule whole;
  whole.team_ = parts[0].team();
  whole.signals_ = parts[0].signals();
  whole.blocks_ = first.back();
  whole.extents_ = {hull(parts, first, Buffer::input), hull(parts, first, Buffer::output)};
  std::vector<std::vector<Step>> steps(parts.size());
  MessageRenumbering renumber_messages;
  std::size_t count = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const PartRenumbering renumber(parts[i], first[i], whole.scratch_buffers());
    for (const Step& step : parts[i].steps()) steps[i].push_back(renumber(step));
    renumber_messages(steps[i]);
    for (int s = 0; s < parts[i].scratch_buffers(); ++s) {
      const Extent extent =
          parts[i].extent(static_cast<Buffer>(static_cast<int>(Buffer::scratch) + s));
      whole.extents_.push_back({first[i] + extent.first, extent.count});
    }
    whole.rounds_ = std::max(whole.rounds_, parts[i].rounds());
    count += steps[i].size();
  }
  whole.steps_.reserve(count);
  std::vector<std::size_t> next(parts.size(), 0);
  for (int round = 0; round < whole.rounds_; ++round) merge_round(steps, next, round, whole.steps_);
  return whole;
}

SideBySideLayout::SideBySideLayout(std::span<const Schedule> parts,
                                   std::span<const Layout> layouts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Schedule& part = parts[i];
    append_offsets(input_, layouts[i].input, part.blocks(), part.extent(Buffer::input), false);
    append_offsets(output_, layouts[i].output, part.blocks(), part.extent(Buffer::output), false);
    append_offsets(scratch_, layouts[i].scratch, part.blocks(), {}, true);
  }
}

}  // namespace cartwright::plan
