// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cartwright/grid/field/boundary_face.hpp>
#include <cartwright/grid/field/field_copy.hpp>
#include <cartwright/grid/field/grid.hpp>
#include <cartwright/grid/field/storage.hpp>
#include <cartwright/grid/field/storage_checks.hpp>
#include <cartwright/grid/run/app.hpp>
#include <cartwright/grid/run/field_base.hpp>
#include <cartwright/grid/space/refused.hpp>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cartwright::grid {

struct FieldOptions {
  Centring centring = Centring::cell;
  int halo = 1;          ///< ghost layers on every face
  bool corners = false;  ///< exchange edges and corners too: for stencils that look diagonally
  /// Ghosts for as many steps at once as the deck's `time.fuse` says, or may try: `halo` is what
  /// one step reads (see fused()). Of values in the middle of cells.
  bool fused = false;
  /// Where each component goes, for kernels that read component c at i - directions[c] and at i
  /// only: ghosts hold those then that come in where they lie, and no others travel between ranks.
  /// Rules of the user's own that look at ghosts see no others, either. Default: all.
  std::vector<Index<3>> directions{};
};

/// Which ghosts an exchange brings: all that a field has, or those that one step reads.
enum class GhostsWanted { all, of_one_step };

/// Values of type T at the points of a grid: numbers, Vector<number, N>, or Arrays of those, which
/// lie otherwise in memory. Owns its memory; starts with zeros. Boundary conditions come from the
/// deck, by the field's name; a program may set them.
template <class T, int D>
class Field final : public FieldBase {
  static_assert(ElementTraits<T>::are_numbers,
                "cartwright: a field holds numbers or Vector<number, N>: unsigned char in place of "
                "bool, double in place of long double, Vector<double, N> in place of a struct or "
                "complex numbers");

 public:
  /// Collective. Throws an input error if a rank's block is smaller than the halo.
  Field(Grid<D>& grid, std::string name, FieldOptions options = {});
  Field(const Field&) noexcept(refused::FieldInKernel<T>::value);
  Field& operator=(const Field&) = delete;
  Field(Field&&) noexcept = default;
  Field& operator=(Field&&) noexcept = default;
  ~Field() override = default;

  /// Collective. A further field of the same name, shape and boundary conditions with memory of its
  /// own; conditions that are set later hold for one of them only.
  [[nodiscard]] Field like() const { return Field(*grid_, std::make_unique<Meaning>(*meaning_)); }

  /// What kernels capture. See FieldView.
  [[nodiscard]] FieldView<T, D> view() { return make_view<T>(); }
  [[nodiscard]] FieldView<const T, D> view() const { return make_view<const T>(); }
  T& operator()(const Index<D>&) const noexcept(refused::FieldInKernel<T>::value);

  /// Exchanges memory only: names, boundary conditions and exchange plans stay where they are.
  friend void swap(Field& a, Field& b) noexcept { std::swap(a.storage_, b.storage_); }

  /// Sets the condition on a physical face; ignored on the faces of periodic axes.
  void set_boundary(Face face, BoundaryCondition condition) {
    meaning_->faces[static_cast<std::size_t>(face.number())].set(std::move(condition));
  }
  [[nodiscard]] BoundaryCondition boundary(Face face) const {
    return meaning_->faces[static_cast<std::size_t>(face.number())].condition();
  }
  /// True if a rule of the user's own holds there, and not boundary(face).
  [[nodiscard]] bool has_users_rule(Face face) const {
    return meaning_->faces[static_cast<std::size_t>(face.number())].has_users_rule();
  }
  /// A rule of the user's own: `ghost(view, i, position, time)` returns the value of ghost point i.
  template <class Ghost>
  void set_boundary(Face face, Ghost ghost);

