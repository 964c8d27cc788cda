// SPDX-License-Identifier: Apache-2.0
#include <cartwright/plan/algorithms/stages.hpp>

#include <charconv>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>

namespace cartwright::plan {

namespace {

// Reads one stage: letters, each followed by a number.
class StageReader {
 public:
  explicit StageReader(std::string_view text) : text_(text), rest_(text) {}

  Stage read() {
    const char kind = rest_.empty() ? '\0' : rest_.front();
    Stage stage;
    if (kind == 'a') {
      stage = {.kind = StageKind::factor, .factor = number('a')};
    } else if (kind == 'c' || kind == 'e') {
      stage.kind = kind == 'c' ? StageKind::collapse : StageKind::expand;
      stage.threshold = number(kind);
      stage.base = number('m');
    } else if (kind == 'm' || kind == 'n') {
      stage.kind = kind == 'm' ? StageKind::merge : StageKind::inverse_merge;
      stage.remainders = number(kind);
      stage.groups = number('g');
      stage.factor = number('a');
    } else {
      fail();
    }
    if (!rest_.empty()) fail();
    return stage;
  }

 private:
  int number(char letter) {
    int value = 0;
    if (rest_.empty() || rest_.front() != letter) fail();
    const char* const end = rest_.data() + rest_.size();
    const auto [stop, error] = std::from_chars(rest_.data() + 1, end, value);
    if (error != std::errc{} || value < 0) fail();
    rest_ = {stop, static_cast<std::size_t>(end - stop)};
    return value;
  }

  [[noreturn]] void fail() const {
    throw std::invalid_argument("`" + std::string(text_) +
                                "` is no stage; stages are aF, cTmM, eTmM, mRgGaF and nRgGaF");
  }

  std::string_view text_;
  std::string_view rest_;
};

std::string to_string(const Stage& stage) {
  const auto with = [](char letter, int number) { return letter + std::to_string(number); };
  switch (stage.kind) {
    case StageKind::factor:
      return with('a', stage.factor);
    case StageKind::collapse:
      return with('c', stage.threshold) + with('m', stage.base);
    case StageKind::expand:
      return with('e', stage.threshold) + with('m', stage.base);
    case StageKind::merge:
      return with('m', stage.remainders) + with('g', stage.groups) + with('a', stage.factor);
    case StageKind::inverse_merge:
      return with('n', stage.remainders) + with('g', stage.groups) + with('a', stage.factor);
  }
  return {};
}

// What one stage demands of the others.
class StagesCheck {
 public:
  explicit StagesCheck(const Stages& stages) : all_(stages), inner_(stages) {}

  int ranks() {
    const Stage* collapse = take_ends();
    std::int64_t ranks = core();
    check_merge(ranks);
    if (!inner_.empty() && inner_.front().kind == StageKind::merge)
      ranks += inner_.front().remainders;
    if (collapse != nullptr) {
      const std::int64_t groups = collapse->threshold / collapse->base;
      ranks += groups * (collapse->base - 1);
      if (collapse->threshold > ranks) fail(*collapse, "collapses more ranks than there are");
    }
    if (ranks > std::numeric_limits<int>::max())
      throw std::invalid_argument("`" + plan::to_string(all_) + "` is for too many ranks");
    return static_cast<int>(ranks);
  }

 private:
  // Takes collapse and expansion off the ends.
  const Stage* take_ends() {
    if (inner_.empty() || inner_.front().kind != StageKind::collapse) {
      if (!inner_.empty() && inner_.back().kind == StageKind::expand)
        fail(inner_.back(), "expands what no first stage has collapsed");
      return nullptr;
    }
    const Stage& collapse = inner_.front();
    if (collapse.base < 2 || collapse.threshold < collapse.base ||
        collapse.threshold % collapse.base != 0)
      fail(collapse, "needs a base of at least 2, and a multiple of it as threshold");
    Stage expand = collapse;
    expand.kind = StageKind::expand;
    if (inner_.size() < 2 || !(inner_.back() == expand))
      fail(collapse, "needs `" + to_string(expand) + "` as last stage");
    inner_ = inner_.subspan(1, inner_.size() - 2);
    return &collapse;
  }

