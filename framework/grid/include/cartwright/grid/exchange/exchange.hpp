// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cartwright/grid/exchange/halo_plans.hpp>
#include <cartwright/grid/field/component_copy.hpp>
#include <cartwright/grid/field/field.hpp>
#include <cartwright/grid/field/launch.hpp>
#include <cartwright/grid/field/row_fetch.hpp>
#include <cartwright/grid/field/staggered.hpp>
#include <cartwright/grid/kernels/caches.hpp>
#include <cartwright/grid/kernels/row_blocks.hpp>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace cartwright::grid {

template <int D, class... Fields>
class ExchangeInFlight;

/// One exchange of the ghosts of some fields, all in one message per neighbour. Made by
/// `exchange()`; one of its verbs is called, once. All ranks of the grid exchange the same fields
/// in the same order.
template <int D, class... Fields>
class Exchange {
 public:
  explicit Exchange(Fields&... fields) : Exchange(GhostsWanted::all, fields...) {}
  explicit Exchange(GhostsWanted wanted, Fields&... fields)
      : fields_(fields...),
        grid_(std::get<0>(fields_).typed_grid()),
        app_(grid_.app()),
        wanted_(wanted),
        plan_(plans_of(grid_).find(std::array{fields.shape(wanted)...})),
        time_(grid_.time()) {}

  /// Boundary conditions hold at `time`, not at the begin of the step: for the stages of a step.
  [[nodiscard]] Exchange at(double time) && {
    time_ = time;
    return std::move(*this);
  }

  /// Exchanges, and runs `kernel(i)` on the owned points of the first field meanwhile: first where
  /// no message is waited for, then on the rest. With a reduction, `overlap(kernel, Sum(x))`, the
  /// kernel is called as `kernel(i, value)`. The kernel must not write what is exchanged.
  template <class Kernel, class... Reduction>
  void overlap(const Kernel& kernel, const Reduction&... reduction) && {
    const rt::Timed timed(trace(), regions().exchange);
    const auto& first = std::get<0>(fields_);
    const bool x_ghosts_by_row = can_set_x_ghosts_by_row();
    begin(x_ghosts_by_row, app_.exchange_options().overlap);
    if (!app_.exchange_options().overlap) finish();
    auto sweep = make_sweep<D>(grid_, first.owned(), kernel, reduction...);
    if (x_ghosts_by_row)
      sweep_all(sweep, row_ghosts());
    else
      sweep_all(sweep, std::tuple<>());
    sweep.finish();
  }

  /// Exchanges without a kernel; returns when the ghosts are there.
  void wait() && {
    const rt::Timed timed(trace(), regions().exchange);
    begin(false, false);
    finish();
  }

  /// Exchanges while the caller does something else: the ghosts are there after the result's
  /// `wait()`. Until then the fields must stay, and their owned points must not be written.
  [[nodiscard]] ExchangeInFlight<D, Fields...> start() && {
    const rt::Timed timed(trace(), regions().exchange);
    begin(false, true);
    return ExchangeInFlight<D, Fields...>(*this);
  }

 private:
  friend class ExchangeInFlight<D, Fields...>;

  /// Between its parts the interior polls, so that MPI advances large messages.
  static constexpr int parts_of_interior = 8;
  static constexpr long long fewest_points_of_a_part = 16384;

  [[nodiscard]] rt::Trace& trace() const { return app_.runtime().trace(); }
  [[nodiscard]] const HaloRegions& regions() const { return plans_of(grid_).regions(); }
  [[nodiscard]] rt::ProgressEngine& engine() const { return app_.runtime().progress(); }

  template <class Visit>
  void for_each_field(const Visit& visit) {
    std::apply(
        [&visit](auto&... field) {
          int number = 0;
          (visit(number++, field), ...);
        },
        fields_);
  }

  /// Rows of all fields must be the rows that the kernel runs on.
  [[nodiscard]] bool can_set_x_ghosts_by_row() const {
    const Centring centring = std::get<0>(fields_).centring();
    return std::apply(
        [this, centring](const auto&... field) {
          return ((field.can_set_x_ghosts_by_row(wanted_) && field.centring() == centring) && ...);
        },
        fields_);
  }

