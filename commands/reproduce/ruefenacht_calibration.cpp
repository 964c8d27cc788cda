// SPDX-License-Identifier: Apache-2.0
// Chapter 4: the parameters of the pipelined latency-bandwidth model.
#include <fmt/format.h>

#include <array>
#include <cartwright/plan/models/multicast_fit.hpp>
#include <cartwright/plan/models/time.hpp>
#include <cartwright/plan/simulation/noise.hpp>
#include <cmath>

#include "ruefenacht.hpp"

namespace cartwright::reproduce::ruefenacht_tables {

namespace {

namespace fits = plan::fits;

struct Calibrated {
  const char* size;
  const char* pipelining;  // a_p, us
  const char* required;    // a_r, us
  const char* ratio;
};

constexpr std::array<Calibrated, 9> table_4_1{{{"8 B", "0.88", "0.38", "2.3"},
                                               {"64 B", "0.89", "0.38", "2.4"},
                                               {"128 B", "0.91", "0.38", "2.4"},
                                               {"512 B", "0.96", "0.46", "2.1"},
                                               {"2 KB", "0.96", "0.79", "1.2"},
                                               {"8 KB", "0.86", "2.17", "0.4"},
                                               {"32 KB", "0.68", "7.75", "0.088"},
                                               {"128 KB", "-0.12", "30.1", "-0.004"},
                                               {"512 KB", "-1.7", "119.3", "-0.014"}}};

// How much the ratio may move within the printed digits of both.
double ratio_uncertainty(const Printed& pipelining, const Printed& required) {
  return pipelining.half_digit() / required.value() +
         std::abs(pipelining.value()) / std::pow(required.value(), 2) * required.half_digit();
}

// Bursts to 1 … 16 targets that take a_p + b a_r and a random delay, 1000 of each.
fits::PipelinedFit fit_again(double pipelining, double required) {
  constexpr int most_targets = 16;
  constexpr std::uint64_t repetitions = 1000;
  const plan::Noise noise{.seed = 41};
  std::vector<fits::MulticastSample> samples;
  for (int targets = 1; targets <= most_targets; ++targets)
    for (std::uint64_t i = 0; i < repetitions; ++i) {
      const auto extra = plan::extra_time(noise, 0.5e-6, static_cast<std::uint64_t>(targets), i, 0);
      samples.push_back({targets, (pipelining + targets * required) * 1e-6 + plan::seconds(extra)});
    }
  return fits::fit_multicast(samples);
}

}  // namespace

Table calibration() {
  Table table("Table 4.1", "ratio a_p / a_r by message size on ARCHER");
  for (const Calibrated& line : table_4_1) {
    const Printed pipelining{line.pipelining};
    const Printed required{line.required};
    table.add(line.size, line.ratio)
        .number(pipelining.value() / required.value(), 4)
        .and_inputs(ratio_uncertainty(pipelining, required), "a_p and a_r");
  }
  return table;
}

Table calibration_fits() {
  Table table("Table 4.1 and section 4.3", "parameters by least squares through minima",
              "The timings are only in Figure 4.8; fitted here are bursts to 1 … 16 targets that "
              "take a_p + b a_r with the printed parameters and random delays of 0.5 us");
  for (const Calibrated& line : table_4_1) {
    const auto fit = fit_again(Printed{line.pipelining}.value(), Printed{line.required}.value());
    table.add(fmt::format("{}: a_p", line.size), line.pipelining)
        .number(fit.pipelining * 1e6, 4, "us");
    table.add(fmt::format("{}: a_r", line.size), line.required).number(fit.required * 1e6, 4, "us");
    const bool positive = Printed{line.pipelining}.value() > 0.0;
    table.add(fmt::format("{}: can be parameters of a model", line.size), positive ? "yes" : "no")
        .text(fit.physical() ? "yes" : "no");
  }
  table.add("blocking puts: can be parameters (1.50, -0.72)", "no")
      .text(fit_again(1.50, -0.72).physical() ? "yes" : "no");
  table.add("blocking puts: a_p = 1.50, a_r = -0.72", "1.50, -0.72")
      .impossible(
          "the timings are only in Figure 4.6; and a negative slope is none of times that grow "
          "with the number of targets, so the two are presumably swapped");
  return table;
}

Table model_comparison() {
  Table table("Section 4.3.3", "comparison with LogP");
  table.add("gap at 10.2 GB/s", "6")
      .number(64 / 10.2, 2, "ns")
      .note("of a packet of 64 bytes; the text doesn't say of what");
  table.add("Figures 4.6 to 4.11", "curves")
      .impossible("pictures of timings, without numbers in the text");
  return table;
}

}  // namespace cartwright::reproduce::ruefenacht_tables
