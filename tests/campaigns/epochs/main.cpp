// SPDX-License-Identifier: Apache-2.0
// campaign_epochs seed=S first=N [count=M] [seconds=S] [limit=SECONDS]: random programs of epochs,
// each compared with a sequential model: so many, or for so long after it has said that epochs are
// open; with neither for ever. From then on epochs are open at any time: so that somebody can kill
// ranks. 8 programs in a row share a window, through memory, by messages, in both ways, and in
// memory of a device.
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/execute.hpp>
#include <cartwright/rt/runtime.hpp>
#include <cartwright/rt/schema.hpp>
#include <chrono>
#include <cstdio>
#include <optional>

#include "program_groups.hpp"

namespace {

using namespace cartwright;
using comm::test::ProgramGroups;
using comm::test::Way;
using comm::test::Word;

struct Options {
  long long seed = 1, first = 0, count = 0;
  double seconds = 0;
  double limit = 60;  // s, of a wait
};

/// How many are wrong, of those that share a window.
int run_programs(const comm::CartComm& cart, Way way, const Options& options, long long first,
                 long long end) {
  const auto seed = static_cast<Word>(options.seed * 1'000'000'007);
  const auto group = comm::test::run_group(cart, way, static_cast<Word>(first),
                                           static_cast<Word>(end), seed, options.limit);
  if (!group.faults.empty()) fmt::print(stderr, "{}", group.faults);
  return group.wrong;
}

/// Collective, since no two clocks are the same.
bool has_passed(const comm::CartComm& cart, std::chrono::steady_clock::time_point begin,
                double seconds) {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  return seconds > 0 &&
         cart.allreduce(passed.count() < seconds ? 0 : 1, comm::Operator::minimum) == 1;
}

void body(rt::Runtime& runtime, const Options& options) {
  std::optional<std::chrono::steady_clock::time_point> begin;
  std::array<std::unique_ptr<comm::CartComm>, std::size(comm::test::all_ways)> carts;
  int wrong = 0;
  const long long end = options.count == 0 ? -1 : options.first + options.count;
  long long number = options.first;
  for (bool is_over = false; number != end && !is_over;) {
    auto next = static_cast<long long>(ProgramGroups::end(static_cast<Word>(number)));
    if (end >= 0) next = std::min(next, end);
    const Way way = ProgramGroups::way(static_cast<Word>(number));
    auto& cart = carts[static_cast<std::size_t>(way)];
    if (cart == nullptr)
      cart = comm::test::make_cart(
          runtime.comm(), runtime.progress(), way,
          {.time_limit = std::chrono::duration<double>(options.limit), .is_resolved = true});
    wrong += run_programs(*cart, way, options, number, next);
    if (!begin) {
      begin = std::chrono::steady_clock::now();
      runtime.log().info("epochs are open");
    }
    number = next;
    is_over = has_passed(*cart, *begin, options.seconds);
  }
  if (runtime.comm().is_root())
    fmt::print("{} programs on {} ranks, {} faults\n", number - options.first,
               runtime.comm().size(), wrong);
  if (wrong > 0) runtime.set_exit_code(rt::ExitCode::internal_failure);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  const rt::Schema<Options> schema(
      rt::key("seed", &Options::seed), rt::key("first", &Options::first),
      rt::key("count", &Options::count), rt::key("seconds", &Options::seconds),
      rt::key("limit", &Options::limit));
  rt::Module module{.name = "epochs",
                    .schema = [&](rt::SectionNode& root) { schema.bind(root, options); }};
  rt::Program program{"campaign_epochs", "1.0", "test", "random programs of epochs", {}};
  program.deck_is_optional = true;
  return rt::execute(argc, argv, program, {module},
                     [&](rt::Runtime& runtime) { body(runtime, options); });
}
