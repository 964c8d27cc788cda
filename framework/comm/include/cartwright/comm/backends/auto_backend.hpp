// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cartwright/comm/backends/backend.hpp>
#include <cartwright/comm/selection/selection.hpp>
#include <cartwright/rt/request.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace cartwright::comm {

/// Leaves each call to the backend that is the quickest for its operation and size: decided once
/// for each key (`Selection::decide`), and again in each epoch.
///
/// Where runs learn (`Knowledge::learns`), candidates take turns in the first calls of a key. Then
/// one reduction goes on in the background of the next calls, and is waited for at a call whose
/// number is known beforehand: so all ranks decide alike, between the same calls.
class AutoBackend final : public Backend {
 public:
  struct Parts {
    std::shared_ptr<const Selection> selection;
    rt::ProgressEngine* engine;
    std::function<Backend&(BackendId)> find;
    /// Of each decision, once it is taken.
    std::function<void(const CallKey&, const Decision&)> note;
  };

  explicit AutoBackend(Parts parts);
  /// Keeps what was learned. A comparison that is under way is waited for.
  ~AutoBackend() override;

  [[nodiscard]] BackendId id() const noexcept override { return BackendId::automatic; }
  void run(const Call& call, const plan::Choice* how) override;
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const Call& call,
                                                  const plan::Choice* how) override;
  using Backend::prepare;
  using Backend::run;
  [[nodiscard]] std::uint32_t epoch() const noexcept override { return epoch_; }
  /// Another selection from now on, for the same communicator: all ranks between the same calls.
  void decide_anew(std::shared_ptr<const Selection> selection);
  /// By key, in the order of the first calls.
  [[nodiscard]] std::vector<CallCount> calls() const;

 private:
  class Slot;
  class PreparedTurn;

  /// What tells calls of an operation apart, of those whose blocks are even.
  struct Shape {
    plan::Count count = -1;
    std::size_t element_size = 0;
    Waiting waiting = Waiting::at_once;
    MemoryKind memory = MemoryKind::host;
    bool exact = false;
    bool commutes = false;

    [[nodiscard]] static Shape of(const Call& call) {
      return {call.count,  call.element.size,    call.waiting,
              call.memory, call.reduction.exact, call.reduction.commutes};
    }
    friend bool operator==(const Shape&, const Shape&) = default;
  };
  /// Where the latest call of an operation was found. Programs repeat themselves, and looking takes
  /// as long as a line takes from one core to the next.
  struct Recent {
    Shape shape{};
    Slot* slot = nullptr;
  };

  [[nodiscard]] Slot& slot_of(const Call& call) {
    if (call.has_uneven_blocks()) return slot_in_table(call);  // counts differ from rank to rank
    Recent& recent = recent_[static_cast<std::size_t>(call.operation)];
    const Shape shape = Shape::of(call);
    if (recent.shape != shape) [[unlikely]]
      recent = {shape, &slot_in_table(call)};
    return *recent.slot;
  }
  [[nodiscard]] Slot& slot_in_table(const Call& call) {
    Slot*& known = slots_[static_cast<std::size_t>(call.waiting)][index_of(call)];
    if (known == nullptr) known = &open(call);
    return *known;
  }
  /// By how it combines (or that it lies on a device, where nobody combines), by operation and by
  /// class of sizes. (Where blocks differ in length no rank may judge by its own.)
  [[nodiscard]] std::size_t index_of(const Call& call) const;
  [[nodiscard]] Slot& open(const Call& call);
  /// MPI's functions for operators get no context: such calls can't be native.
  [[nodiscard]] static bool needs_context(const Call& call) {
    return call.reduction.function != nullptr && !call.reduction.predefined &&
           call.reduction.mpi_function == nullptr;
  }
  [[nodiscard]] static bool may_take_turn(const Slot& slot, const Call& call);
  /// Who carries a call out, and how.
  struct Route {
    Backend& backend;
    const plan::Choice* how;
  };
  [[nodiscard]] Route route_of(const Slot& slot, const Call& call, bool is_turn) const;
  /// The slot's present call took so long on this rank; after the last turn the ranks compare.
  void note_turn(Slot& slot, double seconds) const;
  /// Waits until they have compared.
  void learn(Slot& slot);

  static constexpr std::size_t waitings = 2;
  static constexpr std::size_t combinings = 3;
  static constexpr std::size_t operations = 11;
  static constexpr std::size_t size_classes = 65;

  Parts parts_;
  std::uint32_t epoch_ = 0;
  std::array<std::array<Slot*, combinings * operations * size_classes>, waitings> slots_{};
  std::array<Recent, operations> recent_{};
  std::vector<std::unique_ptr<Slot>> all_;  // of former epochs too: what was made ready names them
  LearnedTable learned_;
};

}  // namespace cartwright::comm
