// SPDX-License-Identifier: Apache-2.0
// A run that fails, falls silent, or steps until it is stopped, as its deck says: driven by
// failure_test.sh, silence_test.sh and stop_test.sh.
#include <mpi.h>

#include <atomic>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/execute.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/point_to_point.hpp>
#include <cartwright/rt/progress_line.hpp>
#include <cartwright/rt/report.hpp>
#include <cartwright/rt/runtime.hpp>
#include <cartwright/rt/schema.hpp>
#include <cartwright/rt/stop_control.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace cartwright::rt;

struct Options {
  std::string fail = "no";
  std::string wait = "no";
  int rank = 0;  // which one fails; negative: every one
  long long steps = 10;
  double pause = 0.0;
  std::string directory;
};

class Never : public Operation {
 public:
  bool advance() override { return false; }
};

int overflow_stack(int depth) {
  volatile char room[4096] = {};
  room[depth % 4096] = 1;
  return depth < 0 ? 0 : overflow_stack(depth + 1) + room[7];
}

struct ThrowsWhenDestroyed {
  ~ThrowsWhenDestroyed() noexcept(false) { throw std::runtime_error("from a destructor"); }
};

template <class Function>
void call_noexcept(const Function& function) noexcept {
  function();
}

/// As libraries' threads do that lack the same memory.
void trap_in_many_threads() {
  std::atomic<bool> all_begun{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&all_begun] {
      while (!all_begun) std::this_thread::yield();
      std::raise(SIGTRAP);
    });
  all_begun = true;
  for (std::thread& thread : threads) thread.join();
}

void fail(Runtime& runtime, const Communicator& own, const std::string& how) {
  Never never;
  int volatile seven = 7;
  int volatile zero = 0;
  // What an exception meets on its way: a message under way, an operation, a communicator.
  std::vector<int> data(10);
  Message message = ireceive(own, std::span(data), Rank{0}, Tag{99});
  const Request request(runtime.progress(), never);
  if (how == "input") throw input_error("bad input", "Mend it.");
  if (how == "number") throw numerical_failure("not a number");
  if (how == "all") throw input_error("all have met it", "Mend it.", Reach::all_ranks);
  if (how == "plain") throw std::runtime_error("plain exception");
  if (how == "unknown") throw 42;  // NOLINT
  if (how == "memory") throw std::bad_alloc();
  if (how == "mpi") isend(own, std::span(data), Rank{1000}, Tag{0}).wait();
  if (how == "segv") std::raise(SIGSEGV);
  if (how == "divide") std::exit(seven / zero);
  if (how == "abort") std::abort();
  if (how == "trap") std::raise(SIGTRAP);
  if (how == "traps") trap_in_many_threads();
  if (how == "stack") std::exit(overflow_stack(0));
  if (how == "thread") std::thread([] { throw std::runtime_error("in a thread"); }).join();
  if (how == "destructor") const ThrowsWhenDestroyed thrower;
  if (how == "noexcept") call_noexcept([] { throw std::runtime_error("from noexcept"); });
  if (how == "kill") std::raise(SIGKILL);
  if (how == "stop") std::raise(SIGSTOP);
  message.abandon();
}

void step(Runtime& runtime, const Options& options) {
  if (!options.directory.empty()) {
    std::filesystem::create_directories(options.directory);
    runtime.set_output_directory(options.directory);
  }
  runtime.progress_line().begin({.last_step = options.steps});
  for (long long i = 1; i <= options.steps; ++i) {
    if (runtime.stop().should_stop()) {
      runtime.set_exit_code(ExitCode::stopped_early);
      runtime.log().info("stopped: " + runtime.stop().reason_text());
      return;
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(options.pause));
    runtime.progress_line().update(i, 0.1 * static_cast<double>(i));
  }
}

/// One rank does something for `pause` seconds, or waits for ever; the others wait for it.
void wait(Runtime& runtime, const Options& options) {
  if (runtime.comm().rank().value == options.rank) {
    const WaitKind kind = options.wait == "file" ? WaitKind::files : WaitKind::none;
    const WaitScope scope({"a slow file"}, kind);
    int never = 0;
    const Rank self = runtime.comm().rank();
    if (options.wait == "message")
      ireceive(runtime.comm(), std::span(&never, 1), self, Tag{5}).wait();
    std::this_thread::sleep_for(std::chrono::duration<double>(options.pause));
  }
  runtime.comm().barrier();
}

void body(Runtime& runtime, const Options& options) {
  const int rank = runtime.comm().rank().value;
  if (options.fail != "no") {
    runtime.progress_line().update(7, 0.7);
    const Communicator own = runtime.comm().split(0, 0);
    if (options.rank < 0 || options.rank == rank) fail(runtime, own, options.fail);
    int never = 0;  // the others wait for a message that never comes
    ireceive(runtime.comm(), std::span(&never, 1), Rank{rank}, Tag{5}).wait();
  }
  if (options.wait != "no") wait(runtime, options);
  step(runtime, options);
}

/// Starts MPI, and stops this rank before it meets the others.
void stop_after_mpi(int rank) {
  int thread_level = 0;
  int own = 0;
  mpi_check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &thread_level),
            "MPI_Init_thread");
  mpi_check(MPI_Comm_rank(MPI_COMM_WORLD, &own), "MPI_Comm_rank");
  if (own == rank) std::raise(SIGSTOP);
}

}  // namespace

int main(int argc, char** argv) {
  if (const char* const rank = std::getenv("STOP_AFTER_MPI")) stop_after_mpi(std::atoi(rank));
  Options options;
  const auto schema =
      Schema<Options>(key("fail", &Options::fail), key("wait", &Options::wait),
                      key("rank", &Options::rank), key("steps", &Options::steps),
                      key("pause", &Options::pause), key("directory", &Options::directory));
  Module module{.name = "test", .schema = [&](SectionNode& root) { schema.bind(root, options); }};
  return execute(argc, argv, {"run_program", "1.0", "test", "fails as it is told", {}}, {module},
                 [&](Runtime& runtime) { body(runtime, options); });
}