  [[nodiscard]] Box<D> owned() const { return layout_.owned(); }
  [[nodiscard]] const Layout<D>& layout() const noexcept { return layout_; }
  /// Of a fused field: with the halo that it has, and corners.
  [[nodiscard]] const FieldOptions& options() const noexcept { return meaning_->options; }
  /// The halo that was asked for: what one step reads.
  [[nodiscard]] int reach() const noexcept { return meaning_->reach; }
  /// For how many steps it has ghosts.
  [[nodiscard]] int steps_at_once() const noexcept override {
    return std::max(meaning_->options.halo / std::max(meaning_->reach, 1), 1);
  }
  [[nodiscard]] FieldShape shape(GhostsWanted wanted = GhostsWanted::all) const {
    return {meaning_->options.centring,
            wanted == GhostsWanted::all ? meaning_->options.halo : meaning_->reach,
            has_corners(wanted),
            sizeof(ElementOf<T>),
            ElementTraits<T>::components,
            wanted == GhostsWanted::all && steps_at_once() > 1 ? Crossing() : meaning_->crossing};
  }
  [[nodiscard]] bool has_corners(GhostsWanted wanted) const {
    return wanted == GhostsWanted::all ? meaning_->options.corners : meaning_->step_has_corners;
  }
  [[nodiscard]] Coordinates<D> coordinates() const {
    return grid_->coordinates(meaning_->options.centring);
  }
  [[nodiscard]] Grid<D>& typed_grid() const noexcept { return *grid_; }
  [[nodiscard]] HaloState& halo_state() noexcept { return storage_->state(); }
  /// Of the memory that it shares with the ranks of the node at present, or FieldRoom::none.
  [[nodiscard]] int shared_number() const noexcept { return storage_->shared_number(); }

  /// Fills the ghosts on physical faces; with corners also beyond the block's edges, from ghosts
  /// that are there: all of them, or those that no message brings. `first_axis` 1: not on x faces.
  /// Part of an exchange.
  enum class Corners { none, without_messages, all };
  void fill_boundary(double time, Corners corners, int first_axis = 0,
                     GhostsWanted wanted = GhostsWanted::all);
  /// True if the ghosts on x faces may be set row by row (see RowGhosts).
  [[nodiscard]] bool can_set_x_ghosts_by_row(GhostsWanted wanted = GhostsWanted::all) const;
  /// How they are set.
  [[nodiscard]] RowGhosts<T, D> row_ghosts(double time);

  /// How ghosts on the physical face `face` follow from the values inside, for kernels. Not for a
  /// rule of the user's own. Valid until the condition is set, or asked for at another time.
  [[nodiscard]] FaceRule<T, D> face_rule(Face face, double time) {
    return meaning_->faces[static_cast<std::size_t>(face.number())].rule(place(face), time);
  }
  [[nodiscard]] bool is_constant_in_time(Face face) const {
    return meaning_->faces[static_cast<std::size_t>(face.number())].is_constant_in_time();
  }

  [[nodiscard]] const std::string& name() const override { return meaning_->name; }
  [[nodiscard]] const std::string& unit() const override { return meaning_->unit; }
  [[nodiscard]] const GridBase& grid() const override { return *grid_; }
  [[nodiscard]] Centring centring() const override { return meaning_->options.centring; }
  [[nodiscard]] ElementType element() const override { return element_type<T>(); }
  [[nodiscard]] Block block() const override { return grid_->block(centring()); }
  void copy_owned_to(std::span<std::byte> bytes) const override;
  void copy_part_to(std::span<std::byte> bytes, const OwnedPart& part) const override;
  void copy_owned_from(std::span<const std::byte> bytes) override;
  void impose_boundary(double time) override;
  [[nodiscard]] std::optional<std::array<long long, 3>> first_not_finite() const override;
  void set_from(const std::function<double(const std::array<double, 3>&, int)>& value) override;

 private:
  /// What stays with a field when its memory is swapped; `like()` copies it.
  struct Meaning {
    std::string name, unit;
    FieldOptions options;
    int reach = 1;
    bool step_has_corners = false;  ///< as it was asked for
    Crossing crossing;              ///< of one step
    std::array<BoundaryFace<T, D>, std::size_t{2} * D> faces;
  };

  Field(Grid<D>& grid, std::unique_ptr<Meaning> meaning);
  [[nodiscard]] std::unique_ptr<Storage<T, D>> make_storage() const;
  [[nodiscard]] static std::unique_ptr<Meaning> make_meaning(Grid<D>& grid, std::string name,
                                                             FieldOptions options);
  template <class View>
  [[nodiscard]] FieldView<View, D> make_view() const {
    return FieldView<View, D>(storage_->data() + layout_.origin, layout_, inverse_spacing_,
                              storage_->state().token);
  }
  [[nodiscard]] FacePlace<D> place(Face face) const {
    return {face, layout_, coordinates(), meaning_->options.centring, &grid_->description()};
  }

  Grid<D>* grid_;
  std::unique_ptr<Meaning> meaning_;
  Layout<D> layout_;
  double inverse_spacing_[D];
  std::unique_ptr<Storage<T, D>> storage_;
};

template <class T, int D>
Field<T, D>::Field(Grid<D>& grid, std::string name, FieldOptions options)
    : Field(grid, make_meaning(grid, std::move(name), options)) {}

