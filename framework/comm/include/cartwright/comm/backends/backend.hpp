// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/call.hpp>
#include <cartwright/comm/selection/backend_id.hpp>
#include <cartwright/plan/selection/catalogue.hpp>
#include <cartwright/rt/request.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace cartwright::comm {

/// A collective that can be started again and again, on the same memory; one at a time. Advanced
/// by the progress engine.
class Prepared : public rt::Operation {
 public:
  /// Begins once more. Starting is not collective; all ranks start the collectives of one
  /// communicator in the same order.
  virtual void start() = 0;
  /// The rank whose message this one waits for, where that is known: for the report of a time
  /// limit.
  [[nodiscard]] virtual std::optional<rt::Rank> waiting_for() const { return std::nullopt; }
};

/// Carries out the collectives of one communicator: one virtual call each, never one per message.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  /// Of the one that carries calls out, whoever watches.
  [[nodiscard]] virtual BackendId id() const noexcept = 0;
  [[nodiscard]] std::string_view name() const noexcept { return name_of(id()); }

  /// Returns when this rank's part is done. What else is in flight goes on meanwhile, but for the
  /// blocking calls of `comm.backend: native`: nobody polls while MPI has them. What is to begin in
  /// a continuation doesn't begin then, and if another rank waits for it before it comes to this
  /// call, none returns. `how`: an
  /// algorithm that was decided on already, for who runs schedules; null: the backend decides. It
  /// must stay until `forget`, since the backend remembers what it has made ready for it.
  virtual void run(const Call& call, const plan::Choice* how) = 0;
  /// Local. The memory and the offsets that the call names must live as long as the result.
  [[nodiscard]] virtual std::unique_ptr<Prepared> prepare(const Call& call,
                                                          const plan::Choice* how) = 0;
  /// Grows when decisions are taken anew: what was prepared before had better be prepared again.
  [[nodiscard]] virtual std::uint32_t epoch() const noexcept { return 0; }

  /// `how` will be gone, and isn't named again.
  virtual void forget(const plan::Choice& /*how*/) noexcept {}

  void run(const Call& call) { run(call, nullptr); }
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const Call& call) {
    return prepare(call, nullptr);
  }
};

}  // namespace cartwright::comm
