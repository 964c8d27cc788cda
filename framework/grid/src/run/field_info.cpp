// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/field_info.hpp>

namespace cartwright::grid {

std::vector<Component> components_of(const FieldInfo& field, int dimensions) {
  std::vector<Component> components;
  for (const ComponentInfo& each : field.components) {
    if (!each.is_per_axis) {
      components.push_back({each.name, each.unit});
      continue;
    }
    for (int axis = 0; axis < dimensions; ++axis)
      components.push_back({each.name + "_" + "xyz"[axis], each.unit, each.name, axis});
  }
  return components;
}

std::vector<ComponentRange> ranges_of(const FieldInfo& field, int dimensions) {
  std::vector<ComponentRange> ranges;
  int next = 0;
  for (const ComponentInfo& each : field.components) {
    const int count = each.is_per_axis ? dimensions : 1;
    ranges.push_back({each.name, each.unit, next, count});
    next += count;
  }
  return ranges;
}

std::vector<std::string> component_names(const FieldInfo& field) {
  std::vector<std::string> names;
  for (const ComponentInfo& each : field.components)
    if (each.is_per_axis) names.push_back(each.name);
  for (const Component& each : components_of(field, 3)) names.push_back(each.name);
  return names;
}

}  // namespace cartwright::grid
