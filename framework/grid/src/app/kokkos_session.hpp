// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/module.hpp>
#include <string>

namespace cartwright::grid {

/// Kokkos from here to the end of the scope, unless the caller has started it. Threads:
/// OMP_NUM_THREADS if set; else the cores that this rank may use, divided among the ranks that may
/// use the same. Devices: dealt to the ranks of a node in turn; throws an input error where kernels
/// would run on one and there is none.
class KokkosSession {
 public:
  /// Collective.
  explicit KokkosSession(const rt::Communicator& comm);
  KokkosSession(const KokkosSession&) = delete;
  KokkosSession& operator=(const KokkosSession&) = delete;
  ~KokkosSession();

  /// What kernels run on, in words; empty: the host.
  [[nodiscard]] const std::string& device() const noexcept { return device_; }

 private:
  std::string device_;
  bool started_here_ = false;
};

/// Kokkos for a whole program; says how threads are bound.
[[nodiscard]] rt::Module kokkos_module();

}  // namespace cartwright::grid
