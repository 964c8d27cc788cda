// SPDX-License-Identifier: Apache-2.0
#include "watchdog.hpp"

#include <chrono>
#include <utility>

namespace cartwright::command {

Watchdog::Watchdog(double seconds, OnSilence on_silence)
    : seconds_(seconds), on_silence_(std::move(on_silence)), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

// No notification: measurements must not pay for waking the watcher.
void Watchdog::begin(std::string what) {
  const std::lock_guard lock(mutex_);
  ++parts_;
  what_ = std::move(what);
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    const long long seen = parts_;
    const bool ended =
        changed_.wait_for(lock, std::chrono::duration<double>(seconds_), [this] { return ended_; });
    if (ended || parts_ != seen) continue;
    const std::string what = what_;
    lock.unlock();
    on_silence_(what);
    return;
  }
}

}  // namespace cartwright::command
