// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cartwright/grid/field.hpp>
#include <cartwright/grid/halo_regions.hpp>
#include <cartwright/grid/launch.hpp>
#include <cartwright/rt/request.hpp>
#include <tuple>
#include <utility>

namespace cartwright::grid {

/// One exchange of the ghosts of some fields, all in one message per neighbour. Made by
/// `exchange()`; one of its verbs is called, once. All ranks of the grid exchange the same fields
/// in the same order.
template <int D, class... Fields>
class Exchange {
 public:
  explicit Exchange(Fields&... fields)
      : fields_(fields...),
        grid_(std::get<0>(fields_).typed_grid()),
        run_(grid_.run()),
        plan_(grid_.plans().find(std::array{fields.shape()...})) {}

  /// Exchanges, and runs `kernel(i)` on the owned points of the first field meanwhile: first where
  /// no message is waited for, then on the rest. With a reduction, `overlap(kernel, Sum(x))`, the
  /// kernel is called as `kernel(i, value)`. The kernel must not write what is exchanged.
  template <class Kernel, class... Reduction>
  void overlap(const Kernel& kernel, const Reduction&... reduction) && {
    const auto& first = std::get<0>(fields_);
    start();
    if (!run_.options().overlap) finish();
    auto sweep = make_sweep<D>(grid_, first.owned(), kernel, reduction...);
    sweep_interior(sweep, plan_.interior(first.centring()));
    if (plan_.busy()) finish();
    {
      const rt::Timed timed(trace(), regions().shell);
      for (const Box<D>& box : plan_.shell(first.centring())) sweep(box);
    }
    sweep.finish();
  }

  /// Exchanges without a kernel; returns when the ghosts are there.
  void wait() && {
    start();
    finish();
  }

 private:
  /// Between its parts the interior polls, so that MPI advances large messages.
  static constexpr int parts_of_interior = 8;
  static constexpr long long fewest_points_of_a_part = 16384;

  [[nodiscard]] rt::Trace& trace() const { return run_.runtime().trace(); }
  [[nodiscard]] const HaloRegions& regions() const { return grid_.plans().regions(); }
  [[nodiscard]] rt::ProgressEngine& engine() const { return run_.runtime().progress(); }

  template <class Visit>
  void for_each_field(const Visit& visit) {
    std::apply(
        [&visit](auto&... field) {
          int number = 0;
          (visit(number++, field), ...);
        },
        fields_);
  }

  void start() {
    plan_.start();
    plan_.count(run_.halo_statistics());
    for_each_field([this](int, auto& field) { field.impose_boundary(run_.time()); });
    {
      const rt::Timed timed(trace(), regions().pack);
      for (auto& neighbour : plan_.neighbours()) {
        for_each_field([&](int number, auto& field) { pack(number, field, neighbour.outgoing); });
        plan_.send(neighbour.outgoing);
      }
    }
    if (!plan_.neighbours().empty()) engine().add(plan_);
    const rt::Timed timed(trace(), regions().boundary);
    for_each_field([this](int number, auto& field) {
      for (const HaloCopy<D>& copy : plan_.copies())
        if (copy.field == number) copy_within(field.view(), copy.from, copy.to);
      field.fill_boundary(false);
      if (HaloChecks* const checks = grid_.checks())
        checks->refreshed(field.halo_state(), field.options().corners);
    });
  }

  template <class Sweep>
  void sweep_interior(Sweep& sweep, const Box<D>& interior) {
    const rt::Ticks begin = rt::now();
    const bool in_flight = plan_.busy() && !plan_.neighbours().empty();
    // Cut across the outermost axis: each part is one contiguous range of memory.
    const int lower = interior.lower[D - 1];
    const int extent = interior.extent(D - 1);
    const long long parts =
        in_flight ? std::clamp<long long>(interior.size() / fewest_points_of_a_part, 1,
                                          std::min(parts_of_interior, std::max(extent, 1)))
                  : 1;
    for (int part = 0; part < parts; ++part) {
      const auto edge = [&](int number) {
        return lower + static_cast<int>(part_begin(extent, static_cast<int>(parts), number));
      };
      sweep(interior.with(D - 1, edge(part), edge(part + 1)));
      engine().poll();
    }
    const rt::Ticks end = rt::now();
    trace().add(regions().interior, begin, end);
    if (in_flight) run_.halo_statistics().overlapped_seconds += rt::seconds_between(begin, end);
  }

  void finish() {
    wait_for_messages();
    const rt::Timed timed(trace(), regions().unpack);
    plan_.stage_arrived();
    for_each_field([this](int number, auto& field) {
      for (auto& neighbour : plan_.neighbours()) unpack(number, field, neighbour.incoming);
      if (field.options().corners) field.fill_boundary(true);
    });
    plan_.finish();
  }

  void wait_for_messages() {
    if (plan_.neighbours().empty()) return;
    const rt::Ticks begin = rt::now();
    engine().wait(plan_);
    const rt::Ticks end = rt::now();
    trace().add(regions().wait, begin, end);
    run_.halo_statistics().waited_seconds += rt::seconds_between(begin, end);
  }

  template <class T>
  static void pack(int number, Field<T, D>& field, HaloMessage<D>& message) {
    for (const HaloPart<D>& part : message.parts)
      if (part.field == number)
        grid::pack<T, D>(field.view().reading(), part.box,
                         reinterpret_cast<T*>(message.kernel_side + part.offset));
  }

  template <class T>
  static void unpack(int number, Field<T, D>& field, HaloMessage<D>& message) {
    for (const HaloPart<D>& part : message.parts)
      if (part.field == number)
        grid::unpack<T, D>(reinterpret_cast<const T*>(message.kernel_side + part.offset), part.box,
                           field.view());
  }

  std::tuple<Fields&...> fields_;
  Grid<D>& grid_;
  Run& run_;
  HaloPlan<D>& plan_;
};

/// Refreshes the ghosts of one or more fields of one grid: `exchange(u, v).overlap(kernel)` or
/// `exchange(u).wait()`. Planned at the first call, reused at every further one.
template <int D, class... T>
[[nodiscard]] Exchange<D, Field<T, D>...> exchange(Field<T, D>&... fields) {
  static_assert(sizeof...(T) > 0, "exchange at least one field");
  return Exchange<D, Field<T, D>...>(fields...);
}

}  // namespace cartwright::grid