template <class T, int D>
Field<T, D>::Field(Grid<D>& grid, std::unique_ptr<Meaning> meaning)
    : grid_(&grid),
      meaning_(std::move(meaning)),
      layout_(layout_of<T>(grid.local_extent(meaning_->options.centring), meaning_->options.halo)),
      storage_(make_storage()) {
  // Of stretched cells no one number is right: what is computed with it is seen at once.
  for (int axis = 0; axis < D; ++axis)
    inverse_spacing_[axis] = grid.is_stretched(axis) ? std::numeric_limits<double>::quiet_NaN()
                                                     : 1.0 / grid.spacing(axis);
  grid.note_storage(sizeof(ElementOf<T>), meaning_->options.halo, meaning_->reach);
  if (grid.checks() != nullptr)
    grid.checks()->watch(make_subject<T, D>(view(), layout_, storage_->state(), name()));
}

template <class T, int D>
auto Field<T, D>::make_storage() const -> std::unique_ptr<Storage<T, D>> {
  const rt::Timed timed(grid_->trace(), grid_->trace().region("memory of fields"));
  grid_->require_memory_for(static_cast<double>(layout_.elements) * sizeof(StoredOf<T>), name());
  const auto bytes = static_cast<std::size_t>(layout_.elements) * sizeof(StoredOf<T>);
  return std::make_unique<Storage<T, D>>(meaning_->name, layout_, grid_->checks(),
                                         grid_->room_for(bytes), grid_->number_storage());
}

template <class T, int D>
auto Field<T, D>::make_meaning(Grid<D>& grid, std::string name, FieldOptions options)
    -> std::unique_ptr<Meaning> {
  const int reach = options.halo;
  const bool step_has_corners = options.corners;
  if (options.fused) options.halo *= grid.steps_at_once(reach, options.centring);
  if (options.halo > reach) options.corners = true;  // steps look around them
  grid.require_room_for(options.halo, options.centring, name);
  auto meaning = std::make_unique<Meaning>();
  meaning->unit = grid.unit_of(name);
  meaning->options = options;
  meaning->reach = reach;
  meaning->step_has_corners = step_has_corners;
  if (!options.directions.empty())
    meaning->crossing = Crossing(options.directions, ElementTraits<T>::components, name);
  if (grid.has_boundaries_of_deck()) {
    const auto from_deck = grid.boundary_conditions(name, ElementTraits<T>::components);
    for (int number = 0; number < 2 * D; ++number)
      meaning->faces[static_cast<std::size_t>(number)].set(
          from_deck[static_cast<std::size_t>(number)]);
  }
  meaning->name = std::move(name);
  return meaning;
}

template <class T, int D>
template <class Ghost>
void Field<T, D>::set_boundary(Face face, Ghost ghost) {
  meaning_->faces[static_cast<std::size_t>(face.number())].set_user(ghost);
}

template <class T, int D>
bool Field<T, D>::can_set_x_ghosts_by_row(GhostsWanted wanted) const {
  if (!kernels_run_on_host || D == 1 || has_corners(wanted)) return false;
  return !meaning_->faces[0].has_users_rule() && !meaning_->faces[1].has_users_rule();
}

template <class T, int D>
RowGhosts<T, D> Field<T, D>::row_ghosts(double time) {
  RowGhosts<T, D> ghosts;
  ghosts.view = view();
  ghosts.extent = layout_.extent[0];
  ghosts.halo = meaning_->reach;  // of a field without corners, or of one step
  ghosts.node = is_nodal(centring(), 0) ? 1 : 0;
  for (const Side side : {Side::low, Side::high}) {
    const Face face{0, side};
    auto& end = side == Side::low ? ghosts.low : ghosts.high;
    if (grid_->is_boundary(face))
      end = {RowGhosts<T, D>::Rule::mirror,
             meaning_->faces[static_cast<std::size_t>(face.number())].rule(place(face), time)};
    else if (!grid_->is_remote(face))
      end.rule = RowGhosts<T, D>::Rule::wrap;
  }
  return ghosts;
}

template <class T, int D>
void Field<T, D>::fill_boundary(double time, Corners corners, int first_axis, GhostsWanted wanted) {
  const int width = shape(wanted).halo;
  for (int number = 2 * first_axis; number < 2 * D; ++number) {
    const Face face = Face::from_number(number);
    if (!grid_->is_boundary(face)) continue;
    Box<D> tangential = owned();
    // D > 1: a line has no edges (and g++ 12 warns of an index of -1 there).
    for (int axis = 0; D > 1 && corners != Corners::none && axis < D; ++axis) {
      if (axis == face.axis) continue;
      // Axes before this one have filled their own ghosts; those behind it will, from ours.
      const auto filled = [&](Side side) {
        if (grid_->is_remote({axis, side})) return corners == Corners::all;
        return axis < face.axis || !grid_->is_boundary({axis, side});
      };
      if (filled(Side::low)) tangential.lower[axis] -= width;
      if (filled(Side::high)) tangential.upper[axis] += width;
    }
    meaning_->faces[static_cast<std::size_t>(number)].fill(view(), place(face), tangential,
                                                           meaning_->reach, time);
  }
}

