// SPDX-License-Identifier: Apache-2.0
#include "hdf5_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <array>
#include <cartwright/grid/output/space_reservation.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_session.hpp>

#include <algorithm>

#include "content_hash.hpp"
#include "hdf5_text.hpp"

namespace cartwright::grid {
namespace {

const char* name_of(Centring centring) {
  constexpr std::array names{"cell", "node", "face_x", "face_y", "face_z"};
  return names[static_cast<std::size_t>(centring)];
}

namespace fs = std::filesystem;

Hdf5Handle property_list(hid_t kind) {
  return {H5Pcreate(kind), H5Pclose, "create a property list"};
}

/// File access without locks, which network file systems often lack; our own lock guards the
/// directory.
Hdf5Handle file_access() {
  Hdf5Handle access = property_list(H5P_FILE_ACCESS);
#if H5_VERSION_GE(1, 10, 7)
  hdf5_check(H5Pset_file_locking(access.get(), false, true), "set file locking");
#endif
  return access;
}

/// No time stamps: the same results give the same files.
void create_dataset(hid_t file, const DatasetPlan& plan) {
  const std::vector<hsize_t> shape = plan.shape();
  const Hdf5Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                         H5Sclose, "describe a dataset's shape");
  const Hdf5Handle creation = property_list(H5P_DATASET_CREATE);
  hdf5_check(H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY), "set allocation");
  hdf5_check(H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER), "set filling");
  hdf5_check(H5Pset_obj_track_times(creation.get(), false), "switch off time stamps");
  const Hdf5Handle dataset(H5Dcreate2(file, plan.name.c_str(), file_type(plan.element.scalar),
                                      space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
                           H5Dclose, "create dataset '" + plan.name + "'");
  write_text_attribute(dataset.get(), "unit", plan.unit);
  write_text_attribute(dataset.get(), "units", plan.unit);  // what other programs look for
  const bool of_particles = !plan.positions.empty();
  write_text_attribute(dataset.get(), "centring",
                       of_particles ? "particle" : name_of(plan.centring));
  if (of_particles) write_text_attribute(dataset.get(), "positions", plan.positions);
  if (plan.checksum)
    write_text_attribute(dataset.get(), checksum_attribute, checksum_text(*plan.checksum));
  constexpr const char* axes[] = {"x", "y, x", "z, y, x"};
  write_text_attribute(dataset.get(), "axes",
                       of_particles ? "particle" : axes[plan.block.dimensions - 1]);
}

/// Where cells begin along each axis, and where the last one ends; `units` and `axis` as in the
/// Climate and Forecast conventions.
void write_edges(hid_t file, const GridDescription& grid) {
  const Hdf5Handle group(H5Gcreate2(file, "edges", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                         "create group 'edges'");
  constexpr std::array names{"x", "y", "z"};
  constexpr std::array axes{"X", "Y", "Z"};
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    std::vector<double> edges = grid.edges[a];
    for (long long i = 0; !grid.is_stretched(axis) && i <= grid.extent[a]; ++i)
      edges.push_back(grid.position(axis, Centring::node, i));
    write_number_dataset(group.get(), names[a], edges);
    const Hdf5Handle dataset(H5Dopen2(group.get(), names[a], H5P_DEFAULT), H5Dclose,
                             std::string("open dataset 'edges/") + names[a] + "'");
    write_text_attribute(dataset.get(), "units", grid.length_unit);
    write_text_attribute(dataset.get(), "axis", axes[a]);
  }
}

void write_components(hid_t file, const std::string& dataset,
                      const std::vector<Component>& components) {
  std::vector<std::string> names;
  std::vector<std::string> units;
  for (const Component& each : components) {
    names.push_back(each.name);
    units.push_back(each.unit);
  }
  const Hdf5Handle handle(H5Dopen2(file, dataset.c_str(), H5P_DEFAULT), H5Dclose,
                          "open dataset '" + dataset + "'");
  write_text_attribute(handle.get(), "components", fmt::format("{}", fmt::join(names, ", ")));
  write_text_attribute(handle.get(), "component_units", fmt::format("{}", fmt::join(units, ", ")));
}

