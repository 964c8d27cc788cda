// SPDX-License-Identifier: Apache-2.0
#include <cartwright/grid/run/formula.hpp>

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <atomic>
#include <cartwright/rt/error.hpp>
#include <cctype>
#include <mutex>
#include <numbers>
#include <set>
#include <string_view>

namespace cartwright::grid {

namespace {

const std::set<std::string>& variables() {
  static const std::set<std::string> names{"x", "y", "z", "t"};
  return names;
}

/// What a formula may be at most, so that reading it takes neither long nor much of the stack.
constexpr std::size_t longest_formula = 4000;  // characters
constexpr int deepest_formula = 50;            // parentheses and choices inside each other
constexpr int most_operators = 500;

/// Empty if the formula keeps the limits.
std::string beyond_limits(std::string_view text) {
  if (text.size() > longest_formula)
    return fmt::format("a formula has {} characters, more than {}", text.size(), longest_formula);
  int open = 0, depth = 0, choices = 0, operators = 0;
  for (const char c : text) {
    if (c == '(') depth = std::max(depth, ++open);
    if (c == ')') --open;
    if (c == '?') ++choices;
    if (std::string_view("+-*/^<>=!&|,").find(c) != std::string_view::npos) ++operators;
  }
  if (depth + choices > deepest_formula)
    return fmt::format("a formula has {} parentheses and choices inside each other, more than {}",
                       depth + choices, deepest_formula);
  if (operators > most_operators)
    return fmt::format("a formula has {} operators, more than {}", operators, most_operators);
  return {};
}

/// muParser would assign to variables; here a single '=' is a slip for '=='.
std::size_t find_assignment(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    const bool doubled = i + 1 < text.size() && text[i + 1] == '=';
    if (doubled) {
      ++i;
      continue;
    }
    const bool comparison = i > 0 && std::string_view("<>!").find(text[i - 1]) != std::string::npos;
    if (!comparison) return i;
  }
  return std::string::npos;
}

bool is_identifier(const std::string& name) {
  return !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0 &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

std::string known_names(const FormulaConstants& constants) {
  std::string names = "x, y, z, t, pi";
  for (const auto& [name, value] : constants) names += ", " + name;
  return names;
}

bool continues_character(char c) {  // of UTF-8
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// The word, number or sign that a token of muParser begins with: it may hold all that follows.
std::string first_word(const std::string& token) {
  const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; };
  auto end = std::find_if_not(token.begin(), token.end(), is_word);
  if (end == token.begin() && !token.empty())
    end = std::find_if_not(token.begin() + 1, token.end(), continues_character);
  return {token.begin(), end};
}

/// The formula in quotes; of a long one the neighbourhood of the place only.
std::string excerpt(const std::string& text, std::size_t place) {
  constexpr std::size_t before = 30, behind = 40;
  std::size_t begin = place > before ? place - before : 0;
  std::size_t end = std::min(text.size(), place + behind);
  while (begin > 0 && continues_character(text[begin])) --begin;
  while (end < text.size() && continues_character(text[end])) ++end;
  return fmt::format("'{}{}{}'", begin > 0 ? "…" : "", text.substr(begin, end - begin),
                     end < text.size() ? "…" : "");
}

std::string describe(const mu::ParserError& fault, const std::string& text,
                     const FormulaConstants& constants) {
  const auto at = std::min(static_cast<std::size_t>(std::max(fault.GetPos(), 0)), text.size());
  const std::string word = first_word(fault.GetToken());
  // A formula that is nothing but the word need not be shown again.
  const std::string where =
      word == text ? ""
                   : fmt::format(" at character {} of the formula {}", at + 1, excerpt(text, at));
  if (fault.GetCode() == mu::ecUNASSIGNABLE_TOKEN && is_identifier(word))
    return fmt::format(
        "unknown name '{}'{}: it may use {}, and functions such as sin, exp, sqrt, abs, min, max",
        word, where, known_names(constants));
  if (fault.GetCode() == mu::ecUNEXPECTED_EOF)
    return fmt::format("the formula {} ends too early", excerpt(text, text.size()));
  if (!word.empty()) return fmt::format("'{}' does not fit{}", word, where);
  return fmt::format("{}{}", fault.GetMsg(), where);
}

/// A number that no other thread of the process has or had: 0, 1, 2 …
std::size_t number_of_this_thread() {
  static std::atomic<std::size_t> threads{0};
  thread_local const std::size_t number = threads++;
  return number;
}

}  // namespace

/// A parser with the variables that it reads: for one thread at a time.
class Formula::Evaluator {
 public:
  /// Throws mu::ParserError.
  Evaluator(const std::string& text, const FormulaConstants& constants) {
    parser_.DefineVar("x", position_.data());
    parser_.DefineVar("y", &position_[1]);
    parser_.DefineVar("z", &position_[2]);
    parser_.DefineVar("t", &time_);
    parser_.DefineConst("pi", std::numbers::pi);
    for (const auto& [name, value] : constants)
      if (is_identifier(name) && name != "pi" && !variables().contains(name))
        parser_.DefineConst(name, value);
    parser_.SetExpr(text);
    parser_.Eval(results_);
  }
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  ~Evaluator() = default;

