// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/plane_collectives.hpp>
#include <cartwright/rt/error.hpp>
#include <utility>

#include "relay.hpp"

namespace cartwright::comm {

/// Takes the collective of a plane apart into those of its lines.
class PlaneCollectives::Stages {
 public:
  Stages(const PlaneCollectives& plane, const Call& call)
      : plane_(plane),
        call_(call),
        relay_(std::make_unique<Relay>(plane.last_is_done_)),
        size_(call.element.size) {
    int rest = call.root.value;
    for (const Line& line : plane.lines_) {
      roots_.push_back(rt::Rank{rest % line.comm.size()});
      rest /= line.comm.size();
    }
  }

  [[nodiscard]] std::unique_ptr<Relay> make() && {
    using enum plan::Operation;
    if (call_.operation == broadcast) add_broadcasts();
    if (call_.operation == reduce) add_reductions();
    if (call_.operation == allreduce) add_allreductions();
    if (call_.operation == gather) add_gathers();
    if (call_.operation == scatter) add_scatters();
    if (call_.operation == allgather) add_allgathers();
    return std::move(relay_);
  }

 private:
  [[nodiscard]] std::size_t lines() const { return plane_.lines_.size(); }
  [[nodiscard]] rt::Rank me(std::size_t line) const { return plane_.lines_[line].comm.rank(); }
  [[nodiscard]] int ranks(std::size_t line) const { return plane_.lines_[line].comm.size(); }
  /// Whether I sit where the root does along the lines [from, to).
  [[nodiscard]] bool like_root(std::size_t from, std::size_t to) const {
    for (std::size_t line = from; line < to; ++line)
      if (me(line) != roots_[line]) return false;
    return true;
  }
  [[nodiscard]] Call on_line(std::size_t line) const {
    Call call = call_;
    call.root = roots_[line];
    return call;
  }
  void add(std::size_t line, const std::vector<Call>& calls) {
    Relay::Segments segments;
    for (const Call& call : calls)
      segments.push_back(plane_.lines_[line].collectives->backend().prepare(call));
    relay_->add_stage(std::move(segments));
  }
  /// A vector's call cut into segments, as many on all ranks.
  [[nodiscard]] std::vector<Call> segments_of(const Call& whole) const {
    const auto bytes = static_cast<std::size_t>(whole.count) * size_;
    const std::size_t segment = lines() == 1 ? 0 : plane_.options_.segment_bytes;
    const auto count = segment == 0 ? 1 : std::max<std::size_t>(1, bytes / segment);
    const auto cuts = plan::Cuts::balanced(static_cast<int>(count), whole.count);
    std::vector<Call> calls;
    for (int i = 0; i < static_cast<int>(count); ++i) {
      Call part = whole;
      const auto offset = static_cast<std::size_t>(cuts.offset(i)) * size_;
      part.count = cuts.length(i, 1);
      if (part.input != nullptr) part.input += offset;
      if (part.output != nullptr) part.output += offset;
      calls.push_back(part);
    }
    return calls;
  }

  void add_broadcasts() {  // last axis first: then every line has a rank that knows
    for (std::size_t line = lines(); line-- > 0;) {
      if (!like_root(0, line)) continue;
      Call call = on_line(line);
      call.place = plan::Place::in_place;
      add(line, segments_of(call));
    }
  }

  void add_reductions() {
    const std::byte* input = call_.input;
    for (std::size_t line = 0; line < lines() && like_root(0, line); ++line) {
      Call call = on_line(line);
      call.input = input;
      call.output = nullptr;
      const bool is_root = me(line) == roots_[line];
      const bool is_last = line + 1 == lines();
      if (is_root && is_last) call.output = call_.output;
      if (is_root && !is_last)
        call.output = relay_->memory(static_cast<std::size_t>(call_.count) * size_);
      add(line, segments_of(call));
      input = call.output;
    }
  }

  void add_allreductions() {
    for (std::size_t line = 0; line < lines(); ++line) {
      Call call = on_line(line);
      call.place = plan::Place::in_place;
      add(line, segments_of(call));
    }
  }

