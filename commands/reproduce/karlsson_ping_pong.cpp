// SPDX-License-Identifier: Apache-2.0
// Tables 3.1, 3.2 and 3.4: ping-pongs and their regressions.
#include <fmt/format.h>

#include <array>
#include <cartwright/plan/models/ping_pong_fit.hpp>
#include <cartwright/plan/models/time.hpp>
#include <cartwright/plan/models/time_text.hpp>
#include <cmath>
#include <functional>
#include <string_view>
#include <vector>

#include "karlsson.hpp"

namespace cartwright::reproduce::karlsson_tables {

namespace {

namespace fits = plan::fits;

constexpr std::array<PingPongLine, 15> ra{
    {{1, "17.31 us", "118.319", "10.78 us", "190.043"},
     {2, "22.70 us", "180.461", "8.82 us", "464.321"},
     {4, "27.23 us", "300.873", "18.12 us", "452.102"},
     {8, "52.38 us", "312.788", "22.51 us", "727.961"},
     {16, "77.99 us", "420.174", "41.13 us", "796.748"},
     {32, "89.67 us", "730.864", "74.43 us", "880.455"},
     {64, "0.14 ms", "949.820", "0.13 ms", "1035.517"},
     {128, "0.24 ms", "1092.737", "0.23 ms", "1133.283"},
     {256, "0.46 ms", "1136.622", "0.45 ms", "1159.578"},
     {512, "0.86 ms", "1214.829", "0.87 ms", "1203.724"},
     {1024, "1.72 ms", "1222.104", "1.69 ms", "1237.335"},
     {2048, "3.52 ms", "1190.149", "3.35 ms", "1251.872"},
     {4096, "7.86 ms", "1067.380", "6.65 ms", "1261.713"},
     {8192, "16.41 ms", "1022.415", "13.23 ms", "1268.234"},
     {16384, "32.61 ms", "1028.836", "26.44 ms", "1269.202"}}};

constexpr std::array<PingPongLine, 15> alamode{
    {{1, "56.92 us", "34.326", "4.86 us", "401.878"},
     {2, "75.88 us", "51.466", "7.62 us", "512.631"},
     {4, "0.11 ms", "69.817", "12.04 us", "651.042"},
     {8, "0.19 ms", "84.688", "20.87 us", "747.608"},
     {16, "0.33 ms", "94.468", "38.42 us", "813.802"},
     {32, "0.62 ms", "100.823", "82.67 us", "755.744"},
     {64, "1.39 ms", "89.612", "0.13 ms", "984.252"},
     {128, "2.35 ms", "106.537", "0.23 ms", "1086.957"},
     {256, "4.57 ms", "109.299", "0.45 ms", "1106.195"},
     {512, "9.09 ms", "109.964", "0.98 ms", "1023.541"},
     {1024, "18.04 ms", "111.334", "1.73 ms", "1156.069"},
     {2048, "35.76 ms", "111.659", "3.74 ms", "1069.519"},
     {4096, "71.62 ms", "111.804", "8.10 ms", "987.654"},
     {8192, "143.2 ms", "111.907", "16.03 ms", "1002.506"},
     {16384, "281.8 ms", "111.960", "31.93 ms", "1004.394"}}};

struct Printed34 {
  const char *latency, *bandwidth;  // us, MB/s
};

// Each printed time of a ping-pong, between or inside of nodes.
std::vector<PrintedTime> times_of(std::span<const PingPongLine> lines, bool between) {
  std::vector<PrintedTime> times;
  for (const PingPongLine& line : lines)
    times.emplace_back(between ? line.between_time : line.inside_time);
  return times;
}

fits::HockneyFit fit_of(std::span<const PingPongLine> lines, std::span<const PrintedTime> times,
                        std::size_t moved, double by) {
  std::vector<fits::RoundTrip> trips;
  for (std::size_t i = 0; i < lines.size(); ++i)
    trips.push_back(
        {plan::Count{1024} * lines[i].kilobytes, times[i].seconds() + (i == moved ? by : 0.0)});
  return fits::fit_ping_pong(trips);
}

double latency_us(const fits::HockneyFit& fit) {
  return fit.alpha * 1e6;
}

double bandwidth_mb(const fits::HockneyFit& fit) {
  return 1e-6 / fit.beta;
}

// Latency and bandwidth, and how far the printed digits of the times allow them to be off.
void add_fit(Table& table, const std::string& system, std::span<const PingPongLine> lines,
             bool between, const Printed34& printed) {
  const auto times = times_of(lines, between);
  const std::size_t none = lines.size();
  const auto fit = fit_of(lines, times, none, 0.0);
  double latency_off = 0.0;
  double bandwidth_off = 0.0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto moved = fit_of(lines, times, i, times[i].half_digit());
    latency_off += std::abs(latency_us(moved) - latency_us(fit));
    bandwidth_off += std::abs(bandwidth_mb(moved) - bandwidth_mb(fit));
  }
  const char* where = between ? "between nodes" : "inside of a node";
  table.add(fmt::format("{}, {}: latency", system, where), printed.latency)
      .number(latency_us(fit), 3, "us")
      .and_inputs(latency_off, "the round trips")
      .meant("2.68", "a digit slip; the regression over Table 3.2 gives it");
  table.add(fmt::format("{}, {}: bandwidth", system, where), printed.bandwidth)
      .number(bandwidth_mb(fit), 2, "MB/s")
      .and_inputs(bandwidth_off, "the round trips");
}

void add_throughput(Table& table, const std::string& what, int kilobytes, const char* time,
                    const char* printed, double unit) {
  const PrintedTime trip(time);
  const double bytes = 2.0 * kilobyte * kilobytes;
  const double ours = bytes / trip.seconds() / unit;
  table.add(what, printed)
      .number(ours, 3)
      .and_inputs(ours * trip.half_digit() / trip.seconds(), "the round trip")
      .because(fmt::format(
          "the printed round trip, {}, and the printed throughput of this row contradict "
          "each other; {} would give it",
          time, plan::time_text(plan::picoseconds(bytes / Printed{printed}.value() / unit))));
}

Table throughput(const char* place, const char* subject, std::span<const PingPongLine> lines,
                 double unit) {
  Table table(place, subject);
  for (const PingPongLine& line : lines) {
    add_throughput(table, fmt::format("{} kB, between nodes", line.kilobytes), line.kilobytes,
                   line.between_time, line.between_throughput, unit);
    add_throughput(table, fmt::format("{} kB, inside of a node", line.kilobytes), line.kilobytes,
                   line.inside_time, line.inside_throughput, unit);
  }
  return table;
}

}  // namespace

