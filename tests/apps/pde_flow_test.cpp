// SPDX-License-Identifier: Apache-2.0
// Incompressible flow against exact solutions and published numbers.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>

#include "pde_program.hpp"

namespace pde_test {
namespace {

/// For long flows of few cells: two ranks take twice as much of the cores (and give the same bits,
/// as pde_bits shows).
constexpr int alone = 1;

class Flow : public testing::Test {
 protected:
  std::map<std::string, double> end_of(const std::string& arguments, int ranks = 2) {
    std::filesystem::remove_all(directory_);
    const Result result =
        run(ranks, arguments + " --quiet output.pictures.every=0 output.directory=" + directory_);
    EXPECT_EQ(result.code, 0) << result.text;
    return last_diagnostics(directory_);
  }
  std::string deck(const std::string& name) const { return std::string(PDE_DECKS) + "/" + name; }
  Scratch scratch_;
  std::string directory_ = scratch_.path() + "/out";
};

/// Taylor and Green's vortices decay, in a plane, and along each axis of space.
TEST_F(Flow, DecayingVorticesAreOfSecondOrder) {
  const auto error = [&](int cells) {
    const std::string n = std::to_string(cells);
    return end_of(deck("taylor_green.yaml") + " grid.extent=[" + n + "," + n + "] time.end=0.2")
        .at("velocity_y_error_l2");
  };
  const double coarse = error(16), fine = error(32);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1);
  EXPECT_LT(fine, 6e-4);
}

/// The same where cells are of different widths, and the vortices decay between walls that move as
/// they do.
TEST_F(Flow, DecayingVorticesOnStretchedCells) {
  const std::string u = "sin(2*pi*x+0.4)*cos(2*pi*y+0.7)*exp(-8*pi*pi*viscosity*t)",
                    v = "-cos(2*pi*x+0.4)*sin(2*pi*y+0.7)*exp(-8*pi*pi*viscosity*t)";
  const auto text = [&](bool periodic) {
    return "solver: navier_stokes\n"
           "navier_stokes: {viscosity: 0.02, cfl: 0.4, linear: {tolerance: 1.0e-9}}\n"
           "time: {end: 0.2}\n"
           "initial: {velocity_x: \"" +
           u + "\", velocity_y: \"" + v + "\"}\nexact: {velocity_x: \"" + u + "\", velocity_y: \"" +
           v + "\"}\n" +
           (periodic ? std::string("grid: {periodic: [true, true], coordinates: {x: "
                                   "\"x+0.08*sin(2*pi*x)\", y: \"y-0.1*sin(2*pi*y)\"}}\n")
                     : "grid: {coordinates: {x: \"0.5*(1+tanh(1.5*(2*x-1))/tanh(1.5))\", y: "
                       "\"(exp(y)-1)/(exp(1)-1)\"}}\nboundary: {velocity_x: {all: {dirichlet: \"" +
                           u + "\"}}, velocity_y: {all: {dirichlet: \"" + v + "\"}}}\n") +
           "output: {every: 0}\n";
  };
  for (const bool periodic : {true, false}) {
    const std::string file = scratch_.write("deck.yaml", text(periodic));
    std::array<std::map<std::string, double>, 2> rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string n = std::to_string(32 << i);
      rows[i] = end_of(file + " 'grid.extent=[" + n + "," + n + "]' 'grid.length=[1,1]'", alone);
    }
    for (const std::string error : {"velocity_x_error_l2", "velocity_y_error_l2",
                                    "velocity_x_error_max", "velocity_y_error_max"}) {
      const double order = std::log2(rows[0].at(error) / rows[1].at(error));
      std::printf("%s, %s: order %.3f\n", periodic ? "periodic" : "walls", error.c_str(), order);
      EXPECT_NEAR(order, 2.0, 0.1) << error;
    }
  }
}

TEST_F(Flow, ThreeDimensionsHoldAPlaneFlow) {
  const std::string text = R"yaml(
solver: navier_stokes
navier_stokes: {viscosity: 0.01}
grid: {extent: [8, 16, 16], length: [0.5, 1, 1], periodic: [true, true, true]}
time: {end: 0.1}
initial: {velocity_y: "sin(2*pi*y)*cos(2*pi*z)", velocity_z: "-cos(2*pi*y)*sin(2*pi*z)"}
exact:
  velocity_x: "0"
  velocity_y: "sin(2*pi*y)*cos(2*pi*z)*exp(-8*pi*pi*0.01*t)"
)yaml";
  auto row = end_of(scratch_.write("deck.yaml", text), 3);
  EXPECT_LT(row.at("velocity_x_error_max"), 1e-9);
  EXPECT_LT(row.at("velocity_y_error_l2"), 2e-3);
}

