// SPDX-License-Identifier: Apache-2.0
// How few faces of a process grid lead from node to node, by strategy: all near-square and
// near-cubic grids of n nodes with k ranks each, and a sample against a long annealing. Pure
// computing: no MPI, one core.
// layouts: 1x1
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/faces/lower_bound.hpp>
#include <cartwright/mapping/machine/machine_file.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/output_file.hpp>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "common/processor_time.hpp"
#include "mapping/cases.hpp"
#include "mapping/offline.hpp"
#include "mapping/simulated.hpp"

namespace bench = cartwright::bench;
namespace mapping = cartwright::mapping;
namespace rt = cartwright::rt;

namespace {

using Json = nlohmann::ordered_json;

struct Options {
  bool quick = false, only_sample = false, help = false, busiest = false, simulate = false;
  std::string json, before;
  std::size_t broadcasts = 0;
  std::string samples;
  std::size_t dimensions = 0;  ///< 0: two and three
  double anneal_seconds = 0.0, slice = 10.0;
  std::size_t sample = 50;
  std::uint64_t seed = 1;

  [[nodiscard]] bench::Goal goal() const {
    return busiest ? bench::Goal::busiest : bench::Goal::sum;
  }
  [[nodiscard]] std::string file() const {
    if (!samples.empty()) return samples;
    return busiest ? "bench/mapping/annealed_busiest.json" : "bench/mapping/annealed.json";
  }
};

constexpr const char* help =
    "usage: bench_mapping [--quick] [--dimensions D] [--only-sample] [--simulate] [--before FILE]\n"
    "                     [--json FILE] [--busiest] [--samples FILE]\n"
    "       bench_mapping --broadcasts COUNT [--seed S]\n"
    "       bench_mapping --anneal SECONDS [--busiest] [--sample COUNT] [--seed S] [--samples "
    "FILE]\n"
    "  --quick           every tenth grid\n"
    "  --dimensions D    only the near-square (2) or the near-cubic (3) grids, without the sample\n"
    "  --only-sample     just the comparison with annealing\n"
    "  --simulate        halo exchanges of 64 KiB a face, too\n"
    "  --before FILE     compares with what a run before wrote by --json\n"
    "  --json FILE       writes every case to FILE, too\n"
    "  --broadcasts N    simulates broadcasts along all axes on N grids of either kind, before and "
    "after\n                    remapping\n"
    "  --busiest         the sample is for the busiest node, of both kinds of grids\n"
    "  --samples FILE    what annealing found (bench/mapping/annealed.json, "
    "annealed_busiest.json)\n"
    "  --anneal SECONDS  anneals COUNT (50) near-cubic grids, SECONDS of processor time each; "
    "goes\n"
    "                    on where FILE ends\n"
    "  --slice SECONDS   of one run of it (10)\n";

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--quick") {
      options.quick = true;
    } else if (word == "--only-sample") {
      options.only_sample = true;
    } else if (word == "--simulate") {
      options.simulate = true;
    } else if (i + 1 < argc && word == "--before") {
      options.before = argv[++i];
    } else if (i + 1 < argc && word == "--broadcasts") {
      options.broadcasts = std::stoul(argv[++i]);
    } else if (word == "--busiest") {
      options.busiest = true;
    } else if (word == "--help" || word == "-h") {
      options.help = true;
    } else if (i + 1 < argc && word == "--json") {
      options.json = argv[++i];
    } else if (i + 1 < argc && word == "--samples") {
      options.samples = argv[++i];
    } else if (i + 1 < argc && word == "--anneal") {
      options.anneal_seconds = std::stod(argv[++i]);
    } else if (i + 1 < argc && word == "--slice") {
      options.slice = std::stod(argv[++i]);
    } else if (i + 1 < argc && word == "--dimensions") {
      options.dimensions = std::stoul(argv[++i]);
    } else if (i + 1 < argc && word == "--sample") {
      options.sample = std::stoul(argv[++i]);
    } else if (i + 1 < argc && word == "--seed") {
      options.seed = std::stoull(argv[++i]);
    } else {
      throw rt::input_error(fmt::format("unknown option '{}', or its value is missing", word),
                            help);
    }
  }
  return options;
}

/// One grid, by every strategy and by the choice.
struct Row {
  bench::MappingCase grid;
  double bound = 0.0;
  double seconds = 0.0;                    ///< of processor time for the choice, search included
  double halo_in_order = 0.0, halo = 0.0;  ///< s, simulated
  std::map<std::string, mapping::MappingCandidate> of;  ///< by column
};

