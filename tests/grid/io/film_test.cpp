// SPDX-License-Identifier: Apache-2.0
// Films, with a program in place of ffmpeg that keeps what it is told.
#include <cartwright/grid/output/picture_series.hpp>

#include <algorithm>
#include <cstdlib>

#include "film.hpp"
#include "sample_field.hpp"
#include "scratch.hpp"

namespace cartwright::grid::test {
namespace {

namespace fs = std::filesystem;

/// For a time `directory` is the first, or only, place where programs are looked for.
class SearchPath {
 public:
  SearchPath(const fs::path& directory, bool only) : before_(std::getenv("PATH")) {
    ::setenv("PATH", (directory.string() + (only ? "" : ":" + before_)).c_str(), 1);
  }
  SearchPath(const SearchPath&) = delete;
  SearchPath& operator=(const SearchPath&) = delete;
  ~SearchPath() { ::setenv("PATH", before_.c_str(), 1); }

 private:
  std::string before_;
};

void put_program(const fs::path& directory, const std::string& body) {
  fs::create_directories(directory);
  put(directory / "ffmpeg", "#!/bin/sh\n" + body + "\n");
  fs::permissions(directory / "ffmpeg", fs::perms::owner_all);
}

/// The last argument is the film, the one behind -i the list of pictures.
constexpr const char* copies_list =
    "while [ $# -gt 1 ]; do [ \"$1\" = -i ] && list=$2; shift; done; cat \"$list\" > \"$1\"";

std::vector<std::string> names_in(const fs::path& directory) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(Film, TakesAllPicturesInTheirOrder) {
  const Team comm = world();
  const Scratch scratch(comm);
  const GridDescription plane{2, {8, 6, 1}};
  auto field = sample(comm, plane, "u");
  field.fill(0.1);
  const fs::path directory = scratch.path() / "it's";
  if (comm.is_root()) put_program(scratch.path() / "bin", copies_list);
  MPI_Barrier(comm.handle());
  const SearchPath search(scratch.path() / "bin", false);
  PictureSeries::Options options;
  options.film = 4;
  PictureSeries series(comm, plane, directory, {&field}, options);
  for (const long long step : {0, 5, 100}) series.write(step, 0);
  const auto words = series.finish(true);
  if (!comm.is_root()) {
    EXPECT_TRUE(words.empty());
    return;
  }
  ASSERT_EQ(words, (std::vector<std::string>{(directory / "u.mp4").string()}));
  const std::string list = contents(directory / "u.mp4");
  const auto first = list.find("u_0000000000.png"), second = list.find("u_0000000005.png"),
             third = list.find("u_0000000100.png");
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
  EXPECT_NE(third, std::string::npos);
  EXPECT_NE(list.find("it'\\''s"), std::string::npos) << "quoted for ffmpeg";
  EXPECT_NE(list.find("duration 0.25"), std::string::npos);
}

TEST(Film, WithoutFfmpegIsASentence) {
  const Team self = alone();
  const Scratch scratch(self);
  put(scratch.path() / "u.png", "x");
  const fs::path bin = scratch.path() / "bin";
  fs::create_directories(bin);
  const std::vector pictures{scratch.path() / "u.png"};
  const auto make = [&] {
    const SearchPath search(bin, true);
    return make_film(scratch.path() / "u.mp4", pictures, 10);
  };
  EXPECT_NE(make().find("ffmpeg isn't found"), std::string::npos);
  put_program(bin, "exit 3");
  EXPECT_NE(make().find("exit code 3"), std::string::npos);
  put_program(bin, "kill -9 $$");
  EXPECT_NE(make().find("signal"), std::string::npos);
  put_program(bin, "exit 0");
  EXPECT_NE(make().find("has failed"), std::string::npos) << "which wrote nothing";
  EXPECT_EQ(names_in(scratch.path()), (std::vector<std::string>{"bin", "u.png"}));
}

}  // namespace
}  // namespace cartwright::grid::test
