// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cartwright/grid/kernels/binned_parts.hpp>
#include <cartwright/grid/kernels/device_reduction.hpp>
#include <cartwright/grid/kernels/pack.hpp>
#include <cartwright/grid/kernels/parts.hpp>
#include <cartwright/grid/kernels/rows.hpp>
#include <cmath>
#include <span>
#include <type_traits>

namespace cartwright::grid {

/// What the points of some rows contribute, gathered until a binned sum takes them as a block:
/// quicker than one by one.
template <Binned T>
class ContributionBlock {
 public:
  /// Calls `kernel(i, value)` for the row's points, `value` being 0 before.
  template <int D, class Kernel>
  void add_row(const Index<D>& first, const int end, const Kernel& kernel) {
    for (int x = first[0]; x < end;) {
      const int count = std::min(end - x, capacity - filled_);
      fill(first, x, count, kernel);
      x += count;
      filled_ += count;
      if (filled_ == capacity) flush();
    }
  }
  void flush() {
    for (int part = 0; part < parts; ++part)
      sums_.part[part].add(
          std::span<const double>(value_[part], static_cast<std::size_t>(filled_)));
    if (suspect_ == 0.0 && sums_.is_nan()) find_nan();
    filled_ = 0;
  }
  [[nodiscard]] const BinnedSums<T>& sums() const { return sums_; }
  [[nodiscard]] double suspect() const { return suspect_; }

 private:
  static constexpr int parts = BinnedParts<T>::count;
  static constexpr int capacity = 1024;

  /// Points of the row of `row`, from `first` on.
  template <int D, class Kernel>
  void fill(const Index<D>& row, const int first, const int count, const Kernel& kernel) {
    const Kernel local = kernel;  // in registers; see run_row
    const int at = filled_;
    Index<D> i = row;
    // Independence of points is the kernel's promise, so the row may be vectorised.
#pragma GCC ivdep
    for (int k = 0; k < count; ++k) {
      i[0] = first + k;
      T value{};
      local(i, value);
      for (int part = 0; part < parts; ++part)
        value_[part][at + k] = BinnedParts<T>::part(value, part);
    }
  }
#ifdef CARTWRIGHT_PACKS
  template <int D, class Kernel>
  requires(has_packs<T>)
      [[gnu::flatten]] void fill(const Index<D>& row, const int first, const int count,
                                 const InPacks<Kernel>& kernel) {
    const Kernel local = kernel.kernel;
    double(&to)[parts][capacity] = value_;
    const int at = filled_ - first;
    Index<D> begin = row;
    begin[0] = first;
    for_points_of_row<PackLength::vector>(kernel, begin, first + count, [&](const auto& i) {
      ValueAt<T, decltype(i)> value{};
      local(i, value);
      for (int part = 0; part < parts; ++part) {
        double* const place = &to[part][at + i[0]];
        if constexpr (std::is_same_v<decltype(value), T>)
          *place = BinnedParts<T>::part(value, part);
        else
          pack_of(value, part).copy_to(place, std::experimental::element_aligned);
      }
    });
  }
#endif
  void find_nan() {
    for (const auto& values : value_)
      for (int k = filled_ - 1; k >= 0; --k)
        if (std::isnan(values[k])) suspect_ = values[k];
  }

  double value_[parts][capacity];  // not set: what is read was written
  int filled_ = 0;
  BinnedSums<T> sums_;
  double suspect_ = 0.0;
};

/// Gathers what a kernel contributes to a sum on one rank, box after box. Neither cuts into boxes
/// nor threads change the result.
template <int D, class Reduction>
class BinnedReduction {
 public:
  using Value = typename Reduction::Value;
  using Partial = BinnedSums<Value>;

  explicit BinnedReduction(const Box<D>& /*owned*/) {}

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
    const Rows<D> rows(box);
    const auto parts = results_of_ranges(box.size(), rows.count, [=](long long from, long long to) {
      ContributionBlock<Value> block;
      const auto add_row = [&](const Index<D>& first, int end) {
        block.add_row(first, end, kernel);
      };
      for_rows(rows, from, to, add_row, prologue);
      block.flush();
      return Part{block.sums(), block.suspect()};
    });
    for (const Part& part : parts) {
      sums_ += part.sums;
      if (suspect_ == 0.0) suspect_ = part.suspect;
    }
  }
  [[nodiscard]] const Partial& result() const { return sums_; }
  /// A NaN that a point contributed, or 0.
  [[nodiscard]] double suspect() const { return suspect_; }

  template <class Kernel>
  void add_on_device(const Box<D>& box, const Kernel& kernel) {
    const Box<D> range = box;
    const Kernel point_kernel = kernel;
    sums_ += reduce_on_device<Partial, Partial>(
        box.size(), KOKKOS_LAMBDA(const long long number, Partial& thread_sums) {
          Value value{};
          point_kernel(point_of(range, number), value);
          thread_sums.add(value);
        });
  }

 private:
  struct Part {
    Partial sums;
    double suspect = 0.0;
  };

  Partial sums_;
  double suspect_ = 0.0;
};

}  // namespace cartwright::grid
