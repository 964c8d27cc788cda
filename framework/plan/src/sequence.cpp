// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/compose.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

namespace cartwright::plan {

std::function<int(int)> ranks_from(int first, int stride) {
  return [=](int rank) { return first + rank * stride; };
}

std::function<int(int)> ranks_listed(std::vector<int> ranks) {
  return [ranks = std::move(ranks)](int rank) { return ranks.at(static_cast<std::size_t>(rank)); };
}

std::function<int(int)> blocks_from(int first) {
  return [=](int block) { return first + block; };
}

std::function<int(int)> blocks_shared(int part_blocks, int whole_blocks) {
  return [=](int block) {
    return static_cast<int>(static_cast<std::int64_t>(block) * whole_blocks / part_blocks);
  };
}

namespace {

// Writes the steps of a part in terms of the whole.
class PartWriter {
 public:
  PartWriter(const Schedule& part, const Embedding& embedding, Builder& build)
      : part_blocks_(part.blocks()),
        begin_(&embedding.begin),
        rank_(&embedding.rank),
        input_(embedding.input),
        output_(embedding.output),
        build_(&build),
        length_(begin(part_blocks_) - begin(0)),
        closed_(length_ == build.blocks()) {
    for (int i = 0; i < part.scratch_buffers(); ++i)
      add_scratch(part.extent(static_cast<Buffer>(static_cast<int>(Buffer::scratch) + i)));
  }

  void write(const Step& step) {
    std::array<int, 5> cuts{0, step.count, step.count, step.count, step.count};
    if (step.reads_source()) cuts[2] = cut(step.source());
    if (step.reads_operand()) cuts[3] = cut(step.operand());
    if (step.writes()) cuts[4] = cut(step.target());
    std::ranges::sort(cuts);
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
      if (cuts[i] < cuts[i + 1]) write(step, cuts[i], cuts[i + 1] - cuts[i]);
  }

 private:
  // A scratch buffer of the part; of one that reaches round the end, what lies behind the end is a
  // buffer of its own, unless the part's ring is that of the whole.
  struct Scratch {
    int first = 0;
    Buffer before{};
    Buffer behind{};
  };

  [[nodiscard]] int begin(int block) const { return (*begin_)(block); }

  void add_scratch(Extent extent) {
    Scratch& scratch = scratch_.emplace_back();
    scratch.first = extent.first;
    const bool split = !closed_ && extent.first + extent.count > part_blocks_;
    const int count = split ? part_blocks_ - extent.first : extent.count;
    const Extent all = blocks(extent.first, count);
    scratch.before = build_->scratch(all.first, all.count);
    if (!split) return;
    const Extent rest = blocks(0, extent.count - count);
    scratch.behind = build_->scratch(rest.first, rest.count);
  }

  // Where a slice has to be divided, for its blocks to be consecutive in the whole.
  [[nodiscard]] int cut(Slice slice) const {
    return closed_ ? slice.count : std::min(slice.count, part_blocks_ - slice.first);
  }

  [[nodiscard]] Extent blocks(int first, int count) const {
    const int end = first + count;
    const int to = end <= part_blocks_ ? begin(end) : begin(end - part_blocks_) + length_;
    return {begin(first) % build_->blocks(), to - begin(first)};
  }

  [[nodiscard]] Slice slice(Slice of_part, int offset, int count) const {
    int first = of_part.first + offset;
    if (first >= part_blocks_) first -= part_blocks_;
    const Extent found = blocks(first, count);
    return {buffer(of_part.buffer, first), found.first, found.count};
  }

  [[nodiscard]] Buffer buffer(Buffer of_part, int first) const {
    if (of_part == Buffer::input) return input_;
    if (of_part == Buffer::output) return output_;
    const Scratch& scratch = scratch_[static_cast<std::size_t>(scratch_number(of_part))];
    return closed_ || first >= scratch.first ? scratch.before : scratch.behind;
  }

  void write(const Step& step, int offset, int count) {
    const Slice source = slice(step.source(), offset, count);
    const Slice target = slice(step.target(), offset, count);
    // Where the whole has less blocks than the part, some of its blocks have nothing in them.
    if ((step.writes() ? target : source).count == 0) return;
    switch (step.kind) {
      case StepKind::send:
        return build_->send((*rank_)(step.peer), source);
      case StepKind::receive:
        return build_->receive((*rank_)(step.peer), target);
      case StepKind::receive_combine:
        return build_->receive_combine((*rank_)(step.peer), step.received, source, target);
      case StepKind::combine:
        return build_->combine(source, slice(step.operand(), offset, count), target);
      case StepKind::copy:
        return build_->copy(source, target);
    }
  }

  int part_blocks_;
  const std::function<int(int)>* begin_;
  const std::function<int(int)>* rank_;
  Buffer input_;
  Buffer output_;
  Builder* build_;
  int length_;
  bool closed_;
  std::vector<Scratch> scratch_;
};

}  // namespace

Sequence::Sequence(Team team, Builder::Shape shape) : build_(team, shape), signals_(shape.signals) {
  if (signals_) tokens_ = build_.scratch(0, shape.blocks);
}

void Sequence::add(const Schedule& part, const Embedding& embedding) {
  if (embedding.rank(part.team().me) != build_.team().me)
    throw std::invalid_argument("rank " + std::to_string(part.team().me) +
                                " of the part isn't rank " + std::to_string(build_.team().me) +
                                " of the whole");
  if (part.signals() != signals_)
    throw std::invalid_argument("parts of signals and parts of data can't be glued together");
  if (signals_) return add_signals(part, embedding);
  PartWriter writer(part, embedding, build_);
  for (const Step& step : part.steps()) {
    build_.set_round(rounds_ + step.round);
    writer.write(step);
  }
  build_.set_round(rounds_);
}

void Sequence::add_signals(const Schedule& part, const Embedding& embedding) {
  const int base = embedding.begin(0);
  for (const Step& step : part.steps()) {
    build_.set_round(rounds_ + step.round);
    const int peer = embedding.rank(step.peer);
    if (step.sends()) {
      build_.send(peer, {tokens_, 0, base + step.source().first + step.count});
    } else {
      build_.receive(peer, {tokens_, base + step.target().first, step.count});
    }
  }
  build_.set_round(rounds_);
}

void Sequence::next(int rounds) {
  build_.set_round(rounds_ += rounds);
}

Schedule Sequence::finish() && {
  return std::move(build_).finish(rounds_);
}

}  // namespace cartwright::plan