  [[nodiscard]] auto row_ghosts() {
    return std::apply(
        [time = time_](auto&... field) { return std::tuple(field.row_ghosts(time)...); }, fields_);
  }
  /// What is fetched before a row: nothing unless `wanted`, for fields that may leave the caches.
  /// Sweeps that store either way fetch themselves. In two dimensions rows are too long to be
  /// fetched at once, and parts of them gained nothing.
  template <class Sweep>
  [[nodiscard]] auto row_fetches(bool wanted) const {
    if constexpr (D < 3 || !kernels_run_on_host || StoresEitherWay<Sweep>) {
      return std::tuple<>();
    } else {
      const auto points = static_cast<std::size_t>(std::get<0>(fields_).owned().size());
      const bool fetches = wanted && may_leave_caches(points * bytes_of_point());
      return std::apply(
          [fetches](const auto&... field) { return std::tuple(row_fetch(field, fetches)...); },
          fields_);
    }
  }
  template <class T>
  [[nodiscard]] static RowFetch<T, D> row_fetch(const Field<T, D>& field, bool fetches) {
    const auto view = field.view();
    return {view, fetches ? elements_ahead(view, field.reach()) : 0};
  }

  /// `overlapped`: something is computed before `finish()`, which else is next, and sets what lies
  /// beyond the corners of physical faces.
  void begin(bool x_ghosts_by_row, bool overlapped);

  template <class T>
  static void set_x_ghosts(const Box<D>& owned, const RowGhosts<T, D>& ghosts) {
    for_each_row<D>(owned, [ghosts](const Index<D>& first, int end) { ghosts(first, end); });
  }

  /// `ghosts`: a tuple of those that are set row by row.
  template <class Sweep, class Ghosts>
  void sweep_all(Sweep& sweep, const Ghosts& ghosts) {
    const auto prologue = [&](bool fetches) {
      return RowPrologue{std::tuple_cat(ghosts, row_fetches<Sweep>(fetches))};
    };
    const Centring centring = std::get<0>(fields_).centring();
    sweep_interior(sweep, plan_.interior(centring), prologue(true));
    if (plan_.messages().busy()) finish();
    const rt::Timed timed(trace(), regions().shell);
    // What lies behind the shell's rows was gone through with the interior.
    const auto of_shell = prologue(false);
    for (const Box<D>& box : plan_.shell(centring)) sweep(box, of_shell);
  }

  /// Of all fields together.
  [[nodiscard]] std::size_t bytes_of_point() const {
    return std::apply([](const auto&... field) { return (field.shape().element_bytes + ...); },
                      fields_);
  }
  /// Into how many blocks of rows the interior is cut, see row_blocks().
  [[nodiscard]] int blocks_of(const Box<D>& interior, bool in_own_cache) const {
    if constexpr (!kernels_run_on_host) return 1;
    const int reach =
        std::apply([](const auto&... field) { return std::max({field.reach()...}); }, fields_);
    const StencilRead read{bytes_of_point(), reach, room_for_planes(in_own_cache)};
    Index<D> extent{};
    for (int axis = 0; axis < D; ++axis) extent[axis] = interior.extent(axis);
    return row_blocks<D>(extent, read);
  }

  template <class Sweep>
  [[nodiscard]] SweepTrial& trial_of(const Sweep& sweep, const Box<D>& interior) {
    StoreRule stores;
    if constexpr (StoresEitherWay<Sweep>) stores = sweep.stores();
    if (SweepTrial* const begun = plan_.sweep_trial(typeid(Sweep), stores)) return *begun;
    const bool blocks_differ = blocks_of(interior, true) != blocks_of(interior, false);
    return plan_.begin_trial(typeid(Sweep), stores, blocks_differ);
  }

