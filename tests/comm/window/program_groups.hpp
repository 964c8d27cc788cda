// SPDX-License-Identifier: Apache-2.0
// Numbered random programs. Those of a group share a window: as many windows as programs would take
// longer than the programs.
#pragma once

#include <array>
#include <string>

#include "program_run.hpp"
#include "window_ways.hpp"

namespace cartwright::comm::test {

struct ProgramGroups {
  static constexpr Word programs = 8;

  [[nodiscard]] static Word end(Word number) { return (number / programs + 1) * programs; }
  [[nodiscard]] static bool reorders(Word number) { return number / programs % 2 == 1; }
  /// In a campaign; a test has windows of one way only.
  [[nodiscard]] static Way way(Word number) { return Way{static_cast<int>(pair(number) % ways)}; }
  /// Of the elements: each way has all types in turn.
  [[nodiscard]] static std::size_t type(Word number) { return pair(number) % types; }

 private:
  static constexpr Word ways = std::size(all_ways), types = 3;
  static_assert(ways % types != 0);
  /// Of groups, of which one reorders.
  static Word pair(Word number) { return number / programs / 2; }
};

struct GroupResult {
  int wrong = 0;       ///< programs, on all ranks
  std::string faults;  ///< of this rank
  std::uint64_t epochs = 0, most_pending = 0;
};

template <class T>
GroupResult run_programs(const CartComm& cart, Way way, Word first, Word end, Word seed,
                         WindowOptions options) {
  const bool reorders = ProgramGroups::reorders(first);
  if (reorders) options.reorder = {true, true, true, true};
  Made<T> made = make_window<T>(cart, way, Areas{cart.size()}.all(), std::move(options));
  GroupResult result;
  for (Word number = first; number < end; ++number) {
    const auto program =
        RandomProgram::make(cart.size(), seed + number, reorders, scalar_type<T>());
    ProgramRun<T> run(cart, made.window, made.local(), way == Way::device, program, seed + number);
    const std::string faults = run.run();
    if (!faults.empty())
      result.faults +=
          fmt::format("program {} of {}s, rank {} of {}, {}:\n{}", number, name(scalar_type<T>()),
                      cart.rank().value, cart.size(), name_of(way), faults);
    result.epochs += run.epochs();
    result.most_pending = std::max<std::uint64_t>(result.most_pending, run.most_pending());
    result.wrong += cart.allreduce(faults.empty() ? 0 : 1, Operator::maximum);
  }
  return result;
}

/// Collective: programs of one group, from `first` to before `end`.
inline GroupResult run_group(const CartComm& cart, Way way, Word first, Word end, Word seed,
                             double time_limit) {
  const WindowOptions options{.name = "the window of random programs",
                              .time_limit = std::chrono::duration<double>(time_limit)};
  using Run = GroupResult (*)(const CartComm&, Way, Word, Word, Word, WindowOptions);
  constexpr std::array<Run, 3> by_type{&run_programs<std::uint64_t>, &run_programs<std::uint32_t>,
                                       &run_programs<double>};
  return by_type[ProgramGroups::type(first)](cart, way, first, end, seed, options);
}

}  // namespace cartwright::comm::test
