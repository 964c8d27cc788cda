// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cartwright/rt/binding.hpp>
#include <cartwright/rt/log.hpp>
#include <cartwright/rt/progress_line.hpp>
#include <cartwright/rt/terminal.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace cartwright::rt {
namespace {

class LogTest : public testing::Test {
 protected:
  LogTest() { unsetenv("CARTWRIGHT_TERMINAL"); }
  ~LogTest() override { unsetenv("CARTWRIGHT_TERMINAL"); }
  LogTest(const LogTest&) = delete;
  LogTest& operator=(const LogTest&) = delete;
  std::string written() {
    std::string text;
    std::rewind(file_.get());
    for (int c = 0; (c = std::fgetc(file_.get())) != EOF;) text += static_cast<char>(c);
    return text;
  }
  /// A line is written after a while at the earliest: on a busy machine it may be a long one.
  void update_until_written(ProgressLine& line) {
    const Ticks begin = now();
    while (written().empty() && seconds_between(begin, now()) < 60.0) line.update(50, 0.5);
  }
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_{std::tmpfile()};
};

TEST_F(LogTest, PlainTextWithoutATerminal) {
  Log log(true, LogLevel::normal, file_.get());
  log.heading("heat 0.1");
  log.entry("mapping", "tile\nbecause");
  log.detail("not said");
  log.transient("not shown");
  log.info("done\n");
  EXPECT_EQ(written(), "heat 0.1\n  mapping           tile\n                    because\ndone\n");
}

TEST_F(LogTest, OtherRanksAndQuietRunsAreSilent) {
  Log other_rank(false, LogLevel::verbose, file_.get());
  other_rank.info("no");
  other_rank.answer("no");
  Log quiet(true, LogLevel::quiet, file_.get());
  quiet.info("no");
  quiet.answer("asked for");
  EXPECT_EQ(written(), "asked for\n");
}

TEST_F(LogTest, TransientLinesAreReplacedAndFitTheTerminal) {
  setenv("CARTWRIGHT_TERMINAL", "10", 1);
  Log log(true, LogLevel::normal, file_.get());
  log.transient("αβγδεζηθικλμ");
  log.info("next");
  EXPECT_EQ(written(), "\rαβγδεζηθι\033[K\r\033[Knext\n");
}

TEST_F(LogTest, ProgressIsSilentOnShortRunsWithoutATerminal) {
  Log log(true, LogLevel::normal, file_.get());
  ProgressLine line(log);
  line.begin({.last_step = 1000});
  for (int step = 1; step <= 1000; ++step) line.update(step, 0.1 * step);
  line.end();
  EXPECT_EQ(written(), "");
  EXPECT_EQ(line.step().load(), 1000);
}

TEST_F(LogTest, ProgressCountsStepsWhereWorkIsNotKnown) {
  setenv("CARTWRIGHT_TERMINAL", "200", 1);
  Log log(true, LogLevel::normal, file_.get());
  ProgressLine line(log);
  line.begin({});
  update_until_written(line);
  EXPECT_NE(written().find("steps/s"), std::string::npos) << written();
}

TEST_F(LogTest, ProgressOnATerminalShowsWhatIsLeft) {
  setenv("CARTWRIGHT_TERMINAL", "200", 1);
  Log log(true, LogLevel::normal, file_.get());
  ProgressLine line(log);
  line.begin({.last_step = 100, .work_per_step = 1e6});
  update_until_written(line);
  line.end();
  const std::string text = written();
  EXPECT_NE(text.find("[============            ]  50 %  step 50/100  t = 0.5 s"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Mcells/s"), std::string::npos) << text;
  EXPECT_NE(text.find(" left"), std::string::npos) << text;
}

/// A terminal of this process alone.
class Terminal : public testing::Test {
 protected:
  Terminal() {
    unsetenv("CARTWRIGHT_TERMINAL");
    unsetenv("OMPI_COMM_WORLD_RANK");
    if (main_ < 0 || grantpt(main_) != 0 || unlockpt(main_) != 0) return;
    stream_ = std::fopen(ptsname(main_), "w");
  }
  ~Terminal() override {
    if (stream_ != nullptr) std::fclose(stream_);
    if (main_ >= 0) close(main_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void set_width(unsigned short columns) const {
    winsize size{};
    size.ws_row = 25;
    size.ws_col = columns;
    ASSERT_EQ(ioctl(main_, TIOCSWINSZ, &size), 0);
  }

  int main_ = posix_openpt(O_RDWR | O_NOCTTY);
  std::FILE* stream_ = nullptr;
};

TEST_F(Terminal, IsAskedForItsWidth) {
  if (stream_ == nullptr) GTEST_SKIP() << "there are no terminals here";
  set_width(132);
  EXPECT_EQ(terminal_width(stream_), 132);
  EXPECT_TRUE(Log(true, LogLevel::normal, stream_).on_terminal());
  set_width(0);
  EXPECT_EQ(terminal_width(stream_), 80);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  EXPECT_EQ(terminal_width(file.get()), 0);
}

/// A rank writes to a pipe; the terminal is mpirun's, its parent's.
TEST_F(Terminal, OfARankIsTheOneOfItsParent) {
  if (stream_ == nullptr) GTEST_SKIP() << "there are no terminals here";
  set_width(99);
  const auto told_to_child = [this] {
    const pid_t child = fork();
    if (child == 0) {
      setenv("OMPI_COMM_WORLD_RANK", "0", 1);
      _exit(terminal_width(stream_));
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  EXPECT_EQ(told_to_child(), 99);
  std::FILE* const terminal = stream_;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  stream_ = file.get();
  EXPECT_EQ(told_to_child(), 0);
  stream_ = terminal;
}

TEST(ProgressText, DurationsAndRates) {
  EXPECT_EQ(ProgressLine::duration_text(1.25), "1.25 s");
  EXPECT_EQ(ProgressLine::duration_text(59.4), "59 s");
  EXPECT_EQ(ProgressLine::duration_text(200.0), "3 min 20 s");
  EXPECT_EQ(ProgressLine::duration_text(3599.9), "1 h 00 min");
  EXPECT_EQ(ProgressLine::duration_text(2.0 * 86400 + 3600), "2 d 01 h");
  EXPECT_EQ(ProgressLine::rate_text(0.5), "0.50 ");
  EXPECT_EQ(ProgressLine::rate_text(12'345'678.0), "12.3 M");
  EXPECT_EQ(ProgressLine::rate_text(999'600.0), "1.00 M");
}

TEST(Binding, ListsAreWrittenAsPeopleDo) {
  EXPECT_EQ(cpu_list_text({0, 1, 2, 3, 8, 10, 11}), "0-3,8,10-11");
  EXPECT_EQ(cpu_list_text({}), "none");
  EXPECT_FALSE(cpu_set().empty());
}

}  // namespace
}  // namespace cartwright::rt
