// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/comm/selection/default_tuning.hpp>
#include <cartwright/plan/algorithms/stages.hpp>
#include <cartwright/rt/error.hpp>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>

#include "json_words.hpp"

namespace cartwright::comm {

namespace {

/// Greedy factors of at most `most`, with what is left over last.
std::vector<int> factors_of(int ranks, int most) {
  std::vector<int> factors;
  for (int factor = most; factor > 1; --factor)
    for (; ranks % factor == 0; ranks /= factor) factors.push_back(factor);
  if (ranks > 1) factors.push_back(ranks);
  return factors;
}

/// What stands for `{word:number}`; nothing where that doesn't go for the problem.
std::optional<std::string> filled(std::string_view word, plan::Count number,
                                  const plan::Problem& problem) {
  constexpr plan::Count most_pieces = 4096;
  if (word == "others") return fmt::format("{}", std::max(problem.ranks - 1, 1));
  if (number < 1) throw std::invalid_argument(fmt::format("{{{}}} wants a number from 1 on", word));
  if (word == "pieces")
    return fmt::format("{}", std::clamp<plan::Count>(problem.bytes() / number, 1, most_pieces));
  const auto factors =
      factors_of(problem.ranks, static_cast<int>(std::min<plan::Count>(number, problem.ranks)));
  if (word == "factors") return fmt::format("{}", fmt::join(factors, ","));
  if (word != "stages") throw std::invalid_argument(fmt::format("what is {{{}}}?", word));
  if (!factors.empty() && std::ranges::max(factors) > number) return std::nullopt;
  return plan::to_string(plan::factor_stages(factors));
}

/// "pipeline({pieces:4096})" for a problem.
std::optional<std::string> without_gaps(std::string_view text, const plan::Problem& problem) {
  std::string name;
  for (;;) {
    const auto open = text.find('{');
    name += text.substr(0, open);
    if (open == std::string_view::npos) return name;
    const auto close = text.find('}', open);
    if (close == std::string_view::npos) throw std::invalid_argument("a gap has no end");
    const std::string_view gap = text.substr(open + 1, close - open - 1);
    const auto colon = gap.find(':');
    plan::Count number = 0;
    if (colon != std::string_view::npos)
      std::from_chars(gap.data() + colon + 1, gap.data() + gap.size(), number);
    const auto value = filled(gap.substr(0, colon), number, problem);
    if (!value) return std::nullopt;
    name += *value;
    text.remove_prefix(close + 1);
  }
}

}  // namespace

/// From JSON; throws std::exception.
class DefaultTuning::Reader {
 public:
  [[nodiscard]] static DefaultTuning read(const nlohmann::json& json) {
    require_keys(json, {"about", "rules", "whole_messages", "broadcasts_in_messages_from", "copies",
                        "far_cores_from"});
    DefaultTuning tuning;
    for (const nlohmann::json& rule : json.at("rules")) tuning.rules_.push_back(rule_of(rule));
    for (const nlohmann::json& rule : json.at("whole_messages"))
      tuning.whole_messages_.push_back(rule_of(rule));
    tuning.messages_from_ = json.at("broadcasts_in_messages_from").get<plan::Count>();
    require_keys(json.at("copies"), {"own_cores", "shared_cores"});
    tuning.copies_of_own_cores_ = copies_of(json.at("copies").at("own_cores"));
    tuning.copies_of_shared_cores_ = copies_of(json.at("copies").at("shared_cores"));
    tuning.far_cores_from_ = json.at("far_cores_from").get<double>();
    return tuning;
  }