  // The product of the factors.
  std::int64_t core() {
    std::int64_t product = 1;
    for (std::size_t i = 0; i < inner_.size(); ++i) {
      const Stage& stage = inner_[i];
      if (stage.kind == StageKind::collapse || stage.kind == StageKind::expand)
        fail(stage, "may only stand at an end");
      if (stage.kind == StageKind::merge && i != 0) fail(stage, "may only be the first factor");
      if (stage.kind == StageKind::inverse_merge && i + 1 != inner_.size())
        fail(stage, "may only be the last factor");
      if (stage.factor < 2) fail(stage, "needs a factor of at least 2");
      product *= stage.factor;
      if (product > std::numeric_limits<int>::max()) fail(stage, "leads to too many ranks");
    }
    return product;
  }

  void check_merge(std::int64_t core) {
    if (inner_.empty()) return;
    const Stage& first = inner_.front();
    const Stage& last = inner_.back();
    const bool merges = first.kind == StageKind::merge;
    const bool serves = last.kind == StageKind::inverse_merge;
    if (!merges && !serves) return;
    if (inner_.size() < 2)
      fail(first, "needs a second factor: its remaining ranks would miss the only stage");
    if (!merges) fail(last, "serves ranks that no first factor has merged");
    if (!serves) fail(first, "merges ranks that no last factor serves");
    if (first.remainders < 1 || first.remainders != last.remainders)
      fail(last, "needs as many remaining ranks as `" + to_string(first) + "`, and at least one");
    for (const Stage* stage : {&first, &last})
      if (stage->groups != core / stage->factor)
        fail(*stage, "needs " + std::to_string(core / stage->factor) + " groups");
  }

  [[noreturn]] void fail(const Stage& stage, const std::string& what) const {
    throw std::invalid_argument("`" + to_string(stage) + "` in `" + plan::to_string(all_) + "` " +
                                what);
  }

  const Stages& all_;
  std::span<const Stage> inner_;
};

}  // namespace

Stages parse_stages(std::string_view text) {
  Stages stages;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    stages.push_back(StageReader(text.substr(0, comma)).read());
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
    if (text.empty()) StageReader(text).read();  // a comma at the end
  }
  return stages;
}

std::string to_string(const Stages& stages) {
  std::string text;
  for (const Stage& stage : stages) {
    if (!text.empty()) text += ',';
    text += to_string(stage);
  }
  return text;
}

Stages factor_stages(std::span<const int> factors) {
  Stages stages;
  for (const int factor : factors) stages.push_back({.kind = StageKind::factor, .factor = factor});
  return stages;
}

Stages merged_stages(std::span<const int> factors, int remainders) {
  Stages stages = factor_stages(factors);
  if (remainders == 0) return stages;
  if (factors.size() < 2)
    throw std::invalid_argument(
        "merging needs at least two factors: the remaining ranks ride "
        "along with the first and are served by the last");
  int core = 1;
  for (const int factor : factors) core *= factor;
  for (Stage* stage : {&stages.front(), &stages.back()}) {
    if (stage->factor < 2) throw std::invalid_argument("a factor is at least 2");
    stage->remainders = remainders;
    stage->groups = core / stage->factor;
  }
  stages.front().kind = StageKind::merge;
  stages.back().kind = StageKind::inverse_merge;
  return stages;
}

Stages collapsed_stages(int threshold, int base, std::span<const int> factors) {
  Stages stages = factor_stages(factors);
  if (threshold == 0) return stages;
  Stage end{.kind = StageKind::collapse, .threshold = threshold, .base = base};
  stages.insert(stages.begin(), end);
  end.kind = StageKind::expand;
  stages.push_back(end);
  return stages;
}

int ranks_of(const Stages& stages) {
  return StagesCheck(stages).ranks();
}

}  // namespace cartwright::plan
