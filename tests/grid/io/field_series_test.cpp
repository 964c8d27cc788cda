// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>
#include <unistd.h>
#include <cartwright/grid/output/dataset_reader.hpp>
#include <cartwright/grid/output/field_series.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "hdf5_file.hpp"
#include "sample_field.hpp"
#include "scratch.hpp"
#include "whole_file.hpp"

namespace cartwright::grid::test {
namespace {

namespace fs = std::filesystem;

const GridDescription periodic_plane{
    2, {13, 9, 1}, {2.0, 1.0, 1.0}, {0.5, 0, 0}, {true, false, false}};

FieldSeries::Options options(std::optional<long long> restart = {}) {
  return {Precision::float64, {"a.yaml", "solver: heat\n", "1.0", "abc", "2 ranks"}, restart};
}

/// Every number of a dataset, read by this rank alone.
template <class T>
std::vector<T> all_numbers(const fs::path& file, const std::string& name, hid_t type,
                           std::size_t count) {
  const QuietHdf5 quiet;
  const Hdf5Handle opened = open_serial(file);
  const Hdf5Handle dataset(H5Dopen2(opened.get(), name.c_str(), H5P_DEFAULT), H5Dclose, "open");
  EXPECT_EQ(static_cast<std::size_t>(H5Dget_storage_size(dataset.get())), count * sizeof(T));
  std::vector<T> numbers(count);
  hdf5_check(H5Dread(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), "read");
  return numbers;
}

template <class T>
void expect_round_trip(const GridDescription& grid, ScalarType scalar, Centring centring,
                       int components) {
  const Team comm = world();
  const Scratch scratch(comm);
  const auto parts = process_grid(comm.size(), grid.dimensions);
  SampleField<T> field("u", block_of(grid, centring, parts, comm.rank().value), centring, scalar,
                       components);
  field.fill(0.25);
  FieldSeries series(comm, grid, scratch.path(), "run", {&field}, options());
  series.write(7, 0.5);
  SampleField<T> whole("u", block_of(grid, centring, {1, 1, 1}, 0), centring, scalar, components);
  whole.values() = all_numbers<T>(scratch.path() / "fields/run_0000000007.h5", "u",
                                  memory_type(scalar), whole.values().size());
  EXPECT_TRUE(whole.holds(0.25));
  SampleField<T> back("u", field.block(), centring, scalar, components);
  read_dataset(comm, scratch.path() / "fields/run_0000000007.h5", "u", back);
  EXPECT_TRUE(back.holds(0.25));
}

TEST(FieldSeries, KeepsNumbersOfEveryKind) {
  const GridDescription space{3, {7, 5, 3}};
  expect_round_trip<double>({1, {17, 1, 1}}, ScalarType::float64, Centring::cell, 1);
  expect_round_trip<double>(periodic_plane, ScalarType::float64, Centring::node, 1);
  expect_round_trip<double>(space, ScalarType::float64, Centring::cell, 3);
  expect_round_trip<float>(space, ScalarType::float32, Centring::node, 2);
  expect_round_trip<std::int8_t>(periodic_plane, ScalarType::int8, Centring::cell, 1);
  expect_round_trip<std::uint8_t>(periodic_plane, ScalarType::boolean, Centring::cell, 1);
  expect_round_trip<std::uint8_t>(periodic_plane, ScalarType::uint8, Centring::cell, 1);
  expect_round_trip<std::int16_t>(periodic_plane, ScalarType::int16, Centring::node, 1);
  expect_round_trip<std::int32_t>(periodic_plane, ScalarType::int32, Centring::cell, 1);
  expect_round_trip<std::uint32_t>(periodic_plane, ScalarType::uint32, Centring::cell, 1);
  expect_round_trip<std::uint64_t>(periodic_plane, ScalarType::uint64, Centring::cell, 3);
  expect_round_trip<std::int64_t>(periodic_plane, ScalarType::int64, Centring::cell, 2);
}

TEST(FieldSeries, RanksWithoutPoints) {
  expect_round_trip<double>({1, {1, 1, 1}}, ScalarType::float64, Centring::cell, 1);
  expect_round_trip<double>({3, {2, 1, 2}}, ScalarType::float64, Centring::cell, 2);
}

TEST(FieldSeries, FilesDoNotDependOnTheNumberOfRanks) {
  const Team comm = world();
  const Team one = alone();
  const Scratch scratch(comm);
  const Scratch single(one);
  auto spread = sample(comm, periodic_plane, "u");
  auto whole = sample(one, periodic_plane, "u");
  spread.fill(1);
  whole.fill(1);
  FieldSeries(comm, periodic_plane, scratch.path(), "run", {&spread}, options()).write(3, 0.1);
  FieldSeries(one, periodic_plane, single.path(), "run", {&whole}, options()).write(3, 0.1);
  EXPECT_EQ(contents(scratch.path() / "fields/run_0000000003.h5"),
            contents(single.path() / "fields/run_0000000003.h5"));
}

TEST(FieldSeries, StoresFloatsOnRequest) {
  const Team comm = world();
  const Scratch scratch(comm);
  auto field = sample(comm, periodic_plane, "u");
  field.fill(1);
  auto wanted = options();
  wanted.precision = Precision::float32;
  FieldSeries(comm, periodic_plane, scratch.path(), "run", {&field}, wanted).write(0, 0);
  const auto numbers =
      all_numbers<float>(scratch.path() / "fields/run_0000000000.h5", "u", H5T_NATIVE_FLOAT, 117);
  EXPECT_EQ(numbers[13 + 4], static_cast<float>(SampleField<double>::number({4, 1, 0}, 0, 1)));
}

/// What is said of a field that holds `value` at (4, 1) and `elsewhere` everywhere else.
std::string float_refusal(double value, double elsewhere, Centring centring, int components) {
  const Team comm = world();
  const Scratch scratch(comm);
  auto good = sample(comm, periodic_plane, "good");
  auto field = sample(comm, periodic_plane, "u", centring, components);
  const auto fill = [&](double at_place) {
    field.fill_with([&](const auto& place, int component) {
      return place[0] == 4 && place[1] == 1 && component == components - 1 ? at_place : elsewhere;
    });
  };
  auto wanted = options();
  wanted.precision = Precision::float32;
  FieldSeries series(comm, periodic_plane, scratch.path(), "run", {&good, &field}, wanted);
  fill(0.5);
  if (elsewhere == 0) series.write(10, 0.1);
  fill(value);
  std::string text = refusal([&] { series.write(20, 0.2); });
  EXPECT_EQ(contents(series.index_file()).find("0000000020"), std::string::npos);
  const std::string earlier = "run_0000000010.h5";
  for (const auto& entry : fs::directory_iterator(scratch.path() / "fields"))
    EXPECT_EQ(entry.path().filename(), earlier) << "nothing else, whole or not";
  if (elsewhere == 0) {
    EXPECT_NE(contents(series.index_file()).find(earlier), std::string::npos);
  }
  return text;
}

TEST(FieldSeries, NumbersTooLargeForFloatsAreNamed) {
  EXPECT_EQ(float_refusal(-1e39, 0, Centring::cell, 1),
            "'u' can't be stored as float32 at step 20: it is -1e+39 in cell (4, 1), at x, y = "
            "(1.19231, 0.166667); float32 holds numbers up to 3.4e+38 | Set output.precision: "
            "float64, or mend the numbers (the unit, the initial data, the time step).");
  const std::string vector = float_refusal(1e200, 0, Centring::node, 3);
  EXPECT_NE(vector.find("it is 1e+200 in node (4, 1), at"), std::string::npos) << vector;
  EXPECT_NE(float_refusal(1e39, 1e38, Centring::cell, 1).find("1e+39 in cell (4, 1)"),
            std::string::npos);
  // The first number that rounds to infinity.
  const double beyond = std::ldexp(1.0, 128) - std::ldexp(1.0, 103);
  EXPECT_NE(float_refusal(beyond, 0, Centring::cell, 1).find("'u'"), std::string::npos);
}

TEST(FieldSeries, FieldsOfWhichFloatsKeepNothingAreNamed) {
  EXPECT_NE(float_refusal(1e-200, 1e-201, Centring::cell, 1)
                .find("it is 1e-200 in cell (4, 1), at x, y = (1.19231, 0.166667); none of "
                      "its numbers is larger, and float32 holds numbers from 1.18e-38"),
            std::string::npos);
  EXPECT_NE(float_refusal(5e-324, 0, Centring::cell, 2).find("4.94066e-324"), std::string::npos);
}

TEST(FieldSeries, WhatFloatsHoldIsStored) {
  const Team comm = world();
  const Scratch scratch(comm);
  auto field = sample(comm, periodic_plane, "u");
  auto wanted = options();
  wanted.precision = Precision::float32;
  FieldSeries series(comm, periodic_plane, scratch.path(), "run", {&field}, wanted);
  constexpr float most = std::numeric_limits<float>::max();
  constexpr float least = std::numeric_limits<float>::min();
  const double below = std::ldexp(1.0, 128) - std::ldexp(1.0, 103) - std::ldexp(1.0, 80);
  struct Case {
    double here, elsewhere;
    float stored;
  };
  // The tails of a bell curve vanish; that is no loss beside its middle.
  const std::vector<Case> cases{{below, 0, most},    {-most, most, -most}, {1e-300, 1, 0.0F},
                                {0, 0, 0.0F},        {least, 0, least},    {INFINITY, 1, INFINITY},
                                {std::nan(""), 1, 0}};
  long long step = 0;
  for (const auto& [here, elsewhere, stored] : cases) {
    field.fill_with(
        [&](const auto& place, int) { return place[0] == 4 && place[1] == 1 ? here : elsewhere; });
    series.write(++step, 0.1);
    const auto numbers = all_numbers<float>(
        scratch.path() / "fields" / ("run_000000000" + std::to_string(step) + ".h5"), "u",
        H5T_NATIVE_FLOAT, 117);
    if (std::isnan(here))
      EXPECT_TRUE(std::isnan(numbers[13 + 4]));
    else
      EXPECT_EQ(numbers[13 + 4], stored) << here;
  }
}

TEST(FieldSeries, RestartForgetsLaterOutputs) {
  const Team comm = world();
  const Scratch scratch(comm);
  auto field = sample(comm, periodic_plane, "u");
  const auto write = [&](FieldSeries& series, long long step) {
    field.fill(static_cast<double>(step));
    series.write(step, 0.1 * static_cast<double>(step));
  };
  std::string undisturbed;
  {
    FieldSeries series(comm, periodic_plane, scratch.path(), "run", {&field}, options());
    for (const long long step : {0, 10, 20, 30}) write(series, step);
    undisturbed = contents(series.index_file());
    MPI_Barrier(comm.handle());
    if (comm.is_root()) put(scratch.path() / "fields/run_0000000040.h5.unfinished", "half");
  }
  FieldSeries series(comm, periodic_plane, scratch.path(), "run", {&field}, options(20));
  EXPECT_FALSE(fs::exists(scratch.path() / "fields/run_0000000030.h5"));
  EXPECT_FALSE(fs::exists(scratch.path() / "fields/run_0000000040.h5.unfinished"));
  EXPECT_EQ(contents(series.index_file()).find("run_0000000030"), std::string::npos);
  write(series, 20);  // the step of the restart, again
  write(series, 30);
  EXPECT_EQ(contents(series.index_file()), undisturbed);
}

/// Takes all handles for files but one.
class FewHandles {
 public:
  FewHandles() {
    getrlimit(RLIMIT_NOFILE, &former_);
    rlimit few = former_;
    few.rlim_cur = std::min<rlim_t>(few.rlim_cur, 1024);
    setrlimit(RLIMIT_NOFILE, &few);
    for (int handle = 0; (handle = ::dup(2)) >= 0;) taken_.push_back(handle);
    ::close(taken_.back());
    taken_.pop_back();
  }
  FewHandles(const FewHandles&) = delete;
  FewHandles& operator=(const FewHandles&) = delete;
  ~FewHandles() {
    for (const int handle : taken_) ::close(handle);
    setrlimit(RLIMIT_NOFILE, &former_);
  }

