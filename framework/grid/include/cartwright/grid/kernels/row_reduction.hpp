// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/grid/kernels/device_reduction.hpp>
#include <cartwright/grid/kernels/pack.hpp>
#include <cartwright/grid/kernels/reduction.hpp>
#include <cartwright/grid/kernels/rows.hpp>
#include <type_traits>
#include <vector>

namespace cartwright::grid {

/// What a kernel of a reduction makes of `value` along the row of `first`.
template <class Reduction, class Kernel, class Value, int D>
[[gnu::flatten]] Value row_of_reduction(const Kernel& kernel, const Index<D>& first, const int end,
                                        Value value) {
  const Kernel local = kernel;  // in registers; see run_row
  Index<D> i = first;
  for (int x = first[0]; x < end; ++x) {
    i[0] = x;
    local(i, value);
  }
  return value;
}
#ifdef CARTWRIGHT_PACKS
/// Each place of a pack has a value of its own; they meet at the end.
template <class Reduction, class Kernel, int D>
[[gnu::flatten]] double row_of_reduction(const InPacks<Kernel>& kernel, const Index<D>& first,
                                         const int end, double value) {
  const Kernel local = kernel.kernel;
  PackOf<points_of_vector> values = Reduction::identity();
  for_points_of_row<PackLength::vector>(kernel, first, end, [&](const auto& i) {
    if constexpr (std::is_same_v<decltype(i), const Index<D>&>)
      local(i, value);
    else
      local(i, values);
  });
  for (int k = 0; k < points_of_vector; ++k)
    Reduction::join(value, values[static_cast<std::size_t>(k)]);
  return value;
}
#endif

/// Gathers a kernel's contributions on one rank, box after box, in an order that does not depend on
/// threads: one partial result for each row of the block (and segment of a long row), joined at the
/// end in memory order.
template <int D, class Reduction>
class RowReduction {
 public:
  using Value = typename Reduction::Value;

  /// `owned`: the block that all boxes are parts of.
  explicit RowReduction(const Box<D>& owned) : rows_(owned) {
    partial_.assign(static_cast<std::size_t>(rows_.count), Reduction::identity());
  }

  /// Calls `kernel(i, value)` for every point of `box`.
  template <class Kernel, class Prologue = NoPrologue>
  void add(const Box<D>& box, const Kernel& kernel, const Prologue& prologue = {}) {
    if (box.empty()) return;
    if constexpr (kernels_run_on_host)
      add_on_host(box, kernel, prologue);
    else
      add_on_device(box, kernel);
  }
  /// Of a kernel that runs on the host, whatever others do.
  template <class Kernel, class Prologue = NoPrologue>
  void add_on_host(const Box<D>& box, const Kernel& kernel, const Prologue& prologue = {}) {
    const Rows<D> all = rows_;
    Value* const partial = partial_.data();
    const auto reduce_row = [=](const Index<D>& first, const int end) {
      Value& slot = partial[all.number(first)];
      slot = row_of_reduction<Reduction>(kernel, first, end, slot);
    };
    for_each_row<D>(box, reduce_row, prologue);
  }

  [[nodiscard]] Value result() const {
    Value total = Reduction::identity();
    for (const Value& value : partial_) Reduction::join(total, value);
    return total;
  }

  /// A result that may be a NaN, or 0.
  [[nodiscard]] double suspect() const {
    if constexpr (std::is_floating_point_v<Value>)
      return static_cast<double>(result());
    else
      return 0.0;
  }

  /// On a device the order within a box is Kokkos' own.
  template <class Kernel>
  void add_on_device(const Box<D>& box, const Kernel& kernel) {
    const Box<D> range = box;
    const Kernel point_kernel = kernel;
    const Value value = reduce_on_device<Value, Reduction>(
        box.size(), KOKKOS_LAMBDA(const long long number, Value& thread_value) {
          point_kernel(point_of(range, number), thread_value);
        });
    Reduction::join(partial_.front(), value);
  }

 private:
  Rows<D> rows_;
  std::vector<Value> partial_;
};

}  // namespace cartwright::grid
