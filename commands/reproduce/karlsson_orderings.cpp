// SPDX-License-Identifier: Apache-2.0
// Section 4.5: orderings of the ranks of one node.
#include "karlsson.hpp"

namespace cartwright::reproduce::karlsson_tables {

Table orderings() {
  Table table("Section 4.5", "orderings of eight ranks on RA");
  constexpr auto later = "the orderings of cores belong to the mapping floor, which hasn't them yet";
  table.add("Fastest Edge First", "0 1 3 4 2 6 5 7").impossible(later);
  table.add("Channel Aware Ordering", "0 3 1 6 2 5 4 7").impossible(later);
  return table;
}

}  // namespace cartwright::reproduce::karlsson_tables
