// SPDX-License-Identifier: Apache-2.0
#include "karlsson_grid_times.hpp"

#include <string_view>

namespace cartwright::reproduce::karlsson_tables {

namespace {

constexpr std::array<TwoDimensional, 15> two_dimensional{
    {{"Alamode", "MPI_Bcast", {"505.9", "1040", "1052"}, {"443.3", "714.4", "853.9"}, "1.35"},
     {"Alamode", "pipeline", {"634.4", "1371", "1504"}, {"513.6", "1103", "1215"}, "1.24"},
     {"Alamode", "binomial", {"621.7", "1048", "1105"}, {"334.5", "861.4", "933.7"}, "1.30"},
     {"Alamode", "MPI_Gather", {"298.0", "409.0", "470.7"}, {"164.0", "362.7", "421.8"}, "1.24"},
     {"Alamode", "MPI_Scatter", {"240.5", "314.2", "324.1"}, {"148.0", "221.1", "269.1"}, "1.37"},
     {"RA", "MPI_Bcast", {"288.5", "279.2", "281.7"}, {"250.0", "256.7", "265.2"}, "1.10"},
     {"RA", "pipeline", {"315.4", "324.8", "343.6"}, {"238.2", "268.2", "291.3"}, "1.17"},
     {"RA", "binomial", {"342.1", "368.4", "392.6"}, {"297.6", "342.4", "338.7"}, "1.13"},
     {"RA", "MPI_Gather", {"599.2", "651.5", "667.0"}, {"353.7", "380.2", "396.1"}, "1.69"},
     {"RA", "MPI_Scatter", {"856.9", "879.5", "909.7"}, {"564.2", "582.9", "590.3"}, "1.53"},
     {"Jaguar", "MPI_Bcast", {"512.5", "551.5", "598.5"}, {"332.8", "335.6", "344.8"}, "1.64"},
     {"Jaguar", "pipeline", {"535.3", "586.4", "718.9"}, {"385.1", "471.6", "458.9"}, "1.40"},
     {"Jaguar", "binomial", {"703.9", "759.4", "979.8"}, {"408.7", "495.8", "548.6"}, "1.68"},
     {"Jaguar", "MPI_Gather", {"1808", "1989", "2375"}, {"960.5", "1260", "1325"}, "1.88"},
     {"Jaguar", "MPI_Scatter", {"1703", "1862", "2093"}, {"1028", "1032", "1161"}, "1.76"}}};

constexpr std::array<ThreeDimensional, 8> three_dimensional{
    {{"RA", 48, "705.29", "653.04"},
     {"RA", 64, "1160.92", "1116.57"},
     {"RA", 96, "1923.85", "1708.53"},
     {"Jaguar", 1728, "633.23", "556.78"},
     {"Jaguar", 5832, "831.88", "612.77"},
     {"Jaguar", 13824, "1034.24", "728.01"},
     {"Jaguar", 27000, "1149.27", "876.16"},
     {"Jaguar", 46656, "1382.14", "981.49"}}};

}  // namespace

std::span<const TwoDimensional> tables_5_2_to_5_4() {
  return two_dimensional;
}

std::array<int, 3> ranks_of_system(const TwoDimensional& line) {
  const std::string_view system = line.system;
  if (system == "Alamode") return {16, 36, 48};
  if (system == "RA") return {48, 64, 96};
  return {20000, 30000, 40000};
}

std::span<const ThreeDimensional> table_5_1() {
  return three_dimensional;
}

}  // namespace cartwright::reproduce::karlsson_tables
