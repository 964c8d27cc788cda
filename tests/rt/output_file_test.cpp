// SPDX-License-Identifier: Apache-2.0
// Files that are written whole, streams that are written as they come, and names under which
// nothing may be written.
#include <cartwright/rt/output_file.hpp>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/input_file.hpp>
#include <cartwright/rt/unfinished_file.hpp>
#include <cartwright/rt/write_fault.hpp>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <thread>

namespace cartwright::rt {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() {
    std::string pattern = (fs::temp_directory_path() / "cartwright_files_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch directory");
    scratch_ = pattern;
  }
  ~Files() override { fs::remove_all(scratch_); }

  [[nodiscard]] fs::path at(const std::string& name) const { return scratch_ / name; }
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(at(name)) << text;
  }
  [[nodiscard]] std::string text_of(const std::string& name) const {
    std::ifstream file(at(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(scratch_))
      found.insert(entry.path().filename());
    return found;
  }
  static unsigned mode_of(const fs::path& path) {
    struct stat found {};
    lstat(path.c_str(), &found);
    return found.st_mode;
  }
  /// What write_file() and require_writable() say about a path, both as an input error.
  static std::string refusal(const fs::path& path) {
    const auto told = [](const auto& action) -> std::string {
      try {
        action();
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::input_error);
        EXPECT_FALSE(error.advice().empty());
        return error.what();
      }
      return "nothing was thrown";
    };
    const std::string before = told([&] { require_writable(path); });
    EXPECT_EQ(before, told([&] { write_file(path, "text"); })) << path;
    return before;
  }
  fs::path scratch_;
};

TEST_F(Files, NewOnesGetTheUsualPermissionsOldOnesKeepTheirs) {
  const mode_t mask = umask(027);
  write_file(at("new"), "new");
  umask(mask);
  EXPECT_EQ(text_of("new"), "new");
  EXPECT_EQ(mode_of(at("new")) & 0777U, 0640U);
  put("old", "old");
  chmod(at("old").c_str(), 0604);
  write_file(at("old"), "another");
  EXPECT_EQ(text_of("old"), "another");
  EXPECT_EQ(mode_of(at("old")) & 0777U, 0604U);
  EXPECT_EQ(names(), (std::set<std::string>{"new", "old"}));
}

TEST_F(Files, WhatIsNotWholeHasNoNameAndIsPrivate) {
  put("old", "old");
  std::set<std::string> seen;
  for (int i = 0; i < 2; ++i) {
    OutputFile file(at("old"));
    file.write("half");
    auto found = names();
    found.erase("old");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(mode_of(at(*found.begin())) & 0777U, 0600U);
    EXPECT_TRUE(seen.insert(*found.begin()).second) << "the same name twice";
    EXPECT_EQ(text_of("old"), "old");
  }
  EXPECT_EQ(names(), std::set<std::string>{"old"});
  EXPECT_EQ(text_of("old"), "old");
}

TEST_F(Files, LongNamesHaveRoomForTheUnfinishedOne) {
  const std::string longest(255, 'n');
  write_file(at(longest), "text");
  EXPECT_EQ(text_of(longest), "text");
  EXPECT_NE(refusal(at(std::string(300, 'n'))).find("too long"), std::string::npos);
}

TEST_F(Files, LinksAreFollowedAndStayLinks) {
  fs::create_directory(at("data"));
  fs::create_symlink("data/result", at("link"));
  fs::create_symlink("link", at("link of a link"));
  write_file(at("link of a link"), "first");
  EXPECT_EQ(text_of("data/result"), "first");
  write_file(at("link"), "second");
  EXPECT_EQ(text_of("data/result"), "second");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  replace_file(at("link"), "third");
  EXPECT_FALSE(fs::is_symlink(at("link"))) << "replace_file() follows nothing";
  EXPECT_EQ(text_of("data/result"), "second");
}

TEST_F(Files, NamesThatCantBeFilesAreRefusedAndNothingIsLeft) {
  fs::create_directory(at("directory"));
  fs::create_symlink("loop", at("loop"));
  fs::create_symlink("directory", at("link"));
  put("file", "text");
  const auto before = names();
  EXPECT_NE(refusal(at("directory")).find("it is a directory"), std::string::npos);
  EXPECT_NE(refusal(at("directory/")).find("it is a directory"), std::string::npos);
  EXPECT_NE(refusal(at("link")).find("it is a directory"), std::string::npos);
  EXPECT_NE(refusal("/").find("it is a directory"), std::string::npos);
  EXPECT_NE(refusal(".").find("it is a directory"), std::string::npos);
  EXPECT_NE(refusal("..").find("it is a directory"), std::string::npos);
  EXPECT_NE(refusal("").find("empty"), std::string::npos);
  EXPECT_NE(refusal(at("loop")).find("symbolic links"), std::string::npos);
  EXPECT_NE(refusal(at("none/file")).find("No such file"), std::string::npos);
  EXPECT_NE(refusal(at("none/")).find("no such directory"), std::string::npos);
  EXPECT_NE(refusal(at("file/below")).find("Not a directory"), std::string::npos);
  EXPECT_EQ(names(), before);
  EXPECT_TRUE(fs::is_empty(at("directory")));
}

