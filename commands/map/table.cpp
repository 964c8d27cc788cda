// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cartwright/plan/models/time_text.hpp>
#include <cartwright/rt/terminal.hpp>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "text_picture.hpp"

namespace cartwright::command {

namespace {

std::string time_text(double seconds) {
  return plan::time_text(plan::picoseconds(seconds));
}

std::string bytes_text(long long bytes) {
  constexpr long long kibi = 1024;
  if (bytes % (kibi * kibi) == 0) return fmt::format("{} MiB", bytes / kibi / kibi);
  return bytes % kibi == 0 ? fmt::format("{} KiB", bytes / kibi) : fmt::format("{} B", bytes);
}

/// "48 nodes of 12" or "5 nodes of 8, 2 of 4".
std::string nodes_text(const std::vector<int>& sizes) {
  std::string text;
  for (auto begin = sizes.begin(); begin != sizes.end();) {
    const auto end = std::find_if(begin, sizes.end(), [&](int size) { return size != *begin; });
    const auto count = end - begin;
    text += text.empty() ? fmt::format("{} node{} of {}", count, count == 1 ? "" : "s", *begin)
                         : fmt::format(", {} of {}", count, *begin);
    begin = end;
  }
  return text;
}

bool is_coloured() {
  const char* without = std::getenv("NO_COLOR");
  return rt::terminal_width(stdout) > 0 && (without == nullptr || *without == '\0');
}

void print_picture(const MapRow& row) {
  constexpr int usual = 150;
  const int terminal = rt::terminal_width(stdout);
  fmt::print("{}:\n", row.mapping.name);
  const std::string picture =
      text_picture(row.mapping.map, is_coloured(), terminal > 0 ? terminal : usual);
  fmt::print("{}\n", picture.empty() ? "  (too large for this: draw it with --picture FILE.svg)\n"
                                     : picture);
}

struct Column {
  std::string head;
  std::function<std::string(const MapRow&)> cell;
};

std::vector<Column> columns_of(const MapOptions& options, const MapProblem& problem,
                               const MapResult& result) {
  std::vector<Column> columns{
      {"off-node faces", faces_text},
      {"of bound",
       [&result](const MapRow& row) {
         return result.bound > 0.0 ? fmt::format("{:.2f}", row.mapping.cost / result.bound)
                                   : std::string("-");
       }},
      {"busiest node", [](const MapRow& row) { return fmt::format("{:g}", row.mapping.busiest); }},
      {"lines E", [](const MapRow& row) { return fmt::format("{}", row.judgement.outgoing()); }}};
  if (!problem.machine) return columns;
  columns.push_back({"halo", [](const MapRow& row) { return time_text(row.halo_seconds); }});
  if (options.simulate)
    columns.push_back(
        {"simulated", [](const MapRow& row) { return time_text(row.simulated_halo); }});
  if (!options.compare) return columns;
  columns.push_back(
      {"broadcasts", [](const MapRow& row) { return time_text(row.best_broadcast().seconds); }});
  if (options.simulate)
    columns.push_back({"simulated", [](const MapRow& row) {
                         const auto index = static_cast<std::size_t>(&row.best_broadcast() -
                                                                     row.broadcasts.data());
                         return time_text(row.simulated[index]);
                       }});
  columns.push_back(
      {"by", [](const MapRow& row) { return row.best_broadcast().schedule.describe(); }});
  return columns;
}

void print_columns(const std::vector<Column>& columns, const MapResult& result) {
  std::size_t names = 8;
  for (const MapRow& row : result.rows) names = std::max(names, row.mapping.name.size());
  std::vector<std::size_t> widths;
  for (const Column& column : columns) {
    std::size_t width = column.head.size();
    for (const MapRow& row : result.rows) width = std::max(width, column.cell(row).size());
    widths.push_back(width);
  }
  fmt::print("  {:<{}}", "mapping", names);
  for (std::size_t i = 0; i < columns.size(); ++i)
    fmt::print("  {:>{}}", columns[i].head, widths[i]);
  fmt::print("\n");
  for (const MapRow& row : result.rows) {
    const bool chosen = &row == &result.rows[result.chosen];
    fmt::print("{} {:<{}}", chosen ? '*' : ' ', row.mapping.name, names);
    for (std::size_t i = 0; i < columns.size(); ++i)
      fmt::print("  {:>{}}", columns[i].cell(row), widths[i]);
    fmt::print("\n");
  }
}

/// Messages of a halo exchange that leave units of each level.
void print_levels(const plan::Machine& machine, const MapResult& result) {
  fmt::print("\nmessages of a halo exchange:\n");
  std::size_t names = 0;
  for (const MapRow& row : result.rows) names = std::max(names, row.mapping.name.size());
  for (const MapRow& row : result.rows) {
    fmt::print("  {:<{}}", row.mapping.name, names);
    for (std::size_t level = 0; level < row.messages.size(); ++level)
      fmt::print("  {:>8} from {} to {}", row.messages[level], machine.levels[level].name,
                 machine.levels[level].name);
    fmt::print("\n");
  }
}

/// All schedules of all rows.
void print_broadcasts(const MapOptions& options, const MapResult& result) {
  fmt::print("\nbroadcast of {} along every line of every axis:\n", bytes_text(options.line_bytes));
  for (const MapRow& row : result.rows) {
    fmt::print("  {}\n", row.mapping.name);
    for (std::size_t i = 0; i < row.broadcasts.size(); ++i) {
      const auto& broadcast = row.broadcasts[i];
      fmt::print("    {:<34} {:>10}", broadcast.schedule.describe(), time_text(broadcast.seconds));
      if (!row.simulated.empty()) fmt::print("   simulated {:>10}", time_text(row.simulated[i]));
      fmt::print("\n");
    }
  }
}

void print_indented(const std::string& head, std::string text) {
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
    text.insert(at + 1, "  ");
  fmt::print("{}\n  {}\n", head, text);
}

}  // namespace

std::string map_title(const MapProblem& problem) {
  const auto& shape = problem.request.shape;
  std::string rings;
  for (std::size_t axis = 0; axis < shape.periodic.size(); ++axis) {
    if (shape.periodic[axis])
      rings += axis < 3 ? fmt::format(" {}", "xyz"[axis]) : fmt::format(" {}", axis);
  }
  return fmt::format("{} ranks on {}{}{}", mapping::to_text(shape.dims),
                     nodes_text(problem.request.node_sizes),
                     problem.machine ? " (" + problem.machine->name + ")" : "",
                     rings.empty() ? "" : ", rings along" + rings);
}

std::string faces_text(const MapRow& row) {
  const auto& faces = row.judgement.faces;
  return faces.size() == 1 ? fmt::format("{}", faces.front())
                           : fmt::format("{} ({})", row.judgement.total(), fmt::join(faces, " + "));
}

void print_map(const MapOptions& options, const MapProblem& problem, const MapResult& result) {
  const auto& request = problem.request;
  fmt::print("{}\n\n", map_title(problem));
  if (!options.no_picture) {
    if (result.chosen != 0) print_picture(result.rows.front());
    print_picture(result.rows[result.chosen]);
  }
  print_columns(columns_of(options, problem, result), result);
  fmt::print("\n* chosen. Of {} faces in all; lower bound {:g}. Busiest node: its faces, both ways",
             request.shape.faces(), result.bound);
  fmt::print("{}. E: lines that leave the busiest node, summed over axes.\n",
             request.weights.empty()
                 ? ""
                 : fmt::format(" (weights {})", fmt::join(request.weights, ", ")));
  if (problem.machine) {
    std::vector<std::string> sizes;
    for (const double bytes : problem.face_bytes)
      sizes.push_back(bytes_text(static_cast<long long>(bytes)));
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    fmt::print("Halo: {} a message, predicted.", fmt::join(sizes, ", "));
    fmt::print("{}\n",
               options.compare
                   ? fmt::format(" Broadcasts: {} along every line of every axis, by the best "
                                 "schedule, predicted.",
                                 bytes_text(options.line_bytes))
                   : "");
    print_levels(*problem.machine, result);
    if (!options.compare) print_broadcasts(options, result);
  }
  fmt::print("\n");
  print_indented("fewest faces between nodes:", result.why);
  if (!problem.machine) return;
  print_indented("quickest halo exchange, predicted:", result.why_halo);
  print_indented("quickest broadcasts, predicted:", result.why_broadcast);
}

}  // namespace cartwright::command
