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
  std::string name = "solutions_" + loop + suffix;
  for (std::size_t i = 0; i + std::char_traits<char>::length(suffix) < name.size(); ++i)
    if (std::isalnum(static_cast<unsigned char>(name[i])) == 0) name[i] = '_';
  return directory / name;
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