const std::vector<std::string> columns{"identity", "tile",    "strips", "hyperplane",
                                       "k-d",      "hilbert", "bricks", "chosen"};

/// The column of a strategy, from how it describes itself.
std::string column(const std::string& name) {
  const std::map<std::string, std::string> starts{
      {"ranks", "identity"}, {"tiles", "tile"},      {"strips", "strips"}, {"hyper", "hyperplane"},
      {"k-d", "k-d"},        {"Hilbert", "hilbert"}, {"bricks", "bricks"}};
  for (const auto& [start, title] : starts) {
    if (name.starts_with(start)) return title;
  }
  return name;
}

constexpr cartwright::plan::Count face_bytes = 65536;

Row measure(const bench::MappingCase& grid, bool simulate = false) {
  const auto request = grid.request();
  Row row{grid, static_cast<double>(mapping::faces_lower_bound(request.shape, request.node_sizes)),
          0.0,  0.0,
          0.0,  {}};
  for (auto& candidate : mapping::mapping_portfolio(request)) {
    row.of[column(candidate.name)] = std::move(candidate);
  }
  const double begin = bench::processor_seconds();
  row.of["chosen"] = mapping::choose_mapping(request);
  row.seconds = bench::processor_seconds() - begin;
  if (simulate) {
    const auto machine = bench::one_link_machine(grid.ranks_per_node);
    row.halo_in_order = bench::halo_seconds(row.of["identity"].map, machine, face_bytes);
    row.halo = bench::halo_seconds(row.of["chosen"].map, machine, face_bytes);
  }
  for (auto& [title, candidate] : row.of) candidate.map = {};  // only its numbers are shown
  return row;
}

double ratio(const Row& row, const std::string& title) {
  return row.of.at(title).cost / std::max(row.bound, 1.0);
}

template <typename Number>
double mean(const std::vector<Row>& rows, Number number) {
  double sum = 0.0;
  for (const Row& row : rows) sum += number(row);
  return rows.empty() ? 0.0 : sum / static_cast<double>(rows.size());
}

void print_line(const std::string& label, const std::vector<Row>& rows) {
  fmt::print("{:>5} {:>5}", label, rows.size());
  for (const auto& title : columns) {
    fmt::print(" {:>10.3f}", mean(rows, [&](const Row& row) { return ratio(row, title); }));
  }
  for (const std::string title : {"identity", "chosen"}) {
    fmt::print(" {:>13.1f}", mean(rows, [&](const Row& row) { return row.of.at(title).cost; }));
  }
  for (const std::string title : {"identity", "chosen"}) {
    fmt::print(" {:>13.1f}", mean(rows, [&](const Row& row) { return row.of.at(title).busiest; }));
  }
  fmt::print("\n");
}

void print_table(std::size_t dimensions, const std::vector<Row>& rows) {
  fmt::print("\nnear-{} grids of n = 2 … 64 nodes with k ranks: Jsum over the lower bound, mean\n",
             dimensions == 2 ? "square" : "cubic");
  fmt::print("{:>5} {:>5}", "k", "grids");
  for (const auto& title : columns) fmt::print(" {:>10}", title);
  fmt::print(" {:>13} {:>13} {:>13} {:>13}\n", "Jsum identity", "Jsum chosen", "Jmax identity",
             "Jmax chosen");
  std::map<int, std::vector<Row>> by_size;
  for (const Row& row : rows) by_size[row.grid.ranks_per_node].push_back(row);
  for (const auto& [k, some] : by_size) print_line(std::to_string(k), some);
  print_line("all", rows);
  const auto worst = std::max_element(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return ratio(a, "chosen") < ratio(b, "chosen");
  });
  const auto slowest = std::max_element(
      rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.seconds < b.seconds; });
  fmt::print("worst ratio: {:.3f} ({}); longest choice: {:.3f} s of processor time ({})\n",
             ratio(*worst, "chosen"), worst->grid.name(), slowest->seconds, slowest->grid.name());
  long long worse = 0;
  for (const Row& row : rows) {
    const auto& chosen = row.of.at("chosen");
    for (const auto& [title, candidate] : row.of) {
      worse += chosen.busiest > candidate.busiest && chosen.cost >= candidate.cost;
    }
  }
  fmt::print("strategies that beat the choice in Jmax with no more faces, over all grids: {}\n",
             worse);
}

