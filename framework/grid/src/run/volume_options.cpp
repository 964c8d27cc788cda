// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/volume_options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/plan/selection/catalogue.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/schema.hpp>
#include <cmath>
#include <stdexcept>

namespace cartwright::grid {
namespace {

using rt::key;

rt::Schema<VolumeCamera> volume_camera_schema() {
  return {key("projection", &VolumeCamera::projection)
              .choices<Projection>({{"perspective", Projection::perspective},
                                    {"orthographic", Projection::orthographic}}),
          key("azimuth", &VolumeCamera::azimuth)
              .unit("degrees")
              .about("where the camera stands, about the orbit's axis; 0: on the side of large x"),
          key("elevation", &VolumeCamera::elevation)
              .unit("degrees")
              .minimum(-90)
              .maximum(90)
              .about("how high, above the plane across that axis"),
          key("zoom", &VolumeCamera::zoom).above(0).about("1: the whole grid fits"),
          key("view_angle", &VolumeCamera::view_angle)
              .unit("degrees")
              .minimum(1)
              .maximum(150)
              .about("of a perspective, from the lower to the upper edge of the picture"),
          key("eye", &VolumeCamera::eye)
              .example("[0.5, 0.5, 0.1]")
              .about("the camera's place, instead of the two angles; also inside of the grid"),
          key("target", &VolumeCamera::target)
              .example("[0.5, 0.5, 0.5]")
              .about("what is in the middle of the picture; default: the middle of the grid")};
}

rt::Schema<VolumeOrbit> volume_orbit_schema() {
  return {key("frames", &VolumeOrbit::frames)
              .minimum(1)
              .maximum(100000)
              .about("pictures on the way; a running solver makes one each time it draws"),
          key("turn", &VolumeOrbit::turn)
              .unit("degrees")
              .about("that all frames together turn the camera"),
          key("axis", &VolumeOrbit::axis)
              .choices({"x", "y", "z"})
              .about("about which it turns; it points upwards in pictures")};
}

rt::Schema<VolumeOptions> transfer_schema() {
  return {key("mode", &VolumeOptions::mode)
              .choices<VolumeMode>({{"over", VolumeMode::over}, {"maximum", VolumeMode::maximum}})
              .about("over: colours by opacity, from front to back; maximum: the largest value on "
                     "each ray"),
          key("range", &VolumeOptions::range)
              .example("[0, 1]")
              .about("values at the ends of the colours; default: what the field spans in the "
                     "picture's state"),
          key("colours", &VolumeOptions::colours)
              .choices({"viridis", "fire", "ice", "cool_warm", "grey"}),
          key("palette", &VolumeOptions::palette)
              .example("[[300, 0, 0, 1], [400, 1, 0, 0]]")
              .about("instead: points of rising value, each with red, green and blue from 0 to 1; "
                     "linear between them"),
          key("transfer", &VolumeOptions::transfer)
              .choices<OpacityShape>({{"ramp", OpacityShape::ramp},
                                      {"falling", OpacityShape::falling},
                                      {"ends", OpacityShape::ends},
                                      {"shells", OpacityShape::shells}})
              .about("which values are opaque: large ones, small ones, those at both ends, or six "
                     "thin surfaces of equal value"),
          key("opacity", &VolumeOptions::opacity)
              .example("[[300, 0], [350, 0.1], [400, 0.9]]")
              .about("instead: points of rising value, each with the opacity, from 0 to 1, of a "
                     "tenth of the grid's longest side; linear between them"),
          key("density", &VolumeOptions::density)
              .above(0)
              .about("how often the matter stands that these opacities mean"),
          key("light", &VolumeOptions::light)
              .about("brighter where surfaces of equal value face the camera; of fields on cells, "
                     "in mode over")};
}

rt::Schema<VolumeOptions> picture_of_volume_schema() {
  return rt::Schema<VolumeOptions>{
      key("size", &VolumeOptions::size)
          .minimum(16)
          .maximum(16384)
          .unit("pixels")
          .about("width and height of the view; the picture is larger by its colour bar"),
      key("sampling", &VolumeOptions::step)
          .minimum(0.01)
          .maximum(10)
          .about("from sample to sample along a ray, in widths of the smallest cell"),
      key("opaque", &VolumeOptions::opaque)
          .minimum(0.998)
          .maximum(1)
          .about("opacity at which a ray ends; 1: never. What lies behind it changes no picture by "
                 "more than 1/255"),
      key("outline", &VolumeOptions::outline).about("draw the edges of the grid"),
      key("compositing", &VolumeOptions::compositing)
          .example("binary_swap")
          .about("how the ranks' parts become one picture: direct_send, binary_swap, "
                 "radix_k(4,2), clairvoyant, any other algorithm for reduce that ./cartwright "
                 "simulate --list names, or auto")}
      .section("camera", &VolumeOptions::camera, volume_camera_schema(), "from where one looks")
      .section("orbit", &VolumeOptions::orbit, volume_orbit_schema(), "a camera that moves");
}

/// The text of `compositing` in words of comm, without what depends on the number of ranks.
std::string volume_algorithm_name(const VolumeOptions& options, int ranks) {
  const std::string& asked = options.compositing;
  if (asked == "auto") return {};
  if (asked == "direct_send") return fmt::format("radix({})", std::max(2, ranks));
  if (asked == "binary_swap") return "butterfly";
  if (asked.starts_with("radix_k")) return "radix" + asked.substr(7);
  if (asked.starts_with("clairvoyant(") || asked == "clairvoyant") {
    const std::string segments = asked.substr(11);
    return (options.mode == VolumeMode::maximum ? "clairvoyant" : "clairvoyant_ordered") + segments;
  }
  return asked;
}

template <std::size_t N>
void check_volume_points(const rt::Deck& deck, const std::string& path,
                         const std::vector<std::array<double, N>>& points, const char* what) {
  if (points.size() == 1)
    throw deck.error(path, fmt::format("'{}' has one point, but needs two or more", path));
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i > 0 && !(points[i][0] > points[i - 1][0]))
      throw deck.error(path, fmt::format("'{}': values must rise, but point {} has {} after {}",
                                         path, i + 1, points[i][0], points[i - 1][0]));
    for (std::size_t c = 1; c < N; ++c)
      if (!(points[i][c] >= 0 && points[i][c] <= 1))
        throw deck.error(path, fmt::format("'{}': point {} has {} {}, but it must be from 0 to 1",
                                           path, i + 1, what, points[i][c]));
  }
}