  double operator()(const std::array<double, 3>& position, double time) {
    position_ = position;
    time_ = time;
    return parser_.Eval();
  }
  /// How many values the formula has: more than one with commas.
  [[nodiscard]] int results() const { return results_; }
  [[nodiscard]] bool reads(const std::string& variable) const {
    return parser_.GetUsedVar().contains(variable);
  }

 private:
  mu::Parser parser_;
  std::array<double, 3> position_{};
  double time_ = 0.0;
  int results_ = 0;
};

struct Formula::Parsed {
  /// Throws mu::ParserError.
  Parsed(const std::string& formula, const FormulaConstants& given)
      : text(formula), constants(given) {
    const Evaluator& mine = evaluator(place_of_this_thread());
    results = mine.results();
    for (const char* variable : {"x", "y", "z"})
      uses_position = uses_position || mine.reads(variable);
    uses_time = mine.reads("t");
  }

  double operator()(const std::array<double, 3>& position, double time) {
    const std::size_t place = place_of_this_thread();
    if (place < shared) return evaluator(place)(position, time);
    const std::lock_guard one_at_a_time(lock);
    return evaluator(shared)(position, time);
  }

  static std::size_t place_of_this_thread() { return std::min(number_of_this_thread(), shared); }
  Evaluator& evaluator(std::size_t place) {
    std::unique_ptr<Evaluator>& found = evaluators[place];
    if (!found) found = std::make_unique<Evaluator>(text, constants);
    return *found;
  }

  /// The last place is that of all threads that came later than the first ones.
  static constexpr std::size_t shared = 256;

  std::string text;
  FormulaConstants constants;
  int results = 0;
  bool uses_time = false;
  bool uses_position = false;
  std::array<std::unique_ptr<Evaluator>, shared + 1> evaluators;
  std::mutex lock;  ///< of the last one
};

Formula::Formula(const std::string& text, const FormulaConstants& constants) {
  if (const std::string fault = beyond_limits(text); !fault.empty()) throw rt::input_error(fault);
  if (const auto place = find_assignment(text); place != std::string::npos)
    throw rt::input_error(
        fmt::format("'=' at character {} of the formula {}: equality is written '=='", place + 1,
                    excerpt(text, place)));
  try {
    parsed_ = std::make_shared<Parsed>(text, constants);
  } catch (const mu::ParserError& fault) {
    throw rt::input_error(describe(fault, text, constants));
  }
  if (const int results = parsed_->results; results != 1)
    throw rt::input_error(
        fmt::format("the formula {} has {} values, but must have one", excerpt(text, 0), results));
}

double Formula::operator()(const std::array<double, 3>& position, double time) const {
  return (*parsed_)(position, time);
}

bool Formula::depends_on_time() const {
  return parsed_->uses_time;
}

bool Formula::depends_on_position() const {
  return parsed_->uses_position;
}

bool Formula::is_constant() const {
  return !depends_on_time() && !depends_on_position();
}

std::string Formula::fault(const std::string& text, const FormulaConstants& constants) {
  try {
    const Formula formula(text, constants);
    return {};
  } catch (const rt::Error& error) {
    return error.what();
  }
}

const Formula& formula_of(std::span<const Formula> formulas, int component) {
  if (formulas.size() == 1) return formulas.front();
  if (static_cast<std::size_t>(component) < formulas.size())
    return formulas[static_cast<std::size_t>(component)];
  throw rt::input_error(
      fmt::format("{} formulas are given for a field of more components", formulas.size()),
      "Give one formula for all components, or one for each.", rt::Reach::all_ranks);
}

}  // namespace cartwright::grid
