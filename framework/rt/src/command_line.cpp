// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/rt/command_line.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/number_text.hpp>
#include <cartwright/rt/suggestion.hpp>
#include <limits>
#include <string_view>
#include <utility>

namespace cartwright::rt {
namespace {

struct ModeOption {
  std::string_view name;
  Mode mode;
};

constexpr std::array<ModeOption, 9> mode_options{{{"--help", Mode::help},
                                                  {"-h", Mode::help},
                                                  {"--version", Mode::version},
                                                  {"--check", Mode::check},
                                                  {"--print-config", Mode::print_config},
                                                  {"--dry-run", Mode::dry_run},
                                                  {"--json-schema", Mode::json_schema},
                                                  {"--deck-reference", Mode::deck_reference},
                                                  {"--list-solvers", Mode::list_solvers}}};

Error usage_error(const std::string& what,
                  const std::string& advice = "`--help` lists the options.") {
  return input_error("command line: " + what, advice, Reach::all_ranks);
}

bool is_path_sign(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-';
}

/// "grid.extent=…": the name of a key before the first '='.
bool is_override(std::string_view word) {
  const auto equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0) return false;
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals),
                     is_path_sign);
}

/// An override whose list or map doesn't end.
bool is_cut_off(std::string_view word) {
  if (!is_override(word)) return false;
  int depth = 0;
  for (const char c : word) depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
  return depth > 0;
}

bool looks_like_deck(std::string_view word) {
  return word.ends_with(".yaml") || word.ends_with(".yml");
}

/// Walks over the words; each option takes what belongs to it.
class Parser {
 public:
  Parser(int argc, const char* const* argv, const FindKeys& find_keys, bool deck_is_optional)
      : find_keys_(find_keys), deck_is_optional_(deck_is_optional) {
    for (int i = 1; i < argc; ++i) words_.emplace_back(argv[i]);
  }

  CommandLine parse() {
    while (at_ < words_.size()) {
      const std::string word = words_[at_++];
      if (only_names_ || word.empty() || word.front() != '-') {
        take_name(word);
      } else if (word == "--") {
        only_names_ = true;
      } else {
        take_option(word);
      }
    }
    check();
    return std::move(result_);
  }

 private:
  void take_name(const std::string& word) {
    if (word.empty()) throw usage_error("an argument is empty");
    const bool continues = at_ > 1 && is_cut_off(words_[at_ - 2]);
    if (continues) refuse_rest(words_[at_ - 2], word);
    if (is_override(word)) {
      result_.overrides.push_back(word);
    } else if (!result_.deck_path.empty()) {
      throw usage_error(
          fmt::format("two decks are given: '{}' and '{}'", result_.deck_path, word),
          "One run takes one deck; other settings are written section.key=value, in quotes "
          "if there are blanks in them.");
    } else {
      result_.deck_path = word;
    }
  }

  /// A shell has taken "grid.extent=[64, 64]" apart.
  [[noreturn]] static void refuse_rest(const std::string& begin, const std::string& rest) {
    throw usage_error(fmt::format("'{}' belongs to '{}', but stands apart from it", rest, begin),
                      fmt::format("Put the whole of it into quotes: '{} {}'", begin,
                                  is_cut_off(begin + rest) ? rest + " …" : rest));
  }

  void take_option(const std::string& word) {
    const auto equals = word.find('=');
    const std::string name = word.substr(0, equals);
    std::optional<std::string> value;
    if (equals != std::string::npos) value = word.substr(equals + 1);
    if (name == "-n" || name == "--ranks") return take_ranks(name, std::move(value));
    if (name == "--restart") {
      if (value && value->empty())
        throw usage_error("--restart= names no directory",
                          "--restart alone goes on in the output directory.");
      return take_restart(std::move(value));
    }
    if (word.starts_with("-n") && word.size() > 2 && word[2] >= '0' && word[2] <= '9') {
      return take_ranks("-n", word.substr(2));
    }
    if (name == "--machine") return take_text(name, std::move(value), result_.machine);
    if (name == "--profile") return take_text(name, std::move(value), result_.profile);
    const bool known = take_flag(name) || take_mode(name);
    if (!known) refuse(word, name);
    if (value) throw usage_error(fmt::format("{} takes no value, but '{}' gives one", name, word));
  }

  bool take_flag(const std::string& name) {
    const bool quiet = name == "--quiet" || name == "-q",
               verbose = name == "--verbose" || name == "-v";
    result_.quiet = result_.quiet || quiet;
    result_.verbose = result_.verbose || verbose;
    return quiet || verbose;
  }

  bool take_mode(const std::string& name) {
    const auto* found = std::find_if(mode_options.begin(), mode_options.end(),
                                     [&](const ModeOption& option) { return option.name == name; });
    if (found == mode_options.end()) return false;
    const bool another = !mode_name_.empty() && result_.mode != found->mode;
    if (another && found->mode != Mode::help && result_.mode != Mode::help) {
      throw usage_error(fmt::format("{} and {} exclude each other", mode_name_, name));
    }
    if (result_.mode != Mode::help) result_.mode = found->mode;  // who asks for help gets help
    mode_name_ = name;
    return true;
  }

  void take_ranks(const std::string& name, std::optional<std::string> value) {
    if (!value && at_ < words_.size()) value = words_[at_++];
    const auto number = value ? parse_integer(*value) : NumberText<long long>{};
    constexpr long long most = std::numeric_limits<int>::max();
    if (!number.value || *number.value < 1 || *number.value > most) {
      throw usage_error(
          fmt::format("{} needs the number of ranks, 1 or more, but {}", name,
                      value ? fmt::format("'{}' is given", *value) : "nothing follows it"),
          "For example: --dry-run -n 64");
    }
    result_.planned_ranks = static_cast<int>(*number.value);
  }

