// SPDX-License-Identifier: Apache-2.0
// MPICH over UCX polls and never gives its core away: with more ranks than cores, whoever waits
// holds up those that it waits for, for a whole slice of the scheduler each time. There is no
// option against that. Loaded before the program (LD_PRELOAD), this takes UCX's poll over: one that
// found nothing lets others run.
#include <dlfcn.h>
#include <sched.h>

// UCX's own signature; 0: nothing happened. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" __attribute__((visibility("default"))) unsigned ucp_worker_progress(void* worker) {
  using Progress = unsigned (*)(void*);
  static const auto progress = reinterpret_cast<Progress>(dlsym(RTLD_NEXT, "ucp_worker_progress"));
  const unsigned events = progress(worker);
  if (events == 0) sched_yield();
  return events;
}