  template <class Sweep, class Prologue>
  void sweep_interior(Sweep& sweep, const Box<D>& interior, const Prologue& prologue) {
    const rt::Trace::Mark mark = trace().open(regions().interior);
    const bool in_flight = plan_.messages().in_flight();
    SweepTrial& trial = trial_of(sweep, interior);
    const SweepManner manner = trial.manner();
    if constexpr (StoresEitherWay<Sweep>) sweep.store_past_caches(manner.past_caches);
    // Blocks of rows for the caches, and planes for what is in flight: more parts than blocks.
    const int blocks = blocks_of(interior, manner.in_own_cache);
    const int planes = interior.extent(D - 1);
    const long long wanted = in_flight
                                 ? std::min<long long>(interior.size() / fewest_points_of_a_part,
                                                       (parts_of_interior + blocks - 1) / blocks)
                                 : 1;
    const int parts = std::clamp(static_cast<int>(wanted), 1, std::max(planes, 1));
    for (int block = 0; block < blocks; ++block) {
      const Box<D> rows = blocks == 1 ? interior : interior.part(1 % D, block, blocks);
      for (int part = 0; part < parts; ++part) {
        sweep(rows.part(D - 1, part, parts), prologue);
        engine().poll();
      }
    }
    const double seconds = rt::seconds_between(mark.begin, trace().close(regions().interior, mark));
    if (trial.is_under_way()) ++app_.halo_statistics().tried_sweeps;
    trial.took(seconds);
    if (in_flight) app_.halo_statistics().overlapped_seconds += seconds;
  }

  void finish();

  [[nodiscard]] auto direct_copies() {
    return [this](const HaloPart<D>& part, const TheirField& theirs, const Box<D>& facing,
                  comm::DirectCopy which) {
      for_each_field([&](int number, auto& field) {
        if (part.field == number) copy_directly(field, part, theirs, facing, which);
      });
    };
  }
  /// The neighbour's field is seen here as its own rank sees it, and lies as its extents say.
  template <class T>
  void copy_directly(Field<T, D>& field, const HaloPart<D>& part, const TheirField& theirs,
                     const Box<D>& facing, comm::DirectCopy which) const {
    std::byte* const memory =
        grid_.ranks().shared_fields()->memory_of(theirs.place.number, theirs.rank);
    Index<D> extent{};
    for (int axis = 0; axis < D; ++axis)
      extent[axis] = theirs.place.extent[static_cast<std::size_t>(axis)];
    const Layout<D> layout = layout_of<T>(extent, field.options().halo);
    const FieldView<T, D> other(reinterpret_cast<StoredOf<T>*>(memory) + layout.origin, layout, {},
                                0);
    if (which == comm::DirectCopy::from_neighbour)
      copy_between<T, D>(other.reading(), facing, part.components, field.view(), part.box);
    else
      copy_between<T, D>(field.view().reading(), part.box, part.components, other, facing);
  }

  template <class T>
  static void pack(Field<T, D>& field, const HaloPart<D>& part, std::byte* to) {
    grid::pack<T, D>(field.view().reading(), part.box, part.components, to);
  }
  template <class T>
  static void unpack(Field<T, D>& field, const HaloPart<D>& part, const std::byte* from) {
    grid::unpack<T, D>(from, part.box, part.components, field.view());
  }
  template <class T>
  static void copy(Field<T, D>& field, const HaloCopy<D>& copy) {
    copy_between<T, D>(field.view().reading(), copy.from, copy.components, field.view(), copy.to);
  }

  std::tuple<Fields&...> fields_;
  Grid<D>& grid_;
  App& app_;
  GhostsWanted wanted_;
  HaloPlan<D>& plan_;
  double time_;
};

