// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/comm/backends/arrival_backend.hpp>
#include <utility>

namespace cartwright::comm {

namespace {

// In calls of the communicator.
constexpr std::uint64_t background = 4;  // that something done together may take

struct Periods {
  std::uint64_t first, trial, shortest, longest;
};
constexpr Periods of_clocks{64, 128, 128, 4096}, of_plans{12, 2, 8, 256};

const Periods& periods_of(ArrivalUse use) {
  return use == ArrivalUse::watch ? of_clocks : of_plans;
}

}  // namespace

/// A call that somebody polls.
class ArrivalBackend::Watched final : public Prepared {
 public:
  Watched(ArrivalBackend& backend, const Call& call)
      : backend_(&backend), call_(call), inner_(backend.inner_->prepare(call)) {}
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
  void awaited() override {
    is_awaited_ = true;
    inner_->awaited();
  }
  [[nodiscard]] std::uint64_t moves() const noexcept override { return inner_->moves(); }
  [[nodiscard]] rt::WaitSite wait_site() const noexcept override { return wait_site_of(call_); }
  [[nodiscard]] std::optional<rt::Rank> waiting_for() const override {
    return has_begun_ ? inner_->waiting_for() : std::nullopt;
  }

  [[nodiscard]] std::uint64_t number() const { return number_; }
  void begin() {
    site_ = &backend_->sites_.next(call_);
    call_of_site_ = site_->history.arrive(arrival_, busy_);
    has_begun_ = true;
    take(backend_->agreement_.route_of(*site_));
    inner_->start();
  }

 private:
  using Route = ArrivalAgreement::Route;

  /// What was made ready stays as long as the route does.
  void take(const Route& route) {
    if (route.by == route_.by && route.number == route_.number) return;
    inner_ = route.by != nullptr ? route.by->prepare(call_, route.how)
                                 : backend_->inner_->prepare(call_);
    route_ = route;
    if (is_awaited_) inner_->awaited();
  }

  ArrivalBackend* backend_;
  Call call_;
  std::unique_ptr<Prepared> inner_;
  Route route_{};
  bool is_awaited_ = false;
  std::uint64_t number_ = 0;  // among the communicator's calls
  std::int64_t arrival_ = 0, busy_ = 0;
  Site* site_ = nullptr;
  std::uint64_t call_of_site_ = 0;
  bool has_begun_ = true;
};

ArrivalBackend::ArrivalBackend(Parts parts)
    : parts_(std::move(parts)),
      inner_(&parts_.backends->chosen()),
      time_(parts_.clock->source()),
      sites_(parts_.ranks),
      agreement_({.backends = parts_.backends,
                  .clock = parts_.clock.get(),
                  .ranks = parts_.ranks,
                  .use = parts_.use,
                  .any_order = parts_.any_order}),
      last_(time_.now()),
      common_since_(last_),
      due_(periods_of(parts_.use).first),
      period_(periods_of(parts_.use).shortest) {}

ArrivalBackend::~ArrivalBackend() = default;

void ArrivalBackend::run(const Call& call, const plan::Choice* /*how*/) {
  if (calls_ >= due_ || !started_.empty()) [[unlikely]]
    wait_until_ready();
  ++calls_;
  Site& site = sites_.next(call);
  const std::int64_t arrival = time_.now();
  const std::uint64_t number = site.history.arrive(arrival, arrival - last_);
  const auto& route = agreement_.route_of(site);
  if (route.by == nullptr)
    inner_->run(call);
  else
    route.by->run(call, route.how);
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
    begin_common(number);
    is_under_way_ = true;
    due_ = number + background;
    return true;
  }
  if (!common_is_over()) return false;
  end_common();
  is_under_way_ = false;
  due_ = number + period_;
  return true;
}

void ArrivalBackend::begin_common(std::uint64_t number) {
  if (parts_.keeps_clock) parts_.clock->begin_round(parts_.backends->engine());
  const std::int64_t now = time_.now();
  const auto calls = static_cast<std::int64_t>(number - std::exchange(common_call_, number));
  agreement_.begin(sites_, (now - std::exchange(common_since_, now)) / calls);
}

bool ArrivalBackend::common_is_over() const noexcept {
  return agreement_.is_over() && (!parts_.keeps_clock || parts_.clock->round_is_over());
}

/// Where nothing changes, there is less and less to say.
void ArrivalBackend::end_common() {
  if (parts_.keeps_clock) parts_.clock->finish_round();
  const bool is_new = agreement_.conclude(sites_);
  const Periods& periods = periods_of(parts_.use);
  if (agreement_.is_trying())
    period_ = periods.trial;
  else
    period_ = is_new ? periods.shortest : std::min(2 * period_, periods.longest);
  period_ = std::max(period_, agreement_.least_period());
}

void ArrivalBackend::wait_until_ready() {
  const std::int64_t begin = time_.now();
  while (!started_.empty() || !is_ready_for(calls_)) {
    agreement_.wait();
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