  void take_text(const std::string& name, std::optional<std::string> value, std::string& to) {
    if (!value && at_ < words_.size()) value = words_[at_++];
    if (!value || value->empty() || value->front() == '-')
      throw usage_error(fmt::format("{} needs a value, but none is given", name),
                        "For example: --dry-run -n 4096 --machine frontier");
    to = *std::move(value);
  }

  /// A directory follows if the next word can't be anything else.
  void take_restart(std::optional<std::string> value) {
    if (!value && at_ < words_.size()) {
      const std::string& next = words_[at_];
      const bool deck =
          result_.deck_path.empty() && (looks_like_deck(next) || at_ + 1 == words_.size());
      if (!next.empty() && next.front() != '-' && !is_override(next) && !deck &&
          !looks_like_deck(next)) {
        value = words_[at_++];
      }
    }
    result_.restart = value.value_or("");
  }

  [[noreturn]] void refuse(const std::string& word, const std::string& name) const {
    if (is_override(std::string_view(word).substr(word.find_first_not_of('-') == std::string::npos
                                                      ? word.size()
                                                      : word.find_first_not_of('-'))) &&
        name.find('.') != std::string::npos) {
      throw usage_error(fmt::format("unknown option '{}'", word),
                        fmt::format("A key of the deck is set without dashes: {}",
                                    word.substr(word.find_first_not_of('-'))));
    }
    const std::string key = name.substr(std::min(name.find_first_not_of('-'), name.size()));
    auto paths = find_keys_ ? find_keys_(key) : std::vector<std::string>{};
    if (!paths.empty()) {
      constexpr std::size_t most_named = 3;
      paths.resize(std::min(paths.size(), most_named));
      const auto equals = word.find('=');
      const bool next_is_value = at_ < words_.size() && words_[at_].find_first_of("-=") != 0 &&
                                 !looks_like_deck(words_[at_]);
      const std::string value = equals != std::string::npos ? word.substr(equals + 1)
                                : next_is_value             ? words_[at_]
                                                            : "VALUE";
      throw usage_error(fmt::format("there is no option '{}'", name),
                        fmt::format("A key of the deck is set without dashes: {}={}",
                                    fmt::join(paths, fmt::format("={} or ", value)), value));
    }
    std::vector<std::string> names{"--restart", "--ranks",   "--quiet",
                                   "--verbose", "--machine", "--profile"};
    for (const auto& option : mode_options) names.emplace_back(option.name);
    throw usage_error(fmt::format("unknown option '{}'{}", name, did_you_mean(name, names)));
  }

  void check() const {
    if (result_.planned_ranks != 0 && result_.mode != Mode::dry_run && result_.mode != Mode::help) {
      throw usage_error(
          "-n goes with --dry-run only",
          fmt::format("To run on {0} ranks: mpirun -n {0} PROGRAM DECK", result_.planned_ranks));
    }
    if (result_.mode != Mode::dry_run && result_.mode != Mode::help)
      for (const auto& [name, value] :
           {std::pair{"--machine", result_.machine}, {"--profile", result_.profile}})
        if (!value.empty())
          throw usage_error(fmt::format("{} goes with --dry-run only", name),
                            fmt::format("For example: --dry-run -n 4096 {} {}", name, value));
    if (result_.quiet && result_.verbose)
      throw usage_error("--quiet and --verbose exclude each other");
    if (result_.needs_deck() && result_.deck_path.empty() && !deck_is_optional_) {
      throw usage_error("no deck is given", "Name a YAML file; `--help` shows how.");
    }
  }

  const FindKeys& find_keys_;
  bool deck_is_optional_;
  std::vector<std::string> words_;
  std::size_t at_ = 0;
  bool only_names_ = false;
  std::string mode_name_;
  CommandLine result_;
};

}  // namespace

bool CommandLine::needs_deck() const noexcept {
  return mode == Mode::run || mode == Mode::check || mode == Mode::print_config ||
         mode == Mode::dry_run;
}

CommandLine parse_command_line(int argc, const char* const* argv, const FindKeys& find_keys,
                               bool deck_is_optional) {
  return Parser(argc, argv, find_keys, deck_is_optional).parse();
}

std::string command_line_help(const std::string& program, bool deck_is_optional) {
  return fmt::format(R"(usage: {} {} [section.key=value …] [options]

  DECK                  a YAML file; --deck-reference explains its keys
  section.key=value     overrides the deck, e.g. grid.extent=[256, 256] or time.steps=100

  --check               check the deck and stop
  --print-config        show every value and where it came from
  --dry-run [-n RANKS]  plan for so many ranks without running
    --machine NAME        on a machine that is described (frontier, or a file); else one like this
    --profile FILE        keep what was measured for the plan, for `cartwright scale`
  --restart [DIR]       go on from the newest whole checkpoint (in DIR)
  -q, --quiet           print errors and the end only
  -v, --verbose         print more

  --list-solvers        what this program can solve, one a line
  --deck-reference      every key of a deck, as Markdown
  --json-schema         a JSON Schema of decks, for editors
  --version, --help

exit codes: 0 finished, 1 input error, 2 numerical failure, 3 communication or internal
failure, 4 stopped early and restartable
)",
                     program, deck_is_optional ? "[DECK]" : "DECK");
}

}  // namespace cartwright::rt