TEST_F(Files, DevicesStayWhatTheyAre) {
  if (mknod(at("null").c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0)
    GTEST_SKIP() << "no permission to make a device";
  put("file", "text");
  EXPECT_TRUE(is_stream(at("null")));
  EXPECT_FALSE(is_stream(at("file")));
  require_writable(at("null"));
  write_file(at("null"), "text");
  EXPECT_TRUE(S_ISCHR(mode_of(at("null"))));
  EXPECT_THROW(replace_file(at("null"), "text"), std::system_error);
  EXPECT_TRUE(S_ISCHR(mode_of(at("null"))));
  ASSERT_EQ(mknod(at("disk").c_str(), S_IFBLK | 0600, makedev(7, 77)), 0);
  EXPECT_NE(refusal(at("disk")).find("it is a disk"), std::string::npos);
  fs::create_symlink("null", at("link"));
  write_file(at("link"), "text");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(names(), (std::set<std::string>{"null", "file", "disk", "link"}));
}

TEST_F(Files, PipesAreWrittenAsTheyCome) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = text_of("pipe"); });
  write_file(at("pipe"), std::string(200000, 'x'));
  reader.join();
  EXPECT_EQ(read.size(), 200000U);
  EXPECT_TRUE(S_ISFIFO(mode_of(at("pipe"))));
  require_writable(at("pipe"));
  EXPECT_EQ(names(), std::set<std::string>{"pipe"});
}

TEST_F(Files, PipesWithoutAReaderAreRefused) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  try {
    write_file(at("pipe"), "text");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("nobody reads"), std::string::npos) << error.what();
  }
  // One that leaves is an error, and no signal that ends the process.
  FileDescriptor reader(at("pipe"), O_RDONLY | O_NONBLOCK);
  OutputFile file(at("pipe"));
  file.write("text");
  ::close(reader.release());
  EXPECT_THROW(file.write("text"), Error);
}

