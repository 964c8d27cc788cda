// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/grid/run/run.hpp>
#include <cartwright/grid/run/table.hpp>
#include <cctype>

namespace cartwright::grid {
namespace {

constexpr std::array<const char*, 2> own_names{"diagnostics", "convergence"};
constexpr const char* own_prefix = "solutions_";  // of loops inside of steps

bool is_file_name(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
}

}  // namespace

Table::Table(Run& run, std::string name, std::vector<std::string> columns)
    : run_(run), name_(std::move(name)), columns_(std::move(columns)) {
  const auto refuse = [&](const std::string& why, const std::string& advice) {
    throw rt::internal_failure(fmt::format("a table can't be called '{}': {}", name_, why), advice,
                               rt::Reach::all_ranks);
  };
  if (!is_file_name(name_))
    refuse("it becomes the name of a file", "Use letters, digits, '_' and '-'.");
  if (std::ranges::find(own_names, name_) != own_names.end() || name_.starts_with(own_prefix) ||
      std::ranges::any_of(run_.tables(), [&](const Table* t) { return t->name() == name_; }))
    refuse("the run has one of that name", "Choose another name.");
  run_.tables().push_back(this);
}

Table::~Table() {
  std::erase(run_.tables(), this);
}

void Table::add(long long step, std::initializer_list<double> numbers) {
  if (numbers.size() != columns_.size())
    throw rt::internal_failure(fmt::format("the table '{}' has {} columns, but a row of {} numbers",
                                           name_, columns_.size(), numbers.size()),
                               "Give one number a column.", rt::Reach::all_ranks);
  if (step == last_step_)
    throw rt::internal_failure(
        fmt::format("the table '{}' has a row of step {} already", name_, step),
        "Add one row a step: step.number counts from 1, 0 is before them.", rt::Reach::all_ranks);
  last_step_ = step;
  rows_.push_back({step, numbers});
}

}  // namespace cartwright::grid
