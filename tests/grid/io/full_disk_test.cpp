// SPDX-License-Identifier: Apache-2.0
#include <sys/mount.h>
#include <sys/resource.h>
#include <cartwright/grid/output/checkpoint.hpp>
#include <cartwright/grid/output/field_series.hpp>
#include <cartwright/grid/output/output_directory.hpp>
#include <cartwright/grid/output/picture_series.hpp>
#include <cartwright/grid/output/step_table.hpp>

#include "sample_field.hpp"
#include "scratch.hpp"

namespace cartwright::grid::test {
namespace {

namespace fs = std::filesystem;

const GridDescription large_plane{2, {200, 100, 1}};  // 160 kB as doubles

/// A file system of 512 KiB in memory; false where mounting is not permitted.
class SmallDisk {
 public:
  SmallDisk(const rt::Communicator& comm, fs::path path) : comm_(comm), path_(std::move(path)) {
    if (comm.is_root()) mounted_ = mount("none", path_.c_str(), "tmpfs", 0, "size=512k") == 0;
    MPI_Bcast(&mounted_, 1, MPI_INT, 0, comm.handle());
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    MPI_Barrier(comm_.handle());
    if (mounted_ != 0 && comm_.is_root()) umount2(path_.c_str(), MNT_DETACH);
  }
  explicit operator bool() const { return mounted_ != 0; }
  void make_read_only() const {
    if (comm_.is_root()) mount("none", path_.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=512k");
    MPI_Barrier(comm_.handle());
  }

 private:
  const rt::Communicator& comm_;
  fs::path path_;
  int mounted_ = 0;
};

TEST(FullDisk, OutputIsRefusedAndNothingIsLeftBehind) {
  const Team comm = world();
  const Scratch scratch(comm);
  const SmallDisk disk(comm, scratch.path());
  if (!disk) GTEST_SKIP() << "no permission to mount a small disk";
  auto field = sample(comm, large_plane, "u");
  FieldSeries series(comm, large_plane, scratch.path(), "run", {&field}, {});
  series.write(0, 0);
  series.write(1, 0);
  const std::string text = refusal([&] {
    for (long long step = 2; step < 5; ++step) series.write(step, 0);
  });
  EXPECT_NE(text.find("the disk is full"), std::string::npos) << text;
  EXPECT_NE(text.find("are needed"), std::string::npos) << text;
  MPI_Barrier(comm.handle());
  for (const auto& entry : fs::directory_iterator(scratch.path() / "fields"))
    EXPECT_EQ(entry.path().extension(), ".h5");
}

TEST(FullDisk, PreviousCheckpointStays) {
  const Team comm = world();
  const Scratch scratch(comm);
  const SmallDisk disk(comm, scratch.path());
  if (!disk) GTEST_SKIP() << "no permission to mount a small disk";
  auto field = sample(comm, large_plane, "u");
  CheckpointStore store(comm, large_plane, scratch.path(), {5, {}, {}});
  field.fill(0);
  store.write({0, 0, 0, {}, {}}, {&field});
  field.fill(1);
  store.write({1, 0, 0, {}, {}}, {&field});
  field.fill(2);
  const std::string text = refusal([&] {
    for (long long step = 2; step < 5; ++step) store.write({step, 0, 0, {}, {}}, {&field});
  });
  EXPECT_NE(text.find("the disk is full"), std::string::npos) << text;
  const auto restored = store.restore({&field});
  EXPECT_TRUE(field.holds(static_cast<double>(std::min(restored.state.step, 2LL))));
  EXPECT_GE(restored.state.step, 1);
}

TEST(FullDisk, DirectoryIsRefused) {
  const Team comm = world();
  const Scratch scratch(comm);
  const SmallDisk disk(comm, scratch.path());
  if (!disk) GTEST_SKIP() << "no permission to mount a small disk";
  if (comm.is_root()) put(scratch.path() / "ballast", std::string(500 * 1024, 'x'));
  MPI_Barrier(comm.handle());
  const std::string text =
      refusal([&] { (void)OutputDirectory::prepare(comm, scratch.path() / "out", false); });
  EXPECT_NE(text.find("the disk is full"), std::string::npos) << text;
}

TEST(FullDisk, TextAndPicturesAreRefused) {
  const Team comm = world();
  const Scratch scratch(comm);
  const SmallDisk disk(comm, scratch.path());
  if (!disk) GTEST_SKIP() << "no permission to mount a small disk";
  auto field = sample(comm, {1, {300, 1, 1}}, "u");
  field.fill(0);
  PictureSeries pictures(comm, {1, {300, 1, 1}}, scratch.path() / "pictures", {&field}, {});
  StepTable csv(comm, scratch.path() / "d.csv", {"time", "dt", "u_min"}, {});
  if (comm.is_root()) {
    std::ofstream ballast(scratch.path() / "ballast", std::ios::binary);
    while (ballast << std::string(4096, 'x') << std::flush) continue;
  }
  MPI_Barrier(comm.handle());
  refusal([&] { pictures.write(0, 0); });
  const double value = 1.0 / 3;
  const std::string before = contents(scratch.path() / "d.csv");
  const std::string text = refusal([&] {
    for (long long step = 0; step < 1000; ++step) csv.append(step, std::array{0.1, 0.1, value});
  });
  EXPECT_NE(text.find("the disk is full"), std::string::npos) << text;
}

TEST(ReadOnlyDisk, IsRefused) {
  const Team comm = world();
  const Scratch scratch(comm);
  const SmallDisk disk(comm, scratch.path());
  if (!disk) GTEST_SKIP() << "no permission to mount a small disk";
  disk.make_read_only();
  const std::string text =
      refusal([&] { (void)OutputDirectory::prepare(comm, scratch.path() / "out", false); });
  EXPECT_NE(text.find("Read-only file system"), std::string::npos) << text;
  refusal([&] { (void)OutputDirectory::prepare(comm, scratch.path(), false); });
}

TEST(FileSizeLimit, IsRefusedWithoutASignal) {
  const Team comm = world();
  const Scratch scratch(comm);
  auto field = sample(comm, large_plane, "u");
  FieldSeries series(comm, large_plane, scratch.path(), "run", {&field}, {});
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 100 * 1024;
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string text = refusal([&] { series.write(0, 0); });
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_NE(text.find("ulimit -f"), std::string::npos) << text;
  series.write(0, 0);
}

}  // namespace
}  // namespace cartwright::grid::test
