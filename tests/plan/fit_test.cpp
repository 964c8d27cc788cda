// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cartwright/plan/models/burst_fit.hpp>
#include <cartwright/plan/models/fit.hpp>
#include <cartwright/plan/models/multicast_fit.hpp>
#include <cartwright/plan/models/ping_pong_fit.hpp>
#include <cartwright/plan/models/prtt_fit.hpp>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

namespace cartwright::plan::fits {
namespace {

constexpr double micro = 1e-6;
constexpr double milli = 1e-3;
constexpr double mega = 1e6;

TEST(Line, least_squares) {
  const std::vector<Point> points{{0, 1}, {1, 3}, {2, 5}, {4, 9}};
  const Line line = fit_line(points);
  EXPECT_NEAR(line.intercept, 1.0, 1e-12);
  EXPECT_NEAR(line.slope, 2.0, 1e-12);
  EXPECT_NEAR(line.residual, 0.0, 1e-12);
  const std::vector<Point> noisy{{0, 0}, {1, 2}, {2, 1}};
  EXPECT_NEAR(fit_line(noisy).slope, 0.5, 1e-12);
  EXPECT_NEAR(fit_line(noisy).residual, std::sqrt(0.5), 1e-12);
  EXPECT_THROW((void)fit_line(std::vector<Point>{{1, 1}, {1, 2}}), std::invalid_argument);
  EXPECT_THROW((void)fit_line(std::vector<Point>{}), std::invalid_argument);
}

TEST(Pieces, finds_breaks) {
  std::vector<Point> points;
  for (int i = 0; i < 8; ++i) points.push_back({i * 1.0, 2.0 + 0.5 * i});
  for (int i = 8; i < 14; ++i) points.push_back({i * 1.0, 20.0 + 0.25 * i});
  const auto pieces = fit_pieces(points, 0.001);
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[0].last, 8U);
  EXPECT_EQ(pieces[1].first, 8U);
  EXPECT_NEAR(pieces[1].line.intercept, 20.0, 1e-9);
  EXPECT_EQ(fit_pieces(points, 10.0).size(), 1U);
  EXPECT_THROW((void)fit_pieces(std::span(points).first(2), 0.1), std::invalid_argument);
}

TEST(Pieces, no_line_fits_noise) {
  const std::vector<Point> points{{0, 1}, {1, 9}, {2, 1}, {3, 9}, {4, 1}, {5, 9}};
  EXPECT_EQ(fit_pieces(points, 0.01).size(), 2U);  // the best there is
}

TEST(Median, of_odd_and_even) {
  EXPECT_DOUBLE_EQ(median({3, 1, 2}), 2.0);
  EXPECT_DOUBLE_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_THROW((void)median({}), std::invalid_argument);
}

/// Round trips of 1 kB, 2 kB … 16 MB (binary), in seconds.
std::vector<RoundTrip> doubling_sizes(const std::array<double, 15>& times) {
  std::vector<RoundTrip> trips;
  for (std::size_t i = 0; i < times.size(); ++i) trips.push_back({Count{1024} << i, times.at(i)});
  return trips;
}

struct PingPongOracle {
  std::array<double, 15> times;  // µs up to 32 kB or as printed, see below
  double alpha, bandwidth;       // µs, MB/s: Table 3.4
  double alpha_tolerance;
};

// Karlsson 2012, Tables 3.1 and 3.2, round trips in µs
const PingPongOracle ra_between{
    {17.31, 22.70, 27.23, 52.38, 77.99, 89.67, 140, 240, 460, 860, 1720, 3520, 7860, 16410, 32610},
    13.52,
    1021.3,
    0.00501};
const PingPongOracle ra_inside{
    {10.78, 8.82, 18.12, 22.51, 41.13, 74.43, 130, 230, 450, 870, 1690, 3350, 6650, 13230, 26440},
    4.33,
    1271.0,
    0.00501};
// 16 MB: the throughput beside it (111.96 MiB/s) says 285.8 ms; see the test
const PingPongOracle alamode_between{
    {56.92, 75.88, 110, 190, 330, 620, 1390, 2350, 4570, 9090, 18040, 35760, 71620, 143200, 281800},
    8.57,
    118.93,
    0.00501};
const PingPongOracle alamode_inside{
    {4.86, 7.62, 12.04, 20.87, 38.42, 82.67, 130, 230, 450, 980, 1730, 3740, 8100, 16030, 31930},
    2.68,
    1046.3,
    0.00501};

TEST(PingPong, tables_3_1_and_3_2_give_table_3_4) {
  for (const auto* oracle : {&ra_between, &ra_inside, &alamode_between, &alamode_inside}) {
    auto trips = doubling_sizes(oracle->times);
    for (auto& trip : trips) trip.time *= micro;
    const HockneyFit fit = fit_ping_pong(trips);
    EXPECT_TRUE(fit.physical());
    EXPECT_NEAR(fit.alpha / micro, oracle->alpha, oracle->alpha_tolerance);
    EXPECT_NEAR(1.0 / fit.beta / mega, oracle->bandwidth, 0.0501);
  }
}

// Documented deviation: Table 3.2 prints 281.8 ms for 16 MB beside a throughput that says 285.8 ms.
// Table 3.4's bandwidth comes out with the printed time; with the other it would be 117.4 MB/s
TEST(PingPong, alamode_16_mb_is_inconsistent) {
  EXPECT_NEAR(2 * 16 / 285.8e-3, 111.960, 0.02);
  auto trips = doubling_sizes(alamode_between.times);
  for (auto& trip : trips) trip.time *= micro;
  trips.back().time = 285.8 * milli;
  EXPECT_NEAR(1.0 / fit_ping_pong(trips).beta / mega, 117.4, 0.0501);
}

// Documented deviation: Table 3.4 has Alamode's α inside of a node as 9.68 µs; Table 3.2 gives 2.68
TEST(PingPong, alamode_inside_is_misprinted) {
  auto trips = doubling_sizes(alamode_inside.times);
  for (auto& trip : trips) trip.time *= micro;
  EXPECT_NEAR(fit_ping_pong(trips).alpha / micro, 9.68 - 7.0, 0.00501);
}

TEST(PingPong, recovers_parameters_and_refuses_nonsense) {
  std::vector<RoundTrip> trips;
  for (Count bytes = 8; bytes <= 16 << 20; bytes *= 2)
    trips.push_back({bytes, 2.0 * (1.5e-6 + 4e-10 * static_cast<double>(bytes))});
  const HockneyFit fit = fit_ping_pong(trips);
  EXPECT_NEAR(fit.alpha, 1.5e-6, 1e-12);
  EXPECT_NEAR(fit.beta, 4e-10, 1e-16);
  for (auto& trip : trips) trip.time -= 4e-6;
  EXPECT_FALSE(fit_ping_pong(trips).physical());
  EXPECT_FALSE(fit_ping_pong(std::vector<RoundTrip>{{8, 1.0}}).physical());
}

// Tables 3.8 to 3.10 are 2 j m / RTT with m = 8 MB (binary), in MB/s
TEST(PairsBandwidth, tables_3_8_to_3_10) {
  constexpr Count bytes = 8 << 20;
  const auto rate = [&](int pairs, double round_trip_ms) {
    return pairs_bandwidth(pairs, bytes, round_trip_ms * milli) / mega;
  };
  constexpr std::array<std::array<double, 2>, 8> ra{{{13.024, 1288.1},
                                                     {14.091, 2381.3},
                                                     {16.515, 3047.6},
                                                     {16.236, 4133.4},
                                                     {21.842, 3840.5},
                                                     {24.909, 4041.3},
                                                     {31.290, 3753.3},
                                                     {38.273, 3506.9}}};
  for (std::size_t i = 0; i < ra.size(); ++i)
    EXPECT_NEAR(rate(static_cast<int>(i) + 1, ra.at(i)[0]), ra.at(i)[1], 0.5);
  constexpr std::array<std::array<double, 2>, 12> jaguar{{{9.7116, 1727.5},
                                                          {10.475, 3203.4},
                                                          {17.780, 2830.8},
                                                          {24.346, 2756.5},
                                                          {32.112, 2612.3},
                                                          {34.533, 2914.9},
                                                          {41.201, 2850.4},
                                                          {41.650, 3222.5},
                                                          {43.057, 3506.9},
                                                          {46.910, 3576.5},
                                                          {48.103, 3836.6},
                                                          {55.741, 3611.8}}};
  for (std::size_t i = 0; i < jaguar.size(); ++i)
    EXPECT_NEAR(rate(static_cast<int>(i) + 1, jaguar.at(i)[0]), jaguar.at(i)[1], 0.5) << i;
  // Alamode's rows 2 and 3 are printed the other way round: 195.73 and 165.05
  EXPECT_NEAR(rate(2, 203.3), 165.05, 0.05);
  EXPECT_NEAR(rate(3, 257.1), 195.73, 0.05);
}

std::vector<MulticastSample> multicasts(double pipelining, double required, bool with_noise) {
  std::mt19937 random(7);
  std::gamma_distribution<double> noise(0.3, 0.4 * micro);
  std::vector<MulticastSample> samples;
  for (int targets = 1; targets <= 16; ++targets) {
    for (int repeat = 0; repeat < 400; ++repeat)
      samples.push_back(
          {targets, pipelining + targets * required + (with_noise ? noise(random) : 0.0)});
  }
  return samples;
}

TEST(Multicast, recovers_the_parameters_of_archer_through_noise) {
  const PipelinedFit fit = fit_multicast(multicasts(0.88 * micro, 0.38 * micro, true));
  EXPECT_TRUE(fit.physical());
  EXPECT_NEAR(fit.pipelining / micro, 0.88, 0.02 * 0.88);
  EXPECT_NEAR(fit.required / micro, 0.38, 0.02 * 0.38);
  EXPECT_NEAR(fit.ratio(), 2.316, 0.05);
  EXPECT_LT(fit.residual, 0.1 * fit.without_pipelining);
}

// The parameters of all physical rows of Table 4.1 come back exactly, others are refused
TEST(Multicast, table_4_1_and_its_refusals) {
  constexpr std::array<std::array<double, 2>, 9> rows{{{0.88, 0.38},
                                                       {0.89, 0.38},
                                                       {0.91, 0.38},
                                                       {0.96, 0.46},
                                                       {0.96, 0.79},
                                                       {0.86, 2.17},
                                                       {0.68, 7.75},
                                                       {-0.12, 30.1},
                                                       {-1.7, 119.3}}};
  for (const auto& [pipelining, required] : rows) {
    const PipelinedFit fit = fit_multicast(multicasts(pipelining * micro, required * micro, false));
    EXPECT_NEAR(fit.pipelining / micro, pipelining, 1e-9);
    EXPECT_NEAR(fit.required / micro, required, 1e-9);
    EXPECT_EQ(fit.physical(), pipelining > 0.0) << fit.refusal;
  }
  // the blocking put's printed fit
  const PipelinedFit blocking = fit_multicast(multicasts(1.50 * micro, -0.72 * micro, false));
  EXPECT_NE(blocking.refusal.find("a_r"), std::string::npos);
  EXPECT_FALSE(fit_multicast(std::vector<MulticastSample>{{1, 1.0}, {1, 2.0}}).physical());
}

/// What the model's machine would measure: bursts without delay, and with one that hides the gap.
std::vector<RoundTripSample> round_trips(const formulas::LogGp& model,
                                         const RoundTripSetting& setting, bool with_noise) {
  std::mt19937 random(11);
  std::gamma_distribution<double> noise(0.5, 0.02 * micro);
  std::vector<RoundTripSample> samples;
  for (Count bytes = 1; bytes <= 1 << 16; bytes *= 2) {
    const double delay = 1.1 * round_trip_time(model, 1, 0.0, bytes, setting);
    for (int repeat = 0; repeat < 51; ++repeat) {
      for (const auto& [messages, pause] : {std::pair{1, 0.0}, {16, 0.0}, {16, delay}}) {
        const double time = round_trip_time(model, messages, pause, bytes, setting);
        samples.push_back({messages, pause, bytes, time + (with_noise ? noise(random) : 0.0)});
      }
    }
  }
  return samples;
}

void expect_recovered(const RoundTripFit& fit, const formulas::LogGp& model, double within) {
  ASSERT_TRUE(fit.usable()) << fit.refusal;
  EXPECT_NEAR(fit.model.send_overhead / model.send_overhead, 1.0, within);
  EXPECT_NEAR(fit.model.latency / model.latency, 1.0, within);
  EXPECT_NEAR(fit.model.gap / model.gap, 1.0, within);
  EXPECT_NEAR(fit.model.byte_time / model.byte_time, 1.0, within);
}

TEST(RoundTrips, recover_loggp) {
  const formulas::LogGp model{4.5 * micro, 1.2 * micro, 1.2 * micro, 3.0 * micro, 1.2e-9};
  expect_recovered(fit_round_trips(round_trips(model, {}, false)), model, 1e-6);
  expect_recovered(fit_round_trips(round_trips(model, {}, true)), model, 0.01);
  const RoundTripSetting short_reply{1, 16};
  expect_recovered(fit_round_trips(round_trips(model, short_reply, false), short_reply), model,
                   1e-6);
}

// A short reply that is taken for a long one spoils nothing but L at large sizes: the smallest
// size is used; a flat part below the overhead is left out
TEST(RoundTrips, overhead_hides_small_gaps) {
  const formulas::LogGp model{4.5 * micro, 4.0 * micro, 4.0 * micro, 1.0 * micro, 1.2e-9};
  const RoundTripFit fit = fit_round_trips(round_trips(model, {}, false));
  expect_recovered(fit, model, 1e-6);
  EXPECT_EQ(fit.hidden_sizes, 12);  // 1 B … 2 kB; 4 kB costs 5.9 µs
}

TEST(RoundTrips, protocols_show_as_pieces) {
  const formulas::LogGp eager{4.5 * micro, 1.2 * micro, 1.2 * micro, 3.0 * micro, 1.2e-9};
  formulas::LogGp rendezvous = eager;
  rendezvous.gap = 15.0 * micro;
  rendezvous.byte_time = 0.8e-9;
  auto samples = round_trips(eager, {}, false);
  for (auto& sample : samples)
    if (sample.bytes > 8192)
      sample.time = round_trip_time(rendezvous, sample.messages, sample.delay, sample.bytes);
  const RoundTripFit fit = fit_round_trips(samples);
  expect_recovered(fit, eager, 1e-3);
  ASSERT_EQ(fit.limits.size(), 1U);
  EXPECT_EQ(fit.limits.front(), 16384);
  EXPECT_NEAR(fit.gaps[1].line.intercept / micro, 15.0, 1e-3);
  EXPECT_NEAR(fit.gaps[1].line.slope, 0.8e-9, 1e-13);
}

TEST(RoundTrips, refusals_say_why) {
  const formulas::LogGp model{4.5 * micro, 1.2 * micro, 1.2 * micro, 3.0 * micro, 1.2e-9};
  const auto samples = round_trips(model, {}, false);
  EXPECT_NE(fit_round_trips(samples, {0, 8}).refusal.find("flow control"), std::string::npos);
  std::vector<RoundTripSample> undelayed;
  for (const auto& sample : samples)
    if (sample.delay == 0.0) undelayed.push_back(sample);
  EXPECT_NE(fit_round_trips(undelayed).refusal.find("delay"), std::string::npos);
  const formulas::LogGp all_overhead{4.5 * micro, 900 * micro, 900 * micro, 1.0 * micro, 1e-9};
  EXPECT_NE(fit_round_trips(round_trips(all_overhead, {}, false)).refusal.find("three sizes"),
            std::string::npos);
}

std::vector<BurstSample> bursts_of(const formulas::LogFp& model, double noise_scale) {
  std::mt19937 random(3);
  std::gamma_distribution<double> noise(0.5, noise_scale);
  std::vector<BurstSample> samples;
  for (int messages = 1; messages <= 16; ++messages) {
    for (int repeat = 0; repeat < 101; ++repeat) {
      const double late = noise_scale > 0.0 ? noise(random) : 0.0;
      samples.push_back({messages, messages * model.send_overhead(messages) + late,
                         model.burst(messages) + late});
    }
  }
  return samples;
}

// The parameters of figures 5.7 and 5.8 come back, and f is counted
TEST(BurstFits, recover_logfp) {
  for (const int free_burst : {1, 2, 4}) {
    const formulas::LogFp model{5.0, 0.5, 2.0, 1.5, 1.5, 3.0, free_burst};
    for (const double noise : {0.0, 0.02}) {
      const BurstFit fit = fit_bursts(bursts_of(model, noise), 1.5);
      ASSERT_TRUE(fit.usable()) << fit.refusal;
      const double within = noise == 0.0 ? 1e-9 : 0.02;
      EXPECT_NEAR(fit.model.send_overhead_max, 2.0, 2.0 * within);
      EXPECT_NEAR(fit.model.send_overhead_min, 0.5, 0.5 * within);
      EXPECT_NEAR(fit.model.gap, 3.0, 3.0 * within);
      EXPECT_NEAR(fit.model.latency, 5.0, 5.0 * within);
      EXPECT_EQ(fit.model.free_burst, free_burst);
    }
  }
}

TEST(BurstFits, refusals_say_why) {
  const formulas::LogFp no_gap{5.0, 0.5, 2.0, 1.5, 1.5, 0.2, 2};
  EXPECT_NE(fit_bursts(bursts_of(no_gap, 0.0), 1.5).refusal.find("no gap"), std::string::npos);
  const auto few = bursts_of(no_gap, 0.0);
  EXPECT_FALSE(fit_bursts(std::span(few).first(300), 1.5).usable());
}

// Viertel 2007, 4.1.3: RTT 16.0 µs, o_s 2.4, o_r 1.1
TEST(RoundTrips, latency_of_the_thesis) {
  EXPECT_NEAR(latency_of_round_trip(16.0, 2.4, 1.1), 4.5, 1e-12);
}

}  // namespace
}  // namespace cartwright::plan::fits
