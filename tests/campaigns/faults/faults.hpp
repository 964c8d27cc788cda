// SPDX-License-Identifier: Apache-2.0
#pragma once

// Preloaded into a program, this library lets one call site of MPI, of the allocator or of the file
// system fail, by environment variables:
//
//   CARTWRIGHT_FAULT_PROGRAM only in the program of this name
//   CARTWRIGHT_FAULT_SITES  count: every call site that is met is appended to this file, as
//                           KIND SITE RANK own|library CALL; "library": of a library (HDF5, ROMIO)
//                           that the program has called
//   CARTWRIGHT_FAULT_KIND   fail: mpi, memory or file
//   CARTWRIGHT_FAULT_SITE   fail: the first call from this site fails (a SITE of that file)
//   CARTWRIGHT_FAULT_STRUCK fail: this file gets a line when it does
//   CARTWRIGHT_FAULT_RANK   only on this rank; absent: on all
//   CARTWRIGHT_FAULT_DEPTH  of so many return addresses within the program a site consists (1)
//   CARTWRIGHT_FAULT_ERRNO  for files: the error number
//   CARTWRIGHT_FAULT_FOLDER for files: only paths that contain this
//
// A call site is made of the nearest return addresses, counted from the beginning of the program,
// so that it is the same in every run.
namespace faults {

enum class Kind { mpi, memory, file };

enum class Whose { anybodys, own };

/// Whether this call is the one that has to fail. Whose::own: libraries' calls are left alone.
bool fails(Kind kind, const char* name, Whose whose = Whose::anybodys) noexcept;
/// For files: whether the path, or the one behind the descriptor, is looked at.
bool watches(const char* path) noexcept;
bool watches(int descriptor) noexcept;

}  // namespace faults
