// SPDX-License-Identifier: Apache-2.0
#include "heat.hpp"

#include <emmintrin.h>

#include <algorithm>
#include <cartwright/rt/mpi_check.hpp>
#include <utility>

namespace cartwright::bench::peer {

Heat::Heat(const HeatProblem& problem, Arithmetic arithmetic)
    : arithmetic_(arithmetic),
      factor_(problem.factor),
      now_(problem.extents),
      next_(problem.extents) {
  rt::mpi_check(MPI_Comm_dup(problem.comm, &comm_), "MPI_Comm_dup");
  for (std::size_t axis = 0; axis < 3; ++axis)
    weight_[axis] = problem.inverse_spacing[axis] * problem.inverse_spacing[axis];
  for (int face = 0; face < 6; ++face) {
    side(face).neighbour = problem.neighbours[static_cast<std::size_t>(face)];
    if (!is_remote(face)) continue;
    const Range r = layer(face, false);
    const auto points = static_cast<std::size_t>(r.x1 - r.x0) *
                        static_cast<std::size_t>(r.y1 - r.y0) *
                        static_cast<std::size_t>(r.z1 - r.z0);
    side(face).outgoing.resize(points);
    side(face).incoming.resize(points);
  }
}

Heat::~Heat() {
  MPI_Comm_free(&comm_);
}

Heat::Range Heat::layer(int face, bool ghosts) const {
  Range r{0, extent(0), 0, extent(1), 0, extent(2)};
  const int axis = face / 2;
  const int at = face % 2 == 0 ? (ghosts ? -1 : 0) : extent(axis) - (ghosts ? 0 : 1);
  (axis == 0 ? r.x0 : axis == 1 ? r.y0 : r.z0) = at;
  (axis == 0 ? r.x1 : axis == 1 ? r.y1 : r.z1) = at + 1;
  return r;
}

void Heat::pack(int face) {
  const Range r = layer(face, false);
  double* const buffer = side(face).outgoing.data();
  const std::ptrdiff_t length = r.x1 - r.x0;
  for_rows(r.y0, r.y1, r.z0, r.z1, [&](int y, int z) {
    const double* __restrict from = now_.row(y, z) + r.x0;
    double* __restrict to = buffer + ((z - r.z0) * (r.y1 - r.y0) + (y - r.y0)) * length;
    std::copy(from, from + length, to);
  });
}

void Heat::unpack(int face) {
  const Range r = layer(face, true);
  const double* const buffer = side(face).incoming.data();
  const std::ptrdiff_t length = r.x1 - r.x0;
  for_rows(r.y0, r.y1, r.z0, r.z1, [&](int y, int z) {
    const double* __restrict from = buffer + ((z - r.z0) * (r.y1 - r.y0) + (y - r.y0)) * length;
    std::copy(from, from + length, now_.row(y, z) + r.x0);
  });
}

void Heat::post() {
  requests_.clear();
  for (int face = 0; face < 6; ++face) {
    if (!is_remote(face)) continue;
    auto& in = side(face).incoming;
    // What leaves through a low face arrives at a high one.
    rt::mpi_check(MPI_Irecv(in.data(), static_cast<int>(in.size()), MPI_DOUBLE,
                            side(face).neighbour, face ^ 1, comm_, &requests_.emplace_back()),
                  "MPI_Irecv");
  }
  for (int face = 0; face < 6; ++face) {
    if (!is_remote(face)) continue;
    pack(face);
    const auto& out = side(face).outgoing;
    rt::mpi_check(MPI_Isend(out.data(), static_cast<int>(out.size()), MPI_DOUBLE,
                            side(face).neighbour, face, comm_, &requests_.emplace_back()),
                  "MPI_Isend");
  }
}

/// Physical y and z faces; x faces are set in the row loop.
void Heat::fill_physical() {
  const int nx = extent(0);
  const auto negate = [&](int y_from, int z_from, int y_to, int z_to) {
    const double* __restrict from = now_.row(y_from, z_from);
    double* __restrict to = now_.row(y_to, z_to);
#pragma omp simd
    for (int x = 0; x < nx; ++x) to[x] = -from[x];
  };
  const int ny = extent(1);
  const int nz = extent(2);
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int z = 0; z < nz; ++z) {
      if (!is_remote(2)) negate(0, z, -1, z);
      if (!is_remote(3)) negate(ny - 1, z, ny, z);
    }
#pragma omp for schedule(static)
    for (int y = 0; y < ny; ++y) {
      if (!is_remote(4)) negate(y, 0, y, -1);
      if (!is_remote(5)) negate(y, nz - 1, y, nz);
    }
  }
}

