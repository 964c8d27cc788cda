// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cartwright::drop_in {

/// What a process is told by variables of its environment; rank 0's count for all. How comm works
/// is told by its own (CARTWRIGHT_COMM_BACKEND and so on).
struct Settings {
  /// CARTWRIGHT_DROP_IN_AFTER: a communicator's first collectives, so many, are the MPI library's.
  /// To take one over costs some ms, which is too much for those that are soon freed, and all ranks
  /// come together for it, also where the collective is only started.
  long after = 16;
  /// CARTWRIGHT_DROP_IN_NONBLOCKING=1: those, too. They go on only while a rank is in a call of
  /// ours or in one of waits.cpp.
  bool nonblocking = false;
  /// CARTWRIGHT_DROP_IN_REORDER=1: MPI_Cart_create places ranks on the grid where the program lets
  /// it. Many programs do, and don't expect it.
  bool reorder = false;
  /// CARTWRIGHT_DROP_IN_REPORT=1: rank 0 tells at the end what was carried out by whom.
  bool report = false;
};

/// Throws an input error for what can't be read, and for a variable CARTWRIGHT_DROP_IN_… that there
/// isn't.
[[nodiscard]] Settings settings_of_environment();

}  // namespace cartwright::drop_in