 private:
  static void require_keys(const nlohmann::json& json, const std::set<std::string>& known) {
    for (const auto& [key, value] : json.items())
      if (!known.contains(key)) throw std::invalid_argument("there is no key " + key);
  }
  template <class T>
  static void read_range(const nlohmann::json& rule, const char* key, T& from, T& to) {
    if (!rule.contains(key)) return;
    const nlohmann::json& range = rule.at(key);
    if (range.size() != 2) throw std::invalid_argument(fmt::format("{} wants [from, to]", key));
    if (!range[0].is_null()) from = range[0].get<T>();
    if (!range[1].is_null()) to = range[1].get<T>();
  }
  /// What isn't named never happens.
  [[nodiscard]] static CopyThresholds copies_of(const nlohmann::json& json) {
    require_keys(json, {"direct_from", "moved_direct_from", "readers_of_staged"});
    for (const auto& [key, value] : json.items())
      if (!value.is_number_unsigned()) throw std::invalid_argument(key + " is a number from 0 on");
    CopyThresholds copies;
    copies.direct_from = json.value("direct_from", copies.direct_from);
    copies.moved_direct_from = json.value("moved_direct_from", copies.moved_direct_from);
    copies.readers_of_staged = json.value("readers_of_staged", copies.readers_of_staged);
    return copies;
  }
  [[nodiscard]] static Rule rule_of(const nlohmann::json& json) {
    require_keys(json, {"operation", "ranks", "bytes", "cores", "backend", "algorithms"});
    Rule rule;
    rule.operation = operation_in(json);
    read_range(json, "ranks", rule.least_ranks, rule.most_ranks);
    read_range(json, "bytes", rule.from_bytes, rule.below_bytes);
    if (const std::string cores = json.value("cores", ""); !cores.empty()) {
      if (cores != "near" && cores != "far") throw std::invalid_argument("cores are near or far");
      rule.far_cores = cores == "far";
    }
    if (json.contains("backend")) rule.backend = backend_in(json);
    rule.algorithms = json.at("algorithms").get<std::vector<std::string>>();
    return rule;
  }
};

DefaultTuning DefaultTuning::from_json(std::string_view text, const std::string& source) {
  try {
    DefaultTuning tuning = Reader::read(nlohmann::json::parse(text));
    tuning.require_all();
    return tuning;
  } catch (const std::exception& fault) {
    throw rt::input_error(
        fmt::format("{} is no table of default tunings: {}", source, fault.what()),
        "./cartwright tune --defaults prints the library's own, to begin with.",
        rt::Reach::all_ranks);
  }
}

const std::shared_ptr<const DefaultTuning>& DefaultTuning::of_library() {
  // Read only: that nothing is missing is shown by a test, not by every program again.
  static const auto rules =
      std::make_shared<const DefaultTuning>(Reader::read(nlohmann::json::parse(text_of_library())));
  return rules;
}

/// Every algorithm that is named exists: on some numbers of ranks all gaps are filled.
void DefaultTuning::require_all() const {
  for (const plan::Operation operation : plan::operations())
    for (const int ranks : {1, 2, 3, 8, 17, 64})
      for (const plan::Count elements : {1, 4096, 1 << 20})
        for (const bool far_cores : {false, true}) {
          const plan::Problem problem{.operation = operation, .ranks = ranks, .elements = elements};
          if (!first_that_works(rules_, problem, far_cores, BackendId::shared))
            throw std::invalid_argument(fmt::format("nothing fits a {} of {} bytes on {} ranks",
                                                    plan::name_of(operation), problem.bytes(),
                                                    ranks));
          for (const BackendId backend : {BackendId::p2p, BackendId::shared})
            (void)first_that_works(whole_messages_, problem, far_cores, backend);
        }
}

std::optional<plan::Choice> DefaultTuning::first_that_works(const std::vector<Rule>& rules,
                                                            const plan::Problem& problem,
                                                            bool far_cores, BackendId backend) {
  const auto fits = [&](const Rule& rule) {
    return rule.operation == problem.operation && problem.ranks >= rule.least_ranks &&
           problem.ranks <= rule.most_ranks && problem.bytes() >= rule.from_bytes &&
           problem.bytes() < rule.below_bytes && rule.far_cores.value_or(far_cores) == far_cores &&
           rule.backend.value_or(backend) == backend;
  };
  const auto rule = std::ranges::find_if(rules, fits);
  if (rule == rules.end()) return std::nullopt;
  for (const std::string& text : rule->algorithms) {
    const auto name = without_gaps(text, problem);
    if (!name) continue;
    plan::Choice choice = plan::parse_choice(problem.operation, *name);
    if (plan::may_solve(*choice.algorithm, problem)) return choice;
  }
  return std::nullopt;
}

plan::Choice DefaultTuning::choose(const plan::Problem& problem, bool far_cores) const {
  if (auto choice = first_that_works(rules_, problem, far_cores, BackendId::shared))
    return std::move(*choice);
  for (const plan::Algorithm& algorithm : plan::algorithms(problem.operation))
    if (algorithm.tuning.empty() && plan::may_solve(algorithm, problem)) return {&algorithm, ""};
  return {};
}

bool DefaultTuning::wants_messages(const plan::Problem& problem) const {
  return problem.operation == plan::Operation::broadcast && problem.ranks > 1 &&
         problem.bytes() >= messages_from_;
}

plan::Choice DefaultTuning::in_whole_messages(const plan::Problem& problem,
                                              const plan::Choice& choice, BackendId backend) const {
  if (!goes_in_pieces(choice) && !wants_messages(problem)) return choice;
  return first_that_works(whole_messages_, problem, false, backend).value_or(choice);
}

namespace {

/// Plans for arrivals, also those between the nodes of a hierarchical one, say how many segments
/// they have: "clairvoyant(4,3600,strict)".
bool has_segments_for_arrivals(std::string_view name) {
  constexpr std::string_view planned = "clairvoyant(";
  for (auto at = name.find(planned); at != std::string_view::npos; at = name.find(planned, at)) {
    at += planned.size();
    if (!name.substr(at).starts_with("1)") && !name.substr(at).starts_with("1,")) return true;
  }
  return false;
}

}  // namespace

bool goes_in_pieces(const plan::Choice& choice) {
  const plan::Operation operation = choice.algorithm->operation;
  if (operation != plan::Operation::broadcast && operation != plan::Operation::reduce) return false;
  if (choice.algorithm->make_for != nullptr || choice.algorithm->name == "hierarchical")
    return has_segments_for_arrivals(choice.name());
  return choice.algorithm->tuning == "segments" || choice.algorithm->name == "ring" ||
         choice.algorithm->name == "scatter_allgather";
}

}  // namespace cartwright::comm
