// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cartwright/grid/output/root_only.hpp>
#include <cartwright/grid/output/step_table.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/input_file.hpp>

#include <charconv>

#include "whole_file.hpp"

namespace cartwright::grid {
namespace {

std::string header_line(const std::vector<std::string>& columns) {
  return fmt::format("step,{}", fmt::join(columns, ","));
}

/// The whole lines; a killed run may leave a last one without its end.
std::vector<std::string> whole_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::optional<long long> step_of_row(const std::string& row) {
  long long step = 0;
  const auto [stop, fault] = std::from_chars(row.data(), row.data() + row.size(), step);
  if (fault != std::errc{} || stop == row.data() + row.size() || *stop != ',') return std::nullopt;
  return step;
}

/// The number behind so many commas.
std::optional<double> number_of_row(const std::string& row, std::size_t commas) {
  std::size_t begin = 0;
  for (; commas > 0; --commas) {
    begin = row.find(',', begin);
    if (begin == std::string::npos) return std::nullopt;
    ++begin;
  }
  double value = 0.0;
  const auto read = std::from_chars(row.data() + begin, row.data() + row.size(), value);
  return read.ec == std::errc{} ? std::optional(value) : std::nullopt;
}

}  // namespace

StepTable::StepTable(const comm::Collectives& comm, std::filesystem::path file,
                     std::vector<std::string> columns, std::optional<long long> restart_step)
    : comm_(comm), file_(std::move(file)), columns_(std::move(columns)) {
  on_root(comm_, [&] {
    if (restart_step && std::filesystem::exists(file_))
      keep_rows_up_to(*restart_step);
    else
      start_file();
  });
}

void StepTable::start_file() const {
  write_whole_file(file_, header_line(columns_) + "\n");
}

void StepTable::keep_rows_up_to(long long step) {
  const std::vector<std::string> lines = whole_lines(rt::read_file(file_));
  if (lines.empty()) return start_file();
  if (lines.front() != header_line(columns_))
    throw rt::input_error(fmt::format("'{}' has columns '{}', but this run has '{}'",
                                      file_.string(), lines.front(), header_line(columns_)),
                          "Restart with the deck of the run that wrote it, or move the file away.");
  std::string text = lines.front() + "\n";
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::optional<long long> row = step_of_row(lines[i]);
    if (!row || *row > step || (last_step_ && *row <= *last_step_)) continue;
    text += lines[i] + "\n";
    last_step_ = row;
  }
  write_whole_file(file_, text);
}

void StepTable::add(long long step, std::span<const double> values) {
  if (comm_.communicator().rank().value != 0) return;
  misfit_ = misfit_ || values.size() != columns_.size();
  if (last_step_ && step <= *last_step_) return;
  pending_ += fmt::format("{},{}\n", step, fmt::join(values, ","));
  last_step_ = step;
}

void StepTable::flush() {
  on_root(comm_, [&] {
    if (misfit_)
      throw rt::internal_failure(
          fmt::format("'{}' has {} columns, but a row had another number of them", file_.string(),
                      columns_.size()));
    if (!pending_.empty()) append_to_file(file_, pending_);
    pending_.clear();
  });
}

void StepTable::finish(const std::string& name, const std::function<void(const Column&)>& draw) {
  flush();
  on_root(comm_, [&] {
    const Column numbers = column(name);
    if (numbers.size() > 1) draw(numbers);
  });
}

StepTable::Column StepTable::column(const std::string& name) const {
  const auto commas =
      static_cast<std::size_t>(std::ranges::find(columns_, name) - columns_.begin()) + 1;
  Column found;
  for (const std::string& line : whole_lines(rt::read_file(file_)))
    if (const auto step = step_of_row(line))
      if (const auto value = number_of_row(line, commas)) found.emplace_back(*step, *value);
  return found;
}

}  // namespace cartwright::grid
