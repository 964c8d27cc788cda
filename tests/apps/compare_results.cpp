// SPDX-License-Identifier: Apache-2.0
// compare_results EXPECTED FOUND: are two output directories the same, to the last bit? Looks at
// every dataset of every file in fields/, at diagnostics.csv, at the index for ParaView and at
// pictures.
#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "pde_program.hpp"

namespace {

namespace fs = std::filesystem;

struct Dataset {
  std::string name;
  std::vector<hsize_t> shape;
  std::vector<std::byte> bytes;
  bool operator==(const Dataset&) const = default;
};

Dataset read(hid_t file, const std::string& name) {
  Dataset result{name, {}, {}};
  const hid_t handle = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  const hid_t space = H5Dget_space(handle);
  const hid_t type = H5Dget_type(handle);
  result.shape.resize(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  H5Sget_simple_extent_dims(space, result.shape.data(), nullptr);
  result.bytes.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)) *
                      H5Tget_size(type));
  const bool good = H5Dread(handle, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.bytes.data()) >= 0;
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(handle);
  if (!good) throw std::runtime_error("cannot read " + name);
  return result;
}

herr_t note_dataset(hid_t group, const char* name, const H5L_info_t*, void* names) {
  H5O_info_t info;
  if (H5Oget_info_by_name(group, name, &info, H5P_DEFAULT) >= 0 && info.type == H5O_TYPE_DATASET)
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

/// Those at the root: how a run was made is in a group below, and differs.
std::vector<Dataset> datasets(const fs::path& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) throw std::runtime_error("cannot open " + path.string());
  std::vector<std::string> names;
  H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, note_dataset, &names);
  std::vector<Dataset> found;
  for (const std::string& name : names) found.push_back(read(file, name));
  H5Fclose(file);
  if (found.empty()) throw std::runtime_error("no numbers in " + path.string());
  return found;
}

std::vector<std::string> names_in(const fs::path& directory, const std::string& extension) {
  std::vector<std::string> names;
  if (!fs::exists(directory)) return names;
  for (const auto& entry : fs::directory_iterator(directory))
    if (entry.is_regular_file() && (extension.empty() || entry.path().extension() == extension))
      names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

class Comparison {
 public:
  Comparison(fs::path expected, fs::path found)
      : expected_(std::move(expected)), found_(std::move(found)) {}

  /// `as_fields`: datasets are compared, not files.
  void compare(const fs::path& folder, const std::string& extension, bool as_fields) {
    const auto names = names_in(expected_ / folder, extension);
    if (names != names_in(found_ / folder, extension))
      differ((folder / "").string() + "*" + extension + ": other files");
    for (const std::string& name : names) {
      const fs::path file = folder / name;
      if (!fs::exists(found_ / file)) continue;
      const bool same =
          as_fields ? datasets(expected_ / file) == datasets(found_ / file)
                    : pde_test::read_text(expected_ / file) == pde_test::read_text(found_ / file);
      if (!same) differ(file.string());
      ++compared_;
    }
  }
  /// The exit code.
  [[nodiscard]] int finish() const {
    if (!differs_) fmt::print("{} files: the same bits\n", compared_);
    return differs_ || compared_ == 0 ? 1 : 0;
  }

 private:
  void differ(const std::string& what) {
    differs_ = true;
    fmt::print("{} and {} differ: {}\n", expected_.string(), found_.string(), what);
  }
  fs::path expected_, found_;
  int compared_ = 0;
  bool differs_ = false;
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) throw std::runtime_error("usage: compare_results EXPECTED FOUND");
  Comparison comparison(argv[1], argv[2]);
  comparison.compare("fields", "", true);
  comparison.compare("", ".csv", false);
  comparison.compare("", ".xdmf", false);
  comparison.compare("pictures", "", false);
  return comparison.finish();
} catch (const std::exception& error) {
  fmt::print("{}\n", error.what());
  return 1;
}
