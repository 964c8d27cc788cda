// SPDX-License-Identifier: Apache-2.0
#include <cartwright/linear/hypre/hypre_system.hpp>

#ifdef CARTWRIGHT_HAS_HYPRE
#include <cartwright/rt/wait.hpp>

#include "hypre_methods.hpp"
#endif

namespace cartwright::linear {

#ifdef CARTWRIGHT_HAS_HYPRE

HypreSystem::HypreSystem(const rt::Communicator& comm, const Cells& cells, MultigridKind kind,
                         bool is_singular)
    : method_([&] {
        const rt::WaitScope inside({"hypre's set-up"}, rt::WaitKind::library);
        return make_hypre_method(comm.handle(), cells, kind, is_singular);
      }()) {}
HypreSystem::~HypreSystem() = default;

void HypreSystem::set(std::span<const double> coefficients) {
  const rt::WaitScope inside({"hypre's set-up"}, rt::WaitKind::library);
  method_->set(coefficients);
}
void HypreSystem::cycle(std::span<const double> r, std::span<double> z) {
  const rt::WaitScope inside({"a cycle of hypre's"}, rt::WaitKind::library);
  method_->cycle(r, z);
}

#else  // require_available() has refused what would come here

struct HypreSystem::Method {};
HypreSystem::HypreSystem(const rt::Communicator& /*comm*/, const Cells& /*cells*/,
                         MultigridKind /*kind*/, bool /*is_singular*/) {}
HypreSystem::~HypreSystem() = default;
void HypreSystem::set(std::span<const double> /*coefficients*/) {}
void HypreSystem::cycle(std::span<const double> /*r*/, std::span<double> /*z*/) {}

#endif

}  // namespace cartwright::linear
