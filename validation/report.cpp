// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace cartwright::validation {

namespace {

constexpr std::array<const char*, 5> headings{"", "published", "ours", "deviation", "tolerance"};

std::string verdict_text(const Row& row) {
  switch (row.verdict()) {
    case Verdict::reproduced:
      return "reproduced";
    case Verdict::explained:
      return "deviates, explained";
    case Verdict::unexplained:
      return "DEVIATES";
    case Verdict::impossible:
      return "can't be reproduced";
  }
  return {};
}

std::array<std::string, 5> cells(const Row& row) {
  return {row.what(), row.published(), row.ours(), row.deviation(), row.tolerance()};
}

bool shown(const Row& row, bool only_deviations) {
  const Verdict verdict = row.verdict();
  return !only_deviations || verdict == Verdict::explained || verdict == Verdict::unexplained;
}

bool any_shown(const Table& table, bool only_deviations) {
  return std::ranges::any_of(table.rows(),
                             [&](const Row& row) { return shown(row, only_deviations); });
}

// Characters, not bytes; good enough for letters with accents and Greek.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t own = width_of(text);
  return text + std::string(width > own ? width - own : 0, ' ');
}

void print_table(const Table& table, bool only_deviations) {
  std::array<std::size_t, 5> widths{};
  for (std::size_t c = 0; c < widths.size(); ++c) widths[c] = width_of(headings[c]);
  for (const Row& row : table.rows()) {
    if (!shown(row, only_deviations)) continue;
    const auto line = cells(row);
    for (std::size_t c = 0; c < widths.size(); ++c)
      widths[c] = std::max(widths[c], width_of(line[c]));
  }
  fmt::print("\n{}: {}\n", table.place(), table.subject());
  if (!table.note().empty()) fmt::print("({})\n", table.note());
  std::string head = " ";
  for (std::size_t c = 0; c < widths.size(); ++c) head += " " + padded(headings[c], widths[c] + 1);
  fmt::print("{} verdict\n", head);
  for (const Row& row : table.rows()) {
    if (!shown(row, only_deviations)) continue;
    const auto line = cells(row);
    std::string text = " ";
    for (std::size_t c = 0; c < widths.size(); ++c) text += " " + padded(line[c], widths[c] + 1);
    fmt::print("{} {}\n", text, verdict_text(row));
    if (const std::string remark = row.remark(); !remark.empty()) fmt::print("      {}\n", remark);
  }
}

std::string escaped(const std::string& cell) {
  std::string text;
  for (const char c : cell) {
    if (c == '|' || c == '*' || c == '<') text += '\\';
    text += c;
  }
  return text;
}

std::string markdown_table(const Table& table, bool only_deviations) {
  std::string text = fmt::format("\n### {}: {}\n\n", table.place(), table.subject());
  if (!table.note().empty()) text += table.note() + ".\n\n";
  text += "| | published | ours | deviation | tolerance | verdict | remark |\n";
  text += "|---|---|---|---|---|---|---|\n";
  for (const Row& row : table.rows()) {
    if (!shown(row, only_deviations)) continue;
    text += "|";
    for (const std::string& cell : cells(row)) text += fmt::format(" {} |", escaped(cell));
    text += fmt::format(" {} | {} |\n", verdict_text(row), escaped(row.remark()));
  }
  return text;
}

}  // namespace

Counts count(const Table& table) {
  Counts counts;
  for (const Row& row : table.rows()) {
    switch (row.verdict()) {
      case Verdict::reproduced:
        ++counts.reproduced;
        break;
      case Verdict::explained:
        ++counts.explained;
        break;
      case Verdict::unexplained:
        ++counts.unexplained;
        break;
      case Verdict::impossible:
        ++counts.impossible;
        break;
    }
  }
  return counts;
}

Counts count(const Document& document) {
  Counts sum;
  for (const Table& table : document.tables) {
    const Counts counts = count(table);
    sum.reproduced += counts.reproduced;
    sum.explained += counts.explained;
    sum.unexplained += counts.unexplained;
    sum.impossible += counts.impossible;
  }
  return sum;
}

std::string summary(const Document& document) {
  const Counts counts = count(document);
  return fmt::format(
      "{}: {} rows: {} reproduced, {} deviate and are explained, {} deviate, {} can't be "
      "reproduced",
      document.name, counts.all(), counts.reproduced, counts.explained, counts.unexplained,
      counts.impossible);
}

void print(const Document& document, bool only_deviations) {
  fmt::print("\n{}\n", document.citation);
  for (const Table& table : document.tables)
    if (any_shown(table, only_deviations)) print_table(table, only_deviations);
}

std::string markdown(std::span<const Document> documents, bool only_deviations) {
  std::string text;
  for (const Document& document : documents) text += fmt::format("- {}\n", summary(document));
  for (const Document& document : documents) {
    text += fmt::format("\n## {}\n", document.citation);
    for (const Table& table : document.tables)
      if (any_shown(table, only_deviations)) text += markdown_table(table, only_deviations);
  }
  return text;
}

}  // namespace cartwright::validation
