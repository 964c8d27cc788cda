// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/output/edges_file.hpp>

#include <fmt/format.h>

#include <array>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/input_file.hpp>
#include <charconv>
#include <optional>
#include <span>
#include <string_view>

#include "content_hash.hpp"
#include "field_dataset.hpp"
#include "users_file.hpp"

namespace cartwright::grid {
namespace {

constexpr std::size_t most_file_bytes = std::size_t{64} << 20;  // some million edges
constexpr std::string_view separators = " \t,;\r";

std::vector<std::string_view> words_of(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<std::string_view> words;
  for (;;) {
    line.remove_prefix(std::min(line.find_first_not_of(separators), line.size()));
    if (line.empty()) return words;
    words.push_back(line.substr(0, line.find_first_of(separators)));
    line.remove_prefix(words.back().size());
  }
}

std::optional<double> number_of(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0.0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
  if (read.ec != std::errc{} || read.ptr != word.data() + word.size()) return std::nullopt;
  return value;
}

/// Lines of a text, with their numbers for messages.
class Lines {
 public:
  Lines(std::string_view text, const std::filesystem::path& file) : rest_(text), file_(file) {}
  /// The words of the next line that has some; none at the end.
  [[nodiscard]] std::vector<std::string_view> next() {
    while (!rest_.empty()) {
      ++number_;
      const std::string_view line = rest_.substr(0, rest_.find('\n'));
      rest_.remove_prefix(std::min(line.size() + 1, rest_.size()));
      if (auto words = words_of(line); !words.empty()) return words;
    }
    return {};
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw rt::input_error(fmt::format("{}:{}: {}", file_.string(), number_, what));
  }

 private:
  std::string_view rest_;
  const std::filesystem::path& file_;
  long long number_ = 0;
};

std::size_t place_of(const std::vector<std::string_view>& names, const std::string& column,
                     const Lines& lines) {
  for (std::size_t at = 0; at < names.size(); ++at)
    if (names[at] == column) return at;
  lines.refuse(fmt::format("the first line names no column '{}'", column));
}

std::vector<double> numbers_of_dataset(const EdgesData& given, long long count) {
  Block block{1, {count, 1, 1}, {0, 0, 0}, {count, 1, 1}};
  check_dataset(given.file, given.dataset, block, 1);
  const DatasetPlan plan{given.dataset, "", Centring::cell, {ScalarType::float64, 1}, block};
  std::vector<double> numbers(static_cast<std::size_t>(count));
  read_users_block(given.file, given.dataset, plan, std::as_writable_bytes(std::span(numbers)));
  return numbers;
}

}  // namespace

std::vector<double> numbers_of_text(const std::string& text, const std::filesystem::path& file,
                                    const std::string& column) {
  Lines lines(text, file);
  std::vector<double> numbers;
  const auto add = [&](std::string_view word) {
    const std::optional<double> number = number_of(word);
    if (!number) lines.refuse(fmt::format("'{}' is no number", word.substr(0, 40)));
    numbers.push_back(*number);
  };
  if (column.empty()) {
    for (auto words = lines.next(); !words.empty(); words = lines.next())
      for (const std::string_view word : words) add(word);
    return numbers;
  }
  const auto names = lines.next();
  const std::size_t at = place_of(names, column, lines);
  for (auto words = lines.next(); !words.empty(); words = lines.next()) {
    if (words.size() != names.size())
      lines.refuse(fmt::format("{} values, but the first line names {} columns", words.size(),
                               names.size()));
    add(words[at]);
  }
  return numbers;
}

void read_edges(const rt::Deck& deck, GridOptions& grid) {
  const std::array<std::optional<EdgesData>*, 3> axes{&grid.coordinates.x, &grid.coordinates.y,
                                                      &grid.coordinates.z};
  for (std::size_t axis = 0; axis < axes.size() && axis < grid.extent.size(); ++axis) {
    if (!*axes[axis] || (*axes[axis])->file.empty()) continue;
    EdgesData& given = **axes[axis];
    const std::string path = std::string("grid.coordinates.") + "xyz"[axis];
    try {
      given.numbers = given.dataset.empty()
                          ? numbers_of_text(rt::read_file(given.file, most_file_bytes), given.file,
                                            given.column)
                          : numbers_of_dataset(given, grid.extent[axis] + 1);
      if (given.numbers.empty())  // which elsewhere means cells that are equal
        throw rt::input_error(fmt::format("'{}' holds no numbers", given.file));
    } catch (const rt::Error& error) {
      throw deck.error(path, fmt::format("'{}': {}", path, error.what()),
                       "It wants one number more than there are cells along the axis: where each "
                       "begins, and where the last one ends.");
    }
  }
}

void require_same_edges(const rt::Communicator& comm, const GridOptions& grid) {
  std::array<unsigned long long, 2> hashes{0, 0};
  bool has_file = false;
  for (const auto* const given : {&grid.coordinates.x, &grid.coordinates.y, &grid.coordinates.z})
    has_file = has_file || (*given && !(*given)->file.empty());
  if (!has_file) return;
  for (const std::vector<double>& of_axis : grid.edges)
    hashes[0] =
        text_hash({reinterpret_cast<const char*>(of_axis.data()), 8 * of_axis.size()}, hashes[0]);
  hashes[1] = ~hashes[0];
  rt::combine(comm, hashes, rt::Combine::smallest);
  if (hashes[0] == ~hashes[1]) return;
  throw rt::input_error("grid.coordinates: ranks have read different edges from one file",
                        "Was it written meanwhile, or does each node have a file of its own?",
                        rt::Reach::all_ranks);
}

}  // namespace cartwright::grid
