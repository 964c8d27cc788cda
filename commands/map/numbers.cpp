// SPDX-License-Identifier: Apache-2.0
#include "numbers.hpp"

#include <charconv>
#include <limits>

namespace cartwright::command {

std::vector<long long> numbers_in(std::string_view text, char separator) {
  std::vector<long long> numbers;
  while (true) {
    const std::string_view part = text.substr(0, text.find(separator));
    long long number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (error != std::errc{} || end != part.data() + part.size() || number <= 0) return {};
    numbers.push_back(number);
    if (part.size() == text.size()) return numbers;
    text.remove_prefix(part.size() + 1);
  }
}

long long product(const std::vector<long long>& numbers) {
  long long size = 1;
  for (const long long number : numbers) {
    if (size > std::numeric_limits<long long>::max() / number)
      return std::numeric_limits<long long>::max();
    size *= number;
  }
  return size;
}

}  // namespace cartwright::command
