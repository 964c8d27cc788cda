// SPDX-License-Identifier: Apache-2.0
// How few faces of a process grid lead from node to node, by strategy: all near-square and
// near-cubic grids of n nodes with k ranks each, and a sample against a long annealing. Pure
// computing: no MPI, one core.
// layouts: 1x1
#include <fmt/format.h>

#include <algorithm>
#include <cartwright/mapping/lower_bound.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/output_file.hpp>
#include <cstdio>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "mapping/cases.hpp"
#include "mapping/offline.hpp"

namespace bench = cartwright::bench;
namespace mapping = cartwright::mapping;
namespace rt = cartwright::rt;

namespace {

using Json = nlohmann::ordered_json;

struct Options {
  bool quick = false, only_sample = false, help = false;
  std::string json;
  std::string samples = "bench/mapping/annealed.json";
  std::size_t dimensions = 0;  ///< 0: two and three
  double anneal_seconds = 0.0, slice = 10.0;
  std::size_t sample = 50;
  std::uint64_t seed = 1;
};

constexpr const char* help =
    "usage: bench_mapping [--quick] [--dimensions D] [--only-sample] [--json FILE] [--samples "
    "FILE]\n"
    "       bench_mapping --anneal SECONDS [--sample COUNT] [--seed S] [--samples FILE]\n"
    "  --quick           every tenth grid\n"
    "  --dimensions D    only the near-square (2) or the near-cubic (3) grids, without the sample\n"
    "  --only-sample     just the comparison with annealing\n"
    "  --json FILE       writes every case to FILE, too\n"
    "  --samples FILE    what annealing found (bench/mapping/annealed.json)\n"
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
  double seconds = 0.0;  ///< of processor time for the choice, search included
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

Row measure(const bench::MappingCase& grid) {
  const auto request = grid.request();
  Row row{grid,
          static_cast<double>(mapping::faces_lower_bound(request.shape, request.node_sizes)),
          0.0,
          {}};
  for (auto& candidate : mapping::mapping_portfolio(request)) {
    row.of[column(candidate.name)] = std::move(candidate);
  }
  const std::clock_t begin = std::clock();
  row.of["chosen"] = mapping::choose_mapping(request);
  row.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
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
    for (const auto& [title, candidate] : row.of) {
      worse += row.of.at("chosen").cost > candidate.cost ? 1 : 0;
    }
  }
  fmt::print("strategies that beat the choice in Jsum, over all grids: {}\n", worse);
}

std::vector<Row> measure_all(std::size_t dimensions, bool quick) {
  std::vector<Row> rows;
  const auto cases = bench::mapping_cases(dimensions);
  for (std::size_t i = 0; i < cases.size(); i += quick ? 10 : 1) rows.push_back(measure(cases[i]));
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
  return json;
}

/// Against the long annealing, case by case. Returns the mean ratio.
Json compare(const bench::AnnealedFile& file) {
  Json cases = Json::array();
  double sum = 0.0, largest = 0.0, shortest = 1e9;
  fmt::print(
      "\nnear-cubic sample (seed {}): Jsum chosen within its second over the best of a long "
      "annealing\n{:<32} {:>8} {:>8} {:>7} {:>7} {:>10} {:>9}\n",
      file.seed(), "grid", "chosen", "annealed", "ratio", "Jmax", "choice, s", "annealing");
  for (const auto& entry : file.entries()) {
    const Row row = measure(entry.grid);
    const auto& chosen = row.of.at("chosen");
    const double least = std::min(entry.least, chosen.cost);
    const double against = chosen.cost / std::max(least, 1.0);
    sum += against;
    largest = std::max(largest, against);
    shortest = std::min(shortest, entry.seconds);
    fmt::print("{:<32} {:>8} {:>8} {:>7.3f} {:>7} {:>10.3f} {:>9}\n", entry.grid.name(),
               chosen.cost, entry.least, against, chosen.busiest, row.seconds,
               entry.seconds > 1e8 ? "at bound" : fmt::format("{:.0f} s", entry.seconds));
    cases.push_back(case_json(row));
    cases.back()["annealed"] = entry.least;
    cases.back()["ratio"] = against;
  }
  const double mean_ratio = sum / static_cast<double>(file.entries().size());
  fmt::print(
      "mean ratio {:.4f}, largest {:.4f}; every case was annealed for {:.0f} s of processor "
      "time at least\n",
      mean_ratio, largest, shortest);
  return {{"mean_ratio", mean_ratio}, {"largest_ratio", largest}, {"cases", cases}};
}

void run(const Options& options) {
  bench::AnnealedFile file(options.samples);
  if (options.anneal_seconds > 0.0) {
    file.anneal(options.anneal_seconds, options.sample, options.seed, options.slice);
    return;
  }
  Json json{{"benchmark", "mapping"}};
  for (const std::size_t dimensions : {2U, 3U}) {
    if (options.only_sample || (options.dimensions != 0 && dimensions != options.dimensions))
      continue;
    const auto rows = measure_all(dimensions, options.quick);
    print_table(dimensions, rows);
    Json& cases = json[dimensions == 2 ? "near_square" : "near_cubic"];
    for (const Row& row : rows) cases.push_back(case_json(row));
  }
  if (options.dimensions != 0) {
    // The sample is a matter of its own.
  } else if (file.entries().empty()) {
    fmt::print("\nno sample of a long annealing in {}: make one with --anneal\n", options.samples);
  } else {
    json["sample"] = compare(file);
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
