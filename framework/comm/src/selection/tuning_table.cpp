// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/comm/selection/tuning_table.hpp>
#include <cartwright/plan/selection/selector.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>
#include <utility>

#include "json_words.hpp"

namespace cartwright::comm {

namespace {

using Json = nlohmann::ordered_json;

auto order_of(const TunedWinner& winner) {
  return std::tuple(winner.operation, winner.bytes);
}

Json winner_json(const TunedWinner& winner) {
  return {{"operation", plan::name_of(winner.operation)},
          {"bytes", winner.bytes},
          {"backend", name_of(winner.backend)},
          {"algorithm", winner.algorithm},
          {"seconds", winner.seconds},
          {"native_seconds", winner.native_seconds}};
}

TunedWinner winner_of(const Json& json) {
  const plan::Operation operation = operation_in(json);
  return {.operation = operation,
          .bytes = json.at("bytes").get<plan::Count>(),
          .backend = backend_in(json),
          .algorithm = algorithm_in(json, operation),
          .seconds = json.at("seconds").get<double>(),
          .native_seconds = json.at("native_seconds").get<double>()};
}

/// How many times one size is the other, the greater way round; sizes from 1 on.
double ratio(plan::Count a, plan::Count b) {
  const auto x = static_cast<double>(std::max<plan::Count>(a, 1));
  const auto y = static_cast<double>(std::max<plan::Count>(b, 1));
  return std::max(x, y) / std::min(x, y);
}

/// At most a factor of two apart. Below a word only latency counts, and from 1 MiB on only
/// bandwidth: sizes are all alike there.
bool is_near(plan::Count a, plan::Count b) {
  constexpr plan::Count word = 8, long_vector = plan::Count{1} << 20;
  return ratio(std::clamp(a, word, long_vector), std::clamp(b, word, long_vector)) <= 2.0;
}

}  // namespace

void TuningTable::add(const CommunicatorShape& shape, TunedWinner winner) {
  auto& winners = entry(shape).winners;
  const auto at = std::ranges::lower_bound(winners, order_of(winner), {}, order_of);
  if (at != winners.end() && order_of(*at) == order_of(winner))
    *at = std::move(winner);
  else
    winners.insert(at, std::move(winner));
}

const TunedWinner* TuningTable::find(const CommunicatorShape& shape, plan::Operation operation,
                                     plan::Count bytes) const {
  const OfShape* const found = of(shape);
  if (found == nullptr) return nullptr;
  const TunedWinner* nearest = nullptr;
  for (const TunedWinner& winner : found->winners) {
    if (winner.operation != operation) continue;
    if (nearest == nullptr || ratio(winner.bytes, bytes) < ratio(nearest->bytes, bytes))
      nearest = &winner;
  }
  return nearest;
}

const TunedWinner* TuningTable::find_near(const CommunicatorShape& shape, plan::Operation operation,
                                          plan::Count bytes) const {
  const TunedWinner* const nearest = find(shape, operation, bytes);
  if (nearest == nullptr || is_near(nearest->bytes, bytes)) return nearest;
  const auto is_on_the_other_side = [&](const TunedWinner& winner) {
    return winner.operation == operation && (winner.bytes < bytes) != (nearest->bytes < bytes);
  };
  return std::ranges::any_of(of(shape)->winners, is_on_the_other_side) ? nearest : nullptr;
}

void TuningTable::replace_by(const TuningTable& newer) {
  for (const OfShape& from : newer.shapes_) {
    OfShape& into = entry(from.shape);
    std::erase_if(into.winners, [&](const TunedWinner& old) {
      return std::ranges::any_of(from.winners, [&](const TunedWinner& winner) {
        return winner.operation == old.operation;
      });
    });
    for (const TunedWinner& winner : from.winners) add(from.shape, winner);
  }
}

const TuningTable::OfShape* TuningTable::of(const CommunicatorShape& shape) const {
  const auto found = std::ranges::find(shapes_, shape, &OfShape::shape);
  return found == shapes_.end() ? nullptr : &*found;
}

TuningTable::OfShape& TuningTable::entry(const CommunicatorShape& shape) {
  const auto found = std::ranges::find(shapes_, shape, &OfShape::shape);
  if (found != shapes_.end()) return *found;
  return shapes_.emplace_back(OfShape{shape, {}});
}

std::string TuningTable::to_json() const {
  Json shapes = Json::array();
  for (const OfShape& of : shapes_) {
    Json winners = Json::array();
    for (const TunedWinner& winner : of.winners) winners.push_back(winner_json(winner));
    shapes.push_back(
        {{"ranks", of.shape.ranks}, {"nodes", of.shape.nodes}, {"winners", std::move(winners)}});
  }
  return Json{{"tuned", std::move(shapes)}}.dump(1);
}

TuningTable TuningTable::from_json(const std::string& text, const std::string& source) {
  TuningTable table;
  try {
    const Json parsed = Json::parse(text);
    for (const Json& json : parsed.at("tuned")) {
      const CommunicatorShape shape{json.at("ranks").get<int>(), json.at("nodes").get<int>()};
      for (const Json& winner : json.at("winners")) table.add(shape, winner_of(winner));
    }
  } catch (const std::exception& fault) {
    throw rt::input_error(
        fmt::format("{} is no table of tuned collectives: {}", source, fault.what()),
        "Remove the file, or make it anew with ./cartwright tune.");
  }
  return table;
}

}  // namespace cartwright::comm
