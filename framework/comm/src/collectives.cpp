// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/collectives.hpp>
#include <cartwright/comm/make_backend.hpp>

namespace cartwright::comm {

Collectives::Collectives(const rt::Communicator& comm, rt::ProgressEngine& engine,
                         const std::string& backend)
    : comm_(&comm), engine_(&engine), backend_(make_backend(backend, comm)) {}

Pending Collectives::start(const Call& call) const {
  auto prepared = backend_->prepare(call);
  prepared->start();
  return {*engine_, std::move(prepared)};
}

}  // namespace cartwright::comm
