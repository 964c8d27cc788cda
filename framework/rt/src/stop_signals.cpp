// SPDX-License-Identifier: Apache-2.0
#include "stop_signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace cartwright::rt {
namespace {

// A signal handler has no other way to reach its object.
std::atomic<bool> received{false};
std::atomic<bool> handled{false};
std::atomic<bool> under_launcher{false};
std::array<char, 4096> marks{};  // the launcher's file; empty: none
static_assert(std::atomic<bool>::is_always_lock_free);

// For the launcher, which keeps a request back until all ranks are "ready", and repeats it until
// one is "stopping".
void tell_launcher(std::string_view word) noexcept {
  if (marks.front() == '\0') return;
  const int file = ::open(marks.data(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return;
  (void)!::write(file, word.data(), word.size());
  ::close(file);
}

void on_request(int signal, siginfo_t* sender, void*) {
  const int former_errno = errno;
  if (signal == SIGTERM && under_launcher.load() && sender->si_pid == ::getppid()) {
    ::signal(SIGTERM, SIG_DFL);
    ::raise(SIGTERM);
  } else if (!received.exchange(true)) {
    tell_launcher("stopping\n");
  }
  errno = former_errno;
}

void remember_launcher() {
  under_launcher = std::getenv("CARTWRIGHT_LAUNCHER") != nullptr;
  const char* const path = std::getenv("CARTWRIGHT_MARKS");
  const std::string_view text = path == nullptr ? "" : path;
  marks.fill('\0');
  if (text.size() < marks.size()) text.copy(marks.data(), text.size());
}

}  // namespace

StopSignals::StopSignals() {
  if (handled.exchange(true)) return;
  installed_ = true;
  received = false;
  remember_launcher();
  struct sigaction action {};
  action.sa_sigaction = on_request;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    action.sa_flags = SA_RESTART | SA_SIGINFO;
    // A second Ctrl-C at a program without mpirun ends it at once.
    if (signals[i] == SIGINT && !under_launcher) {
      action.sa_flags |= static_cast<int>(SA_RESETHAND);
    }
    sigaction(signals[i], &action, &former_[i]);
  }
  tell_launcher("ready\n");
}

StopSignals::~StopSignals() {
  if (!installed_) return;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    // A request that comes when the run is over must not kill what has ended well.
    if (signals[i] == SIGUSR2 && former_[i].sa_handler == SIG_DFL) former_[i].sa_handler = SIG_IGN;
    sigaction(signals[i], &former_[i], nullptr);
  }
  handled = false;
}

bool StopSignals::requested() noexcept {
  return received.load(std::memory_order_relaxed);
}

void StopSignals::forget() noexcept {
  received = false;
}

}  // namespace cartwright::rt
