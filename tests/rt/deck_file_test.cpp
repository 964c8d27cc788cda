// SPDX-License-Identifier: Apache-2.0
// Files that are no decks.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "deck_fixture.hpp"

namespace cartwright::rt::test {
namespace {

namespace fs = std::filesystem;

class DeckFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "cartwright-deck-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& content) {
    const fs::path path = folder_ / name;
    std::ofstream(path, std::ios::binary) << content;
    return path.string();
  }

  /// "what | advice", with the folder's name removed.
  std::string fault(const std::string& path) {
    try {
      (void)Deck::read(path, {}, {});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::input_error);
      EXPECT_EQ(error.reach(), Reach::all_ranks);
      std::string text = std::string(error.what()) + " | " + error.advice();
      const std::string prefix = folder_.string() + "/";
      for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
        text.erase(at, prefix.size());
      }
      return text;
    }
    return {};
  }

  fs::path folder_;
};

TEST_F(DeckFile, Missing) {
  write("heat.yaml", "a: 1");
  EXPECT_EQ(fault((folder_ / "haet.yaml").string()),
            "haet.yaml: there is no such file | Did you mean 'heat.yaml'?");
  EXPECT_EQ(fault((folder_ / "no" / "deck.yaml").string()),
            "no/deck.yaml: there is no such file | Check the path of the deck.");
}

TEST_F(DeckFile, Directory) {
  write("heat.yaml", "a: 1");
  EXPECT_NE(fault(folder_.string()).find("is a directory, not a deck | Decks in it: heat.yaml."),
            std::string::npos);
}

TEST_F(DeckFile, Pipe) {
  const std::string path = (folder_ / "pipe.yaml").string();
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(fault(path), "pipe.yaml: isn't a regular file | Name a deck: a YAML file.");
}

/// Root may read everything, so it becomes somebody else for a while.
class NotRoot {
 public:
  NotRoot() : was_root_(geteuid() == 0 && seteuid(65534) == 0) {}
  NotRoot(const NotRoot&) = delete;
  NotRoot& operator=(const NotRoot&) = delete;
  ~NotRoot() {
    if (was_root_ && seteuid(0) != 0) std::abort();
  }

 private:
  bool was_root_;
};

TEST_F(DeckFile, Unreadable) {
  const std::string path = write("deck.yaml", "a: 1");
  fs::permissions(path, fs::perms::none);
  fs::permissions(folder_, fs::perms{0755});
  const NotRoot somebody;
  if (geteuid() == 0) GTEST_SKIP() << "root may read every file";
  EXPECT_EQ(fault(path),
            "deck.yaml: can't be read: Permission denied | Check the permissions of the file.");
}

TEST_F(DeckFile, InAFolderThatMayNotBeEntered) {
  const std::string path = write("deck.yaml", "a: 1");
  fs::permissions(folder_, fs::perms::none);
  std::string message;
  {
    const NotRoot somebody;
    message = fault(path);
  }
  fs::permissions(folder_, fs::perms::owner_all);
  EXPECT_EQ(message,
            "deck.yaml: can't be read: Permission denied | Check the path and its permissions.");
}

TEST_F(DeckFile, Program) {
  EXPECT_NE(fault(write("pde",
                        "\x7f"
                        "ELF\x02\x01"))
                .find("this is a program"),
            std::string::npos);
}

TEST_F(DeckFile, Empty) {
  EXPECT_EQ(fault(write("a.yaml", "")),
            "a.yaml: the file is empty | `--deck-reference` lists what a deck can hold.");
  for (const char* text : {"\n\n", "# only a comment\n", "---\n", "~\n"}) {
    EXPECT_NE(fault(write("a.yaml", text)).find("a.yaml: the deck is empty: it sets no key"),
              std::string::npos);
  }
}

TEST_F(DeckFile, Binary) {
  EXPECT_EQ(fault(write("a.yaml", std::string("a: 1\nb: \0", 9))),
            "a.yaml:2: byte 9 (0x00) is a control character, not text | "
            "Is it a binary file? A deck is a YAML file.");
  EXPECT_EQ(fault(write("a.yaml", "a: \xff\n")),
            "a.yaml:1: byte 4 (0xff) isn't UTF-8 text | Save the deck as UTF-8.");
  EXPECT_EQ(fault(write("a.h5", "\x89HDF\r\n")),
            "a.h5: isn't a deck: this is an HDF5 file | Name a deck: a YAML file.");
  EXPECT_NE(fault(write("a.yaml",
                        "\xff\xfe"
                        "a"))
                .find("UTF-16"),
            std::string::npos);
}

TEST_F(DeckFile, Huge) {
  const std::string path = write("a.yaml", "a: 1\n");
  fs::resize_file(path, 3 * 1024 * 1024);
  EXPECT_EQ(fault(path),
            "a.yaml: has 3.0 MiB, but a deck has at most 1 MiB | "
            "Is it a deck? Large data belong into HDF5 files that a deck names.");
}

TEST_F(DeckFile, NoMap) {
  Reader reader;
  EXPECT_EQ(reader.read("- a\n- b\n"),
            "heat.yaml:1:1: a deck is made of 'key: value' lines, but this is the list [a, b]");
  EXPECT_EQ(reader.read("hello\n", {"seed=1"}),
            "heat.yaml:1:1: a deck is made of 'key: value' lines, but this is 'hello'");
}

}  // namespace
}  // namespace cartwright::rt::test
