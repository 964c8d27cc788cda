// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

namespace cartwright::rt {

/// While it lives, MPI and the watcher start. Nobody watches the ranks yet, and who starts waits
/// for ever for one that is stopped, or whose node can't be reached: after so long a time in which
/// this process ran, it says so and ends with code 3.
class StartLimit {
 public:
  /// s; infinite: as long as it takes.
  explicit StartLimit(double seconds);
  StartLimit(const StartLimit&) = delete;
  StartLimit& operator=(const StartLimit&) = delete;
  ~StartLimit();

 private:
  void run();

  double seconds_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool has_started_ = false;
  std::thread thread_;
};

}  // namespace cartwright::rt
