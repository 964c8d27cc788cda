// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/backends/arrival_backend.hpp>
#include <utility>

namespace cartwright::comm {

namespace {

constexpr std::uint64_t first_common = 64;  // calls before clocks are compared once more
constexpr std::uint64_t background = 8;     // calls that this may take
constexpr std::uint64_t longest_period = 4096;

}  // namespace

/// A call that somebody polls.
class ArrivalBackend::Watched final : public Prepared {
 public:
  Watched(ArrivalBackend& backend, const Call& call)
      : backend_(&backend), call_(call), inner_(backend.parts_.inner->prepare(call)) {}
  ~Watched() override { std::erase(backend_->started_, this); }

  void start() override {
    has_begun_ = false;
    number_ = backend_->calls_++;
    arrival_ = backend_->time_.now();
    busy_ = arrival_ - std::exchange(backend_->last_, arrival_);
    if (backend_->started_.empty() && backend_->is_ready_for(number_)) return begin();
    backend_->started_.push_back(this);
  }
  bool advance() override {
    if (!has_begun_) backend_->begin_started();
    if (!has_begun_ || !inner_->advance()) return false;
    const std::int64_t now = backend_->time_.now();
    backend_->last_ = std::max(backend_->last_, now);
    backend_->note(*site_, call_of_site_, now);
    return true;
  }
  void awaited() override { inner_->awaited(); }
  [[nodiscard]] rt::WaitSite wait_site() const noexcept override { return wait_site_of(call_); }
  [[nodiscard]] std::optional<rt::Rank> waiting_for() const override {
    return has_begun_ ? inner_->waiting_for() : std::nullopt;
  }

  [[nodiscard]] std::uint64_t number() const { return number_; }
  void begin() {
    site_ = &backend_->sites_.next(call_);
    call_of_site_ = site_->history.arrive(arrival_, busy_);
    has_begun_ = true;
    inner_->start();
  }

 private:
  ArrivalBackend* backend_;
  Call call_;
  std::unique_ptr<Prepared> inner_;
  std::uint64_t number_ = 0;  // among the communicator's calls
  std::int64_t arrival_ = 0, busy_ = 0;
  Site* site_ = nullptr;
  std::uint64_t call_of_site_ = 0;
  bool has_begun_ = true;
};

ArrivalBackend::ArrivalBackend(Parts parts)
    : parts_(std::move(parts)),
      time_(parts_.clock->source()),
      sites_(parts_.ranks),
      last_(time_.now()),
      due_(first_common),
      period_(first_common) {}

ArrivalBackend::~ArrivalBackend() = default;

void ArrivalBackend::run(const Call& call, const plan::Choice* /*how*/) {
  if (calls_ >= due_ || !started_.empty()) [[unlikely]]
    wait_until_ready();
  ++calls_;
  Site& site = sites_.next(call);
  const std::int64_t arrival = time_.now();
  const std::uint64_t number = site.history.arrive(arrival, arrival - last_);
  parts_.inner->run(call);
  last_ = time_.now();
  note(site, number, last_);
}

std::unique_ptr<Prepared> ArrivalBackend::prepare(const Call& call, const plan::Choice* /*how*/) {
  return std::make_unique<Watched>(*this, call);
}

void ArrivalBackend::note(Site& site, std::uint64_t number, std::int64_t now) {
  site.history.leave(number, now);
  if (!site.sampled.wants(number)) [[likely]]
    return;
  const History& history = site.history;
  if (history.calls() - number > History::recent) return;
  const std::int64_t arrival = history.back(history.calls() - 1 - number).arrival;
  site.sampled.add({number, parts_.clock->shared(arrival), parts_.clock->shared(now)});
}

bool ArrivalBackend::is_ready_for(std::uint64_t number) {
  if (number < due_) return true;
  if (!is_under_way_) {
    begin_common();
    is_under_way_ = true;
    due_ += background;
    return true;
  }
  if (parts_.keeps_clock && !parts_.clock->round_is_over()) return false;
  end_common();
  is_under_way_ = false;
  due_ += period_;
  return true;
}

void ArrivalBackend::begin_common() {
  if (parts_.keeps_clock) parts_.clock->begin_round(*parts_.engine);
}

void ArrivalBackend::end_common() {
  if (parts_.keeps_clock) parts_.clock->finish_round();
  period_ = std::min(2 * period_, longest_period);
}

void ArrivalBackend::wait_until_ready() {
  const std::int64_t begin = time_.now();
  while (!started_.empty() || !is_ready_for(calls_)) {
    if (parts_.keeps_clock) parts_.clock->finish_round();
    begin_started();
  }
  last_ += time_.now() - begin;  // that wasn't the caller's work
}

void ArrivalBackend::begin_started() {
  while (!started_.empty() && is_ready_for(started_.front()->number())) {
    Watched& first = *started_.front();
    started_.pop_front();
    first.begin();
  }
}

}  // namespace cartwright::comm
