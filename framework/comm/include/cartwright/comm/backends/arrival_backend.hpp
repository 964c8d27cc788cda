// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/arrivals/arrival_use.hpp>
#include <cartwright/comm/arrivals/site_table.hpp>
#include <cartwright/comm/arrivals/synchronised_clock.hpp>
#include <cartwright/comm/backends/arrival_agreement.hpp>
#include <cartwright/comm/backends/backend.hpp>
#include <cartwright/comm/backends/backends.hpp>
#include <cartwright/rt/request.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>
#include <vector>

namespace cartwright::comm {

/// Notes when this rank comes to the collectives that another backend carries out, and leaves them:
/// two stamps a call. Now and then the ranks do something together in the background: their clocks
/// are compared, and they agree on when they will come to reductions, which then go by plans for
/// that. It begins at one call of the communicator and is waited for at a later one, both
/// known beforehand: so all ranks go over to what they have agreed on between the same calls. A
/// call that is started meanwhile, and may not wait, begins behind it; those after it, too.
class ArrivalBackend final : public Backend {
 public:
  struct Parts {
    const Backends* backends;
    std::shared_ptr<SynchronisedClock> clock;
    int ranks;
    /// Whether this one sees to it that the clocks stay in step: of several that share one.
    bool keeps_clock;
    ArrivalUse use = ArrivalUse::watch;
    bool any_order = false;  ///< plans may change how what rounds is combined
  };

  explicit ArrivalBackend(Parts parts);
  ~ArrivalBackend() override;

  [[nodiscard]] BackendId id() const noexcept override { return inner_->id(); }
  void run(const Call& call, const plan::Choice* how) override;
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const Call& call,
                                                  const plan::Choice* how) override;
  using Backend::prepare;
  using Backend::run;
  [[nodiscard]] std::uint32_t epoch() const noexcept override { return inner_->epoch(); }

  [[nodiscard]] const SiteTable& sites() const noexcept { return sites_; }
  [[nodiscard]] const ArrivalAgreement& agreement() const noexcept { return agreement_; }
  [[nodiscard]] const SynchronisedClock& clock() const noexcept { return *parts_.clock; }

 private:
  class Watched;

  /// What is done before the communicator's call of that number. False: it has to wait.
  [[nodiscard]] bool is_ready_for(std::uint64_t number);
  void begin_common(std::uint64_t number);
  [[nodiscard]] bool common_is_over() const noexcept;
  void end_common();
  /// Before a call whose caller waits for it anyway: returns when it may begin.
  void wait_until_ready();
  /// Those that were started meanwhile, in the order of their calls.
  void begin_started();
  void note(Site& site, std::uint64_t number, std::int64_t now);

  Parts parts_;
  Backend* inner_;
  TimeSource time_;
  SiteTable sites_;
  ArrivalAgreement agreement_;
  std::int64_t last_ = 0;          // when this rank last came to a call or left one
  std::uint64_t calls_ = 0;        // of the communicator, so far
  std::int64_t common_since_;      // when something was begun together the last time,
  std::uint64_t common_call_ = 0;  // and before which call
  std::uint64_t due_;              // the call before which there is something to do
  std::uint64_t period_;           // calls between two of these
  bool is_under_way_ = false;      // it has begun, and isn't waited for yet
  std::deque<Watched*> started_;   // calls that wait until it is over
};

}  // namespace cartwright::comm
