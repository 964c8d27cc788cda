// SPDX-License-Identifier: Apache-2.0
// How deep the way of a small collective is, from the user's line to the cache line.
#include <execinfo.h>
#include <gtest/gtest.h>
#include <mpi.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cartwright/comm/collectives.hpp>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace cartwright::comm {
namespace {

struct Mapping {
  void* begin;
  std::size_t bytes;
};

/// Memory that this process shares with others and may write to.
std::vector<Mapping> shared_memory() {
  std::vector<Mapping> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char dash = 0;
    std::string access;
    words >> std::hex >> begin >> dash >> end >> access;
    if (access == "rw-s") found.push_back({reinterpret_cast<void*>(begin), end - begin});
  }
  return found;
}

/// The stack at the first store to shared memory after `arm`.
class FirstStore {
 public:
  static void arm(const std::vector<Mapping>& memory) {
    memory_ = &memory;
    depth_ = 0;
    struct sigaction action {};
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = [](int, siginfo_t*, void* context) {
      note(static_cast<const ucontext_t*>(context));
    };
    sigaction(SIGSEGV, &action, &before_);
    for (const Mapping& mapping : memory) mprotect(mapping.begin, mapping.bytes, PROT_READ);
  }
  /// Frames from the one that stored up to that of `users_line`, both counted. 0: nothing was
  /// stored, or the stack can't be read.
  static int frames_below(const void* return_address) {
    const auto end = stack_.begin() + depth_;
    const auto user = std::find(stack_.begin(), end, return_address);
    const auto store = std::find(stack_.begin(), end, store_);  // before it: the handler's frames
    return user == end || store == end ? 0 : static_cast<int>(user - store);
  }
  static std::string text() {
    char** const names = backtrace_symbols(stack_.data(), depth_);
    std::string lines;
    for (int i = 0; i < depth_; ++i) lines += std::string(names[i]) + "\n";
    free(names);  // NOLINT: backtrace_symbols wants it so
    return lines;
  }

 private:
  [[gnu::noinline]] static void note(const ucontext_t* context) {
    store_ = instruction_of(*context);
    depth_ = backtrace(stack_.data(), static_cast<int>(stack_.size()));
    for (const Mapping& mapping : *memory_)
      mprotect(mapping.begin, mapping.bytes, PROT_READ | PROT_WRITE);
    sigaction(SIGSEGV, &before_, nullptr);
  }

  static const void* instruction_of(const ucontext_t& context) {
#if defined(__x86_64__)
    return reinterpret_cast<const void*>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return reinterpret_cast<const void*>(context.uc_mcontext.pc);
#endif
  }

  static inline const void* store_ = nullptr;
  static inline std::array<void*, 64> stack_{};
  static inline int depth_ = 0;
  static inline const std::vector<Mapping>* memory_ = nullptr;
  static inline struct sigaction before_ {};
};

/// As a program calls it. Returns where it returns to.
[[gnu::noinline]] const void* users_line(const Collectives& comm, std::span<double> data) {
  comm.allreduce(data, Operator::sum);
  return __builtin_return_address(0);
}

TEST(CallDepth, OfAWarmAllreduceIsAtMostEight) {
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    !(defined(__x86_64__) || defined(__aarch64__))
  GTEST_SKIP() << "compiled otherwise, there are other frames";
#endif
  const auto world = rt::Communicator::duplicate(MPI_COMM_WORLD);
  if (world.size() == 1) GTEST_SKIP() << "nobody to tell anything";
  rt::ProgressEngine engine;
  const Collectives comm(world, engine);
  std::array<double, 1> data{1.0};
  std::array<void*, 4> ready{};
  (void)backtrace(ready.data(), static_cast<int>(ready.size()));  // loads what it needs
  for (int turn = 0; turn < 100; ++turn) (void)users_line(comm, data);
  const std::vector<Mapping> memory = shared_memory();
  int frames = 0;
  for (int turn = 0; turn < 10; ++turn) {
    FirstStore::arm(memory);
    const void* const here = users_line(comm, data);
    frames = std::max(frames, FirstStore::frames_below(here));
  }
  EXPECT_GE(frames, 1) << FirstStore::text();
  EXPECT_LE(frames, 8) << FirstStore::text();
  RecordProperty("frames", frames);
  if (world.is_root()) std::printf("%d frames, the user's among them\n", frames);
}

}  // namespace
}  // namespace cartwright::comm
