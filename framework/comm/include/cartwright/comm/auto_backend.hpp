// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cartwright/comm/backend.hpp>
#include <cartwright/comm/selection/selection.hpp>
#include <cartwright/plan/selection/operation.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace cartwright::comm {

/// Leaves each call to the backend that is the quickest for its operation and size.
class AutoBackend final : public Backend {
 public:
  /// The backend of that name, for such problems (of which nobody asks again).
  using Find =
      std::function<Backend&(std::string_view name, const plan::Problem& problem, Waiting waiting)>;

  AutoBackend(std::shared_ptr<const Selection> selection, Find find)
      : selection_(std::move(selection)), find_(std::move(find)) {}

  [[nodiscard]] std::string_view name() const noexcept override { return "auto"; }
  void run(const Call& call) override { backend_for(call).run(call); }
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const Call& call) override {
    return backend_for(call).prepare(call);
  }
  /// Who carries out such a call.
  [[nodiscard]] Backend& backend_for(const Call& call) {
    Backend*& known = known_[static_cast<std::size_t>(call.waiting)]
                            [static_cast<std::size_t>(call.operation)][size_class(call)];
    if (known == nullptr) known = &choose(call);
    if (needs_context(call) && known->name() == "native")
      return find_("p2p", problem_of(call, selection_->shape().ranks), call.waiting);
    return *known;
  }

 private:
  /// Sizes from a power of two up to the next are treated alike. (Where blocks differ in length no
  /// rank may judge by its own.)
  [[nodiscard]] std::size_t size_class(const Call& call) const {
    const plan::Problem problem = problem_of(call, selection_->shape().ranks);
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(problem.bytes())));
  }
  /// MPI's functions for operators get no context.
  [[nodiscard]] static bool needs_context(const Call& call) {
    return call.reduction.function != nullptr && !call.reduction.predefined &&
           call.reduction.mpi_function == nullptr;
  }
  [[nodiscard]] Backend& choose(const Call& call) const {
    plan::Problem problem = problem_of(call, selection_->shape().ranks);
    problem.elements =
        static_cast<plan::Count>(std::bit_floor(static_cast<std::uint64_t>(problem.bytes())));
    problem.element_size = 1;
    return find_(selection_->backend_for(problem, call.waiting), problem, call.waiting);
  }

  static constexpr std::size_t waitings = 2;
  static constexpr std::size_t operations = 11;
  static constexpr std::size_t size_classes = 65;

  std::shared_ptr<const Selection> selection_;
  Find find_;
  std::array<std::array<std::array<Backend*, size_classes>, operations>, waitings> known_{};
};

}  // namespace cartwright::comm
