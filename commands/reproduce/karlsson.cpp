// SPDX-License-Identifier: Apache-2.0
#include "karlsson.hpp"

namespace cartwright::reproduce {

Document karlsson(Effort effort) {
  namespace tables = karlsson_tables;
  return {
      "karlsson",
      "C. Karlsson, Optimizing Multi-dimensional MPI Communications on Multi-core Architectures, "
      "PhD thesis, Colorado School of Mines, 2012",
      {tables::throughput_on_ra(),
       tables::throughput_on_alamode(),
       tables::regressions(),
       tables::pairs_on_alamode(),
       tables::pairs_on_ra(),
       tables::pairs_on_jaguar(),
       tables::pairs_combined(),
       tables::channel_numbers(),
       tables::bluedrop(),
       tables::cost_matrix(),
       tables::scatter_costs(),
       tables::scatter_messages(),
       tables::orderings(),
       tables::ordering_costs(),
       tables::bluedrop_steps(),
       tables::single_node_measurements(),
       tables::grids_and_tiles(),
       tables::node_maps(),
       tables::gain_bounds(),
       tables::gains_two_dimensions(),
       tables::gains_claimed(),
       tables::broadcasts_two_dimensions(effort),
       tables::broadcasts_three_dimensions(effort),
       tables::dimensions_at_once(),
       tables::other_collectives(),
       tables::equations(),
       tables::matrix_multiplication(),
       tables::fox_communication(effort),
       tables::overheads(),
       tables::bodies()}};
}

}  // namespace cartwright::reproduce
