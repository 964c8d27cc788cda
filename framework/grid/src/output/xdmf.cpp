// SPDX-License-Identifier: Apache-2.0
#include "xdmf.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace cartwright::grid {
namespace {

using Nodes = std::array<long long, 3>;

std::string escaped(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += letter;
    }
  }
  return result;
}

/// The mesh that shows a field.
struct MeshShape {
  Nodes nodes;
  std::array<double, 3> lift{};  ///< of its first node above the origin, in spacings
  std::string positions{};       ///< the dataset with those of particles, which have no mesh
  friend bool operator==(const MeshShape&, const MeshShape&) = default;
};

/// Cells are shown as such; what lives elsewhere as the nodes of a mesh of its own.
MeshShape mesh_of(const GridDescription& grid, const DatasetPlan& field) {
  if (!field.positions.empty()) return {field.block.global, {}, field.positions};
  MeshShape mesh{field.centring == Centring::cell ? grid.extent : field.block.global};
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    if (field.centring == Centring::cell)
      ++mesh.nodes[a];
    else
      mesh.lift[a] = offset_in_cell(field.centring, axis);
  }
  return mesh;
}

const char* number_type(ScalarType scalar) {
  switch (scalar) {
    case ScalarType::float32:
    case ScalarType::float64:
      return "Float";
    case ScalarType::int8:
      return "Char";
    case ScalarType::boolean:
    case ScalarType::uint8:
      return "UChar";
    case ScalarType::uint16:
    case ScalarType::uint32:
    case ScalarType::uint64:
      return "UInt";
    default:
      return "Int";
  }
}

/// Where nodes are, along each axis.
std::string rectilinear_mesh(const GridDescription& grid, const MeshShape& shape) {
  std::string text = fmt::format(
      "        <Topology TopologyType=\"3DRectMesh\" Dimensions=\"{} {} {}\"/>\n"
      "        <Geometry GeometryType=\"VXVYVZ\">\n",
      shape.nodes[2], shape.nodes[1], shape.nodes[0]);
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const Centring points = shape.lift[a] > 0.0 ? Centring::cell : Centring::node;
    std::vector<double> places;
    for (long long i = 0; i < shape.nodes[a]; ++i)
      places.push_back(axis < grid.dimensions ? grid.position(axis, points, i)
                                              : static_cast<double>(i));
    text += fmt::format(
        "          <DataItem Dimensions=\"{}\" NumberType=\"Float\" Precision=\"8\" "
        "Format=\"XML\">{}</DataItem>\n",
        places.size(), fmt::join(places, " "));
  }
  return text + "        </Geometry>\n";
}

/// XDMF wants three axes, slowest first: ParaView has no pictures of uniform grids with fewer.
std::string mesh(const GridDescription& grid, const MeshShape& shape) {
  if (grid.is_stretched()) return rectilinear_mesh(grid, shape);
  const Nodes& nodes = shape.nodes;
  std::array<double, 3> spacing{1, 1, 1};
  for (int axis = 0; axis < grid.dimensions; ++axis)
    spacing[static_cast<std::size_t>(axis)] = grid.spacing(axis);
  std::array<double, 3> origin = grid.origin;
  for (std::size_t axis = 0; axis < origin.size(); ++axis)
    origin[axis] += shape.lift[axis] * spacing[axis];
  return fmt::format(
      R"(        <Topology TopologyType="3DCoRectMesh" Dimensions="{} {} {}"/>
        <Geometry GeometryType="ORIGIN_DXDYDZ">
          <DataItem Dimensions="3" NumberType="Float" Precision="8" Format="XML">{} {} {}</DataItem>
          <DataItem Dimensions="3" NumberType="Float" Precision="8" Format="XML">{} {} {}</DataItem>
        </Geometry>
)",
      nodes[2], nodes[1], nodes[0], grid.dimensions > 2 ? origin[2] : 0.0,
      grid.dimensions > 1 ? origin[1] : 0.0, origin[0], spacing[2], spacing[1], spacing[0]);
}

