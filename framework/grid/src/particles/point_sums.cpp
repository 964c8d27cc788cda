// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/particles/point_sums.hpp>

#include <algorithm>
#include <cartwright/grid/exchange/halo_plans.hpp>
#include <cartwright/grid/field/grid_base.hpp>
#include <cartwright/grid/kernels/combine.hpp>
#include <cartwright/grid/kernels/parts.hpp>
#include <cartwright/grid/kernels/rows.hpp>
#include <cartwright/grid/particles/particles.hpp>
#include <cartwright/grid/run/app.hpp>
#include <cartwright/rt/large_pages.hpp>
#include <cstring>
#include <limits>

namespace cartwright::grid {
namespace {

template <int D>
Index<D> extent_of(const Block& block) {
  Index<D> extent{};
  for (int axis = 0; axis < D; ++axis)
    extent[axis] = static_cast<int>(block.count[static_cast<std::size_t>(axis)]);
  return extent;
}

/// Numbers below 2^e in size are cut at 2^(e - 28), 2^(e - 57) and 2^(e - 86): 2^24 of them, or of
/// what the cut before has left, are below 2^53 such units. Far from where doubles end.
std::array<double, 3> marks_for(double greatest) {
  int exponent = 0;
  (void)std::frexp(greatest, &exponent);
  exponent = std::clamp(exponent, -900, 990);
  return {std::ldexp(1.5, exponent + 24), std::ldexp(1.5, exponent - 5),
          std::ldexp(1.5, exponent - 34)};
}

/// Of two points that follow each other along x: in vectors of the processor, which compilers of
/// today don't make of loops over two.
using Pair = double __attribute__((vector_size(16)));

Pair load(const double* from) {
  Pair result;
  std::memcpy(&result, from, sizeof result);
  return result;
}
void store(double* to, const Pair& pair) {
  std::memcpy(to, &pair, sizeof pair);
}

}  // namespace

template <int D>
PointSums<D>::PointSums(const GridBase& grid, Centring centring, int numbers,
                        const std::string& field)
    : grid_(grid),
      numbers_(numbers),
      layout_(extent_of<D>(grid.block(centring)), 1, sizeof(double), slices * numbers),
      greatest_(static_cast<std::size_t>(numbers)),
      marks_(greatest_.size()) {
  const Block block = grid.block(centring);
  for (int axis = 0; axis < D; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const double shift = is_nodal(centring, axis) ? 0.0 : 0.5;
    axes_[a] = {.origin = grid.origin(axis),
                .spacing = grid.spacing(axis),
                .shift = shift,
                .start = static_cast<double>(block.start[a]),
                .last = static_cast<double>(block.global[a] - 1),
                .reach = shift > 0.0 ? 1.0 : 0.0,
                .is_bounded = !grid.periodic(axis)};
    for (std::size_t corner = 0; corner < corner_.size(); ++corner)
      if ((corner >> a & 1) != 0) corner_[corner] += layout_.stride[axis];
  }
  const FieldShape shape{
      .centring = centring,
      .halo = 1,
      .corners = true,
      .element_bytes = static_cast<std::size_t>(slices * numbers) * sizeof(double),
      .components = slices * numbers};
  plan_ = std::make_unique<HaloPlan<D>>(grid, std::span(&shape, 1),
                                        HaloRegions(grid.trace()).messages, HaloWay::to_owners);
  const auto elements = static_cast<std::size_t>(layout_.elements);
  grid.require_memory_for(static_cast<double>(elements) * sizeof(double), field);
  sums_ = rt::zeros_in_large_pages<double>(elements);
}

template <int D>
PointSums<D>::~PointSums() = default;

template <int D>
void PointSums<D>::begin(const Particles& particles, std::span<const double> greatest) {
  particles_ = &particles;
  lost_ = -1;
  parts_ = threads_for(static_cast<long long>(particles.size()) + layout_.owned().size(),
                       layout_.extent[D - 1]);
  std::ranges::copy(greatest, greatest_.begin());
  {
    const rt::Timed timed(grid_.trace(), grid_.kernel_regions().across_ranks);
    combine_across_ranks(grid_.comm(), comm::values(std::span<double>(greatest_)),
                         comm::Operator::maximum, {"the scale of what particles give"});
  }
  std::ranges::transform(greatest_, marks_.begin(), marks_for);
}

template <int D>
void PointSums<D>::require_all_at_home() const {
  if (const std::ptrdiff_t lost = lost_; lost >= 0)
    HomeCells<D>::refuse(*particles_, static_cast<std::size_t>(lost));
}

/// `visit(row, bytes)`: of all slices of all numbers.
template <int D>
template <class Visit>
void PointSums<D>::for_each_array_and_row(const Box<D>& box, const Visit& visit) {
  const Box<D> columns = box.with(0, box.lower[0], box.lower[0] + 1);
  const std::size_t bytes = static_cast<std::size_t>(box.extent(0)) * sizeof(double);
  for (int array = 0; array < slices * numbers_; ++array)
    for (long long number = 0; number < columns.size(); ++number) {
      const Index<D> first = point_of(columns, number);
      std::ptrdiff_t at = layout_.origin + array * layout_.component_stride;
      for (int axis = 0; axis < D; ++axis) at += first[axis] * layout_.stride[axis];
      visit(sums_.data() + at, bytes);
    }
}

template <int D>
PointSums<D>::Part::Part(PointSums& sums, int part) : sums_(sums), home_(*sums.particles_) {
  const Box<D> mine = sums.layout_.with_ghosts().part(D - 1, part, sums.parts_);
  begin_ = mine.lower[D - 1];
  end_ = mine.upper[D - 1];
  // What belongs to nobody must be found, too: by those at the ends.
  constexpr double beyond = std::numeric_limits<double>::infinity();
  lowest_ = part == 0 ? -beyond : begin_ - 2;
  highest_ = part == sums.parts_ - 1 ? beyond : end_ + 2;
  sums.for_each_array_and_row(mine,
                              [](double* row, std::size_t bytes) { std::memset(row, 0, bytes); });
}

template <int D>
bool PointSums<D>::Part::next() {
  choose();
  if (some_.count == 0) return false;
  gather();
  if (const int lost = home_.find(some_); lost >= 0)
    sums_.lost_ = static_cast<std::ptrdiff_t>(particle(lost));
  std::fill_n(first_.begin(), some_.count, sums_.layout_.origin);
  for (std::size_t axis = 0; axis < D; ++axis) take_shares(axis);
  return true;
}

template <int D>
void PointSums<D>::Part::choose() {
  const std::size_t all = sums_.particles_->size();
  some_.count = 0;
  if (sums_.parts_ == 1) {
    const std::size_t end = std::min(next_ + at_once, all);
    for (; next_ < end; ++next_) some_.particle[static_cast<std::size_t>(some_.count++)] = next_;
    return;
  }
  const Axis& last = sums_.axes_[D - 1];
  const double* const position = sums_.particles_->position().along(D - 1).data();
  const double inverse = 1.0 / last.spacing;
  for (; some_.count < at_once && next_ < all; ++next_) {
    const double place = (position[next_] - last.origin) * inverse - last.start;
    some_.particle[static_cast<std::size_t>(some_.count)] = next_;
    // What is no number, too: somebody must find it.
    some_.count += static_cast<int>(!(place < lowest_)) & static_cast<int>(!(place > highest_));
  }
}

template <int D>
void PointSums<D>::Part::gather() {
  for (std::size_t axis = 0; axis < D; ++axis) {
    const double* const position =
        sums_.particles_->position().along(static_cast<int>(axis)).data();
    some_.position[axis] = position + particle(0);
    if (sums_.parts_ == 1) continue;  // they follow each other
    for (int k = 0; k < some_.count; ++k)
      gathered_[axis][static_cast<std::size_t>(k)] = position[particle(k)];
    some_.position[axis] = gathered_[axis].data();
  }
}

/// Without branches, which nobody could foresee; a particle whose place is no number counts as at
/// its own cell. Places are found from global numbers, which have the same bits on all ranks.
template <int D>
void PointSums<D>::Part::take_shares(std::size_t axis) {
  const double* const x = some_.position[axis];
  const int* const cell = some_.cell[axis].data();
  const Axis here = sums_.axes_[axis];
  const std::ptrdiff_t stride = sums_.layout_.stride[axis];
  for (std::size_t k = 0; k < static_cast<std::size_t>(some_.count); ++k) {
    const double place = (x[k] - here.origin) / here.spacing - here.shift;
    const double own = here.start + cell[k];
    const double lowest = std::max(own - here.reach, std::min(own, std::floor(place)));
    double upper = std::min(1.0, std::max(0.0, place - lowest));
    upper = here.is_bounded && lowest < 0.0 ? 1.0 : upper;
    upper = here.is_bounded && lowest == here.last ? 0.0 : upper;
    upper_[axis][k] = upper;
    row_[k] = static_cast<int>(lowest - here.start);
    first_[k] += stride * row_[k];
  }
}

template <int D>
void PointSums<D>::Part::add(int number, const double* values) {
  double* const sums = sums_.of_number(number);
  const std::ptrdiff_t next_slice = sums_.layout_.component_stride;
  const std::array<double, slices> marks = sums_.marks_[static_cast<std::size_t>(number)];
  const std::array<std::ptrdiff_t, corners> corner = sums_.corner_;
  for (std::size_t k = 0; k < static_cast<std::size_t>(some_.count); ++k) {
    if (row_[k] < begin_ || row_[k] + 1 >= end_) {
      add_at_edge(number, k, values[k]);
      continue;
    }
    double* const lowest = sums + first_[k];
    const Pair along_x{1.0 - upper_[0][k], upper_[0][k]};
    const std::array<double, corners / 2> of_rows = given_to_rows(k, values[k]);
#pragma GCC unroll 4
    for (std::size_t row = 0; row < of_rows.size(); ++row) {
      Pair rest = of_rows[row] * along_x;
      double* to = lowest + corner[2 * row];
#pragma GCC unroll 3
      for (std::size_t slice = 0; slice < slices; ++slice, to += next_slice) {
        const Pair cut = (rest + marks[slice]) - marks[slice];
        rest -= cut;
        store(to, load(to) + cut);
      }
    }
  }
}

/// To the rows of points around a particle.
template <int D>
std::array<double, PointSums<D>::corners / 2> PointSums<D>::Part::given_to_rows(
    std::size_t k, double value) const {
  std::array<double, corners / 2> result{value};
  std::size_t filled = 1;
  for (std::size_t axis = D; --axis > 0; filled *= 2) {
    const double upper = upper_[axis][k], lower = 1.0 - upper;
    for (std::size_t row = filled; row-- > 0;) {
      const double both = result[row];
      result[2 * row + 1] = both * upper;
      result[2 * row] = both * lower;
    }
  }
  return result;
}

/// Only to the points of this part.
template <int D>
void PointSums<D>::Part::add_at_edge(int number, std::size_t k, double value) {
  const std::array<double, corners / 2> of_rows = given_to_rows(k, value);
  for (std::size_t c = 0; c < corners; ++c) {
    const int here = row_[k] + static_cast<int>(c >> (D - 1) & 1);
    if (here < begin_ || here >= end_) continue;
    double rest = of_rows[c / 2] * (c % 2 != 0 ? upper_[0][k] : 1.0 - upper_[0][k]);
    double* to = sums_.of_number(number) + first_[k] + sums_.corner_[c];
    for (const double mark : sums_.marks_[static_cast<std::size_t>(number)]) {
      const double cut = (rest + mark) - mark;
      rest -= cut;
      *to += cut;
      to += sums_.layout_.component_stride;
    }
  }
}

template <int D>
void PointSums<D>::gather() {
  App& app = grid_.app();
  const rt::Timed timed(grid_.trace(), grid_.trace().region("exchange"));
  plan_->count(app.halo_statistics(), false);
  const auto copied_directly = [](const HaloPart<D>&, const TheirField&, const Box<D>&,
                                  comm::DirectCopy) {};  // all is packed
  plan_->begin(
      [this](const HaloPart<D>& part, std::byte* to) {
        for_each_array_and_row(part.box, [&](const double* row, std::size_t bytes) {
          std::memcpy(to, row, bytes);
          to += bytes;
        });
      },
      [](int) { return FieldPlace{}.number; }, copied_directly);
  for (const HaloCopy<D>& copy : plan_->copies()) add_within(copy);
  app.halo_statistics().waited_seconds += plan_->complete(
      [this](const HaloPart<D>& part, const std::byte* from) {
        for_each_array_and_row(part.box, [&](double* row, std::size_t bytes) {
          for (std::size_t at = 0; at < bytes; at += sizeof(double), from += sizeof(double)) {
            double theirs;
            std::memcpy(&theirs, from, sizeof theirs);
            *row++ += theirs;
          }
        });
      },
      copied_directly);
}

/// From ghosts that are images of this rank's own points.
template <int D>
void PointSums<D>::add_within(const HaloCopy<D>& copy) {
  std::ptrdiff_t distance = 0;
  for (int axis = 0; axis < D; ++axis)
    distance += (copy.to.lower[axis] - copy.from.lower[axis]) * layout_.stride[axis];
  for_each_array_and_row(copy.from, [distance](double* ghosts, std::size_t bytes) {
    for (std::size_t k = 0; k < bytes / sizeof(double); ++k)
      ghosts[distance + static_cast<std::ptrdiff_t>(k)] += ghosts[k];
  });
}

template <int D>
typename PointSums<D>::View PointSums<D>::view() const {
  View result{sums_.data() + layout_.origin, {}, layout_.component_stride};
  std::copy_n(layout_.stride, D, result.stride);
  return result;
}

template class PointSums<1>;
template class PointSums<2>;
template class PointSums<3>;

}  // namespace cartwright::grid
