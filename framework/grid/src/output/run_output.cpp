// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cartwright/grid/output/run_output.hpp>
#include <cartwright/rt/error.hpp>
#include <charconv>
#include <map>
#include <ranges>
#include <vector>

#include "hdf5_text.hpp"
#include "users_file.hpp"

namespace cartwright::grid {
namespace {

namespace fs = std::filesystem;

/// The number behind the last `_` of a file of fields; -1 for others.
long long step_in_name(const fs::path& file) {
  const std::string stem = file.stem().string();
  const auto begin = stem.rfind('_');
  if (file.extension() != ".h5" || begin == std::string::npos) return -1;
  long long step = -1;
  const char* const end = stem.data() + stem.size();
  const auto [stop, fault] = std::from_chars(stem.data() + begin + 1, end, step);
  return fault == std::errc{} && stop == end ? step : -1;
}

std::map<long long, fs::path> outputs_in(const fs::path& directory) {
  std::map<long long, fs::path> found;
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(directory, fault))
    if (const long long step = step_in_name(entry.path()); step >= 0) found[step] = entry.path();
  return found;
}

std::optional<std::array<double, 3>> read_triple(hid_t file, const char* name) {
  if (H5Aexists(file, name) <= 0) return std::nullopt;
  const Hdf5Handle attribute(H5Aopen(file, name, H5P_DEFAULT), H5Aclose, "open an attribute");
  const Hdf5Handle space(H5Aget_space(attribute.get()), H5Sclose, "read an attribute's shape");
  std::array<double, 3> values{};
  if (H5Sget_simple_extent_npoints(space.get()) != 3 ||
      H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, values.data()) < 0)
    return std::nullopt;
  return values;
}

Centring centring_named(const std::string& name) {
  constexpr std::array names{"cell", "node", "face_x", "face_y", "face_z"};
  const auto* const found = std::ranges::find(names, name);
  return found == names.end() ? Centring::cell : static_cast<Centring>(found - names.begin());
}

void read_shape(hid_t dataset, OutputDataset& description) {
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose, "read a dataset's shape");
  std::vector<hsize_t> shape(
      static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space.get()))));
  H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr);
  if (shape.size() == 4) {
    description.components = static_cast<int>(std::min<hsize_t>(shape.back(), 1 << 20));
    shape.pop_back();
  }
  description.dimensions = static_cast<int>(shape.size());
  for (std::size_t axis = 0; axis < std::min<std::size_t>(3, shape.size()); ++axis)
    description.points[axis] = static_cast<long long>(shape[shape.size() - 1 - axis]);
}

}  // namespace

fs::path output_file(const fs::path& given, std::optional<long long> step) {
  std::error_code ignored;
  if (!fs::exists(given, ignored))
    throw rt::input_error(fmt::format("there is no file or directory '{}'", given.string()),
                          "Relative names start from the directory where the run was started. Has "
                          "the run that writes it been made?");
  if (!fs::is_directory(given, ignored)) return given;
  const std::map<long long, fs::path> found = outputs_in(given / "fields");
  if (found.empty())
    throw rt::input_error(fmt::format("'{}' holds no output of a run", given.string()),
                          "A run's results have a directory 'fields' with files NAME_STEP.h5.");
  if (!step) return found.rbegin()->second;
  if (const auto wanted = found.find(*step); wanted != found.end()) return wanted->second;
  const auto numbers = std::views::keys(found);
  std::vector<long long> steps(numbers.begin(), numbers.end());
  if (steps.size() > 12) steps.erase(steps.begin() + 6, steps.end() - 6);
  throw rt::input_error(
      fmt::format("'{}' holds no output of step {}", given.string(), *step),
      fmt::format("It has {} output{}, {}of step{} {}.", found.size(), found.size() == 1 ? "" : "s",
                  steps.size() < found.size() ? "such as " : "", steps.size() == 1 ? "" : "s",
                  fmt::join(steps, ", ")));
}

OutputDataset describe_output(const fs::path& file, const std::string& dataset) {
  const QuietHdf5 quiet;
  const Hdf5Handle opened = open_users_file(file);
  const Hdf5Handle numbers = open_users_dataset(opened.get(), file, dataset);
  OutputDataset description;
  read_shape(numbers.get(), description);
  description.unit = read_text_attribute(numbers.get(), "unit").value_or("");
  description.centring =
      centring_named(read_text_attribute(numbers.get(), "centring").value_or("cell"));
  description.length = read_triple(opened.get(), "length");
  description.origin = read_triple(opened.get(), "origin");
  if (H5Aexists(opened.get(), "time") > 0)
    description.time = read_number_attribute(opened.get(), "time");
  if (H5Aexists(opened.get(), "step") > 0)
    description.step = static_cast<long long>(read_number_attribute(opened.get(), "step"));
  return description;
}

}  // namespace cartwright::grid
