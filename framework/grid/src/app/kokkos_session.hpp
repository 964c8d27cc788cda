// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/module.hpp>

namespace cartwright::grid {

/// Kokkos from here to the end of the scope, unless the caller has started it. Threads:
/// OMP_NUM_THREADS if set; else the cores that this rank may use, divided among the ranks that may
/// use the same. Devices: dealt to the ranks of a node in turn.
class KokkosSession {
 public:
  /// Collective.
  explicit KokkosSession(const rt::Communicator& comm);
  KokkosSession(const KokkosSession&) = delete;
  KokkosSession& operator=(const KokkosSession&) = delete;
  ~KokkosSession();

 private:
  bool started_here_ = false;
};

/// Kokkos for a whole program; says how threads are bound.
[[nodiscard]] rt::Module kokkos_module();

}  // namespace cartwright::grid
