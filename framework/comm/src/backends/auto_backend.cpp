// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/backends/auto_backend.hpp>
#include <cartwright/comm/backends/background_collective.hpp>
#include <cartwright/comm/selection/turns.hpp>
#include <cartwright/rt/ticks.hpp>
#include <optional>
#include <utility>

namespace cartwright::comm {

/// The calls of one key.
class AutoBackend::Slot {
 public:
  Slot(const Parts& parts, const CallKey& key)
      : key_(key), candidates_(parts.selection->candidates(key)) {
    for (const Decision& candidate : candidates_)
      backends_.push_back(&parts.find(candidate.backend));
    if (candidates_.size() > 1) turns_.emplace(candidates_.size());
  }

  [[nodiscard]] const CallKey& key() const { return key_; }
  void count() { ++calls_; }
  [[nodiscard]] std::int64_t calls() const { return calls_; }
  [[nodiscard]] bool is_open() const { return turns_.has_value(); }
  [[nodiscard]] Turns& turns() { return *turns_; }
  [[nodiscard]] const Decision& usual() const { return candidates_.front(); }
  [[nodiscard]] const Decision& present() const { return candidates_[present_index()]; }
  [[nodiscard]] Backend& backend() const { return *backends_[present_index()]; }
  [[nodiscard]] Backend& usual_backend() const { return *backends_.front(); }

  /// The ranks tell each other their least durations.
  void compare(Backend& messages, rt::ProgressEngine& engine) {
    const auto least = turns_->least();
    comparison_.begin(messages, engine,
                      {.operation = plan::Operation::allreduce,
                       .place = plan::Place::in_place,
                       .output = reinterpret_cast<std::byte*>(least.data()),
                       .element = element_of<double>(),
                       .count = static_cast<plan::Count>(least.size()),
                       .reduction = predefined(Operator::maximum, ScalarType::float64),
                       .waiting = Waiting::later});
  }
  [[nodiscard]] bool is_compared() const { return comparison_.is_over(); }
  /// Waits for the comparison. What was learned.
  [[nodiscard]] LearnedTable::Entry decide(const CommunicatorShape& shape) {
    comparison_.wait();
    winner_ = turns_->quickest();
    LearnedTable::Entry entry{.shape = shape,
                              .key = key_,
                              .backend = present_winner().backend,
                              .algorithm = {},
                              .seconds = turns_->least()[winner_],
                              .usual_seconds = turns_->least()[0]};
    if (present_winner().choice.algorithm != nullptr)
      entry.algorithm = present_winner().choice.name();
    candidates_[winner_].ground = Decision::Ground::learned;
    turns_.reset();
    return entry;
  }

 private:
  [[nodiscard]] std::size_t present_index() const { return turns_ ? turns_->now() : winner_; }
  [[nodiscard]] const Decision& present_winner() const { return candidates_[winner_]; }

  CallKey key_;
  std::int64_t calls_ = 0;
  std::vector<Decision>
      candidates_;                  // the usual one first; programs that were made ready name them
  std::vector<Backend*> backends_;  // theirs
  std::size_t winner_ = 0;
  std::optional<Turns> turns_;  // while it isn't decided
  BackgroundCollective comparison_;
};

/// A turn of a call that somebody watches.
class AutoBackend::PreparedTurn final : public Prepared {
 public:
  PreparedTurn(AutoBackend& backend, Slot& slot, const Call& call)
      : backend_(&backend), slot_(&slot), call_(call) {}

  void start() override {
    inner_ = slot_->backend().prepare(call_, &slot_->present().choice);
    if (is_awaited_) inner_->awaited();
    is_over_ = false;
    is_turn_ = slot_->is_open();  // else decided since this was prepared
    begin_ = rt::now();
    inner_->start();
  }
  /// Complete when the ranks have compared, too, if they decide after this call: it is polled, and
  /// who is polled can't wait.
  bool advance() override {
    if (!is_over_) {
      if (!inner_->advance()) return false;
      is_over_ = true;
      if (is_turn_) backend_->note_turn(*slot_, rt::seconds_between(begin_, rt::now()));
    }
    if (slot_->is_open() && slot_->turns().must_decide()) {
      if (!slot_->is_compared()) return false;
      backend_->learn(*slot_);
    }
    return true;
  }
  void awaited() override {
    is_awaited_ = true;
    if (inner_) inner_->awaited();
  }
  [[nodiscard]] std::uint64_t moves() const noexcept override {
    return inner_ ? inner_->moves() : 0;
  }
  [[nodiscard]] rt::WaitSite wait_site() const noexcept override { return wait_site_of(call_); }
  [[nodiscard]] std::optional<rt::Rank> waiting_for() const override {
    return inner_ ? inner_->waiting_for() : std::nullopt;
  }

