// SPDX-License-Identifier: Apache-2.0
// The tables of C. Karlsson, Optimizing multi-dimensional MPI communications on multi-core
// architectures (Golden, Colorado 2012).
#pragma once

#include <span>
#include <vector>

#include "row.hpp"

namespace cartwright::reproduce::karlsson_tables {

inline constexpr double kilobyte = 1024.0;           // of messages
inline constexpr double megabyte = 1024.0 * 1024.0;  // of messages

/// A printed round trip: "17.31 us", "0.14 ms".
struct PrintedTime {
  Printed number;
  double unit;  // s

  explicit PrintedTime(const char* text);
  [[nodiscard]] double seconds() const { return number.value() * unit; }
  [[nodiscard]] double half_digit() const { return number.half_digit() * unit; }
};

struct PingPongLine {
  int kilobytes;
  const char *between_time, *between_throughput, *inside_time, *inside_throughput;
};
std::span<const PingPongLine> table_3_1();  ///< RA
std::span<const PingPongLine> table_3_2();  ///< Alamode

/// Round trips between the cores of RA, us: row after row, a row for each sender.
std::vector<double> table_4_1();

// Chapter 3.
Table throughput_on_ra();
Table throughput_on_alamode();
Table regressions();
Table pairs_on_alamode();
Table pairs_on_ra();
Table pairs_on_jaguar();
Table pairs_combined();
Table channel_numbers();
Table bluedrop();
// Chapter 4.
Table cost_matrix();
Table scatter_costs();
Table scatter_messages();
Table orderings();
Table ordering_costs();
Table bluedrop_steps();
Table single_node_measurements();
// Chapter 5.
Table grids_and_tiles();
Table node_maps();
Table gain_bounds();
Table gains_two_dimensions();
Table gains_claimed();
Table broadcasts_two_dimensions(Effort effort);
Table broadcasts_three_dimensions(Effort effort);
Table dimensions_at_once();
Table other_collectives();
Table equations();
// Chapter 6.
Table matrix_multiplication();
Table fox_communication(Effort effort);
Table overheads();
Table bodies();

}  // namespace cartwright::reproduce::karlsson_tables
