// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/predict/step_profile.hpp>
#include <cartwright/rt/error.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

namespace cartwright::mapping {

namespace {

using Json = nlohmann::ordered_json;
constexpr const char* format_name = "cartwright step profile 2";

rt::Error unusable(const std::string& name, const std::string& why) {
  return rt::input_error(fmt::format("'{}' is no profile of a run: {}", name, why),
                         "PROGRAM DECK --dry-run --profile FILE writes one.");
}

/// The one list of a struct's numbers, for both directions.
template <class Visit>
void visit(KernelSample& sample, const Visit& with) {
  with("cells", sample.cells);
  with("kernels", sample.kernels);
  with("boundary", sample.boundary);
  with("loop", sample.loop);
}
template <class Visit>
void visit(ExchangeKind& kind, const Visit& with) {
  with("coarser", kind.coarser);
  with("layer_bytes", kind.layer_bytes);
  with("corners", kind.corners);
  with("times", kind.times);
  with("overlapped", kind.overlapped);
}
template <class Visit>
void visit(OutputKind& kind, const Visit& with) {
  with("name", kind.name);
  with("times", kind.times);
  with("bytes", kind.bytes);
  with("seconds", kind.seconds);
  with("cell_seconds", kind.cell_seconds);
}
template <class Visit>
void visit(PairTraffic& pairs, const Visit& with) {
  with("particles", pairs.particles);
  with("position_bytes", pairs.position_bytes);
  with("sum_bytes", pairs.sum_bytes);
}
template <class Visit>
void visit(StepProfile& profile, const Visit& with) {
  with("solver", profile.solver);
  with("deck", profile.deck);
  with("measured", profile.measured);
  with("machine", profile.machine);
  with("extents", profile.extents);
  with("periodic", profile.periodic);
  with("process_grid", profile.process_grid);
  with("sampled", profile.sampled);
  with("steps", profile.steps);
  with("threads", profile.threads);
  with("halo", profile.halo);
  with("cell_bytes", profile.cell_bytes);
  with("memory_bandwidth", profile.memory_bandwidth);
  with("together", profile.together);
  with("core_speeds", profile.core_speeds);
  with("turn_seconds", profile.turn_seconds);
  with("beside_waiting", profile.beside_waiting);
  with("pair_seconds", profile.pair_seconds);
  with("overlap", profile.overlap);
  with("output_source", profile.output_source);
}

template <class Struct>
Json written(Struct value) {
  Json json = Json::object();
  visit(value, [&json](const char* key, const auto& each) { json[key] = each; });
  return json;
}
template <class Struct>
Json written_list(const std::vector<Struct>& list) {
  Json json = Json::array();
  for (const Struct& each : list) json.push_back(written(each));
  return json;
}
template <class Struct>
Struct read(const Json& json) {
  Struct value;
  visit(value, [&json](const char* key, auto& each) { json.at(key).get_to(each); });
  return value;
}
template <class Struct>
void read_list(const Json& json, const char* key, std::vector<Struct>& to) {
  for (const Json& each : json.at(key)) to.push_back(read<Struct>(each));
}

Json written_pairs(const PairTraffic& pairs) {
  Json json = written(pairs);
  json["way"] =
      std::ranges::find(pair_ways(), pairs.way, &std::pair<std::string, PairWay>::second)->first;
  return json;
}
PairTraffic read_pairs(const Json& json, const std::string& name) {
  auto pairs = read<PairTraffic>(json);
  const auto way = std::ranges::find(pair_ways(), json.at("way").get<std::string>(),
                                     &std::pair<std::string, PairWay>::first);
  if (way == pair_ways().end()) throw unusable(name, "it names a way of pairs that there isn't");
  pairs.way = way->second;
  return pairs;
}

bool sound(double number) {
  return std::isfinite(number) && number >= 0.0;
}
bool is_sound(const ExchangeKind& kind) {
  return kind.coarser >= 0 && kind.coarser < 64 && sound(kind.layer_bytes) && sound(kind.times) &&
         sound(kind.overlapped) && kind.overlapped <= kind.times;
}
void require_sound(const std::vector<KernelSample>& kernels, const std::string& name) {
  if (kernels.empty()) throw unusable(name, "it has no times of kernels");
  double before = 0.0;
  for (const KernelSample& sample : kernels) {
    if (!(sample.cells > before) || !sound(sample.kernels) || !sound(sample.boundary) ||
        !sound(sample.loop))
      throw unusable(name, "its times of kernels aren't in order");
    before = sample.cells;
  }
}

/// Nothing that a prediction would stumble over.
void require_sound(const StepProfile& profile, const std::string& name) {
  const std::size_t axes = profile.extents.size();
  if (axes < 1 || axes > 3 || profile.periodic.size() != axes || profile.sampled.size() != axes ||
      (!profile.process_grid.empty() && profile.process_grid.size() != axes))
    throw unusable(name, "its axes don't agree");
  if (std::ranges::any_of(profile.extents, [](long long extent) { return extent < 1; }))
    throw unusable(name, "a grid has at least one cell along each axis");
  require_sound(profile.kernels, name);
  bool all = sound(profile.steps) && sound(profile.cell_bytes) && profile.halo >= 0 &&
             profile.threads >= 1 && sound(profile.memory_bandwidth) && profile.together >= 1 &&
             sound(profile.turn_seconds) && profile.beside_waiting >= 1.0 &&
             std::isfinite(profile.beside_waiting) && sound(profile.pair_seconds) &&
             std::ranges::all_of(profile.core_speeds,
                                 [](double speed) { return speed > 0.0 && speed <= 1.0; });
  if (const auto& pairs = profile.pairs)
    all = all && sound(pairs->particles) && sound(pairs->position_bytes) && sound(pairs->sum_bytes);
  all = all && std::ranges::all_of(profile.exchanges, is_sound);
  for (int least = 1; const StepsAtOnce& each : profile.at_once) {
    constexpr int most = 64;
    require_sound(each.kernels, name);
    if (each.steps < least || each.steps > most || profile.at_once.front().steps != 1)
      throw unusable(name, "its steps at once aren't in order, from 1 on");
    least = each.steps + 1;
    all = all && std::ranges::all_of(each.exchanges, is_sound);
  }
  for (const CollectiveKind& kind : profile.collectives)
    all = all && kind.bytes >= 0 && sound(kind.times);
  for (const OutputKind& kind : profile.outputs)
    all = all && sound(kind.times) && sound(kind.bytes) && sound(kind.seconds) &&
          sound(kind.cell_seconds);
  if (!all) throw unusable(name, "a number in it is negative, or none");
}

}  // namespace

const std::vector<std::pair<std::string, PairWay>>& pair_ways() {
  static const std::vector<std::pair<std::string, PairWay>> ways{
      {"allgather", PairWay::allgather},
      {"ring", PairWay::ring},
      {"rows_and_columns", PairWay::rows_and_columns}};
  return ways;
}

int most_steps_at_once(const std::vector<long long>& smallest_block, int reach) {
  constexpr int most = 4;
  constexpr long long times_as_wide = 8;
  int steps = most;
  for (const long long cells : smallest_block)
    while (steps > 1 && cells < times_as_wide * steps * reach) steps /= 2;
  return steps;
}

double cells_of(const std::vector<long long>& extents) {
  double cells = 1.0;
  for (const long long extent : extents) cells *= static_cast<double>(extent);
  return cells;
}

std::string profile_text(const StepProfile& profile) {
  Json json{{"format", format_name}};
  json.update(written(profile));
  if (profile.pairs) json["pairs"] = written_pairs(*profile.pairs);
  json["collectives"] = Json::array();
  json["kernels"] = written_list(profile.kernels);
  json["exchanges"] = written_list(profile.exchanges);
  for (const StepsAtOnce& each : profile.at_once)
    json["at_once"].push_back(Json{{"steps", each.steps},
                                   {"kernels", written_list(each.kernels)},
                                   {"exchanges", written_list(each.exchanges)}});
  for (const CollectiveKind& each : profile.collectives)
    json["collectives"].push_back(Json{{"operation", plan::name_of(each.operation)},
                                       {"bytes", each.bytes},
                                       {"times", each.times}});
  json["outputs"] = written_list(profile.outputs);
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

StepProfile parse_profile(const std::string& text, const std::string& name) {
  StepProfile profile;
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != format_name) throw unusable(name, "it says another format");
    profile = read<StepProfile>(json);
    if (json.contains("pairs")) profile.pairs = read_pairs(json["pairs"], name);
    read_list(json, "kernels", profile.kernels);
    read_list(json, "exchanges", profile.exchanges);
    read_list(json, "outputs", profile.outputs);
    for (const Json& each : json.value("at_once", Json::array())) {
      StepsAtOnce& made = profile.at_once.emplace_back();
      each.at("steps").get_to(made.steps);
      read_list(each, "kernels", made.kernels);
      read_list(each, "exchanges", made.exchanges);
    }
    for (const Json& each : json.at("collectives")) {
      const auto operation = plan::operation_named(each.at("operation").get<std::string>());
      if (!operation) throw unusable(name, "it names an operation that there isn't");
      profile.collectives.push_back(
          {*operation, each.at("bytes").get<plan::Count>(), each.at("times").get<double>()});
    }
  } catch (const Json::parse_error&) {
    throw unusable(name, "it is empty, or isn't whole");
  } catch (const Json::exception&) {
    throw unusable(name, "something is missing in it, or of another kind");
  }
  require_sound(profile, name);
  return profile;
}

}  // namespace cartwright::mapping
