// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cartwright/grid/output/picture.hpp>
#include <cartwright/grid/output/solution_history.hpp>
#include <cctype>

namespace cartwright::grid {
namespace {

std::filesystem::path file_of(const std::filesystem::path& directory, const std::string& loop,
                              const char* suffix) {
  std::string name = "solutions";
  bool in_word = false;
  for (const char c : loop) {
    const bool is_of_word = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (is_of_word && !in_word) name += '_';
    if (is_of_word) name += c;
    in_word = is_of_word;
  }
  return directory / (name + suffix);
}

}  // namespace

SolutionHistory::SolutionHistory(const comm::Collectives& comm,
                                 const std::filesystem::path& directory, const std::string& solver,
                                 const std::string& loop, std::optional<long long> restart_step)
    : table_(comm, file_of(directory, loop, ".csv"), {"solutions", "iterations", "relative"},
             restart_step),
      picture_(file_of(directory, loop, ".png")),
      title_(fmt::format("{}:  {}", solver, loop)) {}

void SolutionHistory::add(long long step, long long solutions, long long iterations,
                          double relative) {
  table_.add(step,
             std::array{static_cast<double>(solutions), static_cast<double>(iterations), relative});
}

void SolutionHistory::finish() {
  table_.finish("iterations", [&](const StepTable::Column& iterations) {
    draw_solutions(picture_, iterations, title_);
  });
}

}  // namespace cartwright::grid
