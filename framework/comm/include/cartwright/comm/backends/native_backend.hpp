// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/backends/backend.hpp>
#include <cartwright/comm/execution/p2p_channel.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/request.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace cartwright::comm {

class NativeTypes;

/// The MPI library's own collectives: the baseline.
///
/// A blocking call takes MPI's blocking form, or its nonblocking one, which is polled: then
/// everything else that the engine drives goes on meanwhile, which a peer may be waiting for. MPI
/// matches the two forms with each other never, so all ranks of the communicator must have said the
/// same (what else is in flight may differ between them).
///
/// What MPI 3.1 can't say with its ints goes otherwise: vectors in several calls, blocks as one
/// element of a larger type, blocks of different lengths as messages. Blocks of different lengths
/// in an alltoall always are messages: only the rank that has them could tell whether they fit.
class NativeBackend final : public Backend {
 public:
  static constexpr std::size_t largest_count = std::size_t{1} << 30;
  enum class Blocking { by_mpi, polled };

  /// `comm` and `engine` must outlive this; `messages` are of the same ranks. `chunk`: more
  /// elements than these aren't counted in one call.
  NativeBackend(const rt::Communicator& comm, rt::ProgressEngine& engine, P2pChannel messages,
                Blocking blocking = Blocking::by_mpi, std::size_t chunk = largest_count);
  ~NativeBackend() override;

  [[nodiscard]] BackendId id() const noexcept override { return BackendId::native; }
  /// Throws internal_failure for an operator with a state: MPI gives its functions no context.
  void run(const Call& call, const plan::Choice* how) override;
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const Call& call,
                                                  const plan::Choice* how) override;
  using Backend::prepare;
  using Backend::run;

 private:
  const rt::Communicator* comm_;
  rt::ProgressEngine* engine_;
  Blocking blocking_;
  std::size_t chunk_;
  P2pChannel messages_;
  std::uint64_t sequence_ = 0;  // of collectives that are messages
  std::unique_ptr<NativeTypes> types_;
};

}  // namespace cartwright::comm
