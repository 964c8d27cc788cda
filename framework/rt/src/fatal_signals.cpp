// SPDX-License-Identifier: Apache-2.0
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/mpi_session.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>

#include "failure_state.hpp"
#include "memory_use.hpp"

namespace cartwright::rt {
namespace {

// Sanitizers have handlers of their own, which say more than ours.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitizer_catches_signals = true;
#else
constexpr bool sanitizer_catches_signals = false;
#endif

constexpr std::size_t signal_stack_size = 65'536;

// Handlers have no other way to reach their object.
std::atomic<FailureGuard::State*> guarded{nullptr};
std::atomic<pid_t> dying_thread{0};  // the first that met a fatal signal

// Text built without allocation, as a signal handler must.
class PlainText {
 public:
  PlainText& operator<<(std::string_view text) noexcept {
    const std::size_t fits = std::min(text.size(), buffer_.size() - size_);
    std::memcpy(buffer_.data() + size_, text.data(), fits);
    size_ += fits;
    return *this;
  }
  PlainText& operator<<(long long number) noexcept {
    std::array<char, 24> digits{};
    std::size_t begin = digits.size();
    auto rest = static_cast<unsigned long long>(number < 0 ? -number : number);
    do {
      digits[--begin] = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    if (number < 0) digits[--begin] = '-';
    return *this << std::string_view(digits.data() + begin, digits.size() - begin);
  }
  [[nodiscard]] std::string_view text() const noexcept { return {buffer_.data(), size_}; }

 private:
  std::array<char, 640> buffer_{};
  std::size_t size_ = 0;
};

std::string_view meaning(int signal) noexcept {
  switch (signal) {
    case SIGSEGV:
      return "it used memory that isn't its own (SIGSEGV)";
    case SIGBUS:
      return "a bus error (SIGBUS): memory or a mapped file is gone";
    case SIGFPE:
      return "an arithmetic error such as an integer division by zero (SIGFPE)";
    case SIGILL:
      return "an instruction that this processor doesn't know (SIGILL)";
    case SIGABRT:
      return "it gave up (SIGABRT)";
    case SIGTRAP:
      return "a library gave up (SIGTRAP), often for want of memory";
    default:
      return "a signal";
  }
}

void describe_death(const FailureGuard::State& state, int signal) noexcept {
  PlainText line;
  line << "cartwright: error: rank " << static_cast<long long>(state.rank) << " died";
  const long long step = state.step == nullptr ? -1 : state.step->load(std::memory_order_relaxed);
  if (step >= 0) line << " after step " << step;
  line << ": " << meaning(signal) << "\n"
       << state.memory_note
       << (state.memory_note.empty()
               ? "This is a fault of the program: please report it, with the "
               : "If it dies without the limit, too, please report it, with the ")
       << "deck and the number of ranks.\n";
  write_last_words(line.text());
}

void on_fatal_signal(int signal) {
  constexpr auto code = ExitCode::internal_failure;
  FailureGuard::State* const state = guarded.load();
  const pid_t here = ::gettid();
  pid_t first = 0;
  const bool is_first = dying_thread.compare_exchange_strong(first, here);
  // A second one in the same thread comes from the attempt to end in order; another thread
  // (fontconfig's, say, which lacks the same memory) waits until the first one has spoken and ended
  // the process.
  if (state == nullptr || first == here) ::_exit(static_cast<int>(code));
  // NOLINTNEXTLINE(bugprone-infinite-loop): until the process ends
  while (!is_first) ::pause();
  FailureGuard::end_at_the_latest(2, code);  // MPI_Abort may need a lock that this thread holds
  if (may_speak(*state)) {
    describe_death(*state, signal);
    state->speaker.note_failed(static_cast<int>(code));
  }
  if (mpi_is_running()) MPI_Abort(state->world, static_cast<int>(code));
  ::_exit(static_cast<int>(code));
}

[[noreturn]] void on_terminate() {
  FailureGuard::State* const state = guarded.load();
  if (state == nullptr || state->guard == nullptr) std::abort();
  const auto exception = std::current_exception();
  state->guard->end_all_ranks(
      exception ? as_error(exception)
                : internal_failure("the program ended itself (std::terminate)",
                                   "This is a fault of the program: please report it."));
}

std::atomic<std::terminate_handler> former_handler{nullptr};

[[noreturn]] void end_by(const Error& error) noexcept {
  if (error.reach() == Reach::all_ranks || !mpi_is_running())
    abort_all_ranks(FailureGuard::end_before_mpi(error));
  FailureGuard::end_start(error, MPI_COMM_WORLD);
}

[[noreturn]] void on_uncaught_error() {
  const auto exception = std::current_exception();
  try {
    if (exception) std::rethrow_exception(exception);
  } catch (const Error& error) {
    end_by(error);
  } catch (...) {
    if (const auto former = former_handler.load()) former();
  }
  std::abort();
}

[[noreturn]] void on_uncaught_exception() {
  if (const auto exception = std::current_exception()) end_by(as_error(exception));
  std::abort();
}

}  // namespace

void say_uncaught_errors_once() noexcept {
  const auto handler = std::get_terminate();
  if (guarded.load() != nullptr || handler == on_uncaught_error || handler == on_uncaught_exception)
    return;
  former_handler = std::set_terminate(on_uncaught_error);
}

void say_uncaught_exceptions_once() noexcept {
  std::set_terminate(on_uncaught_exception);
}

void catch_fatal_signals(FailureGuard::State& state) {
  guarded = &state;
  dying_thread = 0;
  state.former_terminate = std::set_terminate(on_terminate);
  if constexpr (sanitizer_catches_signals) return;
  state.memory_note = memory_limit_note();
  state.signal_stack.resize(signal_stack_size);  // of its own: the usual one may be what overflowed
  stack_t stack{};
  stack.ss_sp = state.signal_stack.data();
  stack.ss_size = state.signal_stack.size();
  sigaltstack(&stack, &state.former_stack);
  struct sigaction action {};
  action.sa_handler = on_fatal_signal;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < fatal_signals.size(); ++i) {
    sigaction(fatal_signals[i], &action, &state.former_actions[i]);
  }
}

void release_fatal_signals(FailureGuard::State& state) noexcept {
  if constexpr (!sanitizer_catches_signals) {
    for (std::size_t i = 0; i < fatal_signals.size(); ++i) {
      sigaction(fatal_signals[i], &state.former_actions[i], nullptr);
    }
    sigaltstack(&state.former_stack, nullptr);
  }
  std::set_terminate(state.former_terminate);
  guarded = nullptr;
}

bool may_speak(FailureGuard::State& state) noexcept {
  return state.claimed->exchange(1) == 0 && state.speaker.claim() != Speaker::Turn::of_others;
}

bool may_speak() noexcept {
  FailureGuard::State* const state = guarded.load();
  return state == nullptr || may_speak(*state);
}

bool may_speak(std::atomic<std::uint32_t>& turn) noexcept {
  return turn.exchange(1) == 0 && may_speak();
}

namespace {

/// Until what stands in pipes has been read: once a rank aborts, MPICH's mpiexec may read no more.
void await_readers() noexcept {
  constexpr int most_naps = 250;
  constexpr timespec nap{0, 2'000'000};
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat status {};
    if (::fstat(stream, &status) != 0 || !S_ISFIFO(status.st_mode)) continue;
    int unread = 0;
    for (int naps = 0; naps < most_naps; ++naps) {
      if (::ioctl(stream, FIONREAD, &unread) != 0 || unread == 0) break;
      ::nanosleep(&nap, nullptr);
    }
  }
}

}  // namespace

void write_to_standard_error(std::string_view text) noexcept {
  while (!text.empty()) {
    const auto written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void write_last_words(std::string_view text) noexcept {
  write_to_standard_error(text);
  await_readers();
}

}  // namespace cartwright::rt
