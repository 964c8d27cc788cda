// SPDX-License-Identifier: Apache-2.0
// write DIR: checkpoints without end, to be killed. read DIR: restores the newest and says its
// step.
#include <mpi.h>
#include <cartwright/grid/output/checkpoint.hpp>
#include <cartwright/rt/error.hpp>

#include <cstdio>
#include <string>

#include "sample_field.hpp"
#include "team.hpp"

using namespace cartwright;
using namespace cartwright::grid;

namespace {

const GridDescription space{3, {64, 48, 33}};

int restore(CheckpointStore& store, test::SampleField<double>& field, bool speaks) {
  const auto restored = store.restore({&field});
  const bool right = field.holds(static_cast<double>(restored.state.step));
  if (speaks)
    std::printf("%s %lld skipped %zu\n", right ? "whole" : "WRONG", restored.state.step,
                restored.skipped.size());
  return right && restored.skipped.empty() ? 0 : 1;
}

int run(const std::string& verb, const std::string& directory) {
  const test::Team comm = test::world();
  auto field = test::sample(comm, space, "u", Centring::cell, 1, verb == "read");
  try {
    CheckpointStore store(comm, space, directory, {2, {}, {}});
    if (verb == "read") return restore(store, field, comm.is_root());
    for (long long step = 0;; ++step) {
      field.fill(static_cast<double>(step));
      store.write({step, 0, 0, {}, {}}, {&field});
    }
  } catch (const rt::Error& error) {
    if (comm.is_root()) std::printf("%s\n", error.what());
    return 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  MPI_Init(&argc, &argv);
  const int code = run(argv[1], argv[2]);
  MPI_Finalize();
  return code;
}
