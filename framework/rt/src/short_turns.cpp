// SPDX-License-Identifier: Apache-2.0
#include <cartwright/rt/short_turns.hpp>

#if defined(__linux__)
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#endif

namespace cartwright::rt {

#if defined(__linux__)

namespace {

// As in linux/sched/types.h, which older systems lack; for ordinary threads
// `runtime` is the length of a turn in ns.
struct SchedulingAttributes {
  std::uint32_t size = 0;
  std::uint32_t policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0;
  std::uint64_t deadline = 0;
  std::uint64_t period = 0;
};
constexpr std::uint64_t shortest_turn = 100'000;

}  // namespace

void prefer_short_turns() noexcept {
  SchedulingAttributes attributes;
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return;
  if (attributes.policy != SCHED_OTHER) return;
  attributes.size = sizeof attributes;
  attributes.runtime = shortest_turn;
  (void)syscall(SYS_sched_setattr, 0, &attributes, 0);
}

#else

void prefer_short_turns() noexcept {}

#endif

}  // namespace cartwright::rt