template <class T, int D>
void Field<T, D>::copy_owned_to(std::span<std::byte> bytes) const {
  copy_out<T, D>(make_view<const T>(), owned(), bytes);
}

template <class T, int D>
void Field<T, D>::copy_part_to(std::span<std::byte> bytes, const OwnedPart& part) const {
  Box<D> box;
  for (int axis = 0; axis < D; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    box.lower[axis] = static_cast<int>(part.first[a]);
    box.upper[axis] = static_cast<int>(part.first[a] + part.count[a]);
  }
  if (part.components == ElementTraits<T>::components)
    copy_out<T, D>(make_view<const T>(), box, bytes);
  else
    copy_out<T, D>(make_view<const T>(), box, part.first_component, part.components, bytes);
}

template <class T, int D>
void Field<T, D>::copy_owned_from(std::span<const std::byte> bytes) {
  copy_in<T, D>(view(), owned(), bytes);
}

template <class T, int D>
void Field<T, D>::impose_boundary(double time) {
  if (centring() == Centring::cell) return;
  for (int number = 0; number < 2 * D; ++number)
    if (grid_->is_boundary(Face::from_number(number)))
      meaning_->faces[static_cast<std::size_t>(number)].impose(
          view(), place(Face::from_number(number)), time);
}

template <class T, int D>
std::optional<std::array<long long, 3>> Field<T, D>::first_not_finite() const {
  if constexpr (!std::is_floating_point_v<typename ElementTraits<T>::Scalar>) return std::nullopt;
  const long long number = find_not_finite<T, D>(make_view<const T>(), owned());
  if (number < 0) return std::nullopt;
  const Index<D> i = point_of(owned(), number);
  const Coordinates<D> at = coordinates();
  std::array<long long, 3> global{0, 0, 0};
  for (int axis = 0; axis < D; ++axis) global[static_cast<std::size_t>(axis)] = at.global(i, axis);
  return global;
}

template <class T, int D>
void Field<T, D>::set_from(const std::function<double(const std::array<double, 3>&, int)>& value) {
  constexpr long long points_at_once = 1LL << 20U;  // work for all threads in little memory
  const Coordinates<D> at = coordinates();
  const Box<D> all = owned();
  if (all.empty()) return;
  constexpr int last = D - 1;
  const int parts = static_cast<int>(std::clamp<long long>(
      (all.size() + points_at_once - 1) / points_at_once, 1, all.extent(last)));
  for (int part_number = 0; part_number < parts; ++part_number) {
    const Box<D> part = all.part(last, part_number, parts);
    const auto size = static_cast<std::size_t>(part.size());
    const auto values = std::make_unique<ElementOf<T>[]>(size);
    for_ranges_or_throw(
        part.size() * points_for_a_formula, part.size(), [&](long long begin, long long end) {
          for (long long number = begin; number < end; ++number) {
            const Index<D> i = point_of(part, number);
            std::array<double, 3> position{};
            for (int axis = 0; axis < D; ++axis)
              position[static_cast<std::size_t>(axis)] =
                  grid_->description().position(axis, centring(), at.global(i, axis));
            for (int c = 0; c < ElementTraits<T>::components; ++c)
              component_of(values[static_cast<std::size_t>(number)], c) =
                  static_cast<typename ElementTraits<T>::Scalar>(value(position, c));
          }
        });
    copy_in<T, D>(view(), part, std::as_bytes(std::span<const ElementOf<T>>(values.get(), size)));
  }
}

// Of doubles: compiled once, in src/field/double_fields.cpp.
extern template class Field<double, 1>;
extern template class Field<double, 2>;
extern template class Field<double, 3>;

/// Calls `body(cells)` with what differences of `field` need to know of its cells: EqualCells, or
/// StretchedCells where the deck has grid.coordinates. So a kernel is made for each of the two, and
/// equal cells cost nothing.
template <class T, int D, class Body>
void with_cells(const Field<T, D>& field, const Body& body) {
  if (field.grid().is_stretched())
    body(field.typed_grid().stretched_cells(field.centring()));
  else
    body(EqualCells<D>{});
}

}  // namespace cartwright::grid
