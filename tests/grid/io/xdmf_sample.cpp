// SPDX-License-Identifier: Apache-2.0
// Writes series in 1, 2 and 3 dimensions into DIR, for paraview_test.py. Numbers tell their place:
// x + 100 y + 10000 z + 1000000 component, plus the time.
#include <mpi.h>
#include <cartwright/grid/output/field_series.hpp>

#include <string>

#include "sample_field.hpp"
#include "team.hpp"

using namespace cartwright;
using namespace cartwright::grid;
using test::SampleField;

namespace {

template <class T>
void place_numbers(SampleField<T>& field, double time) {
  const Block block = field.block();
  const int components = field.element().components;
  std::size_t at = 0;
  for (long long z = block.start[2]; z < block.start[2] + block.count[2]; ++z)
    for (long long y = block.start[1]; y < block.start[1] + block.count[1]; ++y)
      for (long long x = block.start[0]; x < block.start[0] + block.count[0]; ++x)
        for (int c = 0; c < components; ++c)
          field.values()[at++] =
              static_cast<T>(static_cast<double>(x + 100 * y + 10000 * z + 1000000 * c) + time);
}

void write_series(const test::Team& comm, const GridDescription& grid, const std::string& directory,
                  const std::string& name) {
  const auto parts = test::process_grid(comm.size(), grid.dimensions);
  const auto block = [&](Centring centring) {
    return test::block_of(grid, centring, parts, comm.rank().value);
  };
  using enum Centring;
  SampleField<double> cells("cells", block(cell), cell, ScalarType::float64);
  SampleField<double> nodes("nodes", block(node), node, ScalarType::float64);
  SampleField<double> pair("pair", block(cell), cell, ScalarType::float64, 2);
  SampleField<double> vector("vector", block(cell), cell, ScalarType::float64, 3);
  SampleField<float> single("single", block(cell), cell, ScalarType::float32);
  SampleField<std::int32_t> whole("whole", block(cell), cell, ScalarType::int32);
  SampleField<std::int64_t> large("large", block(cell), cell, ScalarType::int64);
  SampleField<std::uint8_t> mark("mark", block(cell), cell, ScalarType::boolean);
  SampleField<std::uint16_t> small("small", block(cell), cell, ScalarType::uint16);
  FieldSeries series(comm, grid, directory, name,
                     {&cells, &nodes, &pair, &vector, &single, &whole, &large, &mark, &small}, {});
  for (const long long step : {0, 5, 10}) {
    const double time = 0.25 * static_cast<double>(step);
    place_numbers(cells, time);
    place_numbers(nodes, time);
    place_numbers(pair, time);
    place_numbers(vector, time);
    place_numbers(single, time);
    place_numbers(whole, time);
    place_numbers(large, time);
    place_numbers(mark, 0);
    place_numbers(small, 0);
    series.write(step, time);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  MPI_Init(&argc, &argv);
  {
    const test::Team comm = test::world();
    const std::string directory = argv[1];
    write_series(comm, {1, {5, 1, 1}, {10, 1, 1}, {-1, 0, 0}}, directory + "/one", "line");
    write_series(comm, {2, {5, 3, 1}, {10, 9, 1}, {-1, 2, 0}}, directory + "/two", "plane");
    write_series(comm, {3, {5, 3, 4}, {10, 9, 2}, {-1, 2, 3}}, directory + "/three", "space");
    GridDescription ring{2, {5, 3, 1}, {10, 9, 1}, {-1, 2, 0}};
    ring.periodic[0] = true;
    write_series(comm, ring, directory + "/ring", "ring");
  }
  MPI_Finalize();
  return 0;
}
