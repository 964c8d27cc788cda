// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/dependencies.hpp>
#include <cartwright/plan/describe.hpp>
#include <cartwright/plan/interpret_messages.hpp>
#include <cartwright/plan/validate.hpp>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace cartwright::plan {

namespace {

// Faults, of which no reader wants thousands.
class FaultList {
 public:
  void add(int rank, const Step& step, const std::string& what) {
    if (texts_.size() < most)
      texts_.push_back("rank " + std::to_string(rank) + ", `" + describe(step) + "`: " + what);
  }
  void add(std::string what) {
    if (texts_.size() < most) texts_.push_back(std::move(what));
  }
  std::vector<std::string> take() { return std::move(texts_); }
  [[nodiscard]] bool any() const { return !texts_.empty(); }

 private:
  static constexpr std::size_t most = 20;
  std::vector<std::string> texts_;
};

// The distance, in ring order, from the beginning of its buffer to a slice.
int distance(const Schedule& schedule, Slice slice) {
  const int d = slice.first - schedule.extent(slice.buffer).first;
  return d < 0 ? d + schedule.blocks() : d;
}

// What one rank does, without a look at the others.
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

struct SentMessage {
  Count elements = 0;
  int round = 0;
  bool received = false;
};
using SentMessages = std::unordered_map<MessageName, SentMessage, MessageNameHash>;

SentMessages collect_sent(std::span<const Schedule> schedules, std::span<const Layout> layouts,
                          FaultList& faults) {
  SentMessages sent;
  for (std::size_t r = 0; r < schedules.size(); ++r)
    for (const Step& step : schedules[r].steps())
      if (step.sends() &&
          !sent.try_emplace({static_cast<int>(r), step.peer, step.number},
                            SentMessage{length(layouts[r], step.source()), step.round})
               .second)
        faults.add(static_cast<int>(r), step, "is sent twice");
  return sent;
}

void match_received(std::span<const Schedule> schedules, std::span<const Layout> layouts,
                    SentMessages& sent, FaultList& faults) {
  for (std::size_t r = 0; r < schedules.size(); ++r)
    for (const Step& step : schedules[r].steps()) {
      if (!step.receives()) continue;
      const auto rank = static_cast<int>(r);
      const auto found = sent.find({step.peer, rank, step.number});
      if (found == sent.end() || found->second.received) {
        faults.add(rank, step, "receives what nobody sends");
        continue;
      }
      found->second.received = true;
      if (found->second.elements != length(layouts[r], step.target()))
        faults.add(rank, step, "expects another length than is sent");
      if (found->second.round > step.round) faults.add(rank, step, "is received before its round");
    }
  for (const auto& [name, message] : sent)
    if (!message.received)
      faults.add("message " + std::to_string(name.number) + " from rank " +
                 std::to_string(name.from) + " to " + std::to_string(name.to) +
                 " is never received");
}

// Runs all ranks in order, where a send is complete only once its receive has been reached.
class InOrderRun {
 public:
  explicit InOrderRun(std::span<const Schedule> schedules) : schedules_(schedules) {
    for (const Schedule& schedule : schedules) waits_.push_back(sends_before(schedule));
    states_.resize(schedules.size());
  }

  void run(FaultList& faults) {
    for (std::size_t r = 0; r < schedules_.size(); ++r) ready_.push_back(r);
    while (!ready_.empty()) {
      const std::size_t rank = ready_.back();
      ready_.pop_back();
      advance(rank);
    }
    for (std::size_t r = 0; r < schedules_.size(); ++r)
      if (states_[r].next < schedules_[r].steps().size())
        faults.add(static_cast<int>(r), schedules_[r].steps()[states_[r].next], "waits forever");
  }

 private:
  struct State {
    std::size_t next = 0;
    std::vector<MessageName> sends;  // started
    std::size_t complete = 0;        // of them, from the beginning
  };

  bool sends_complete(State& state, std::size_t wanted) {
    while (state.complete < wanted && reached_.contains(state.sends[state.complete]))
      ++state.complete;
    return state.complete >= wanted;
  }

  void advance(std::size_t rank) {
    State& state = states_[rank];
    const auto steps = schedules_[rank].steps();
    for (; state.next < steps.size(); ++state.next) {
      const Step& step = steps[state.next];
      if (!sends_complete(state, static_cast<std::size_t>(waits_[rank][state.next]))) return;
      const auto me = static_cast<int>(rank);
      if (step.sends()) {
        state.sends.push_back({me, step.peer, step.number});
        started_.insert(state.sends.back());
        ready_.push_back(static_cast<std::size_t>(step.peer));
      } else if (step.receives()) {
        const MessageName name{step.peer, me, step.number};
        if (reached_.insert(name).second) ready_.push_back(static_cast<std::size_t>(step.peer));
        if (!started_.contains(name)) return;
      }
    }
  }

  std::span<const Schedule> schedules_;
  std::vector<std::vector<std::int32_t>> waits_;
  std::vector<State> states_;
  std::vector<std::size_t> ready_;
  std::unordered_set<MessageName, MessageNameHash> started_;
  std::unordered_set<MessageName, MessageNameHash> reached_;
};

void check_agreement(std::span<const Schedule> schedules, std::span<const Layout> layouts,
                     FaultList& faults) {
  if (schedules.size() != layouts.size()) faults.add("there are not as many layouts as schedules");
  for (std::size_t r = 0; r < schedules.size(); ++r) {
    const Schedule& schedule = schedules[r];
    const std::string rank = "rank " + std::to_string(r);
    if (schedule.team().ranks != static_cast<int>(schedules.size()) ||
        schedule.team().me != static_cast<int>(r))
      faults.add(rank + " has the schedule of another rank or team");
    if (schedule.rounds() != schedules[0].rounds())
      faults.add(rank + " counts " + std::to_string(schedule.rounds()) + " rounds, rank 0 " +
                 std::to_string(schedules[0].rounds()));
    if (schedule.blocks() != schedules[0].blocks()) faults.add(rank + " cuts the data differently");
  }
}

}  // namespace

std::vector<std::string> faults(std::span<const Schedule> schedules,
                                std::span<const Layout> layouts) {
  FaultList found;
  check_agreement(schedules, layouts, found);
  if (found.any()) return found.take();
  for (std::size_t r = 0; r < schedules.size(); ++r)
    RankCheck(schedules[r], layouts[r], found).run();
  if (found.any()) return found.take();
  SentMessages sent = collect_sent(schedules, layouts, found);
  match_received(schedules, layouts, sent, found);
  if (!found.any()) InOrderRun(schedules).run(found);
  return found.take();
}

}  // namespace cartwright::plan
