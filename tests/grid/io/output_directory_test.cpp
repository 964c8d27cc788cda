// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/output/output_directory.hpp>
#include <cartwright/grid/output/step_table.hpp>

#include <sys/stat.h>
#include <iterator>

#include "scratch.hpp"

namespace cartwright::grid::test {
namespace {

namespace fs = std::filesystem;

TEST(OutputDirectory, SetsEarlierResultsAside) {
  const Team comm = world();
  const Scratch scratch(comm);
  const fs::path path = scratch.path() / "out/heat";
  const auto run = [&](const std::string& result) {
    const auto directory = OutputDirectory::prepare(comm, path / "", false);
    if (comm.is_root()) put(directory.path() / "result", result);
    MPI_Barrier(comm.handle());
    return directory.set_aside();
  };
  EXPECT_FALSE(run("first").has_value());
  const auto second = run("second");
  const auto third = run("third");
  EXPECT_EQ(second.has_value() && third.has_value(), comm.is_root());
  EXPECT_EQ(second.value_or(scratch.path() / "out/heat.1"), scratch.path() / "out/heat.1");
  EXPECT_EQ(third.value_or(scratch.path() / "out/heat.2"), scratch.path() / "out/heat.2");
  EXPECT_EQ(contents(scratch.path() / "out/heat.1/result"), "first");
  EXPECT_EQ(contents(scratch.path() / "out/heat.2/result"), "second");
  EXPECT_EQ(contents(path / "result"), "third");
}

TEST(OutputDirectory, RestartGoesOn) {
  const Team comm = world();
  const Scratch scratch(comm);
  const std::string text =
      refusal([&] { (void)OutputDirectory::prepare(comm, scratch.path() / "out", true); });
  EXPECT_NE(text.find("no directory"), std::string::npos) << text;
  (void)OutputDirectory::prepare(comm, scratch.path() / "out", false);
  if (comm.is_root()) put(scratch.path() / "out/result", "first");
  MPI_Barrier(comm.handle());
  const auto directory = OutputDirectory::prepare(comm, scratch.path() / "out", true);
  EXPECT_EQ(contents(directory.path() / "result"), "first");
}

TEST(OutputDirectory, OneRunAtATime) {
  const Team comm = world();
  const Scratch scratch(comm);
  const auto first = OutputDirectory::prepare(comm, scratch.path() / "out", false);
  const std::string empty =
      refusal([&] { (void)OutputDirectory::prepare(comm, scratch.path() / "out", false); });
  EXPECT_NE(empty.find("another run is writing into"), std::string::npos) << empty;
  if (comm.is_root()) put(scratch.path() / "out/result", "first");
  MPI_Barrier(comm.handle());
  refusal([&] { (void)OutputDirectory::prepare(comm, scratch.path() / "out", false); });
  EXPECT_EQ(contents(scratch.path() / "out/result"), "first");
}

TEST(OutputDirectory, RefusesFilesAndHomes) {
  const Team comm = world();
  const Scratch scratch(comm);
  if (comm.is_root()) put(scratch.path() / "file", "text");
  MPI_Barrier(comm.handle());
  refusal([&] { (void)OutputDirectory::prepare(comm, scratch.path() / "file", false); });
  refusal([&] { (void)OutputDirectory::prepare(comm, scratch.path() / "file/out", false); });
  if (comm.is_root()) fs::create_directories(scratch.path() / "work/inside");
  MPI_Barrier(comm.handle());
  const fs::path before = fs::current_path();
  fs::current_path(scratch.path() / "work/inside");
  refusal([&] { (void)OutputDirectory::prepare(comm, scratch.path() / "work", false); });
  fs::current_path(before);
}

TEST(OutputDirectory, RefusesNamesThatLeadNowhere) {
  const Team comm = world();
  const Scratch scratch(comm);
  if (comm.is_root()) {
    fs::create_symlink("loop", scratch.path() / "loop");
    fs::create_symlink("nowhere", scratch.path() / "dangling");
    mkfifo((scratch.path() / "pipe").c_str(), 0600);
  }
  MPI_Barrier(comm.handle());
  const auto told = [&](const fs::path& path, const std::string& words) {
    for (const bool restart : {false, true}) {
      const std::string text =
          refusal([&] { (void)OutputDirectory::prepare(comm, path, restart); });
      EXPECT_NE(text.find(words), std::string::npos) << path << ": " << text;
    }
  };
  told(scratch.path() / "loop", "symbolic links");
  told(scratch.path() / "loop/out", "symbolic links");
  told(scratch.path() / "dangling", "a link to 'nowhere', which is not there");
  told(scratch.path() / "pipe", "not a directory");
  told("/dev/null", "not a directory");
  told("", "no name");
  told("~", "'~'");
  told("~/out", "'~'");
  told(scratch.path() / std::string(300, 'x'), "File name too long");
  told(std::string(5000, 'x'), "File name too long");
  const auto entries = std::distance(fs::directory_iterator(scratch.path()), {});
  EXPECT_EQ(entries, 3) << "something was left behind";
  EXPECT_FALSE(fs::exists("~"));
}

TEST(OutputDirectory, RestartsLeaveNothingInDirectoriesOfOthers) {
  const Team comm = world();
  const Scratch scratch(comm);
  const std::string text =
      refusal([&] { (void)OutputDirectory::prepare(comm, scratch.path(), true); });
  EXPECT_NE(text.find("holds no results of a run"), std::string::npos) << text;
  EXPECT_TRUE(fs::is_empty(scratch.path()));
}

TEST(OutputDirectory, NeverMovesTheRootOrWhereItWorks) {
  const Team comm = world();
  for (const char* path : {"/", "..", "../"})
    EXPECT_NE(refusal([&] { (void)OutputDirectory::prepare(comm, path, false); }).find("more than"),
              std::string::npos)
        << path;
}

TEST(OutputDirectory, PlantedLocksAreNotFollowed) {
  const Team comm = world();
  const Scratch scratch(comm);
  if (comm.is_root()) {
    fs::create_directory(scratch.path() / "out");
    fs::create_symlink(scratch.path() / "planted", scratch.path() / "out/.lock");
  }
  MPI_Barrier(comm.handle());
  refusal([&] { (void)OutputDirectory::prepare(comm, scratch.path() / "out", true); });
  EXPECT_FALSE(fs::exists(scratch.path() / "planted"));
}

TEST(OutputDirectory, HasASafeDefaultWhateverTheDeckIsCalled) {
  const auto name = [](const std::string& deck) { return results_directory({}, deck).string(); };
  EXPECT_EQ(name("inputs/pde/heat.yaml"), "out/heat");
  EXPECT_EQ(name("heat.2.yaml"), "out/heat.2");
  EXPECT_EQ(name("Wärme 1.yml"), "out/Wärme 1");
  for (const char* dots : {"..yaml", "...", "...yaml", ".", "..", "", "/", "a/..", "....yaml"})
    EXPECT_EQ(name(dots), "out/run") << dots;
  EXPECT_EQ(name(".yaml"), "out/yaml");
  EXPECT_EQ(name("/dev/stdin"), "out/stdin");
  EXPECT_EQ(name("a\nb\x01.yaml"), "out/a_b_");
  EXPECT_EQ(name(std::string(255, 'x')).size(), 204U);
}

TEST(StepTable, NumbersReadBackAndRestartCutsRows) {
  const Team comm = world();
  const Scratch scratch(comm);
  const fs::path file = scratch.path() / "diagnostics.csv";
  const auto append = [](StepTable& csv, long long step) {
    const double value = 1.0 / (3.0 + static_cast<double>(step));
    csv.append(step, std::array{0.1 * static_cast<double>(step), 0.1, value});
  };
  std::string undisturbed;
  {
    StepTable csv(comm, file, {"time", "dt", "u_max"}, {});
    for (const long long step : {0, 10, 20, 30}) append(csv, step);
    undisturbed = contents(file);
    EXPECT_EQ(undisturbed.substr(0, 47), "step,time,dt,u_max\n0,0,0.1,0.3333333333333333\n1");
    MPI_Barrier(comm.handle());
    if (comm.is_root()) std::ofstream(file, std::ios::app) << "40,4,0";
    MPI_Barrier(comm.handle());
  }
  StepTable csv(comm, file, {"time", "dt", "u_max"}, 10);
  append(csv, 10);  // the step of the restart, again
  append(csv, 20);
  append(csv, 30);
  EXPECT_EQ(contents(file), undisturbed);
  const std::string text = refusal([&] { StepTable(comm, file, {"time", "dt", "u_min"}, 10); });
  EXPECT_NE(text.find("has columns"), std::string::npos) << text;
}

/// Output and a checkpoint may both be due at a step: each flushes.
TEST(StepTable, FlushedTwiceHasEachRowOnce) {
  const Team comm = world();
  const Scratch scratch(comm);
  const fs::path file = scratch.path() / "forces.csv";
  StepTable csv(comm, file, {"drag"}, {});
  csv.add(1, std::array{0.5});
  csv.flush();
  csv.flush();
  csv.add(1, std::array{0.25});  // the step is there already
  csv.add(2, std::array{0.75});
  csv.flush();
  csv.flush();
  MPI_Barrier(comm.handle());
  EXPECT_EQ(contents(file), "step,drag\n1,0.5\n2,0.75\n");
  MPI_Barrier(comm.handle());
}

}  // namespace
}  // namespace cartwright::grid::test
