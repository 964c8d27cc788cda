// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>

namespace cartwright::rt {

/// While it lives, this thread, and those that it begins, get no signals: these are for the thread
/// that computes.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &former_, nullptr); }

 private:
  sigset_t former_{};
};

}  // namespace cartwright::rt
