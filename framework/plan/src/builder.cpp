// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/builder.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace cartwright::plan {

namespace {

bool holds(Extent extent, int first, int count, int blocks) {
  const int distance = first >= extent.first ? first - extent.first : first - extent.first + blocks;
  return distance + count <= extent.count;
}

bool same_direction(const Step& a, const Step& b) {
  return a.peer == b.peer && a.sends() == b.sends() && a.receives() == b.receives();
}

// Few messages: looking back at all of them is quicker than sorting.
void number_few(std::vector<Step>& steps) {
  for (auto step = steps.begin(); step != steps.end(); ++step) {
    if (step->peer < 0) continue;
    for (auto earlier = step; earlier != steps.begin();) {
      --earlier;
      if (same_direction(*earlier, *step)) {
        step->number = earlier->number + 1;
        break;
      }
    }
  }
}

void number_many(std::vector<Step>& steps) {
  std::vector<std::pair<std::int64_t, std::int32_t>> by_peer;  // (peer and direction, place)
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].peer >= 0)
      by_peer.emplace_back(2 * static_cast<std::int64_t>(steps[i].peer) + steps[i].sends(),
                           static_cast<std::int32_t>(i));
  std::ranges::sort(by_peer);
  for (std::size_t i = 1; i < by_peer.size(); ++i)
    if (by_peer[i].first == by_peer[i - 1].first)
      steps[static_cast<std::size_t>(by_peer[i].second)].number =
          steps[static_cast<std::size_t>(by_peer[i - 1].second)].number + 1;
}

constexpr std::size_t few = 40;

}  // namespace

Builder::Builder(Team team, Shape shape) {
  if (team.ranks < 1 || team.me < 0 || team.me >= team.ranks)
    throw std::invalid_argument("a team of " + std::to_string(team.ranks) + " ranks has no rank " +
                                std::to_string(team.me));
  schedule_.team_ = team;
  schedule_.blocks_ = shape.blocks;
  schedule_.signals_ = shape.signals;
  schedule_.extents_ = {shape.input, shape.output};
}

Slice Builder::input(int first, int count) const {
  const bool in_place = team().place == Place::in_place &&
                        holds(schedule_.extent(Buffer::output), first, count, blocks());
  return {in_place ? Buffer::output : Buffer::input, first, count};
}

Buffer Builder::scratch(int first, int count) {
  if (schedule_.extents_.size() > std::numeric_limits<std::underlying_type_t<Buffer>>::max())
    throw std::length_error("a schedule has room for 65534 scratch buffers");
  const auto buffer = static_cast<Buffer>(schedule_.extents_.size());
  schedule_.extents_.push_back({first, count});
  return buffer;
}

Step& Builder::add(StepKind kind, int count) {
  Step& step = schedule_.steps_.emplace_back();
  step.kind = kind;
  step.count = count;
  step.round = round_;
  return step;
}

void Builder::send(int to, Slice source) {
  Step& step = add(StepKind::send, source.count);
  step.peer = to;
  step.source_buffer = source.buffer;
  step.source_first = source.first;
}

void Builder::receive(int from, Slice target) {
  Step& step = add(StepKind::receive, target.count);
  step.peer = from;
  step.target_buffer = target.buffer;
  step.target_first = target.first;
}

void Builder::receive_combine(int from, Side received, Slice source, Slice target) {
  Step& step = add(StepKind::receive_combine, target.count);
  step.peer = from;
  step.received = received;
  step.source_buffer = source.buffer;
  step.source_first = source.first;
  step.target_buffer = target.buffer;
  step.target_first = target.first;
}

void Builder::combine(Slice left, Slice right, Slice target) {
  Step& step = add(StepKind::combine, target.count);
  step.source_buffer = left.buffer;
  step.source_first = left.first;
  step.operand_buffer = right.buffer;
  step.operand_first = right.first;
  step.target_buffer = target.buffer;
  step.target_first = target.first;
}

void Builder::copy(Slice source, Slice target) {
  if (source == target || source.count == 0) return;
  Step& step = add(StepKind::copy, source.count);
  step.source_buffer = source.buffer;
  step.source_first = source.first;
  step.target_buffer = target.buffer;
  step.target_first = target.first;
}

Schedule Builder::finish(int rounds) && {
  auto& steps = schedule_.steps_;
  const auto earlier = [](const Step& a, const Step& b) { return a.round < b.round; };
  if (!std::ranges::is_sorted(steps, earlier)) std::ranges::stable_sort(steps, earlier);
  if (steps.size() <= few) {
    number_few(steps);
  } else {
    number_many(steps);
  }
  schedule_.rounds_ = std::max(rounds, steps.empty() ? 0 : steps.back().round + 1);
  return std::move(schedule_);
}

}  // namespace cartwright::plan
