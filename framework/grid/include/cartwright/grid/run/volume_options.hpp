// SPDX-License-Identifier: Apache-2.0
// What a deck says of pictures of whole volumes: section `render` of the app of that name, and
// `output.render` of every solver.
#pragma once

#include <array>
#include <cartwright/grid/space/grid_description.hpp>
#include <cartwright/rt/schema_node.hpp>
#include <optional>
#include <string>
#include <vector>

namespace cartwright::rt {
class Deck;
}

namespace cartwright::grid {

/// What becomes of the values along a ray.
enum class VolumeMode {
  over,    ///< each colour over those behind it, by its opacity
  maximum  ///< the largest value is shown
};

/// Named transfer functions: how opaque a value is, by its place between the ends of the range.
enum class OpacityShape {
  ramp,     ///< grows with the value
  falling,  ///< falls with it
  ends,     ///< both ends are seen, the middle isn't: for waves
  shells    ///< six thin surfaces of equal value
};

enum class Projection { perspective, orthographic };
enum class OrbitAxis { x, y, z };

struct VolumeCamera {
  Projection projection = Projection::perspective;
  double azimuth = 35, elevation = 22;  ///< degrees, about the orbit's axis and above its plane
  double zoom = 1;                      ///< 1: the whole grid fits into the picture
  double view_angle = 28;               ///< degrees, of a perspective, from bottom to top
  std::optional<std::array<double, 3>> eye;  ///< a place, instead of the two angles
  std::optional<std::array<double, 3>>
      target;  ///< in the middle of the picture; default: the grid's
};

struct VolumeOrbit {
  int frames = 1;
  double turn = 360;              ///< degrees of all frames together
  OrbitAxis axis = OrbitAxis::z;  ///< about which it turns, and which is up
};

struct VolumeOptions {
  std::string field;
  VolumeMode mode = VolumeMode::over;
  std::optional<std::array<double, 2>> range;  ///< empty: what the field spans
  std::string colours = "viridis";
  std::vector<std::array<double, 4>> palette;  ///< value, red, green, blue; empty: `colours`
  OpacityShape transfer = OpacityShape::ramp;
  std::vector<std::array<double, 2>> opacity;  ///< value, opacity; empty: `transfer`
  double density = 1;                          ///< multiplies how much matter there is
  bool light = true;
  std::array<int, 2> size{800, 600};
  double step = 0.5;      ///< between samples, in the smallest cells
  double opaque = 0.999;  ///< a ray ends where it is so opaque
  bool outline = true;    ///< edges of the grid
  std::string compositing = "auto";
  VolumeCamera camera;
  VolumeOrbit orbit;
};

/// `output.render`: when a running solver draws, and what.
struct InSituOptions {
  long long every = 0;  ///< steps; 0: only at the ends
  VolumeOptions volume;
  [[nodiscard]] bool is_wanted() const { return !volume.field.empty(); }
};

/// Adds the keys to a section; `about_field`: what its key `field` means there.
void bind_volume_options(rt::SectionNode& section, VolumeOptions& options,
                         const std::string& about_field);
void bind_in_situ_options(rt::SectionNode& section, InSituOptions& options);

/// What a schema can't see; throws Deck::error. `path`: of the section.
void check_volume_options(const rt::Deck& deck, const std::string& path,
                          const GridDescription& grid, const VolumeOptions& options);

/// The reduction of comm that `compositing` names on so many ranks; empty: comm chooses. Throws
/// std::invalid_argument for what comm hasn't got.
[[nodiscard]] std::string compositing_algorithm(const VolumeOptions& options, int ranks);

}  // namespace cartwright::grid