  /// Bytes of the blocks of all ranks that the lines before `line` span.
  [[nodiscard]] std::size_t block_bytes(std::size_t line) const {
    return static_cast<std::size_t>(block_count(line)) * size_;
  }
  [[nodiscard]] plan::Count block_count(std::size_t line) const {
    plan::Count count = call_.count;
    for (std::size_t before = 0; before < line; ++before) count *= ranks(before);
    return count;
  }

  void add_gathers() {
    const std::byte* input = call_.input;
    for (std::size_t line = 0; line < lines() && like_root(0, line); ++line) {
      Call call = on_line(line);
      call.count = block_count(line);
      call.input = input;
      call.output = nullptr;
      if (me(line) == roots_[line])
        call.output = line + 1 == lines() ? call_.output : relay_->memory(block_bytes(line + 1));
      add(line, {call});
      input = call.output;
    }
  }

  void add_scatters() {
    const std::byte* input = like_root(0, lines()) ? call_.input : nullptr;
    for (std::size_t line = lines(); line-- > 0;) {
      if (!like_root(0, line)) continue;
      Call call = on_line(line);
      call.count = block_count(line);
      call.input = me(line) == roots_[line] ? input : nullptr;
      call.output = line == 0 ? call_.output : relay_->memory(block_bytes(line));
      add(line, {call});
      input = call.output;
    }
  }

  void add_allgathers() {
    std::byte* begin = call_.output;  // of the blocks that the lines so far span
    for (std::size_t line = lines(); line-- > 0;)
      begin += block_bytes(line) * static_cast<std::size_t>(me(line).value);
    for (std::size_t line = 0; line < lines(); ++line) {
      begin -= block_bytes(line) * static_cast<std::size_t>(me(line).value);
      Call call = on_line(line);
      call.count = block_count(line);
      call.output = begin;
      if (line > 0) {
        call.place = plan::Place::in_place;
        call.input = nullptr;
      }
      add(line, {call});
    }
  }

  const PlaneCollectives& plane_;
  const Call& call_;
  std::unique_ptr<Relay> relay_;
  std::size_t size_;
  std::vector<rt::Rank> roots_;  // by line
};

PlaneCollectives::PlaneCollectives(const CartComm& cart, std::vector<int> axes,
                                   PlaneOptions options)
    : engine_(&cart.engine()), options_(options) {
  const bool ascends =
      std::ranges::adjacent_find(axes, [](int a, int b) { return a >= b; }) == axes.end();
  if (axes.empty() || !ascends)
    throw rt::internal_failure(
        fmt::format("a plane was asked for that axes [{}] span", fmt::join(axes, ", ")),
        "Name them in ascending order, each once.", rt::Reach::all_ranks);
  int rank = 0;
  for (const int axis : axes) {
    Line line{cart.axis(axis).duplicate(), nullptr};
    rank += size_ * line.comm.rank().value;
    size_ *= line.comm.size();
    lines_.push_back(std::move(line));
  }
  CollectivesOptions of_line = cart.all().options();
  if (of_line.memory != nullptr)
    of_line.memory = std::make_shared<NodeMemory>(cart.communicator(), cart.topology(),
                                                  static_cast<int>(axes.size()),
                                                  NodeMemory::usual_bytes, of_line.memory->arena());
  for (std::size_t i = 0; i < axes.size(); ++i) {  // the communicators stay where they are now
    of_line.nodes = cart.along(axes[i]).options().nodes;
    lines_[i].collectives = std::make_unique<Collectives>(lines_[i].comm, *engine_, of_line);
  }
  rank_ = rt::Rank{rank};
  cart.all().backends().poll_in_native();
  for (int axis = 0; axis < cart.dimensions(); ++axis) cart.along(axis).backends().poll_in_native();
}

Pending PlaneCollectives::start(const Call& call) const {
  if (call.root.value < 0 || call.root.value >= size_)
    throw rt::internal_failure(fmt::format("{} at {}:{}: root {} of a plane of {} ranks",
                                           plan::name_of(call.operation), call.site.file,
                                           call.site.line, call.root.value, size_));
  auto relay = Stages(*this, call).make();
  last_is_done_ = relay->is_done();
  relay->start();
  return {*engine_, std::move(relay)};
}

}  // namespace cartwright::comm