TEST_F(Files, WhatTheProcessHasOpenIsWrittenTo) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const std::string name = "/dev/fd/" + std::to_string(ends[1]);
  EXPECT_TRUE(is_stream(name));
  require_writable(name);
  write_file(name, "through a pipe");
  std::array<char, 64> read{};
  EXPECT_EQ(::read(ends[0], read.data(), read.size()), 14);
  ::close(ends[0]);
  ::close(ends[1]);
  // A file that lost its name, a link as /dev/stdout is one, and a socket.
  const FileDescriptor file(at("file"), O_RDWR | O_CREAT);
  ASSERT_EQ(::write(file.get(), "before ", 7), 7);
  fs::remove(at("file"));
  fs::create_symlink("/proc/self/fd/" + std::to_string(file.get()), at("stdout"));
  write_file(at("stdout"), "after");
  EXPECT_EQ(::pread(file.get(), read.data(), read.size(), 0), 12);
  EXPECT_EQ(names(), std::set<std::string>{"stdout"});
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  write_file("/proc/self/fd/" + std::to_string(ends[1]), "through a socket");
  EXPECT_EQ(::read(ends[0], read.data(), read.size()), 16);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(Files, SocketsWithNamesAreRefused) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  at("socket").string().copy(address.sun_path, sizeof(address.sun_path) - 1);
  const FileDescriptor end(socket(AF_UNIX, SOCK_STREAM, 0));
  ASSERT_EQ(bind(end.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_NE(refusal(at("socket")).find("it is a socket"), std::string::npos);
}

TEST_F(Files, LinksThatSomebodyPlantedAreNotFollowed) {
  if (geteuid() != 0) GTEST_SKIP() << "needs links of somebody else";
  fs::create_directory(at("shared"));
  chmod(at("shared").c_str(), 01777);
  put("precious", "precious");
  fs::create_symlink(at("precious"), at("shared/result"));
  ASSERT_EQ(lchown(at("shared/result").c_str(), 65534, 65534), 0);
  EXPECT_NE(refusal(at("shared/result")).find("somebody else"), std::string::npos);
  EXPECT_EQ(text_of("precious"), "precious");
}

/// The exit code of an action in a process of a user without rights.
int as_nobody(const auto& action) {
  const pid_t child = fork();
  if (child == 0) {
    if (setresgid(65534, 65534, 65534) != 0 || setresuid(65534, 65534, 65534) != 0) _exit(99);
    try {
      action();
      _exit(0);
    } catch (const Error& error) {
      const bool told = std::string(error.what()).find("Permission denied") != std::string::npos;
      _exit(told ? static_cast<int>(error.code()) : 98);
    } catch (...) {
      _exit(97);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(Files, WithoutPermissionNothingHappens) {
  if (geteuid() != 0) GTEST_SKIP() << "needs another user";
  chmod(scratch_.c_str(), 0755);
  put("readable", "text");
  EXPECT_EQ(as_nobody([&] { write_file(at("new"), "x"); }), 1);
  EXPECT_EQ(as_nobody([&] { require_writable(at("new")); }), 1);
  chmod(scratch_.c_str(), 0777);
  EXPECT_EQ(as_nobody([&] { write_file(at("readable"), "x"); }), 1) << "it was protected";
  EXPECT_EQ(as_nobody([&] { write_file(at("new"), "x"); }), 0);
  chmod(at("readable").c_str(), 0);
  EXPECT_EQ(as_nobody([&] { static_cast<void>(read_file(at("readable"))); }), 1);
  EXPECT_EQ(text_of("readable"), "text");
}

TEST_F(Files, OnlyRegularFilesAreRead) {
  put("file", "some text");
  EXPECT_EQ(read_file(at("file")), "some text");
  EXPECT_EQ(read_file(at("file"), 4), "some");
  put("large", std::string(300000, 'x'));
  EXPECT_EQ(read_file(at("large")).size(), 300000U);
  EXPECT_EQ(read_file("/proc/self/status").substr(0, 5), "Name:") << "has no size beforehand";
  const auto fault = [](const fs::path& path) -> std::string {
    try {
      static_cast<void>(read_file(path));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::input_error);
      return error.what();
    }
    return {};
  };
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  fs::create_symlink("loop", at("loop"));
  EXPECT_NE(fault(at("pipe")).find("it is a pipe"), std::string::npos);
  EXPECT_NE(fault("/dev/zero").find("it is a device"), std::string::npos);
  EXPECT_NE(fault(scratch_).find("it is a directory"), std::string::npos);
  EXPECT_NE(fault(at("none")).find("No such file"), std::string::npos);
  EXPECT_NE(fault(at("loop")).find("symbolic links"), std::string::npos);
  EXPECT_NE(fault(std::string(300, 'x')).find("too long"), std::string::npos);
  EXPECT_NE(fault("").find("No such file"), std::string::npos);
}

TEST_F(Files, NamesThatAreTakenMeanwhileAreRefused) {
  OutputFile file(at("new"), "Choose another.");
  file.write("text");
  fs::create_directory(at("new"));
  EXPECT_THROW(file.finish(), Error);
  EXPECT_TRUE(fs::is_directory(at("new")));
}

TEST_F(Files, LoopsOfLinksAreNoStreams) {
  fs::create_symlink(at("b"), at("a"));
  fs::create_symlink(at("a"), at("b"));
  EXPECT_FALSE(is_stream(at("a")));
}

TEST_F(Files, WhyTheyCantBeWrittenIsSaidInWords) {
  EXPECT_EQ(write_fault(at("new"), ENOSPC), "the disk is full");
  EXPECT_EQ(write_fault("new", ENOSPC), "the disk is full");
  EXPECT_EQ(write_fault(at("nowhere/new"), ENOSPC), "the disk is full");
  EXPECT_EQ(write_fault(at("new"), EDQUOT), "the disk quota is used up");
  EXPECT_EQ(write_fault(at("new"), EFBIG), "the limit on file sizes (ulimit -f) forbids it");
  EXPECT_EQ(write_fault(at("new"), EACCES), "Permission denied");
}

TEST_F(Files, UnfinishedOnesAreRemoved) {
  put("result", "whole");
  const auto one = begin_file(at("result"));
  const auto two = begin_file(at("result"));
  EXPECT_NE(one.name, two.name);
  put(one.name.filename().string() + "-1560477697-48.lock", "");  // Open MPI's, of files on nodes
  put("mine.lock", "");
  remove_unfinished(scratch_);
  remove_unfinished(at("none"));
  EXPECT_EQ(names(), (std::set<std::string>{"mine.lock", "result"}));
}

}  // namespace
}  // namespace cartwright::rt
