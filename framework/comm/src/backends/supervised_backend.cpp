// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/backends/block_check.hpp>
#include <cartwright/comm/backends/supervised_backend.hpp>
#include <cartwright/comm/calls/call_text.hpp>
#include <cartwright/rt/duration.hpp>
#include <cartwright/rt/error.hpp>
#include <chrono>
#include <string>
#include <vector>

namespace cartwright::comm {

namespace {

using Clock = std::chrono::steady_clock;

/// Which ranks haven't come so far.
std::vector<int> missing(const std::vector<std::optional<CallRecord>>& records,
                         std::uint64_t sequence) {
  std::vector<int> ranks;
  for (std::size_t rank = 0; rank < records.size(); ++rank) {
    if (!records[rank] || records[rank]->sequence < sequence)
      ranks.push_back(static_cast<int>(rank));
  }
  return ranks;
}

}  // namespace

/// One collective that is watched.
class SupervisedBackend::Watched final : public Prepared {
 public:
  Watched(SupervisedBackend& backend, const Call& call, const plan::Choice* how)
      : backend_(&backend), call_(call), inner_(backend.inner_->prepare(call, how)) {}
  ~Watched() override { backend_->withdraw(*this); }

  void start() override {
    awaited_since_.reset();
    is_given_up_ = false;
    record_ = CallRecord::of(call_, backend_->next_sequence());
    if (backend_->board_) backend_->board_->begin(record_);
    if (!backend_->supervision_.checked) return begin();
    has_begun_ = false;
    comparison_.emplace(backend_->comparisons_, record_,
                        balance_of(call_, backend_->comm_->rank()));
    backend_->compared_.push_back(this);
  }

  bool advance() override {
    if (is_given_up_) return true;  // the error was caught: nothing is waited for any more
    if (!has_begun_) backend_->begin_agreed();
    if (has_begun_ && inner_->advance()) return true;
    backend_->serve();
    if (awaited_since_) check_time();
    return false;
  }

  void awaited() override {
    if (backend_->supervision_.time_limit) awaited_since_ = Clock::now();
    inner_->awaited();
  }

  [[nodiscard]] std::uint64_t moves() const noexcept override { return inner_->moves(); }

  [[nodiscard]] rt::WaitSite wait_site() const noexcept override { return wait_site_of(call_); }

  [[nodiscard]] std::optional<rt::Rank> waiting_for() const override {
    return has_begun_ ? inner_->waiting_for() : std::nullopt;
  }

  void give_up() { is_given_up_ = true; }

  /// True when all ranks are known to have called the same, which then begins.
  bool begin_if_agreed() {
    if (!comparison_->is_complete()) return false;
    if (!comparison_->ranks_agree()) report_disagreement(backend_->reports_, record_, call_);
    begin();
    return true;
  }

 private:
  void begin() {
    has_begun_ = true;
    inner_->start();
  }

  void check_time() {
    const rt::Seconds limit = *backend_->supervision_.time_limit;
    if (Clock::now() - *awaited_since_ <= limit) return;
    give_up();
    throw rt::internal_failure(
        fmt::format("{} has been waited for longer than {} (comm.time_limit){}", describe(call_),
                    rt::format_duration(limit), reason()),
        "Look at what those ranks do instead; a time limit must be longer than what ranks "
        "compute between collectives. CARTWRIGHT_COMM_CHECKED=1 compares all calls.");
  }

  [[nodiscard]] std::string reason() const {
    const auto records = backend_->board_->ask(std::chrono::milliseconds(500));
    const auto absent = missing(records, record_.sequence);
    std::string text;
    if (!absent.empty()) {
      text = fmt::format(": {} {} not known to have begun it", ranks_text(absent),
                         absent.size() == 1 ? "is" : "are");
    } else {
      text = ": all ranks have begun it, or what they take for it";
    }
    if (const auto peer = waiting_for()) {
      text += fmt::format("; rank {} waits for a message of rank {}", backend_->comm_->rank().value,
                          peer->value);
    }
    return text + ". The last collective of each rank, among those of this communicator:" +
           table_of(records, true);
  }

  SupervisedBackend* backend_;
  Call call_;
  std::unique_ptr<Prepared> inner_;
  CallRecord record_;
  std::optional<CallComparison> comparison_;
  std::optional<Clock::time_point> awaited_since_;
  bool has_begun_ = true;
  bool is_given_up_ = false;
};

SupervisedBackend::SupervisedBackend(Backend& inner, const rt::Communicator& comm,
                                     rt::ProgressEngine& engine, const Supervision& supervision)
    : inner_(&inner), comm_(&comm), engine_(&engine), supervision_(supervision) {
  if (supervision_.checked) {
    comparisons_ = comm.duplicate();
    reports_ = comm.duplicate();
  }
  if (supervision_.time_limit) board_.emplace(comm);
}

void SupervisedBackend::run(const Call& call, const plan::Choice* how) {
  const auto collective = prepare(call, how);
  collective->start();
  rt::Request(*engine_, *collective).wait();
}

std::unique_ptr<Prepared> SupervisedBackend::prepare(const Call& call, const plan::Choice* how) {
  return std::make_unique<Watched>(*this, call, how);
}

void SupervisedBackend::serve() {
  if (board_) board_->serve();
}

void SupervisedBackend::begin_agreed() {
  try {
    while (!compared_.empty() && compared_.front()->begin_if_agreed()) compared_.pop_front();
  } catch (...) {
    for (Watched* const collective : compared_) collective->give_up();
    compared_.clear();
    throw;
  }
}

void SupervisedBackend::withdraw(const Watched& collective) noexcept {
  compared_.erase(std::remove(compared_.begin(), compared_.end(), &collective), compared_.end());
}

}  // namespace cartwright::comm