template <Heat::Arithmetic A>
void Heat::compute_rows(const Range& r) {
  const bool low_x = r.x0 == 0 && !is_remote(0);
  const bool high_x = r.x1 == extent(0) && !is_remote(1);
  const std::ptrdiff_t sy = now_.stride_y();
  const std::ptrdiff_t sz = now_.stride_z();
  for_rows(r.y0, r.y1, r.z0, r.z1, [&](int y, int z) {
    double* const here = now_.row(y, z);
    if (low_x) here[-1] = -here[0];
    if (high_x) here[r.x1] = -here[r.x1 - 1];
    const double* __restrict u = here;
    const double* __restrict ym = u - sy;
    const double* __restrict yp = u + sy;
    const double* __restrict zm = u - sz;
    const double* __restrict zp = u + sz;
    double* __restrict out = next_.row(y, z);
    const int begin = r.x0;
    const int end = r.x1;
    const double c = factor_;
    const double fx = weight_[0];
    const double fy = weight_[1];
    const double fz = weight_[2];
    if constexpr (A != Arithmetic::as_written) {
      const double cx = c * fx;
      const double cy = c * fy;
      const double cz = c * fz;
      const double c0 = 1.0 - 2.0 * (cx + cy + cz);
      const auto at = [=](int x) {
        return c0 * u[x] + cx * (u[x - 1] + u[x + 1]) + cy * (ym[x] + yp[x]) + cz * (zm[x] + zp[x]);
      };
      int x = begin;
      if constexpr (A == Arithmetic::streamed)
        for (; x % 8 == 0 && x + 8 <= end; x += 8) {  // rows begin on a cache line
          alignas(64) double line[8];
#pragma omp simd
          for (int k = 0; k < 8; ++k) line[k] = at(x + k);
          for (int k = 0; k < 8; k += 2) _mm_stream_pd(out + x + k, _mm_load_pd(line + k));
        }
#pragma omp simd
      for (int rest = x; rest < end; ++rest) out[rest] = at(rest);
    } else {
#pragma omp simd
      for (int x = begin; x < end; ++x)
        out[x] =
            u[x] + c * (fx * ((u[x - 1] + u[x + 1]) - 2.0 * u[x]) +
                        fy * ((ym[x] + yp[x]) - 2.0 * u[x]) + fz * ((zm[x] + zp[x]) - 2.0 * u[x]));
    }
  });
}

void Heat::compute(const Range& range) {
  if (arithmetic_ == Arithmetic::folded)
    compute_rows<Arithmetic::folded>(range);
  else if (arithmetic_ == Arithmetic::streamed)
    compute_rows<Arithmetic::streamed>(range);
  else
    compute_rows<Arithmetic::as_written>(range);
}

/// In chunks with polls between them: without polls MPI moves nothing of a large message meanwhile.
void Heat::compute_interior(const Range& interior) {
  if (requests_.empty()) return compute(interior);
  constexpr int chunks = 8;
  const int planes = interior.z1 - interior.z0;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    Range part = interior;
    part.z0 = interior.z0 + planes * chunk / chunks;
    part.z1 = interior.z0 + planes * (chunk + 1) / chunks;
    compute(part);
    int done = 0;
    rt::mpi_check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done,
                              MPI_STATUSES_IGNORE),
                  "MPI_Testall");
  }
}

void Heat::step() {
  post();
  fill_physical();
  Range rest{0, extent(0), 0, extent(1), 0, extent(2)};
  std::array<Range, 6> shell{};
  std::size_t layers = 0;
  for (int face = 5; face >= 0; --face) {
    if (!is_remote(face)) continue;
    Range cut = rest;
    int& begin = face / 2 == 0 ? rest.x0 : face / 2 == 1 ? rest.y0 : rest.z0;
    int& end = face / 2 == 0 ? rest.x1 : face / 2 == 1 ? rest.y1 : rest.z1;
    int& cut_begin = face / 2 == 0 ? cut.x0 : face / 2 == 1 ? cut.y0 : cut.z0;
    int& cut_end = face / 2 == 0 ? cut.x1 : face / 2 == 1 ? cut.y1 : cut.z1;
    if (face % 2 == 0)
      cut_end = ++begin;
    else
      cut_begin = --end;
    shell[layers++] = cut;
  }
  compute_interior(rest);
  rt::mpi_check(
      MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
      "MPI_Waitall");
  for (int face = 0; face < 6; ++face)
    if (is_remote(face)) unpack(face);
  for (std::size_t i = 0; i < layers; ++i) compute(shell[i]);
  std::swap(now_, next_);
}

}  // namespace cartwright::bench::peer
