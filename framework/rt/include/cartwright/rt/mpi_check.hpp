// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cartwright::rt {

/// Throws `Error` (internal failure) with MPI's own text. Every MPI call of the framework goes
/// through `mpi_check`; communicators return errors instead of aborting (MPI_ERRORS_RETURN).
[[noreturn]] void mpi_fail(int return_code, const char* call, const char* file, int line);

/// `mpi_check(MPI_Xxx(…), "MPI_Xxx")`: fails when the return code is not MPI_SUCCESS. The builtins
/// are those of the caller's line (clang 14 has no std::source_location).
inline void mpi_check(int return_code, const char* call, const char* file = __builtin_FILE(),
                      int line = __builtin_LINE()) {
  if (return_code != 0) [[unlikely]]
    mpi_fail(return_code, call, file, line);
}

/// False before MPI_Init and after MPI_Finalize: destructors must not call MPI then.
[[nodiscard]] bool mpi_is_running() noexcept;

}  // namespace cartwright::rt