/// Largest and mean of a ratio over some cases.
struct Ratios {
  double largest = 0.0, sum = 0.0;
  std::size_t count = 0, above = 0;
  void add(double ratio, double limit) {
    largest = std::max(largest, ratio);
    sum += ratio;
    ++count;
    above += ratio > limit + 1e-9 ? 1 : 0;
  }
  void print(const char* what, double limit) const {
    fmt::print("{}: mean {:.4f}, largest {:.4f}, above {:.2f}: {} of {}\n", what,
               sum / static_cast<double>(std::max<std::size_t>(count, 1)), largest, limit, above,
               count);
  }
};

void print_halos(const std::vector<Row>& rows) {
  Ratios against_order, against_model;
  for (const Row& row : rows) {
    const double link = row.of.at("chosen").busiest * static_cast<double>(face_bytes) / 12e9;
    against_order.add(row.halo / row.halo_in_order, 1.0);
    if (row.of.at("chosen").busiest > 0.0) against_model.add(row.halo / link, 1.1);
  }
  against_order.print("simulated halo exchange over that of ranks in order", 1.0);
  against_model.print("over Jmax x bytes / bandwidth", 1.1);
}

void compare_with(const std::string& path, std::size_t dimensions, const std::vector<Row>& rows) {
  std::ifstream file(path);
  const Json before = Json::parse(file, nullptr, false);
  const char* const key = dimensions == 2 ? "near_square" : "near_cubic";
  if (!before.is_object() || !before.contains(key)) {
    throw rt::input_error(fmt::format("{} holds no {} grids", path, key), "Give another --before.");
  }
  Ratios sums, slowest;
  for (const Json& entry : before[key]) {
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
      return row.grid.nodes == entry["nodes"] && row.grid.ranks_per_node == entry["ranks_per_node"];
    });
    if (same == rows.end()) continue;
    const auto ratio = [&](double now, const Json& then) {
      return now / std::max(1.0, then["chosen"].get<double>());
    };
    sums.add(ratio(same->of.at("chosen").cost, entry["jsum"]), mapping::most_more_faces);
    slowest.add(ratio(same->of.at("chosen").busiest, entry["jmax"]), 1.0);
  }
  sums.print("Jsum over that before", mapping::most_more_faces);
  slowest.print("Jmax over that before", 1.0);
}

std::vector<Row> measure_all(std::size_t dimensions, const Options& options) {
  std::vector<Row> rows;
  const auto cases = bench::mapping_cases(dimensions);
  for (std::size_t i = 0; i < cases.size(); i += options.quick ? 10 : 1)
    rows.push_back(measure(cases[i], options.simulate));
  return rows;
}

Json case_json(const Row& row) {
  Json json{{"nodes", row.grid.nodes},
            {"ranks_per_node", row.grid.ranks_per_node},
            {"dims", row.grid.dims},
            {"bound", row.bound},
            {"chosen", row.of.at("chosen").name},
            {"seconds", row.seconds}};
  for (const auto& title : columns) {
    if (!row.of.contains(title)) continue;
    json["jsum"][title] = row.of.at(title).cost;
    json["jmax"][title] = row.of.at(title).busiest;
  }
  if (row.halo > 0.0) {
    json["halo_in_order"] = row.halo_in_order;
    json["halo"] = row.halo;
  }
  return json;
}

/// Against the long annealing, case by case: the search for the fewest faces in all, or the choice.
Json compare(const bench::AnnealedFile& file, bench::Goal goal) {
  Json cases = Json::array();
  Ratios ratios;
  double shortest = 1e9;
  const bool of_busiest = goal == bench::Goal::busiest;
  fmt::print(
      "\nsample (seed {}): {} of a short search over the best of a long annealing\n"
      "{:<32} {:>8} {:>8} {:>7} {:>9}\n",
      file.seed(), of_busiest ? "Jmax" : "Jsum", "grid", "short", "annealed", "ratio", "annealing");
  for (const auto& entry : file.entries()) {
    const auto request = entry.grid.request();
    const double found =
        of_busiest ? mapping::choose_mapping(request).busiest : mapping::fewest_faces(request).cost;
    const double ratio = found / std::max(std::min(entry.least, found), 1.0);
    ratios.add(ratio, of_busiest ? 1.03 : 1.02);
    shortest = std::min(shortest, entry.seconds);
    fmt::print("{:<32} {:>8} {:>8} {:>7.3f} {:>9}\n", entry.grid.name(), found, entry.least, ratio,
               entry.seconds > 1e8 ? "at bound" : fmt::format("{:.0f} s", entry.seconds));
    cases.push_back({{"nodes", entry.grid.nodes},
                     {"ranks_per_node", entry.grid.ranks_per_node},
                     {"dims", entry.grid.dims},
                     {"found", found},
                     {"annealed", entry.least},
                     {"ratio", ratio}});
  }
  ratios.print("over the annealing", of_busiest ? 1.03 : 1.02);
  fmt::print("every case was annealed for {:.0f} s of processor time at least\n", shortest);
  return cases;
}

