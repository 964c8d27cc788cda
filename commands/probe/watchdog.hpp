// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace cartwright::command {

/// Calls `on_silence` (which must not return) with what was begun last, if nothing new has begun
/// for some time: a rank that was suspended would let the others wait for ever.
class Watchdog {
 public:
  using OnSilence = std::function<void(const std::string& what)>;

  Watchdog(double seconds, OnSilence on_silence);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

  /// The next part begins.
  void begin(std::string what);

 private:
  void watch();

  double seconds_;
  OnSilence on_silence_;
  std::mutex mutex_;
  std::condition_variable changed_;
  long long parts_ = 0;
  std::string what_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace cartwright::command
