// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <source_location>

namespace cartwright::rt {

/// Throws `Error` (internal failure) with MPI's own text when `return_code` is not MPI_SUCCESS.
/// Every MPI call of the framework goes through here; communicators return errors instead of
/// aborting (MPI_ERRORS_RETURN).
[[noreturn]] void mpi_fail(int return_code, const char* call, const std::source_location& where);

inline void mpi_check(int return_code, const char* call,
                      const std::source_location& where = std::source_location::current()) {
  if (return_code != 0) [[unlikely]]
    mpi_fail(return_code, call, where);
}

/// False before MPI_Init and after MPI_Finalize: destructors must not call MPI then.
[[nodiscard]] bool mpi_is_running() noexcept;

}  // namespace cartwright::rt
