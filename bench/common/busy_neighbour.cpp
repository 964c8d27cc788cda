// SPDX-License-Identifier: Apache-2.0
#include "busy_neighbour.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cartwright/rt/error.hpp>
#include <csignal>

namespace cartwright::bench {
namespace {

void stay_on(int processor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<unsigned>(processor), &one);
  if (sched_setaffinity(0, sizeof one, &one) != 0)
    throw rt::input_error("this process can't choose its processor",
                          "Run the benchmark where sched_setaffinity is allowed.");
}

/// As main has found them.
const std::vector<int>& allowed() {
  static const std::vector<int> all = [] {
    cpu_set_t set;
    std::vector<int> found;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
      for (int i = 0; i < CPU_SETSIZE; ++i)
        if (CPU_ISSET(static_cast<unsigned>(i), &set)) found.push_back(i);
    return found.empty() ? std::vector<int>{0} : found;
  }();
  return all;
}

[[noreturn]] void compute_for_ever() {
  volatile double number = 1.0;
  while (true) number = number * 0.999999 + 1e-6;
}

}  // namespace

int stay_on_processor(int which) {
  const int processor = allowed()[static_cast<std::size_t>(which) % allowed().size()];
  stay_on(processor);
  return processor;
}

int processors() {
  return static_cast<int>(allowed().size());
}

BusyNeighbours::BusyNeighbours(int count, int processor) {
  for (int i = 0; i < count; ++i) {
    const pid_t child = fork();
    if (child < 0) throw rt::input_error("no process can be started beside the ranks");
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      stay_on(processor);
      compute_for_ever();
    }
    children_.push_back(child);
  }
}

BusyNeighbours::~BusyNeighbours() {
  for (const pid_t child : children_) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
}

}  // namespace cartwright::bench