 private:
  AutoBackend* backend_;
  Slot* slot_;
  Call call_;
  std::unique_ptr<Prepared> inner_;
  rt::Ticks begin_{};
  bool is_over_ = false;
  bool is_turn_ = false;
  bool is_awaited_ = false;
};

AutoBackend::AutoBackend(Parts parts) : parts_(std::move(parts)) {}

AutoBackend::~AutoBackend() {
  const auto& keep = parts_.selection->knowledge().keep_learned;
  if (keep && !learned_.empty()) keep(learned_);
}

/// Ranks time what they all do alike, whoever does it.
bool AutoBackend::may_take_turn(const Slot& slot, const Call& call) {
  return slot.is_open() && !needs_context(call) && !call.has_uneven_blocks();
}

std::size_t AutoBackend::index_of(const Call& call) const {
  const CallKey key = CallKey::of(call, parts_.selection->shape().ranks);
  const auto size_class = std::bit_width(static_cast<std::uint64_t>(key.size));
  const std::size_t kind = key.memory == MemoryKind::device
                               ? static_cast<std::size_t>(Combining::rounded)
                               : static_cast<std::size_t>(key.combining);
  return (kind * operations + static_cast<std::size_t>(key.operation)) * size_classes +
         static_cast<std::size_t>(size_class);
}

AutoBackend::Slot& AutoBackend::open(const Call& call) {
  const CallKey key = CallKey::of(call, parts_.selection->shape().ranks, epoch_);
  Slot& slot = *all_.emplace_back(std::make_unique<Slot>(parts_, key));
  parts_.note(key, slot.usual());
  return slot;
}

/// A call that takes no part in turns goes the usual way meanwhile: turns must not change its bits.
AutoBackend::Route AutoBackend::route_of(const Slot& slot, const Call& call, bool is_turn) const {
  const bool is_usual = slot.is_open() && !is_turn;
  const Decision& decision = is_usual ? slot.usual() : slot.present();
  if (decision.backend == BackendId::native && needs_context(call)) [[unlikely]]
    return {parts_.find(BackendId::p2p), nullptr};
  return {is_usual ? slot.usual_backend() : slot.backend(), &decision.choice};
}

void AutoBackend::run(const Call& call, const plan::Choice* /*how*/) {
  Slot& slot = slot_of(call);
  slot.count();
  const bool is_turn = may_take_turn(slot, call);
  const Route route = route_of(slot, call, is_turn);
  if (!is_turn) [[likely]]
    return route.backend.run(call, route.how);
  const rt::Ticks begin = rt::now();
  route.backend.run(call, route.how);
  note_turn(slot, rt::seconds_between(begin, rt::now()));
  if (slot.turns().must_decide()) learn(slot);
}

std::unique_ptr<Prepared> AutoBackend::prepare(const Call& call, const plan::Choice* /*how*/) {
  Slot& slot = slot_of(call);
  slot.count();
  if (may_take_turn(slot, call)) return std::make_unique<PreparedTurn>(*this, slot, call);
  const Route route = route_of(slot, call, false);
  return route.backend.prepare(call, route.how);
}

void AutoBackend::note_turn(Slot& slot, double seconds) const {
  slot.turns().note(seconds);
  if (slot.turns().must_compare()) slot.compare(parts_.find(BackendId::p2p), *parts_.engine);
}

void AutoBackend::learn(Slot& slot) {
  learned_.add(slot.decide(parts_.selection->shape()));
  parts_.note(slot.key(), slot.present());
}

std::vector<CallCount> AutoBackend::calls() const {
  std::vector<CallCount> counts;
  counts.reserve(all_.size());
  for (const auto& slot : all_) counts.push_back({slot->key(), slot->calls()});
  return counts;
}

void AutoBackend::decide_anew(std::shared_ptr<const Selection> selection) {
  parts_.selection = std::move(selection);
  ++epoch_;
  for (auto& of_waiting : slots_) of_waiting.fill(nullptr);
  recent_.fill({});
}

}  // namespace cartwright::comm
