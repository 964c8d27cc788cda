// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cartwright/rt/binding.hpp>
#include <cartwright/rt/log.hpp>
#include <cartwright/rt/progress_line.hpp>
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

TEST_F(LogTest, ProgressOnATerminalShowsWhatIsLeft) {
  setenv("CARTWRIGHT_TERMINAL", "200", 1);
  Log log(true, LogLevel::normal, file_.get());
  ProgressLine line(log);
  line.begin({.last_step = 100, .work_per_step = 1e6});
  const Ticks begin = now();
  while (seconds_between(begin, now()) < 0.25) line.update(50, 0.5);
  line.end();
  const std::string text = written();
  EXPECT_NE(text.find("[============            ]  50 %  step 50/100  t = 0.5 s"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("Mcells/s"), std::string::npos) << text;
  EXPECT_NE(text.find(" left"), std::string::npos) << text;
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
