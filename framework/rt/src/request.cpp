// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/request.hpp>
#include <cartwright/rt/short_turns.hpp>
#include <chrono>
#include <thread>
#include <utility>

#include "process_parking.hpp"

namespace cartwright::rt {

namespace {

/// How this thread gives its core to others. When yielding has taken long, somebody computes on the
/// core, to whom a thread that yields gives a whole turn; one that sleeps a little and wakes up
/// doesn't. So it sleeps some times then, in its next waits too, and yields again: many times more
/// if that takes long again. But where it was a rank that moved a long message, it doesn't, and
/// naps would only make late what comes next, of which pieces of long messages wait by the
/// thousand.
class Manners {
 public:
  [[nodiscard]] bool may_yield() const noexcept { return sleeps_left_ == 0; }
  /// True every eighth time: yields that come back at once may go on for long.
  bool yield() noexcept {
    if (yields_++ == 0) prefer_short_turns();
    const auto begin = std::chrono::steady_clock::now();
    std::this_thread::yield();
    const bool took_long = std::chrono::steady_clock::now() - begin > long_yield();
    // Not all yields are long beside somebody who computes, as the system moves threads about.
    if (has_slept_)
      naps_ = std::clamp(took_long ? 4 * naps_ : 7 * naps_ / 8, fewest_naps, most_naps);
    has_slept_ = took_long;
    if (took_long) sleeps_left_ = naps_;
    return yields_ % 8 == 0;
  }
  /// `place`: where others can end it; null: nowhere.
  void sleep(std::chrono::microseconds nap, ParkingPlace* place) noexcept {
    if (sleeps_left_ > 0) --sleeps_left_;
    if (place != nullptr)
      place->sleep(nap);
    else
      std::this_thread::sleep_for(nap);
    woke_ = std::chrono::steady_clock::now();
  }
  [[nodiscard]] std::chrono::nanoseconds since_sleep() const noexcept {
    return std::chrono::steady_clock::now() - woke_;
  }

 private:
  /// Somebody who computes keeps the core until the system takes it away, after some ms; ranks that
  /// share it and move data do so for some tenths of a ms, one after the other.
  [[nodiscard]] static std::chrono::microseconds long_yield() noexcept {
    constexpr int usual = 2000, of_rank = 250;
    static const auto cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return std::chrono::microseconds(std::max(usual, of_rank * ranks_that_park() / cores));
  }
  // Of 70 us each, as Linux has it: in all as long as a long yield, and as 18.
  static constexpr int fewest_naps = 32, most_naps = 512;

  unsigned yields_ = 0;
  int naps_ = fewest_naps;
  int sleeps_left_ = 0;
  bool has_slept_ = false;  ///< since the latest yield, which took long
  std::chrono::steady_clock::time_point woke_{};
};

thread_local Manners manners;

constexpr int longest_naps = 250;  // in a row, before one is as long as the next

/// A thread that wakes up costs its core some microseconds each time, and a node may have a hundred
/// that wait for one. A wait that has been long may end late by a small part of its length: the
/// n-th nap, of 4 n us, is 2 / n of the wait until then (0.2 ms after 5 ms, 1 ms after 125 ms).
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
    return;
  }
  if (announced_ == nullptr && yields_left_ < 0 && has_moved_something()) yields_left_ = 1;
  if (announced_ == nullptr && yields_left_ > 0 && manners.may_yield()) {
    if (manners.yield()) --yields_left_;
  } else if (falls_asleep()) {
    nap();
  }
}

/// False: others have just been told, and the caller has to look once more, as what has come until
/// then woke nobody.
bool Patience::falls_asleep() noexcept {
  if (announced_ != nullptr) return true;
  announced_ = parking_place();
  if (announced_ == nullptr) return true;
  announced_->announce();
  return false;
}

void Patience::nap() noexcept {
  if (yields_left_ <= 0 && yields_left_ > -longest_naps) --yields_left_;
  manners.sleep(nap_after(-yields_left_), std::exchange(announced_, nullptr));
}

/// Of long messages MPI moves a part each time that it is called, and doesn't tell: but then a look
/// takes longer than those before it, and the rest is better had at once than between naps.
bool Patience::has_moved_something() noexcept {
  constexpr std::chrono::microseconds some_bytes{10};
  const std::chrono::nanoseconds look = manners.since_sleep();
  const bool is_longer = look > some_bytes && look / 3 > shortest_look_;
  shortest_look_ = std::min(shortest_look_, look);
  return is_longer;
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
  std::uint64_t moves = waited_for.moves();
  while (!is_over()) {
    if (polling_) throw internal_failure("an operation waited for another one while it advanced");
    const std::uint64_t before = completed_;
    poll();
    const bool has_moved = std::exchange(moves, waited_for.moves()) != moves;
    if (has_moved) patience.renew();
    if (has_moved || completed_ != before) waiting.progress();
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
