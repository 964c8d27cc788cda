// SPDX-License-Identifier: Apache-2.0
// MPICH 4.0 may hang in MPI_Finalize with ranks on several nodes (with two on each of two,
// over TCP, mostly): who has disconnected waits in a barrier of mpiexec, and no longer answers
// those that have not (mended by https://github.com/pmodels/mpich/pull/6596). Loaded before the
// program (LD_PRELOAD), this takes the disconnecting over: what is under way is sent, and the
// connections end with the process.
#include <dlfcn.h>

#include <chrono>
#include <cstdint>

namespace ucx {

// UCX's own signatures, with its types as what they are.
using Progress = unsigned (*)(void*);
using Flush = void* (*)(void*, unsigned, void (*)(void*, int));
using Status = int (*)(void*);
using Free = void (*)(void*);

void* worker = nullptr;  // MPICH has one by default
bool is_flushed = false;

template <class Function>
Function function(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

bool is_request(void* request) {  // else a status
  return request != nullptr && reinterpret_cast<std::intptr_t>(request) > 0;
}

void flush() {
  constexpr int in_progress = 1;
  constexpr std::chrono::seconds patience{1};
  const auto progress =
      reinterpret_cast<Progress>(dlsym(RTLD_DEFAULT, "ucp_worker_progress"));  // ours
  const auto status = function<Status>("ucp_request_check_status");
  const auto begin = std::chrono::steady_clock::now();
  void* const request = function<Flush>("ucp_worker_flush_nb")(worker, 0, [](void*, int) {});
  if (!is_request(request)) return;
  while (status(request) == in_progress && std::chrono::steady_clock::now() - begin < patience)
    progress(worker);
  function<Free>("ucp_request_free")(request);
}

}  // namespace ucx

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" __attribute__((visibility("default"))) int ucp_worker_create(void* context,
                                                                        const void* parameters,
                                                                        void** worker) {
  using Create = int (*)(void*, const void*, void**);
  const int status = ucx::function<Create>("ucp_worker_create")(context, parameters, worker);
  if (status == 0) ucx::worker = *worker;
  return status;
}

// Null: it is done.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" __attribute__((visibility("default"))) void* ucp_disconnect_nb(void* /*endpoint*/) {
  if (!ucx::is_flushed && ucx::worker != nullptr) ucx::flush();
  ucx::is_flushed = true;
  return nullptr;
}
