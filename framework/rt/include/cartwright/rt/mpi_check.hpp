// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/wait.hpp>
#include <type_traits>

namespace cartwright::rt {

/// Throws `Error` (internal failure) with MPI's own text. Every MPI call of the framework goes
/// through `mpi_check`, or `mpi_blocking` if it may wait; communicators return errors instead of
/// aborting (MPI_ERRORS_RETURN).
[[noreturn]] void mpi_fail(int return_code, const char* call, const char* file, int line);

/// `mpi_check(MPI_Xxx(…), "MPI_Xxx")`: fails when the return code is not MPI_SUCCESS. The builtins
/// are those of the caller's line (clang 14 has no std::source_location).
inline void mpi_check(int return_code, const char* call, const char* file = __builtin_FILE(),
                      int line = __builtin_LINE()) {
  if (return_code != 0) [[unlikely]]
    mpi_fail(return_code, call, file, line);
}

/// The name of a call of MPI, and where it stands.
struct MpiCall {
  MpiCall(const char* call,  // NOLINT(google-explicit-constructor): mpi_blocking("MPI_Xxx", …)
          const char* source = __builtin_FILE(), int number = __builtin_LINE())
      : name(call), file(source), line(number) {}
  const char* name;
  const char* file;
  int line;
};

/// `mpi_blocking("MPI_Barrier", MPI_Barrier, comm)`: a call that returns only when other ranks do
/// their part. It is published as a wait first, so that the run ends if nobody will come.
template <class... Parameters>
void mpi_blocking(const MpiCall& call, int (*function)(Parameters...),
                  std::type_identity_t<Parameters>... arguments) {
  const auto returned = [&] {
    const WaitScope waiting({call.name, call.file, call.line});
    return function(arguments...);
  };
  mpi_check(returned(), call.name, call.file, call.line);
}

/// False before MPI_Init and after MPI_Finalize: destructors must not call MPI then.
[[nodiscard]] bool mpi_is_running() noexcept;

}  // namespace cartwright::rt
