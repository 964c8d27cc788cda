// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/backends/backend.hpp>
#include <cartwright/comm/backends/call_board.hpp>
#include <cartwright/comm/backends/call_check.hpp>
#include <cartwright/comm/backends/supervision.hpp>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/request.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>

namespace cartwright::comm {

/// Watches the collectives that another backend carries out.
///
/// Checked: a collective begins only when all ranks have been found to call the same; so nothing is
/// overwritten, and nobody hangs, by a call that the others don't make. Collectives begin in the
/// order of their calls, whatever the order in which the comparisons end. Time limit: who has
/// waited too long ends the run, and says what each rank has called last. Blocking calls run as
/// nonblocking ones, so that they can be watched.
class SupervisedBackend final : public Backend {
 public:
  /// Collective. All must outlive this.
  SupervisedBackend(Backend& inner, const rt::Communicator& comm, rt::ProgressEngine& engine,
                    const Supervision& supervision);

  [[nodiscard]] BackendId id() const noexcept override { return inner_->id(); }
  void run(const Call& call, const plan::Choice* how) override;
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const Call& call,
                                                  const plan::Choice* how) override;
  [[nodiscard]] std::uint32_t epoch() const noexcept override { return inner_->epoch(); }
  using Backend::prepare;
  using Backend::run;
  /// Answers ranks that ask what this one has called, when it waits for something else.
  void serve();

 private:
  class Watched;

  [[nodiscard]] std::uint64_t next_sequence() { return ++begun_; }
  /// Begins those collectives, in order, that the ranks agree about.
  void begin_agreed();
  void withdraw(const Watched& collective) noexcept;

  Backend* inner_;
  const rt::Communicator* comm_;
  rt::ProgressEngine* engine_;
  Supervision supervision_;
  rt::Communicator comparisons_;
  rt::Communicator reports_;
  std::optional<CallBoard> board_;
  std::uint64_t begun_ = 0;
  std::deque<Watched*> compared_;  ///< in the order of their calls
};

}  // namespace cartwright::comm
