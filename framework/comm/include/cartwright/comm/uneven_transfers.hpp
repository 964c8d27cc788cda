// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/arguments.hpp>
#include <cartwright/comm/backends.hpp>
#include <cartwright/comm/blocks.hpp>
#include <cartwright/comm/pending.hpp>
#include <cartwright/comm/supervision.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/request.hpp>
#include <functional>
#include <memory>
#include <vector>

namespace cartwright::comm::detail {

/// Nonblocking collectives whose ranks first tell each other how long their blocks are. A rank
/// begins the second half when it has heard the lengths, which is another moment on each rank, with
/// other collectives started in between; so second halves travel as messages on a channel of their
/// own, in the order in which their callers began them.
class UnevenTransfers {
 public:
  /// Collective where calls are supervised. All must outlive this.
  UnevenTransfers(const rt::Communicator& comm, rt::ProgressEngine& engine,
                  const Backends& backends, const Supervision& supervision);
  ~UnevenTransfers();
  UnevenTransfers(const UnevenTransfers&) = delete;
  UnevenTransfers& operator=(const UnevenTransfers&) = delete;

  /// What the caller wants, now that the lengths are known; may name `blocks`.
  using Transfer = std::function<Arguments(const Blocks& blocks)>;
  /// `exchange`, by `backend`, makes of `counts` the lengths of the blocks, in place; its buffer is
  /// filled in here.
  [[nodiscard]] Pending start(Backend& backend, Call exchange, std::vector<plan::Count> counts,
                              Transfer transfer);

 private:
  class TwoSteps;
  struct Channel;

  rt::ProgressEngine* engine_;
  const Backends* backends_;
  std::unique_ptr<Channel> channel_;
  std::shared_ptr<const bool> last_has_begun_ = std::make_shared<const bool>(true);
};

}  // namespace cartwright::comm::detail
