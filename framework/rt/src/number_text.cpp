// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/rt/number_text.hpp>
#include <charconv>
#include <cmath>
#include <limits>

namespace cartwright::rt {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The parts of a decimal number; `well_formed` if there is nothing else.
struct Decimal {
  bool negative = false, well_formed = false, has_point = false, has_exponent = false;
  std::string whole, fraction;
  std::string exponent;  // with its sign
};

/// Reads digits, between which single underscores may stand.
std::string take_digits(std::string_view text, std::size_t& at) {
  std::string digits;
  while (at < text.size()) {
    const bool joins = text[at] == '_' && !digits.empty() && at + 1 < text.size() &&
                       is_digit(text[at - 1]) && is_digit(text[at + 1]);
    if (!is_digit(text[at]) && !joins) break;
    if (is_digit(text[at])) digits += text[at];
    ++at;
  }
  return digits;
}

Decimal dissect(std::string_view text) {
  Decimal number;
  std::size_t at = 0;
  const auto next_is = [&](std::string_view any) {
    return at < text.size() && any.find(text[at]) != std::string_view::npos;
  };
  if (next_is("+-")) number.negative = text[at++] == '-';
  number.whole = take_digits(text, at);
  if (next_is(".")) {
    number.has_point = true;
    ++at;
    number.fraction = take_digits(text, at);
  }
  const bool has_digits = !number.whole.empty() || !number.fraction.empty();
  if (has_digits && next_is("eE")) {
    number.has_exponent = true;
    ++at;
    if (next_is("+-")) number.exponent = text[at++];
    const std::string digits = take_digits(text, at);
    if (digits.empty()) return number;
    number.exponent += digits;
  }
  number.well_formed = has_digits && at == text.size();
  return number;
}

std::string without_leading_zeros(const std::string& digits) {
  const auto first = digits.find_first_not_of('0');
  return first == std::string::npos ? "0" : digits.substr(first);
}

/// YAML 1.1 reads 010 as 8, YAML 1.2 as 10: we read it as neither.
std::string leading_zero_hint(const Decimal& number) {
  if (number.whole.size() < 2 || number.whole.front() != '0') return {};
  const std::string sign = number.negative ? "-" : "";
  const std::string digits = without_leading_zeros(number.whole);
  const std::string rest = number.has_point ? "." + number.fraction : "";
  std::string hint = fmt::format("write {}{}{}", sign, digits, rest);
  const bool octal = digits.find_first_of("89") == std::string::npos && digits != "0";
  if (octal && rest.empty()) hint += fmt::format(", or {}0o{} if octal is meant", sign, digits);
  return hint;
}

/// The exponent, cut off where every number is out of range anyway.
long long exponent_of(const Decimal& number) {
  if (!number.has_exponent) return 0;
  const bool negative = number.exponent.front() == '-';
  const bool signed_exponent = negative || number.exponent.front() == '+';
  const auto digits = without_leading_zeros(number.exponent.substr(signed_exponent ? 1 : 0));
  const long long size = digits.size() > 9 ? 999'999'999 : std::stoll(digits);
  return negative ? -size : size;
}

NumberText<long long> from_digits(bool negative, std::string_view digits, int base) {
  const std::string text = (negative ? "-" : "") + std::string(digits);
  long long value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (fault == std::errc::result_out_of_range) return {{}, "it doesn't fit into 64 bits"};
  if (fault != std::errc{} || end != text.data() + text.size()) return {};
  return {value, {}};
}

/// 0x1F, 0o17, 0b101; nothing for other texts.
std::optional<NumberText<long long>> parse_prefixed(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.size() < 3 || text[0] != '0') return std::nullopt;
  const auto kind = std::string_view("xob").find(text[1]);
  if (kind == std::string_view::npos) return std::nullopt;
  if (text[2] == '-') return NumberText<long long>{};
  constexpr int bases[] = {16, 8, 2};
  return from_digits(negative, text.substr(2), bases[kind]);
}

NumberText<long long> shift_exactly(const Decimal& number) {
  std::string digits = without_leading_zeros(number.whole + number.fraction);
  const long long zeros = exponent_of(number) - static_cast<long long>(number.fraction.size());
  if (digits == "0") return {0, {}};
  if (zeros > 20) return {{}, "it doesn't fit into 64 bits"};
  if (zeros < 0) {
    const auto cut = static_cast<std::size_t>(
        std::min<long long>(-zeros, static_cast<long long>(digits.size())));
    const bool exact = -zeros <= static_cast<long long>(digits.size()) &&
                       digits.find_first_not_of('0', digits.size() - cut) == std::string::npos;
    if (!exact) return {{}, "it has a fraction"};
    digits.resize(digits.size() - cut);
  } else {
    digits.append(static_cast<std::size_t>(zeros), '0');
  }
  return from_digits(number.negative, digits, 10);
}

bool one_of_ignoring_case(std::string_view text, std::initializer_list<std::string_view> words) {
  std::string lower;
  for (const char c : text) lower += (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
  return std::find(words.begin(), words.end(), lower) != words.end();
}

/// What people write where a number should stand.
std::string habit_hint(std::string_view text) {
  if (one_of_ignoring_case(text.substr(text.find_first_not_of("+-.") == std::string_view::npos
                                           ? text.size()
                                           : text.find_first_not_of("+-.")),
                           {"nan", "inf", "infinity"})) {
    return "only finite numbers are allowed";
  }
  std::string repaired(text);
  if (std::count(text.begin(), text.end(), ',') == 1 && text.find('.') == std::string_view::npos) {
    repaired[text.find(',')] = '.';
  } else if (const auto at = text.find_first_of("dD"); at != std::string_view::npos) {
    repaired[at] = 'e';
  }
  if (repaired != text && dissect(repaired).well_formed) return fmt::format("write {}", repaired);
  std::size_t at = 0;
  if (text.starts_with('-') || text.starts_with('+')) at = 1;
  if (!take_digits(text, at).empty() && at < text.size() &&
      (text[at] == ' ' || std::isalpha(static_cast<unsigned char>(text[at])) != 0)) {
    return "write the number alone, without a unit";
  }
  return {};
}

}  // namespace

NumberText<long long> parse_integer(std::string_view text) {
  if (const auto prefixed = parse_prefixed(text)) return *prefixed;
  const Decimal number = dissect(text);
  if (!number.well_formed) return {{}, habit_hint(text)};
  if (auto hint = leading_zero_hint(number); !hint.empty()) return {{}, hint};
  if (number.has_point && !number.has_exponent) {
    const auto whole = shift_exactly(number);
    return {{}, whole.value ? fmt::format("write {}", *whole.value) : whole.hint};
  }
  return shift_exactly(number);
}

NumberText<double> parse_number(std::string_view text) {
  const Decimal number = dissect(text);
  if (!number.well_formed) return {{}, habit_hint(text)};
  if (auto hint = leading_zero_hint(number); !hint.empty()) return {{}, hint};
  const std::string digits = fmt::format(
      "{}{}.{}e{}", number.negative ? "-" : "", number.whole.empty() ? "0" : number.whole,
      number.fraction.empty() ? "0" : number.fraction, exponent_of(number));
  double value = 0.0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (result.ec == std::errc::result_out_of_range) {
    return {{}, "it is outside of what a double can hold (about 1e-308 to 1.8e308)"};
  }
  if (result.ec != std::errc{} || !std::isfinite(value)) return {};
  return {value, {}};
}

}  // namespace cartwright::rt
