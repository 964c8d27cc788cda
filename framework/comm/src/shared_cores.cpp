// SPDX-License-Identifier: Apache-2.0
#include "shared_cores.hpp"

#include <cartwright/rt/agreement.hpp>

namespace cartwright::comm {

mapping::Topology agreed_on_cores(const rt::Communicator& comm, rt::ProgressEngine& engine,
                                  mapping::Topology topology) {
  topology.oversubscribed =
      !rt::on_all_ranks(comm, !topology.oversubscribed && !engine.oversubscribed());
  engine.set_oversubscribed(topology.oversubscribed);
  return topology;
}

}  // namespace cartwright::comm