/// For simulations message by message.
constexpr int most_ranks = 1600;

/// Broadcasts along all axes together.
void simulate_broadcasts(const Options& options) {
  std::vector<mapping::MappingRequest> grids{
      {{{16, 16}, {false, false}}, {24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 16}}};
  for (const std::size_t dimensions : {2U, 3U}) {
    auto cases = bench::mapping_cases(dimensions);
    std::erase_if(cases, [](const auto& c) { return c.nodes * c.ranks_per_node > most_ranks; });
    for (const auto& drawn : bench::draw(std::move(cases), options.broadcasts, options.seed))
      grids.push_back(drawn.request());
  }
  fmt::print(
      "broadcasts along all axes together, simulated: after remapping over ranks in order\n");
  std::map<std::string, Ratios> all;
  for (const auto& request : grids) {
    const auto in_order = mapping::fill_in_order(request.shape, request.node_sizes);
    const auto chosen = mapping::choose_mapping(request);
    const int cores = *std::max_element(request.node_sizes.begin(), request.node_sizes.end());
    std::map<std::string, cartwright::plan::Machine> machines{
        {"one link", bench::one_link_machine(cores)}};
    for (const char* name : {"epyc-ndr", "frontier"}) {
      const auto described = mapping::read_machine(fmt::format("inputs/machines/{}.yaml", name));
      machines[name] = bench::with_cores(described, cores);
    }
    for (const auto& [name, machine] : machines) {
      fmt::print("{:<24} {:<9}",
                 fmt::format("{} / {}", mapping::to_text(request.shape.dims), cores), name);
      for (const cartwright::plan::Count bytes :
           {8, 1024, 16384, 65536, 262144, 1 << 20, 1 << 22}) {
        const double ratio = bench::broadcast_seconds(chosen.map, machine, bytes) /
                             bench::broadcast_seconds(in_order, machine, bytes);
        all[name].add(ratio, 1.0);
        fmt::print(" {:>6.3f}", ratio);
      }
      fmt::print("\n");
      std::fflush(stdout);
    }
  }
  for (const auto& [name, ratios] : all) ratios.print(name.c_str(), 1.0);
}

void run(const Options& options) {
  bench::AnnealedFile file(options.file(), options.goal());
  if (options.anneal_seconds > 0.0) {
    file.anneal(options.anneal_seconds, options.sample, options.seed, options.slice);
    return;
  }
  if (options.broadcasts > 0) {
    simulate_broadcasts(options);
    return;
  }
  Json json{{"benchmark", "mapping"}};
  for (const std::size_t dimensions : {2U, 3U}) {
    if (options.only_sample || (options.dimensions != 0 && dimensions != options.dimensions))
      continue;
    const auto rows = measure_all(dimensions, options);
    print_table(dimensions, rows);
    if (options.simulate) print_halos(rows);
    if (!options.before.empty()) compare_with(options.before, dimensions, rows);
    Json& cases = json[dimensions == 2 ? "near_square" : "near_cubic"];
    for (const Row& row : rows) cases.push_back(case_json(row));
  }
  if (options.dimensions != 0) {
    // The sample is a matter of its own.
  } else if (file.entries().empty()) {
    fmt::print("\nno sample of a long annealing in {}: make one with --anneal\n", options.file());
  } else {
    json["sample"] = compare(file, options.goal());
  }
  if (!options.json.empty()) rt::write_file(options.json, json.dump() + '\n');
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = parse(argc, argv);
    if (options.help) {
      std::fputs(help, stdout);
    } else {
      run(options);
    }
    return 0;
  } catch (const rt::Error& error) {
    fmt::print(stderr, "error: {}\n{}\n", error.what(), error.advice());
    return static_cast<int>(error.code());
  }
}