void check_volume_camera(const rt::Deck& deck, const std::string& path, const GridDescription& grid,
                         const VolumeCamera& camera) {
  if (!camera.eye) return;
  const std::array<double, 3> middle{grid.origin[0] + grid.length[0] / 2,
                                     grid.origin[1] + grid.length[1] / 2,
                                     grid.origin[2] + grid.length[2] / 2};
  const std::array<double, 3> target = camera.target.value_or(middle);
  double squared = 0, size = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    squared += std::pow((*camera.eye)[axis] - target[axis], 2);
    size += std::pow(grid.length[axis], 2);
  }
  if (!(squared > 1e-20 * size))
    throw deck.error(path + ".eye",
                     fmt::format("'{0}.eye' is where '{0}.target' is: nothing says which way the "
                                 "camera looks",
                                 path),
                     "Move one of them.");
}

}  // namespace

void bind_volume_options(rt::SectionNode& section, VolumeOptions& options,
                         const std::string& about_field) {
  rt::Schema<VolumeOptions>{
      key("field", &VolumeOptions::field).example("temperature").about(std::string(about_field))}
      .bind(section, options);
  transfer_schema().bind(section, options);
  picture_of_volume_schema().bind(section, options);
}

void bind_in_situ_options(rt::SectionNode& section, InSituOptions& options) {
  rt::Schema<InSituOptions>{
      key("every", &InSituOptions::every)
          .minimum(0)
          .about("steps between pictures; 0: of the first and last step only")}
      .bind(section, options);
  bind_volume_options(section, options.volume,
                      "which field is drawn, or a part of it (gas.density); of vectors the "
                      "magnitude; empty: no such pictures");
}

void check_volume_options(const rt::Deck& deck, const std::string& path,
                          const GridDescription& grid, const VolumeOptions& options) {
  if (grid.dimensions != 3)
    throw deck.error(path,
                     fmt::format("'{}' draws volumes: it needs a 3-D grid, and this one has {} "
                                 "dimension{}",
                                 path, grid.dimensions, grid.dimensions == 1 ? "" : "s"),
                     "output.pictures draws lines and maps.");
  if (grid.is_stretched())
    throw deck.error(path, fmt::format("'{}' needs cells that are equal along each axis", path),
                     "Leave 'grid.coordinates' out, or draw slices by output.pictures.");
  if (options.range && !((*options.range)[0] < (*options.range)[1]))
    throw deck.error(path + ".range", fmt::format("'{}.range' must rise", path));
  check_volume_points(deck, path + ".palette", options.palette, "a colour of");
  check_volume_points(deck, path + ".opacity", options.opacity, "the opacity");
  check_volume_camera(deck, path + ".camera", grid, options.camera);
  try {
    (void)compositing_algorithm(options, 2);
  } catch (const std::invalid_argument& fault) {
    throw deck.error(
        path + ".compositing",
        fmt::format("'{}.compositing' is '{}': {}", path, options.compositing, fault.what()),
        "Use direct_send, binary_swap, radix_k(FACTORS), or an algorithm that "
        "./cartwright simulate --list names for reduce.");
  }
}

std::string compositing_algorithm(const VolumeOptions& options, int ranks) {
  std::string name = volume_algorithm_name(options, ranks);
  if (name.empty()) return name;
  // Without segments, comm finds them.
  const std::string segments = name.starts_with("clairvoyant") && !name.ends_with(")") ? "(1)" : "";
  const plan::Choice choice = plan::parse_choice(plan::Operation::reduce, name + segments);
  if (options.mode == VolumeMode::over && !choice.algorithm->any_operator)
    throw std::invalid_argument(fmt::format(
        "{} combines in any order, but pixels lie over each other in one", choice.name()));
  if (!choice.order.empty())
    throw std::invalid_argument("the order of ranks follows from the camera");
  return name;
}

}  // namespace cartwright::grid
