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

// In slices, of which a process that was itself suspended sees only one.
void Watchdog::watch() {
  constexpr int slices = 8;
  const std::chrono::duration<double> slice(seconds_ / slices);
  std::unique_lock lock(mutex_);
  for (int silent = 0; silent < slices;) {
    const long long seen = parts_;
    if (changed_.wait_for(lock, slice, [this] { return ended_; })) return;
    silent = parts_ == seen ? silent + 1 : 0;
  }
  const std::string what = what_;
  lock.unlock();
  on_silence_(what);
}

}  // namespace cartwright::command