 private:
  rlimit former_{};
  std::vector<int> taken_;
};

TEST(FieldSeries, RestartTellsDamagedOutputsFromThoseItCannotOpen) {
  const Team comm = world();
  if (comm.size() > 1) GTEST_SKIP() << "MPI needs handles, too";
  const Scratch scratch(comm);
  SampleField<double> field("u", block_of(periodic_plane, Centring::cell, {1, 1, 1}, 0),
                            Centring::cell, ScalarType::float64, 1);
  {
    FieldSeries series(comm, periodic_plane, scratch.path(), "run", {&field}, options());
    for (const long long step : {0, 1}) series.write(step, 0.1 * static_cast<double>(step));
  }
  const auto again = [&] {
    FieldSeries(comm, periodic_plane, scratch.path(), "run", {&field}, options(1));
  };
  try {
    const FewHandles few;  // one for the directory, none for a file in it
    again();
    ADD_FAILURE() << "an output was left out of the series";
  } catch (const rt::Error& error) {
    EXPECT_NE(std::string(error.what()).find("Too many open files"), std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(fs::exists(scratch.path() / "fields/run_0000000001.h5"));
  fs::resize_file(scratch.path() / "fields/run_0000000000.h5", 1000);
  again();
  const std::string index = contents(scratch.path() / "run.xdmf");
  EXPECT_EQ(index.find("run_0000000000.h5"), std::string::npos) << index;
  EXPECT_NE(index.find("run_0000000001.h5"), std::string::npos) << index;
}

TEST(ParallelFile, SplitsLargeTransfers) {
  const Team comm = world();
  const Scratch scratch(comm);
  const GridDescription space{3, {17, 6, 5}};
  auto field = sample(comm, space, "u", Centring::cell, 2);
  auto back = sample(comm, space, "u", Centring::cell, 2);
  field.fill(2);
  const DatasetPlan plan{"u", "K", Centring::cell, field.element(), field.block()};
  const fs::path file = begin_result(comm, scratch.path() / "a.h5");
  if (comm.is_root()) create_file(file, {space, {}, 0, 0}, {plan});
  MPI_Barrier(comm.handle());
  for (const long long most : {1, 100, 1000}) {
    ParallelFile out(comm, file, ParallelFile::Access::write, most);
    out.write(plan, std::as_bytes(std::span(field.values())));
    out.close();
    ParallelFile in(comm, file, ParallelFile::Access::read, most);
    in.read(plan, std::as_writable_bytes(std::span(back.values())));
    in.close();
    EXPECT_TRUE(back.holds(2));
    std::ranges::fill(back.values(), 0);
  }
}

TEST(DatasetReader, SaysWhatDoesNotFit) {
  const Team comm = world();
  const Scratch scratch(comm);
  auto field = sample(comm, periodic_plane, "u");
  field.fill(0);
  FieldSeries(comm, periodic_plane, scratch.path(), "run", {&field}, options()).write(0, 0);
  const fs::path file = scratch.path() / "fields/run_0000000000.h5";
  auto other = sample(comm, {2, {12, 9, 1}}, "u");
  const std::string shapes = refusal([&] { read_dataset(comm, file, "u", other); });
  EXPECT_NE(shapes.find("has shape (9, 13), but the field has (9, 12)"), std::string::npos)
      << shapes;
  const std::string names = refusal([&] { read_dataset(comm, file, "v", field); });
  EXPECT_NE(names.find("has no dataset 'v' | It has: edges/x, edges/y, run/deck, run/layout, u."),
            std::string::npos)
      << names;
  refusal([&] { read_dataset(comm, file, "run/deck", field); });
  refusal([&] { read_dataset(comm, scratch.path() / "none.h5", "u", field); });
  if (comm.is_root()) put(scratch.path() / "text.h5", "this is not HDF5");
  MPI_Barrier(comm.handle());
  const std::string text =
      refusal([&] { read_dataset(comm, scratch.path() / "text.h5", "u", field); });
  EXPECT_NE(text.find("not a readable HDF5 file"), std::string::npos) << text;
}

}  // namespace
}  // namespace cartwright::grid::test