PrintedTime::PrintedTime(const char* text)
    : number{text}, unit(std::string_view(text).ends_with("ms") ? 1e-3 : 1e-6) {}

std::span<const PingPongLine> table_3_1() {
  return ra;
}

std::span<const PingPongLine> table_3_2() {
  return alamode;
}

Table throughput_on_ra() {
  return throughput("Table 3.1", "throughput 2 m / RTT on RA, 10^6 bytes per second", ra, 1e6);
}

Table throughput_on_alamode() {
  return throughput("Table 3.2", "throughput 2 m / RTT on Alamode, 2^20 bytes per second", alamode,
                    megabyte);
}

Table regressions() {
  Table table("Table 3.4", "regressions over Tables 3.1 and 3.2",
              "Equation 3.3 is printed upside down; 1 / beta is 2 over the slope");
  add_fit(table, "Alamode", alamode, true, {"8.57", "118.93"});
  add_fit(table, "Alamode", alamode, false, {"9.68", "1046.3"});
  add_fit(table, "RA", ra, true, {"13.52", "1021.3"});
  add_fit(table, "RA", ra, false, {"4.33", "1271.0"});
  table.add("Jaguar: latencies and bandwidths", "1.33, 0.37 us; 1627.5, 2218.8 MB/s")
      .impossible("Jaguar's ping-pongs are in Figure 3.4 only");
  return table;
}

}  // namespace cartwright::reproduce::karlsson_tables
