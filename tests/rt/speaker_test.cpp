// SPDX-License-Identifier: Apache-2.0
// Who says why a run ends, of processes that share nothing but a file.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "speaker.hpp"

namespace cartwright::rt {
namespace {

namespace fs = std::filesystem;

class SpeakerTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "cartwright-speaker-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    ::unsetenv("CARTWRIGHT_VERDICT");
    ::unsetenv("CARTWRIGHT_MPIRUN_NODE");
    ::setenv("PMIX_SERVER_TMPDIR", folder_.c_str(), 1);
    ::setenv("PMIX_NAMESPACE", "job/1", 1);
    ::setenv("PMIX_SERVER_URI4", "1.0;tcp4://127.0.0.1:1234", 1);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string use_the_launchers_file() {
    const std::string path = (folder_ / "verdict").string();
    std::ofstream{path};
    ::setenv("CARTWRIGHT_VERDICT", path.c_str(), 1);
    return path;
  }
  static std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  fs::path folder_;
};

/// How many of so many processes, which all claim at the same time, have the turn.
int turns_of(int processes) {
  std::vector<pid_t> children;
  for (int i = 0; i < processes; ++i) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(Speaker().claim() == Speaker::Turn::mine ? 1 : 0);
    children.push_back(child);
  }
  int turns = 0;
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    turns += WEXITSTATUS(status);
  }
  return turns;
}

TEST_F(SpeakerTest, OneOfManyProcessesHasTheTurn) {
  EXPECT_EQ(turns_of(16), 1) << "in the folder of the job";
  EXPECT_EQ(turns_of(16), 0) << "who had the turn keeps it, also after its end";
  use_the_launchers_file();
  EXPECT_EQ(turns_of(16), 1);
}

TEST_F(SpeakerTest, WhoHasTheTurnKeepsIt) {
  const Speaker speaker;
  EXPECT_EQ(speaker.claim(), Speaker::Turn::mine);
  EXPECT_EQ(Speaker().claim(), Speaker::Turn::mine);
}

TEST_F(SpeakerTest, ALaterJobWithTheSameNumberIsNotSilenced) {
  EXPECT_EQ(turns_of(1), 1);
  ::setenv("PMIX_SERVER_URI4", "1.0;tcp4://127.0.0.1:4321", 1);
  EXPECT_EQ(turns_of(1), 1);
}

TEST_F(SpeakerTest, WithoutAFileNobodyKnows) {
  ::unsetenv("PMIX_NAMESPACE");
  EXPECT_EQ(Speaker().claim(), Speaker::Turn::unknown);
  ::setenv("PMIX_NAMESPACE", "job", 1);
  ::setenv("PMIX_SERVER_TMPDIR", (folder_ / "gone").c_str(), 1);
  EXPECT_EQ(Speaker().claim(), Speaker::Turn::unknown);
}

TEST_F(SpeakerTest, AnOtherNodeIsNotThisOne) {
  const std::string path = use_the_launchers_file();
  std::ofstream(path) << "speaks far-away/1\n";
  EXPECT_EQ(Speaker().claim(), Speaker::Turn::mine);
}

TEST_F(SpeakerTest, TheNodeOfMpirunIsHeard) {
  ::setenv("CARTWRIGHT_MPIRUN_NODE", "node0", 1);
  EXPECT_FALSE(Speaker().mpirun_node_speaks()) << "without the launcher's file";
  const std::string path = use_the_launchers_file();
  std::ofstream(path) << "failed node01/1 3\nspeaks node0/1\n";
  EXPECT_FALSE(Speaker().mpirun_node_speaks());
  std::ofstream(path, std::ios::app) << "failed node0/1 3\n";
  EXPECT_TRUE(Speaker().mpirun_node_speaks());
  ::unsetenv("CARTWRIGHT_MPIRUN_NODE");
  EXPECT_FALSE(Speaker().mpirun_node_speaks());
}

TEST_F(SpeakerTest, LinksAreNotFollowed) {
  const std::string path = use_the_launchers_file();
  const fs::path other = folder_ / "other";
  fs::rename(path, other);
  fs::create_symlink(other, path);
  EXPECT_EQ(Speaker().claim(), Speaker::Turn::unknown);
  EXPECT_EQ(fs::file_size(other), 0U);
}

TEST_F(SpeakerTest, TheLauncherLearnsHowItEnded) {
  const std::string path = use_the_launchers_file();
  Speaker().note_finished();
  EXPECT_TRUE(text_of(path).starts_with("finished "));
  Speaker().note_failed(2);
  EXPECT_TRUE(text_of(path).ends_with(" 2\n"));
  Speaker().await_failed();  // returns
}

TEST_F(SpeakerTest, ManyLinesAreRead) {
  const std::string path = use_the_launchers_file();
  std::ofstream lines(path);
  for (int i = 0; i < 1000; ++i) lines << "speaks far-away/" << i << "\n";
  lines.close();
  EXPECT_EQ(turns_of(4), 1);
  EXPECT_EQ(turns_of(4), 0);
}

}  // namespace
}  // namespace cartwright::rt