/// Points where the file says.
std::string points(const MeshShape& shape, const std::vector<DatasetPlan>& fields,
                   const std::string& data_file) {
  const auto found = std::ranges::find(fields, shape.positions, &DatasetPlan::name);
  const int components = found->element.components;
  return fmt::format(
      R"(        <Topology TopologyType="Polyvertex" NumberOfElements="{0}" NodesPerElement="1"/>
        <Geometry GeometryType="{1}">
          <DataItem Dimensions="{0} {2}" NumberType="Float" Precision="{3}" Format="HDF">{4}:/{5}</DataItem>
        </Geometry>
)",
      shape.nodes[0], components == 3 ? "XYZ" : "XY", components,
      found->element.bytes() / static_cast<std::size_t>(components), escaped(data_file),
      escaped(shape.positions));
}

std::string attribute(const DatasetPlan& field, const std::string& data_file) {
  const int components = field.element.components;
  const char* kind = components == 1 ? "Scalar" : (components == 3 ? "Vector" : "Matrix");
  std::array<long long, 3> shape = field.block.global;
  const bool of_particles = !field.positions.empty();
  std::string dimensions = of_particles ? fmt::format("{}", shape[0])
                                        : fmt::format("{} {} {}", shape[2], shape[1], shape[0]);
  if (components > 1) dimensions += fmt::format(" {}", components);
  const auto precision = field.element.bytes() / static_cast<std::size_t>(components);
  return fmt::format(
      R"(        <Attribute Name="{}" AttributeType="{}" Center="{}">
          <DataItem Dimensions="{}" NumberType="{}" Precision="{}" Format="HDF">{}:/{}</DataItem>
        </Attribute>
)",
      escaped(field.name), kind,
      field.centring == Centring::cell && !of_particles ? "Cell" : "Node", dimensions,
      number_type(field.element.scalar), precision, escaped(data_file), escaped(field.name));
}

using Mesh = std::pair<MeshShape, std::vector<DatasetPlan>>;

/// Fields that share a mesh, together.
std::vector<Mesh> meshes_of(const GridDescription& grid, const std::vector<DatasetPlan>& fields) {
  std::vector<Mesh> meshes;
  for (const DatasetPlan& field : fields) {
    if (!field.positions.empty() && grid.dimensions == 1) continue;  // XDMF has no points on a line
    const MeshShape shape = mesh_of(grid, field);
    auto place = std::ranges::find(meshes, shape, &Mesh::first);
    if (place == meshes.end()) place = meshes.insert(place, {shape, {}});
    place->second.push_back(field);
  }
  return meshes;
}

std::string uniform_grid(const GridDescription& grid, const std::string& name,
                         const std::string& time, const Mesh& shape, const XdmfStep& step) {
  std::string text = fmt::format("      <Grid Name=\"{}\" GridType=\"Uniform\">\n{}", name, time);
  text += shape.first.positions.empty() ? mesh(grid, shape.first)
                                        : points(shape.first, shape.second, step.data_file);
  for (const DatasetPlan& field : shape.second) text += attribute(field, step.data_file);
  return text + "      </Grid>\n";
}

std::string one_step(const GridDescription& grid, const std::vector<Mesh>& meshes,
                     const XdmfStep& step) {
  const std::string time = fmt::format("        <Time Value=\"{}\"/>\n", step.time);
  if (meshes.size() == 1) return uniform_grid(grid, "grid", time, meshes.front(), step);
  std::string text =
      "      <Grid Name=\"grids\" GridType=\"Collection\" CollectionType=\"Spatial\">\n" + time;
  for (std::size_t i = 0; i < meshes.size(); ++i)
    text += uniform_grid(grid, fmt::format("grid_{}", i + 1), time, meshes[i], step);
  return text + "      </Grid>\n";
}

}  // namespace

std::string xdmf_text(const GridDescription& grid, const std::vector<DatasetPlan>& fields,
                      const std::vector<XdmfStep>& steps) {
  const std::vector<Mesh> meshes = meshes_of(grid, fields);
  std::string text =
      "<?xml version=\"1.0\" ?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n"
      "    <Grid Name=\"series\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
  for (const XdmfStep& step : steps) text += one_step(grid, meshes, step);
  return text + "    </Grid>\n  </Domain>\n</Xdmf>\n";
}

}  // namespace cartwright::grid
