// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cartwright/rt/mpi_check.hpp>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "block.hpp"

namespace cartwright::bench::peer {

/// N doubles a cell of a block with `halo` ghost layers, on a process grid that is periodic along
/// all axes, as one writes it by hand: cells lie one after the other, x fastest; ghosts come axis
/// by axis, so that corners come, too.
template <int N, int halo>
class PeriodicCells {
 public:
  PeriodicCells(const Extents& extents, const Neighbours& neighbours, MPI_Comm comm)
      : extents_(extents), neighbours_(neighbours), comm_(comm) {
    const auto full = [&](std::size_t axis) { return extents_[axis] + 2 * halo; };
    stride_ = {N, N * static_cast<std::ptrdiff_t>(full(0)),
               N * static_cast<std::ptrdiff_t>(full(0)) * full(1)};
    const std::size_t doubles =
        static_cast<std::size_t>(stride_[2]) * static_cast<std::size_t>(full(2));
    memory_.reset(
        static_cast<double*>(std::aligned_alloc(64, (doubles * sizeof(double) + 63) / 64 * 64)));
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < doubles; ++i) memory_[i] = 0.0;
    origin_ = memory_.get() + halo * (stride_[0] + stride_[1] + stride_[2]);
  }

  /// The doubles of cell (x, y, z).
  [[nodiscard]] double* at(int x, int y, int z) const {
    return origin_ + x * stride_[0] + y * stride_[1] + z * stride_[2];
  }
  [[nodiscard]] const std::array<std::ptrdiff_t, 3>& stride() const {
    return stride_;
  }
  [[nodiscard]] const Extents& extents() const {
    return extents_;
  }
  friend void swap(PeriodicCells& a, PeriodicCells& b) noexcept {
    std::swap(a.memory_, b.memory_);
    std::swap(a.origin_, b.origin_);
  }

  void exchange() {
    for (int axis = 0; axis < 3; ++axis) exchange(axis);
  }

 private:
  struct Free {
    void operator()(double* memory) const noexcept { std::free(memory); }
  };

  void exchange(int axis) {
    const auto a = static_cast<std::size_t>(axis);
    const int last = extents_[a];
    int rank = 0;
    rt::mpi_check(MPI_Comm_rank(comm_, &rank), "MPI_Comm_rank");
    if (neighbours_[2 * a] == rank) {
      copy(axis, last - halo, -halo);
      copy(axis, 0, last);
      return;
    }
    for (std::size_t side = 0; side < 2; ++side) {
      out_[side].resize(doubles_of(axis));
      in_[side].resize(doubles_of(axis));
    }
    std::array<MPI_Request, 4> requests{};
    for (std::size_t side = 0; side < 2; ++side)
      rt::mpi_check(
          MPI_Irecv(in_[side].data(), static_cast<int>(in_[side].size()), MPI_DOUBLE,
                    neighbours_[2 * a + side], static_cast<int>(1 - side), comm_, &requests[side]),
          "MPI_Irecv");
    for (std::size_t side = 0; side < 2; ++side) {
      pack(axis, side == 0 ? 0 : last - halo, out_[side].data(), true);
      rt::mpi_check(
          MPI_Isend(out_[side].data(), static_cast<int>(out_[side].size()), MPI_DOUBLE,
                    neighbours_[2 * a + side], static_cast<int>(side), comm_, &requests[2 + side]),
          "MPI_Isend");
    }
    rt::mpi_check(MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    pack(axis, -halo, in_[0].data(), false);
    pack(axis, last, in_[1].data(), false);
  }

  /// Ghosts of the axes before are part of the layers.
  [[nodiscard]] std::array<std::array<int, 2>, 3> range(int axis, int from) const {
    std::array<std::array<int, 2>, 3> result{};
    for (int other = 0; other < 3; ++other) {
      const auto o = static_cast<std::size_t>(other);
      const int margin = other < axis ? halo : 0;
      result[o] = {-margin, extents_[o] + margin};
    }
    result[static_cast<std::size_t>(axis)] = {from, from + halo};
    return result;
  }
  [[nodiscard]] std::size_t doubles_of(int axis) const {
    std::size_t doubles = N;
    for (const auto& [begin, end] : range(axis, 0))
      doubles *= static_cast<std::size_t>(end - begin);
    return doubles;
  }
  /// Layers to a buffer, or back.
  void pack(int axis, int from, double* buffer, bool out) {
    const auto r = range(axis, from);
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(N) * (r[0][1] - r[0][0]);
#pragma omp parallel for collapse(2) schedule(static)
    for (int z = r[2][0]; z < r[2][1]; ++z)
      for (int y = r[1][0]; y < r[1][1]; ++y) {
        double* const cells = at(r[0][0], y, z);
        double* const place =
            buffer +
            ((z - r[2][0]) * static_cast<std::ptrdiff_t>(r[1][1] - r[1][0]) + (y - r[1][0])) * row;
        if (out)
          std::copy(cells, cells + row, place);
        else
          std::copy(place, place + row, cells);
      }
  }
  /// Layers of this block to its own ghosts.
  void copy(int axis, int from, int to) {
    const auto r = range(axis, from);
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(N) * (r[0][1] - r[0][0]);
    const std::ptrdiff_t shift = (to - from) * stride_[static_cast<std::size_t>(axis)];
#pragma omp parallel for collapse(2) schedule(static)
    for (int z = r[2][0]; z < r[2][1]; ++z)
      for (int y = r[1][0]; y < r[1][1]; ++y) {
        const double* const cells = at(r[0][0], y, z);
        std::copy(cells, cells + row, at(r[0][0], y, z) + shift);
      }
  }

  Extents extents_;
  Neighbours neighbours_;
  MPI_Comm comm_;
  std::array<std::ptrdiff_t, 3> stride_{};
  std::unique_ptr<double[], Free> memory_;
  double* origin_ = nullptr;
  std::array<std::vector<double>, 2> out_, in_;
};

}  // namespace cartwright::bench::peer