void write_header(hid_t file, const FileHeader& header) {
  const auto axes = static_cast<std::size_t>(header.grid.dimensions);
  const std::span<const double> length(header.grid.length.data(), axes);
  const std::span<const double> origin(header.grid.origin.data(), axes);
  write_integer_attribute(file, "step", header.step);
  write_number_attribute(file, "time", {&header.time, 1});
  write_number_attribute(file, "length", length);
  write_number_attribute(file, "origin", origin);
  write_text_attribute(file, "length_unit", header.grid.length_unit);
  write_text_attribute(file, "version", header.info.version);
  write_text_attribute(file, "commit", header.info.commit);
  write_text_attribute(file, "deck_name", header.info.deck_name);
  write_text_attribute(file, "time_unit", header.info.time_unit);
  write_edges(file, header.grid);
  const Hdf5Handle group(H5Gcreate2(file, "run", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                         "create group 'run'");
  write_text_dataset(group.get(), "deck", header.info.deck_text);
  write_text_dataset(group.get(), "layout", header.info.layout);
}

struct Part {
  Block block;
  std::size_t offset = 0;  // bytes, in the rank's contiguous memory
};

/// Halves the slowest axis that can be halved until every part is small enough; parts stay
/// contiguous in memory.
void split(const Block& block, std::size_t offset, std::size_t element, long long most_bytes,
           std::vector<Part>& parts) {
  if (block.points() == 0) return;
  const long long bytes = block.points() * static_cast<long long>(element);
  std::size_t axis = 2;
  while (axis > 0 && block.count[axis] == 1) --axis;
  if (bytes <= most_bytes || block.count[axis] == 1) {
    parts.push_back({block, offset});
    return;
  }
  Block first = block;
  Block second = block;
  first.count[axis] = block.count[axis] / 2;
  second.start[axis] += first.count[axis];
  second.count[axis] -= first.count[axis];
  split(first, offset, element, most_bytes, parts);
  split(second, offset + static_cast<std::size_t>(first.points()) * element, element, most_bytes,
        parts);
}

/// Bytes that such a file takes, rounded up.
long long file_bytes(const FileHeader& header, const std::vector<DatasetPlan>& plan) {
  long long bytes = 16384 + static_cast<long long>(header.info.deck_text.size()) +
                    static_cast<long long>(header.info.layout.size());
  for (const DatasetPlan& dataset : plan) bytes += dataset.bytes() + 2048;
  for (const long long cells : header.grid.extent)
    bytes += (cells + 1) * static_cast<long long>(sizeof(double)) + 1024;
  return bytes;
}

}  // namespace

std::vector<hsize_t> DatasetPlan::shape() const {
  std::vector<hsize_t> shape;
  for (int axis = block.dimensions - 1; axis >= 0; --axis)
    shape.push_back(static_cast<hsize_t>(block.global[static_cast<std::size_t>(axis)]));
  if (element.components > 1) shape.push_back(static_cast<hsize_t>(element.components));
  return shape;
}

long long DatasetPlan::bytes() const {
  return block.global_points() * static_cast<long long>(element.bytes());
}

void create_file(const fs::path& path, const FileHeader& header,
                 const std::vector<DatasetPlan>& plan) {
  const QuietHdf5 quiet;
  const rt::WaitScope busy({"H5Fcreate"}, rt::WaitKind::files);
  try {
    // Space is reserved before HDF5 creates anything: its own way of meeting a full disk is to
    // fail again at exit.
    reserve_space(path, file_bytes(header, plan));
    Hdf5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, file_access().get()),
                    H5Fclose, "create '" + path.string() + "'");
    write_header(file.get(), header);
    for (const DatasetPlan& dataset : plan) create_dataset(file.get(), dataset);
    for (const DatasetPlan& dataset : plan)
      if (const auto found = header.info.components.find(dataset.name);
          found != header.info.components.end())
        write_components(file.get(), dataset.name, found->second);
    file.close("write '" + path.string() + "'");
    reserve_space(path, static_cast<long long>(fs::file_size(path)));
  } catch (...) {
    std::error_code ignored;
    fs::remove(path, ignored);
    throw;
  }
}

ParallelFile::ParallelFile(const comm::Collectives& comm, const fs::path& path, Access access,
                           long long most_bytes)
    : comm_(comm), path_(path.string()), most_bytes_(most_bytes) {
  const bool sound = comm.broadcast(rt::file_collectives_are_sound(), rt::Rank{0});
  transfer_mode_ = sound ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT;
  const QuietHdf5 quiet;
  const rt::WaitScope busy({"H5Fopen"}, rt::WaitKind::files);
  const Hdf5Handle properties = file_access();
  hdf5_check(H5Pset_fapl_mpio(properties.get(), comm.communicator().handle(), MPI_INFO_NULL),
             "use MPI-IO");
  hdf5_check(H5Pset_all_coll_metadata_ops(properties.get(), true), "read metadata collectively");
  hdf5_check(H5Pset_coll_metadata_write(properties.get(), sound), "write metadata collectively");
  const unsigned flags = access == Access::read ? H5F_ACC_RDONLY : H5F_ACC_RDWR;
  file_ = Hdf5Handle(H5Fopen(path.c_str(), flags, properties.get()), H5Fclose,
                     "open '" + path_ + "' on all ranks");
}