/// A channel driven by pressure: the parabola of Poiseuille, which differences of second order hold
/// exactly.
TEST_F(Flow, ChannelIsAParabola) {
  const std::string text = R"yaml(
solver: navier_stokes
navier_stokes: {viscosity: 0.1}
grid: {extent: [16, 16], length: [1, 1]}
time: {end: 5}
initial: {velocity_x: "4*y*(1-y)"}
exact: {velocity_x: "4*y*(1-y)", velocity_y: "0"}
boundary:
  velocity_x: {x_low: {dirichlet: "4*y*(1-y)"}, x_high: {neumann: 0}, all: {dirichlet: 0}}
  velocity_y: {x_high: {neumann: 0}, all: {dirichlet: 0}}
  pressure: {x_high: {dirichlet: 0}, all: {neumann: 0}}
)yaml";
  auto row = end_of(scratch_.write("deck.yaml", text));
  EXPECT_LT(row.at("velocity_x_error_max"), 0.02);
  EXPECT_LT(row.at("velocity_y_error_max"), 0.01);
  EXPECT_NEAR(row.at("pressure_max"), 8 * 0.1 * (1 - 0.5 / 16), 0.05);  // of the first cells
}

/// Velocities on the vertical line through the middle (Ghia, Ghia and Shin 1982, table I).
TEST_F(Flow, CavityIsGhias) {
  end_of(deck("cavity.yaml") + " time.end=12", alone);
  std::string newest;
  for (const auto& entry : std::filesystem::directory_iterator(directory_ + "/fields"))
    newest = std::max(newest, entry.path().string());
  const auto u = read_dataset(newest, "velocity_x");
  constexpr int cells = 64;
  const auto at = [&](double y) {  // between the middles of two cells
    const double place = y * cells - 0.5;
    const int below = static_cast<int>(place);
    const auto value = [&](int j) {
      return u[static_cast<std::size_t>(j) * (cells + 1) + cells / 2];
    };
    return value(below) + (place - below) * (value(below + 1) - value(below));
  };
  constexpr std::array<std::array<double, 2>, 9> table{{{0.0625, -0.04192},
                                                        {0.1016, -0.06434},
                                                        {0.1719, -0.10150},
                                                        {0.2813, -0.15662},
                                                        {0.4531, -0.21090},
                                                        {0.5000, -0.20581},
                                                        {0.6172, -0.13641},
                                                        {0.8516, 0.23151},
                                                        {0.9531, 0.68717}}};
  for (const auto& [y, expected] : table) EXPECT_NEAR(at(y), expected, 0.01) << y;
}

/// Schäfer and Turek's cylinder (1996, 2D-2): a Strouhal number of 0.3, here with 12 cells across.
TEST_F(Flow, VorticesAreShedBehindAnObstacle) {
  end_of(deck("vortex_street.yaml") +
             " grid.extent=[264,49] grid.length=[2.2,0.40833333333333] time.end=4.5 "
             "output.interval=10 "
             "checkpoint.every=0 navier_stokes.linear.tolerance=1e-4 navier_stokes.cfl=0.8",
         alone);
  EXPECT_NEAR(0.1 / period_of(directory_, "velocity_y_mean", 3), 0.3, 0.05 * 0.3);
}

/// Nothing flows through solid cells, and around them nothing is lost.
TEST_F(Flow, ObstaclesAreTight) {
  const std::string text = R"yaml(
solver: navier_stokes
navier_stokes: {viscosity: 0.05, linear: {tolerance: 1.0e-9}}
grid: {extent: [24, 16], length: [1.5, 1]}
time: {steps: 40}
initial: {velocity_x: "1", solid: "x>0.5 && x<0.8 && y<0.55"}
boundary:
  velocity_x: {x_low: {dirichlet: 1}, x_high: outflow, all: {dirichlet: 0}}
  velocity_y: {x_high: outflow, all: {dirichlet: 0}}
  pressure: {x_high: {dirichlet: 0}, all: {neumann: 0}}
output: {every: 40}
)yaml";
  for (const int ranks : {1, 3}) {
    end_of(scratch_.write("deck.yaml", text), ranks);
    const std::string file = output_file(directory_, "navier_stokes", 40);
    const auto u = read_dataset(file, "velocity_x"), v = read_dataset(file, "velocity_y");
    const auto x_face = [&](std::size_t i, std::size_t j) { return u[j * 25 + i]; };
    const auto y_face = [&](std::size_t i, std::size_t j) { return v[j * 24 + i]; };
    double through = 0, in = 0;
    for (std::size_t j = 0; j < 16; ++j) {
      in += x_face(0, j);
      through += x_face(10, j);
      for (std::size_t i = 0; i < 24; ++i) {
        const double x = (static_cast<double>(i) + 0.5) / 16,
                     y = (static_cast<double>(j) + 0.5) / 16;
        if (x > 0.5 && x < 0.8 && y < 0.55) {
          EXPECT_EQ(x_face(i, j), 0.0) << i << " " << j;
          EXPECT_EQ(x_face(i + 1, j), 0.0);
          EXPECT_EQ(y_face(i, j + 1), 0.0);
        } else {
          EXPECT_NEAR(x_face(i + 1, j) - x_face(i, j) + y_face(i, j + 1) - y_face(i, j), 0, 1e-6);
        }
      }
    }
    EXPECT_NEAR(through, in, 1e-5);
  }
}

}  // namespace
}  // namespace pde_test
