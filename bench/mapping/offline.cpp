// SPDX-License-Identifier: Apache-2.0
#include "offline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/mapping/faces/lower_bound.hpp>
#include <cartwright/mapping/search/anneal.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/output_file.hpp>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "../common/processor_time.hpp"

namespace cartwright::bench {

namespace {

using Json = nlohmann::ordered_json;

/// From where, and how hot, each slice starts: melted ones find other arrangements, cool ones
/// finish what strategies begun.
struct Regime {
  std::size_t start;  // of the strategies, best first
  double hottest, coldest;
};
constexpr std::array<Regime, 4> regimes{
    {{0, 0.8, 0.2}, {0, 0.45, 0.15}, {1, 1.2, 0.2}, {1, 0.6, 0.15}}};

/// Proposals that take `seconds`, by trying some.
long long proposals_in(double seconds, const mapping::FaceTable& faces,
                       const mapping::MappingCandidate& start) {
  constexpr long long trial = 400'000;
  const double begin = processor_seconds();
  (void)mapping::anneal(faces, start.map.nodes, start.map.node_count,
                        {.seed = 9, .proposals = trial, .hottest = 0.5, .coldest = 0.4});
  const double spent = std::max(processor_seconds() - begin, 1e-3);
  return std::max(trial, static_cast<long long>(trial / spent * seconds));
}

/// Of the strategies and the short search, best first.
std::vector<mapping::MappingCandidate> starts_of(const mapping::MappingRequest& request,
                                                 Goal goal) {
  auto starts = mapping::mapping_portfolio(request);
  if (goal == Goal::busiest) starts.push_back(mapping::choose_mapping(request));
  std::stable_sort(starts.begin(), starts.end(), [&](const auto& a, const auto& b) {
    return goal == Goal::busiest ? a.busiest < b.busiest : a.cost < b.cost;
  });
  return starts;
}

void anneal_busiest(Annealed& entry, double slice) {
  using mapping::Annealing;
  using mapping::Slowest;
  constexpr std::array<Annealing, 4> for_busiest{
      {{.hottest = 1.0, .coldest = 0.08, .slowest = Slowest{0.5, 3}},
       {.hottest = 0.8, .coldest = 0.1, .slowest = Slowest{0.8, 3}},
       {.hottest = 1.0, .coldest = 0.1, .slowest = Slowest{0.8, 2}},
       {.hottest = 1.2, .coldest = 0.08, .slowest = Slowest{0.5, 4}}}};
  const double begin = processor_seconds();
  const auto request = entry.grid.request();
  const mapping::FaceTable faces(request.shape);
  if (entry.slices == 0)
    entry.most_faces = mapping::most_more_faces * mapping::fewest_faces(request).cost;
  auto starts = starts_of(request, Goal::busiest);
  std::erase_if(starts, [&](const auto& start) { return start.cost > entry.most_faces; });
  if (entry.slices == 0) entry.least = starts.front().busiest;
  const double mean = 2.0 * mapping::sharp_lower_bound(request.shape, request.node_sizes) /
                      static_cast<double>(request.node_sizes.size());
  if (entry.least > mean) {
    Annealing how = for_busiest[static_cast<std::size_t>(entry.slices) % for_busiest.size()];
    const auto& start = starts.front();
    how.seed = 1000U + static_cast<std::uint64_t>(entry.slices);
    how.proposals = proposals_in(slice, faces, start);
    how.bound = mean;
    how.slowest->most_faces = entry.most_faces;
    const auto nodes = mapping::anneal(faces, start.map.nodes, start.map.node_count, how);
    entry.least = std::min(entry.least, faces.busiest(nodes, start.map.node_count));
    entry.seconds += processor_seconds() - begin;
  } else {
    entry.seconds = 1e9;  // nothing is left to find
  }
  ++entry.slices;
}

void anneal_sum(Annealed& entry, double slice) {
  const double begin = processor_seconds();
  const auto request = entry.grid.request();
  const mapping::FaceTable faces(request.shape);
  const double bound = mapping::sharp_lower_bound(request.shape, request.node_sizes);
  const auto starts = starts_of(request, Goal::sum);
  if (entry.slices == 0) entry.least = starts.front().cost;
  if (entry.least > bound) {
    const Regime& regime = regimes[static_cast<std::size_t>(entry.slices) % regimes.size()];
    const auto& start = starts[regime.start];
    const auto nodes = mapping::anneal(faces, start.map.nodes, start.map.node_count,
                                       {.seed = 1000U + static_cast<std::uint64_t>(entry.slices),
                                        .proposals = proposals_in(slice, faces, start),
                                        .hottest = regime.hottest,
                                        .coldest = regime.coldest,
                                        .bound = bound});
    entry.least = std::min(entry.least, faces.cost(nodes));
    entry.seconds += processor_seconds() - begin;
  } else {
    entry.seconds = 1e9;  // nothing is left to find
  }
  ++entry.slices;
}

}  // namespace

AnnealedFile::AnnealedFile(std::string path, Goal goal) : path_(std::move(path)), goal_(goal) {
  std::ifstream file(path_);
  if (!file) return;
  const Json json = Json::parse(file, nullptr, false);
  if (!json.is_object()) {
    throw rt::input_error(fmt::format("{} doesn't hold annealed cases", path_),
                          "Give --samples another file.");
  }
  seed_ = json.value("seed", std::uint64_t{0});
  for (const Json& entry : json["cases"]) {
    const bool at_bound = entry["seconds"].is_null();
    entries_.push_back({{entry["nodes"], entry["ranks_per_node"], entry["dims"]},
                        entry["least"],
                        at_bound ? 1e9 : entry["seconds"].get<double>(),
                        entry["slices"],
                        entry.value("most_faces", 0.0)});
  }
}

void AnnealedFile::anneal(double seconds, std::size_t count, std::uint64_t seed, double slice) {
  if (entries_.empty() || seed != seed_ || count != entries_.size()) {
    entries_.clear();
    seed_ = seed;
    auto cases = mapping_cases(3);
    if (goal_ == Goal::busiest) {
      auto flat = mapping_cases(2);
      std::move(flat.begin(), flat.end(), std::back_inserter(cases));
    }
    for (auto& drawn : draw(std::move(cases), count, seed)) entries_.push_back({std::move(drawn)});
  }
  const auto needs_more = [&](const Annealed& entry) { return entry.seconds < seconds; };
  for (int round = 1; std::any_of(entries_.begin(), entries_.end(), needs_more); ++round) {
    for (Annealed& entry : entries_) {
      if (!needs_more(entry)) continue;
      const double next = std::min(slice, seconds - std::min(entry.seconds, seconds));
      goal_ == Goal::sum ? anneal_sum(entry, next) : anneal_busiest(entry, next);
      write();
    }
    fmt::print("round {}: every case had its next {} s\n", round, slice);
    std::fflush(stdout);
  }
}

void AnnealedFile::write() const {
  Json cases = Json::array();
  for (const Annealed& entry : entries_) {
    const Json seconds = entry.seconds > 1e8 ? Json() : Json(std::round(entry.seconds * 10) / 10);
    cases.push_back({{"nodes", entry.grid.nodes},
                     {"ranks_per_node", entry.grid.ranks_per_node},
                     {"dims", entry.grid.dims},
                     {"least", entry.least},
                     {"seconds", seconds},
                     {"slices", entry.slices}});
    if (goal_ == Goal::busiest) cases.back()["most_faces"] = entry.most_faces;
  }
  const std::string what = goal_ == Goal::sum
                               ? "faces between nodes that a long annealing leaves"
                               : "faces of the busiest node that a long annealing leaves, with at "
                                 "most most_faces between nodes";
  const Json json{
      {"about", what + "; seconds of processor time, null where the lower bound was met"},
      {"seed", seed_},
      {"cases", cases}};
  rt::write_file(path_, json.dump(1) + '\n');
}

}  // namespace cartwright::bench