template <int D, class... Fields>
void Exchange<D, Fields...>::begin(bool x_ghosts_by_row, bool overlapped) {
  plan_.count(app_.halo_statistics(), overlapped);
  {
    const rt::Timed timed(trace(), regions().boundary);
    for_each_field([this](int, auto& field) { field.impose_boundary(time_); });
  }
  plan_.begin(
      [this](const HaloPart<D>& part, std::byte* to) {
        for_each_field([&](int number, auto& field) {
          if (part.field == number) pack(field, part, to);
        });
      },
      [this](int wanted) {
        int result = FieldRoom::none;
        for_each_field([&](int number, auto& field) {
          if (number == wanted) result = field.shared_number();
        });
        return result;
      },
      direct_copies());
  const rt::Timed timed(trace(), regions().boundary);
  for_each_field([this, x_ghosts_by_row, overlapped](int number, auto& field) {
    // Both ends of a row in one pass, if not inside the sweep: a row's end is a cache line.
    const bool by_row = field.can_set_x_ghosts_by_row(wanted_);
    if (by_row && !x_ghosts_by_row) set_x_ghosts(field.owned(), field.row_ghosts(time_));
    for (const HaloCopy<D>& each : plan_.copies())
      if (each.field == number && !(each.across_x_face && by_row)) copy(field, each);
    // Corners that no message brings are read in the interior already.
    using Corners = typename std::remove_reference_t<decltype(field)>::Corners;
    const bool corners = field.has_corners(wanted_);
    if (overlapped || !corners)
      field.fill_boundary(time_, corners ? Corners::without_messages : Corners::none,
                          by_row ? 1 : 0, wanted_);
    if (HaloChecks* const checks = grid_.checks()) checks->refreshed(field.halo_state(), corners);
  });
}

template <int D, class... Fields>
void Exchange<D, Fields...>::finish() {
  app_.halo_statistics().waited_seconds += plan_.complete(
      [this](const HaloPart<D>& part, const std::byte* from) {
        for_each_field([&](int number, auto& field) {
          if (part.field == number) unpack(field, part, from);
        });
      },
      direct_copies());
  const rt::Timed timed(trace(), regions().boundary);
  for_each_field([this](int, auto& field) {
    using Corners = typename std::remove_reference_t<decltype(field)>::Corners;
    if (field.has_corners(wanted_)) field.fill_boundary(time_, Corners::all, 0, wanted_);
  });
}

// Of one field of doubles: compiled once, in src/exchange/double_exchanges.cpp.
extern template class Exchange<1, Field<double, 1>>;
extern template class Exchange<2, Field<double, 2>>;
extern template class Exchange<3, Field<double, 3>>;

/// An exchange under way: what `exchange(u).start()` returns. Waits when destroyed.
template <int D, class... Fields>
class ExchangeInFlight {
 public:
  explicit ExchangeInFlight(const Exchange<D, Fields...>& exchange) : exchange_(exchange) {}
  ExchangeInFlight(const ExchangeInFlight&) = delete;
  ExchangeInFlight& operator=(const ExchangeInFlight&) = delete;
  ~ExchangeInFlight() {
    if (rt::unwinding())
      exchange_.plan_.messages().abandon();
    else
      wait();
  }

  /// Polls once; true when all messages have left and arrived.
  bool test() { return exchange_.plan_.messages().test() || finished_; }
  /// Returns when the ghosts are there.
  void wait() {
    if (!finished_) exchange_.finish();
    finished_ = true;
  }

 private:
  Exchange<D, Fields...> exchange_;
  bool finished_ = false;
};

template <class T, int D, std::size_t... axis>
[[nodiscard]] auto parts_of(Staggered<T, D>& field, std::index_sequence<axis...> /*axes*/) {
  return std::tie(field[static_cast<int>(axis)]...);
}

/// Refreshes the ghosts of one or more fields of one grid: `exchange(u, v).overlap(kernel)`,
/// `exchange(u).wait()` or `exchange(u).start()`. Planned at the first call, reused at every
/// further one.
template <int D, class... T>
[[nodiscard]] Exchange<D, Field<T, D>...> exchange(Field<T, D>&... fields) {
  static_assert(sizeof...(T) > 0, "exchange at least one field");
  return Exchange<D, Field<T, D>...>(fields...);
}

/// The same of all components of vector fields on faces.
template <int D, class... T>
[[nodiscard]] auto exchange(Staggered<T, D>&... fields) {
  return std::apply([](auto&... each) { return exchange(each...); },
                    std::tuple_cat(parts_of(fields, std::make_index_sequence<D>{})...));
}

}  // namespace cartwright::grid
