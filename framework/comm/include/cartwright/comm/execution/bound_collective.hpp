// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/calls/call.hpp>
#include <cartwright/comm/execution/runner.hpp>
#include <cartwright/comm/execution/traffic.hpp>
#include <cartwright/plan/layout.hpp>
#include <cartwright/plan/program.hpp>
#include <cartwright/plan/schedule.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace cartwright::comm {

/// Memory that suits every element type and vector instruction, and shares no cache line.
class ScratchMemory {
 public:
  explicit ScratchMemory(std::size_t bytes)
      : size_(bytes),
        bytes_(bytes == 0 ? nullptr : static_cast<std::byte*>(::operator new(bytes, alignment))) {}
  [[nodiscard]] std::byte* data() const { return bytes_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  static constexpr std::align_val_t alignment{64};
  struct Delete {
    void operator()(std::byte* bytes) const { ::operator delete(bytes, alignment); }
  };
  std::size_t size_;
  std::unique_ptr<std::byte, Delete> bytes_;
};

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
        scratch_(plan::scratch_bytes(schedule, layout, key.element_size)),
        runner_(program_, key.element_size, make_messages(program_, key.element_size)) {}
  BoundCollective(const BoundCollective&) = delete;
  BoundCollective& operator=(const BoundCollective&) = delete;
  ~BoundCollective() = default;

  [[nodiscard]] const CollectiveKey& key() const { return key_; }
  /// Its key is that of no call any more.
  void retire() noexcept { key_.count = -1; }
  [[nodiscard]] bool is_retired() const noexcept { return key_.count < 0; }
  void start(std::uint64_t sequence, const Call& call) {
    runner_.start(sequence, {call.input, call.output, scratch_.data()});
  }
  bool advance(const Reduction& reduction) { return runner_.advance(reduction); }
  [[nodiscard]] const Runner<M>& runner() const { return runner_; }
  [[nodiscard]] const plan::Program& program() const { return program_; }
  [[nodiscard]] std::size_t scratch_bytes() const { return scratch_.size(); }

  bool in_use = false;
  Traffic sent;  ///< by this rank in one run

 private:
  CollectiveKey key_;
  plan::Program program_;
  ScratchMemory scratch_;
  Runner<M> runner_;
};

}  // namespace cartwright::comm
