// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/call.hpp>
#include <cartwright/comm/execution/runner.hpp>
#include <cartwright/comm/execution/traffic.hpp>
#include <cartwright/plan/layout.hpp>
#include <cartwright/plan/program.hpp>
#include <cartwright/plan/schedule.hpp>
#include <cartwright/rt/aligned_memory.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace cartwright::comm {

/// What tells apart the programs of one communicator.
struct CollectiveKey {
  plan::Operation operation = plan::Operation::barrier;
  plan::Place place = plan::Place::separate;
  bool commutes = true;
  Waiting waiting = Waiting::at_once;
  std::int32_t root = 0;
  plan::Count count = 0;
  std::size_t element_size = 1;
  const plan::Choice* how = nullptr;  ///< who has decided on an algorithm keeps it; null: none has
  friend bool operator==(const CollectiveKey&, const CollectiveKey&) = default;

  [[nodiscard]] static CollectiveKey of(const Call& call, const plan::Choice* how) {
    return {call.operation,  call.place, call.reduction.commutes, call.waiting,
            call.root.value, call.count, call.element.size,       how};
  }
  [[nodiscard]] std::size_t hash() const {
    const auto mixed =
        (static_cast<std::uint64_t>(count) * element_size +
         static_cast<std::uint64_t>(operation) * 0x9E37U +
         static_cast<std::uint64_t>(root) * 0x85EBU + static_cast<std::uint64_t>(place) +
         2 * static_cast<std::uint64_t>(waiting)) *
        0x9E3779B97F4A7C15U;
    return static_cast<std::size_t>(mixed >> 32U);
  }
};

/// A schedule bound to a call's sizes, with all that running it needs: memory for its scratch
/// buffers and the state of its messages. Runs again and again, on any buffers; one run at a time.
template <Messages M>
class BoundCollective {
 public:
  template <class MakeMessages>
  BoundCollective(const CollectiveKey& key, const plan::Schedule& schedule,
                  const plan::Layout& layout, const MakeMessages& make_messages)
      : key_(key),
        program_(schedule, layout, key.element_size),
        scratch_bytes_(plan::scratch_bytes(schedule, layout, key.element_size)),
        scratch_(scratch_bytes_ == 0 ? nullptr : rt::aligned_memory(scratch_bytes_)),
        runner_(program_, key.element_size, make_messages(program_, key.element_size)) {}
  BoundCollective(const BoundCollective&) = delete;
  BoundCollective& operator=(const BoundCollective&) = delete;
  ~BoundCollective() = default;

  [[nodiscard]] const CollectiveKey& key() const { return key_; }
  /// Its key is that of no call any more.
  void retire() noexcept { key_.count = -1; }
  [[nodiscard]] bool is_retired() const noexcept { return key_.count < 0; }
  void start(std::uint64_t sequence, const Call& call) {
    runner_.start(sequence, {call.input, call.output, scratch_.get()});
  }
  bool advance(const Reduction& reduction) { return runner_.advance(reduction); }
  [[nodiscard]] const Runner<M>& runner() const { return runner_; }
  [[nodiscard]] const plan::Program& program() const { return program_; }
  [[nodiscard]] std::size_t scratch_bytes() const { return scratch_bytes_; }

  bool in_use = false;
  Traffic sent;  ///< by this rank in one run

 private:
  CollectiveKey key_;
  plan::Program program_;
  std::size_t scratch_bytes_;
  rt::AlignedMemory scratch_;
  Runner<M> runner_;
};

}  // namespace cartwright::comm