Hdf5Handle ParallelFile::open_dataset(const std::string& name) const {
  const rt::WaitScope busy({"H5Dopen2"}, rt::WaitKind::files);  // what it reads, all ranks read
  return {H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Dclose,
          "open dataset '" + name + "' of '" + path_ + "'"};
}

template <class Transfer>
void ParallelFile::in_rounds(const DatasetPlan& plan, const Transfer& transfer) const {
  const QuietHdf5 quiet;
  std::vector<Part> parts;
  split(plan.block, 0, plan.element.bytes(), most_bytes_, parts);
  const auto mine = static_cast<long long>(parts.size());
  const long long rounds = comm_.allreduce(mine, comm::Operator::maximum);
  const Hdf5Handle dataset = open_dataset(plan.name);
  const Hdf5Handle collective = property_list(H5P_DATASET_XFER);
  hdf5_check(H5Pset_dxpl_mpio(collective.get(), transfer_mode_), "choose how to transfer");
  for (long long round = 0; round < rounds; ++round) {
    const Part* part = round < mine ? &parts[static_cast<std::size_t>(round)] : nullptr;
    const Hdf5Handle in_file(H5Dget_space(dataset.get()), H5Sclose, "read a dataset's shape");
    if (part == nullptr)
      hdf5_check(H5Sselect_none(in_file.get()), "select nothing");
    else
      select_block(in_file.get(), plan, part->block);
    const hsize_t numbers =
        part == nullptr ? 1 : static_cast<hsize_t>(part->block.points() * plan.element.components);
    const Hdf5Handle in_memory(H5Screate_simple(1, &numbers, nullptr), H5Sclose, "describe memory");
    if (part == nullptr) hdf5_check(H5Sselect_none(in_memory.get()), "select nothing");
    transfer(dataset.get(), in_memory.get(), in_file.get(), collective.get(),
             part == nullptr ? 0 : part->offset);
  }
}

void ParallelFile::write(const DatasetPlan& plan, std::span<const std::byte> bytes) const {
  in_rounds(plan, [&](hid_t dataset, hid_t memory, hid_t file, hid_t how, std::size_t offset) {
    const rt::WaitScope busy({"H5Dwrite"}, rt::WaitKind::files);
    hdf5_check(H5Dwrite(dataset, memory_type(plan.element.scalar), memory, file, how,
                        bytes.data() + offset),
               "write '" + plan.name + "' to '" + path_ + "'");
  });
}

void ParallelFile::read(const DatasetPlan& plan, std::span<std::byte> bytes) const {
  in_rounds(plan, [&](hid_t dataset, hid_t memory, hid_t file, hid_t how, std::size_t offset) {
    const rt::WaitScope busy({"H5Dread"}, rt::WaitKind::files);
    hdf5_check(H5Dread(dataset, memory_type(plan.element.scalar), memory, file, how,
                       bytes.data() + offset),
               "read '" + plan.name + "' from '" + path_ + "'");
  });
}

void ParallelFile::flush() const {
  const QuietHdf5 quiet;
  const rt::WaitScope busy({"H5Fflush"}, rt::WaitKind::files);
  hdf5_check(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), "write '" + path_ + "'");
}

void ParallelFile::close() {
  const QuietHdf5 quiet;
  file_.close("write '" + path_ + "'");
}

void select_block(hid_t space, const DatasetPlan& plan, const Block& block) {
  std::vector<hsize_t> start;
  std::vector<hsize_t> count;
  for (int axis = block.dimensions - 1; axis >= 0; --axis) {
    start.push_back(static_cast<hsize_t>(block.start[static_cast<std::size_t>(axis)]));
    count.push_back(static_cast<hsize_t>(block.count[static_cast<std::size_t>(axis)]));
  }
  if (plan.element.components > 1) {
    start.push_back(0);
    count.push_back(static_cast<hsize_t>(plan.element.components));
  }
  hdf5_check(
      H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
      "select a block");
}

Hdf5Handle open_serial(const fs::path& path) {
  const rt::WaitScope busy({"H5Fopen"}, rt::WaitKind::files);
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, file_access().get()), H5Fclose,
          "open '" + path.string() + "'"};
}

}  // namespace cartwright::grid
