// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <cartwright/grid/output/diagnostics_csv.hpp>
#include <cartwright/grid/output/root_only.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/input_file.hpp>

#include <charconv>

#include "whole_file.hpp"

namespace cartwright::grid {
namespace {

std::string header_line(const std::vector<std::string>& columns) {
  std::string line = "step,time,dt";
  for (const std::string& column : columns) line += "," + column;
  return line;
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

}  // namespace

DiagnosticsCsv::DiagnosticsCsv(const comm::Collectives& comm, std::filesystem::path file,
                               std::vector<std::string> columns,
                               std::optional<long long> restart_step)
    : comm_(comm), file_(std::move(file)), columns_(std::move(columns)) {
  on_root(comm_, [&] {
    if (restart_step && std::filesystem::exists(file_))
      keep_rows_up_to(*restart_step);
    else
      start_file();
  });
}

void DiagnosticsCsv::start_file() const {
  write_whole_file(file_, header_line(columns_) + "\n");
}

void DiagnosticsCsv::keep_rows_up_to(long long step) {
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

void DiagnosticsCsv::append(long long step, double time, double time_step,
                            std::span<const double> values) {
  on_root(comm_, [&] {
    if (values.size() != columns_.size())
      throw rt::internal_failure(fmt::format("'{}' has {} columns, but got {} numbers",
                                             file_.string(), columns_.size(), values.size()));
    if (last_step_ && step <= *last_step_) return;
    std::string row = fmt::format("{},{},{}", step, time, time_step);
    for (const double value : values) row += fmt::format(",{}", value);
    append_to_file(file_, row + "\n");
    last_step_ = step;
  });
}

}  // namespace cartwright::grid
