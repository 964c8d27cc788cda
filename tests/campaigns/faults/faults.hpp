// SPDX-License-Identifier: Apache-2.0
#pragma once

// Preloaded into a program, this library lets one call site of MPI, of the allocator or of the file
// system fail, by environment variables:
//
//   CARTWRIGHT_FAULT_KIND   mpi, memory or file
//   CARTWRIGHT_FAULT_SITES  count: every call site that is met is appended to this file
//   CARTWRIGHT_FAULT_SITE   fail: the first call from this site fails (a number of that file)
//   CARTWRIGHT_FAULT_RANK   only on this rank; absent: on all
//   CARTWRIGHT_FAULT_ERRNO  for files: the error number
//   CARTWRIGHT_FAULT_FOLDER for files: only paths that contain this
//
// A call site is the sequence of the nearest return addresses, counted from the beginning of the
// program, so that it is the same in every run.
namespace faults {

enum class Kind { mpi, memory, file };

/// Whether this call is the one that has to fail.
bool fails(Kind kind, const char* name) noexcept;
/// For files: whether the path, or the one behind the descriptor, is looked at.
bool watches(const char* path) noexcept;
bool watches(int descriptor) noexcept;

}  // namespace faults
