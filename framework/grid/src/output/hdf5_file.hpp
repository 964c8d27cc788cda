// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/collectives.hpp>
#include <cartwright/grid/run/run_info.hpp>
#include <cartwright/grid/space/grid_description.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "hdf5_handle.hpp"

namespace cartwright::grid {

/// One field in a file.
struct DatasetPlan {
  std::string name;
  std::string unit;
  Centring centring = Centring::cell;
  ElementType element;  ///< as stored
  Block block;          ///< this rank's points
  /// field_hash() of the numbers, for those who read them later.
  std::optional<std::uint64_t> checksum{};
  std::string positions{};  ///< of particles: the dataset that says where they are

  /// (nz, ny, nx[, components]): the slowest axis first.
  [[nodiscard]] std::vector<hsize_t> shape() const;
  [[nodiscard]] long long bytes() const;
};

/// What a file says about itself.
struct FileHeader {
  GridDescription grid;
  RunInfo info;
  long long step = 0;
  double time = 0;
};

/// Fills the file that begin_result() made with all datasets, serially, and reserves its space:
/// rank 0 calls it before all open the file together. A file that fails is removed. Throws
/// `rt::Error` (input error) when the disk is full or read-only.
void create_file(const std::filesystem::path& path, const FileHeader& header,
                 const std::vector<DatasetPlan>& plan);

/// A file that all ranks have open, for collective transfers.
class ParallelFile {
 public:
  enum class Access { read, write };
  /// No MPI-IO call moves more than this: counts are `int` there.
  static constexpr long long largest_transfer = 1LL << 30;

  ParallelFile(const comm::Collectives& comm, const std::filesystem::path& path, Access access,
               long long most_bytes = largest_transfer);
  ParallelFile(const ParallelFile&) = delete;
  ParallelFile& operator=(const ParallelFile&) = delete;
  /// Without close(), as after a failure on this rank alone, the file is left open: closing it
  /// would wait for ranks that never come.
  ~ParallelFile() { file_.abandon(); }
  /// Collective; ranks without points take part too.
  void write(const DatasetPlan& plan, std::span<const std::byte> bytes) const;
  void read(const DatasetPlan& plan, std::span<std::byte> bytes) const;
  /// Collective. Returns when the numbers are on the disk.
  void flush() const;
  /// Collective; throws if the last bytes could not be written.
  void close();

 private:
  [[nodiscard]] Hdf5Handle open_dataset(const std::string& name) const;
  template <class Transfer>
  void in_rounds(const DatasetPlan& plan, const Transfer& transfer) const;

  const comm::Collectives& comm_;
  std::string path_;
  long long most_bytes_;
  H5FD_mpio_xfer_t transfer_mode_ = H5FD_MPIO_COLLECTIVE;
  Hdf5Handle file_;
};

/// Selects the points of `block` in the dataspace of a dataset that has `plan`'s shape.
void select_block(hid_t space, const DatasetPlan& plan, const Block& block);

/// Opens an existing file on this rank alone, for reading.
[[nodiscard]] Hdf5Handle open_serial(const std::filesystem::path& path);

}  // namespace cartwright::grid
