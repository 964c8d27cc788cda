// SPDX-License-Identifier: Apache-2.0
// Files with initial data: what is damaged is noticed where the file has a checksum, and said where
// it has none.
#include <sys/stat.h>
#include <cartwright/grid/output/dataset_reader.hpp>
#include <cartwright/grid/output/field_series.hpp>

#include "hdf5_file.hpp"
#include "sample_field.hpp"
#include "scratch.hpp"

namespace cartwright::grid::test {
namespace {

namespace fs = std::filesystem;

const GridDescription small_plane{2, {13, 9, 1}};

class InitialData : public testing::Test {
 protected:
  fs::path written(Precision precision) {
    field_.fill(0.25);
    FieldSeries::Options options;
    options.precision = precision;
    FieldSeries(comm_, small_plane, scratch_.path(), "run", {&field_}, options).write(0, 0);
    return scratch_.path() / "fields/run_0000000000.h5";
  }
  /// Turns one bit of the `number`-th stored number round.
  void damage(const fs::path& file, const std::string& dataset, int bytes_a_number, int number) {
    MPI_Barrier(comm_.handle());
    if (comm_.is_root()) {
      const QuietHdf5 quiet;
      long long offset = 0;
      {
        const Hdf5Handle opened = open_serial(file);
        const Hdf5Handle handle(H5Dopen2(opened.get(), dataset.c_str(), H5P_DEFAULT), H5Dclose, "");
        offset = static_cast<long long>(H5Dget_offset(handle.get())) + number * bytes_a_number;
      }
      std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
      stream.seekg(offset);
      const int byte = stream.get();
      stream.seekp(offset);
      stream.put(static_cast<char>(byte ^ 4));
    }
    MPI_Barrier(comm_.handle());
  }
  ReadNumbers read(const fs::path& file, const std::string& dataset = "u") {
    return read_dataset(comm_, file, dataset, field_);
  }
  /// By another program: chunked, with or without HDF5's own checksum.
  fs::path foreign(bool with_fletcher) {
    const fs::path file = scratch_.path() / "foreign.h5";
    if (comm_.is_root()) {
      const std::array<hsize_t, 2> shape{9, 13};
      const std::vector<double> numbers(117, 0.5);
      const Hdf5Handle opened(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                              H5Fclose, "create");
      const Hdf5Handle how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "");
      H5Pset_chunk(how.get(), 2, shape.data());
      if (with_fletcher) H5Pset_fletcher32(how.get());
      const Hdf5Handle space(H5Screate_simple(2, shape.data(), nullptr), H5Sclose, "");
      const Hdf5Handle data(H5Dcreate2(opened.get(), "u", H5T_IEEE_F64LE, space.get(), H5P_DEFAULT,
                                       how.get(), H5P_DEFAULT),
                            H5Dclose, "");
      H5Dwrite(data.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
    }
    MPI_Barrier(comm_.handle());
    return file;
  }
  const Team comm_ = world();
  const Scratch scratch_{comm_};
  SampleField<double> field_ = sample(comm_, small_plane, "u");
};

TEST_F(InitialData, OurOwnFilesAreCompared) {
  for (const Precision precision : {Precision::float64, Precision::float32}) {
    const fs::path file = written(precision);
    EXPECT_TRUE(read(file).were_guarded);
    damage(file, "u", precision == Precision::float64 ? 8 : 4, 100);
    const std::string text = refusal([&] { (void)read(file); });
    EXPECT_NE(text.find("dataset 'u' of"), std::string::npos) << text;
    EXPECT_NE(text.find("is damaged"), std::string::npos) << text;
  }
}

TEST_F(InitialData, ChecksumsDontDependOnRanks) {
  const ReadNumbers here = read(written(Precision::float64));
  auto alone_field = sample(alone(), small_plane, "u");
  const ReadNumbers one =
      read_dataset(alone(), scratch_.path() / "fields/run_0000000000.h5", "u", alone_field);
  EXPECT_EQ(here.checksum, one.checksum);
}

TEST_F(InitialData, FilesOfOtherProgramsAreAsGoodAsTheyAre) {
  EXPECT_FALSE(read(foreign(false)).were_guarded);
  const fs::path file = foreign(true);
  EXPECT_TRUE(read(file).were_guarded);
  MPI_Barrier(comm_.handle());
  if (comm_.is_root()) {
    std::string bytes = contents(file);
    const double half = 0.5;
    const std::string pattern(reinterpret_cast<const char*>(&half), sizeof(half));
    const auto place = bytes.find(pattern + pattern);
    ASSERT_NE(place, std::string::npos);
    bytes[place + 80] = 'x';
    put(file, bytes);
  }
  MPI_Barrier(comm_.handle());
  const std::string text = refusal([&] { (void)read(file); });
  EXPECT_NE(text.find("may be damaged"), std::string::npos) << text;
}

TEST_F(InitialData, WhatIsNoFileIsRefusedAtOnce) {
  if (comm_.is_root()) {
    mkfifo((scratch_.path() / "pipe").c_str(), 0600);
    fs::create_symlink("loop", scratch_.path() / "loop");
  }
  MPI_Barrier(comm_.handle());
  const auto told = [&](const fs::path& file, const std::string& words) {
    const std::string text = refusal([&] { (void)read(file); });
    EXPECT_NE(text.find(words), std::string::npos) << text;
  };
  told(scratch_.path() / "pipe", "it is a pipe");
  told(scratch_.path() / "loop", "symbolic links");
  told(scratch_.path(), "it is a directory");
  told("/dev/zero", "it is a device");
}

}  // namespace
}  // namespace cartwright::grid::test
