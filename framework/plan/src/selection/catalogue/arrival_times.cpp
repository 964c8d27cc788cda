// SPDX-License-Identifier: Apache-2.0
#include "arrival_times.hpp"

#include <charconv>
#include <stdexcept>

namespace cartwright::plan::catalogue {

namespace {

constexpr std::string_view before_arrivals = " for arrivals ";
constexpr std::size_t most_arrivals = 1 << 24;

std::invalid_argument unreadable() {
  return std::invalid_argument(
      "arrivals are written in ns as 0,500,90000, or 0*3,90000 for three at 0");
}

std::int64_t take_number(const char*& at, const char* end) {
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(at, end, number);
  if (error != std::errc() || number < 0) throw unreadable();
  at = stop;
  return number;
}

}  // namespace

std::string arrivals_text(const std::vector<std::int64_t>& arrivals) {
  std::string text;
  for (std::size_t first = 0, next = 0; first < arrivals.size(); first = next) {
    while (next < arrivals.size() && arrivals[next] == arrivals[first]) ++next;
    text += text.empty() ? before_arrivals : std::string_view(",");
    text += std::to_string(arrivals[first]);
    if (next - first > 1) text += "*" + std::to_string(next - first);
  }
  return text;
}

std::vector<std::int64_t> take_arrivals(std::string_view& text) {
  const auto found = text.rfind(before_arrivals);
  // Inside of brackets they are those of a stage.
  if (found == std::string_view::npos || text.find(')', found) != std::string_view::npos) return {};
  const std::string_view numbers = text.substr(found + before_arrivals.size());
  text = text.substr(0, found);
  std::vector<std::int64_t> arrivals;
  const char* at = numbers.data();
  const char* const end = at + numbers.size();
  for (bool is_first = true; is_first || at != end; is_first = false) {
    if (!is_first && *at++ != ',') throw unreadable();
    const std::int64_t time = take_number(at, end);
    std::int64_t times = 1;
    if (at != end && *at == '*') times = take_number(++at, end);
    if (times < 1 || static_cast<std::size_t>(times) > most_arrivals - arrivals.size())
      throw unreadable();
    arrivals.insert(arrivals.end(), static_cast<std::size_t>(times), time);
  }
  return arrivals;
}

Maker for_arrivals(const Problem& problem, const Choice& choice) {
  if (choice.algorithm->make_for == nullptr)
    throw std::invalid_argument(std::string(choice.algorithm->name) +
                                " doesn't go by when ranks arrive");
  if (!choice.order.empty())
    throw std::invalid_argument(
        "either an order of ranks or their arrivals: one follows from the "
        "other");
  if (choice.arrivals.size() != static_cast<std::size_t>(problem.ranks))
    throw std::invalid_argument("there are " + std::to_string(problem.ranks) + " ranks, and " +
                                std::to_string(choice.arrivals.size()) + " arrivals");
  return choice.algorithm->make_for(problem, choice.tuning, choice.arrivals);
}

}  // namespace cartwright::plan::catalogue
