// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/request.hpp>
#include <cartwright/rt/short_turns.hpp>
#include <chrono>
#include <thread>
#include <utility>

namespace cartwright::rt {

namespace {

/// How this thread gives its core to others. When yielding has taken long,
/// somebody computes on the core, to whom a thread that yields gives a whole
/// turn; one that sleeps a little and wakes up doesn't. So it sleeps for a
/// while then, in its next waits too.
class Manners {
 public:
  [[nodiscard]] bool may_yield() const noexcept { return sleeps_left_ == 0; }
  /// True every eighth time: yields that come back at once may go on for long.
  bool yield() noexcept {
    if (yields_++ == 0) prefer_short_turns();
    const auto begin = std::chrono::steady_clock::now();
    std::this_thread::yield();
    const auto away = std::chrono::steady_clock::now() - begin;
    if (away > long_yield) sleeps_left_ = static_cast<int>(away / each_is_worth);
    return yields_ % 8 == 0;
  }
  void sleep(std::chrono::microseconds nap) noexcept {
    if (sleeps_left_ > 0) --sleeps_left_;
    std::this_thread::sleep_for(nap);
  }

 private:
  // Somebody who computes keeps the core until the system takes it away, after some ms; ranks that
  // share it and move data do so for some tenths of a ms.
  static constexpr std::chrono::microseconds long_yield{2000};
  // In all a few times as long as the yield was: a wrong guess must not cost much more than that.
  static constexpr std::chrono::microseconds each_is_worth{20};

  unsigned yields_ = 0;
  int sleeps_left_ = 0;
};

thread_local Manners manners;

constexpr int longest_naps = 50;  // in a row, before one is as long as the next

/// A thread that wakes up costs its core some microseconds each time. A wait that has been long may
/// end late by a small part of its length (here a thirtieth), but not by much: MPI moves long
/// messages between naps only.
std::chrono::microseconds nap_after(int naps) noexcept {
  return std::chrono::microseconds(4 * std::clamp(naps, 5, longest_naps));
}

}  // namespace

// Below 0 `yields_left_` counts naps.
void Patience::pause() noexcept {
  if (spins_left_ > 0) {
    --spins_left_;
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
  } else if (yields_left_ > 0 && manners.may_yield()) {
    if (manners.yield()) --yields_left_;
  } else {
    if (yields_left_ <= 0 && yields_left_ > -longest_naps) --yields_left_;
    manners.sleep(nap_after(-yields_left_));
  }
}

void ProgressEngine::add(Operation& operation) {
  operation.place_ = active_.size();
  active_.push_back(&operation);
}

void ProgressEngine::remove(Operation& operation) noexcept {
  if (!is_active(operation)) return;
  const bool is_last = operation.place_ + 1 == active_.size();
  active_[operation.place_] = nullptr;
  if (polling_) return;
  if (is_last)
    active_.pop_back();
  else
    compact();
}

void ProgressEngine::compact() noexcept {
  std::size_t kept = 0;
  for (Operation* const operation : active_) {
    if (operation == nullptr) continue;
    operation->place_ = kept;
    active_[kept++] = operation;
  }
  active_.resize(kept);
}

void ProgressEngine::poll() {
  if (polling_ || active_.empty()) return;  // an operation that polls while it advances
  struct Polling {
    explicit Polling(ProgressEngine& engine) : engine_(engine) { engine_.polling_ = true; }
    Polling(const Polling&) = delete;
    Polling& operator=(const Polling&) = delete;
    ~Polling() {
      engine_.polling_ = false;
      engine_.compact();
    }
    ProgressEngine& engine_;
  } polling(*this);
  // By index: operations may be added meanwhile, and are first advanced in the
  // next poll. NOLINTNEXTLINE(modernize-loop-convert)
  for (std::size_t i = 0, count = active_.size(); i < count; ++i) {
    Operation* const operation = active_[i];
    if (operation != nullptr && operation->advance() && active_[i] == operation) {
      active_[i] = nullptr;
      ++completed_;
    }
  }
}

template <class IsOver>
void ProgressEngine::poll_until(const IsOver& is_over, Operation& waited_for) {
  Patience patience(!oversubscribed_);
  WaitScope waiting(waited_for.wait_site());
  waited_for.awaited();
  while (!is_over()) {
    if (polling_) throw internal_failure("an operation waited for another one while it advanced");
    const std::uint64_t before = completed_;
    poll();
    if (completed_ != before) waiting.progress();
    if (!is_over()) patience.pause();
  }
}

void ProgressEngine::wait(Operation& operation) {
  if (is_active(operation)) poll_until([&] { return !is_active(operation); }, operation);
}

void ProgressEngine::wait_until(const std::function<bool()>& is_over, Operation& waited_for) {
  if (!is_over()) poll_until(is_over, waited_for);
}

Request::Request(ProgressEngine& engine, Operation& operation)
    : engine_(&engine), operation_(&operation) {
  engine.add(operation);
}

Request::Request(Request&& other) noexcept
    : engine_(std::exchange(other.engine_, nullptr)),
      operation_(std::exchange(other.operation_, nullptr)) {}

Request& Request::operator=(Request&& other) noexcept {
  Request taken(std::move(other));  // the former operation is waited for, at the end of this scope
  std::swap(engine_, taken.engine_);
  std::swap(operation_, taken.operation_);
  return *this;
}

Request::~Request() {
  if (operation_ == nullptr) return;
  if (unwinding()) {
    engine_->remove(*operation_);
  } else {
    engine_->wait(*operation_);
  }
}

bool Request::test() {
  if (operation_ == nullptr) return true;
  engine_->poll();
  if (engine_->is_active(*operation_)) return false;
  operation_ = nullptr;
  return true;
}

void Request::withdraw() noexcept {
  if (operation_ != nullptr) engine_->remove(*operation_);
  operation_ = nullptr;
}

void Request::wait() {
  if (operation_ == nullptr) return;
  engine_->wait(*operation_);
  operation_ = nullptr;
}

}  // namespace cartwright::rt
