// SPDX-License-Identifier: Apache-2.0
#include "film.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/wait.hpp>

#include <cerrno>
#include <utility>
#include <vector>

#include "whole_file.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX wants it said

namespace cartwright::grid {
namespace {

namespace fs = std::filesystem;

/// A file that goes when this does, unless it was taken.
class Temporary {
 public:
  explicit Temporary(const fs::path& beside) : name_(begin_result(beside)) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    std::error_code ignored;
    if (!name_.empty()) fs::remove(name_, ignored);
  }
  [[nodiscard]] const fs::path& name() const { return name_; }
  void take_as(const fs::path& name) {
    finish_result(name_, name);
    name_.clear();
  }

 private:
  fs::path name_;
};

/// In the words of ffmpeg's demuxer "concat".
std::string list_of(std::span<const fs::path> pictures, double rate) {
  std::string list = "ffconcat version 1.0\n";
  for (const fs::path& picture : pictures) {
    std::string quoted;
    for (const char c : fs::absolute(picture).string())
      quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    list += fmt::format("file '{}'\nduration {:.9f}\n", quoted, 1 / rate);
  }
  return list;
}

/// Its exit code; 127: there is no such program, -1: a signal has ended it. It reads nothing, and
/// says nothing.
int run_program(std::vector<std::string> words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  for (const int stream : {0, 1, 2})
    posix_spawn_file_actions_addopen(&streams, stream, "/dev/null",
                                     stream == 0 ? O_RDONLY : O_WRONLY, 0);
  pid_t child = 0;
  const int fault =
      ::posix_spawnp(&child, words.front().c_str(), &streams, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&streams);
  if (fault != 0) return 127;
  const rt::WaitScope busy({"ffmpeg, which makes a film"}, rt::WaitKind::files);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string make_or_say_why(const fs::path& film, std::span<const fs::path> pictures, double rate) {
  if (pictures.empty()) return fmt::format("{}: there are no pictures", film.string());
  Temporary list(film);
  write_whole_file(list.name(), list_of(pictures, rate));
  Temporary made(film);
  // Colours for pairs of pixels: what every player takes. The temporary name hides which box it
  // is to be put in.
  const int code = run_program({"ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "concat",
                                "-safe", "0", "-i", list.name().string(), "-vf",
                                fmt::format("fps={:.9g},pad=ceil(iw/2)*2:ceil(ih/2)*2", rate),
                                "-pix_fmt", "yuv420p", "-f", "mp4", made.name().string()});
  std::error_code fault;
  if (code == 0 && fs::file_size(made.name(), fault) > 0 && !fault) {
    made.take_as(film);
    return film.string();
  }
  if (code == 127) return "none: ffmpeg isn't found here; the pictures are there";
  return code < 0
             ? "none: a signal has ended ffmpeg; the pictures are there"
             : fmt::format("none: ffmpeg has failed (exit code {}); the pictures are there", code);
}

}  // namespace

std::string make_film(const fs::path& film, std::span<const fs::path> pictures, double rate) {
  try {
    return make_or_say_why(film, pictures, rate);
  } catch (const rt::Error& error) {  // a full disk
    return fmt::format("none: {}; the pictures are there", error.what());
  }
}

}  // namespace cartwright::grid
