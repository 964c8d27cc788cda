// SPDX-License-Identifier: Apache-2.0
// campaign_server FOLDER: runs of pde and nbody, one after the other, in processes that start MPI
// and Kokkos once. Lines on rank 0's standard input (request.hpp) are command lines; the answer to
// each is a line with the exit codes of all ranks. What rank R prints is appended to
// FOLDER/output.R.
#include <fmt/format.h>
#include <mpi.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cartwright/cartwright.hpp>
#include <chrono>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "nbody/solvers.hpp"
#include "output.hpp"
#include "pde/solvers.hpp"
#include "request.hpp"

namespace {

using cartwright::campaign::Request;

/// Sleeps meanwhile: many of these servers share few cores, and most of them have nothing to do.
void await(MPI_Request request) {
  constexpr std::chrono::microseconds longest{20000};
  std::chrono::microseconds pause{20};
  for (int done = 0;;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    std::this_thread::sleep_for(pause);
    pause = std::min(longest, pause * 2);
  }
}

/// Rank 0's next line, on all ranks; empty at the end.
std::string next_line(int rank) {
  std::string line;
  if (rank == 0) std::getline(std::cin, line);
  long long length = static_cast<long long>(line.size());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(&length, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD, &request);
  await(request);
  line.resize(static_cast<std::size_t>(length));
  MPI_Bcast(line.data(), static_cast<int>(length), MPI_CHAR, 0, MPI_COMM_WORLD);
  return line;
}

int carry_out(const Request& request) {
  const cartwright::campaign::Surroundings surroundings(request);
  std::vector<std::string> words = request.words;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int code = cartwright::run(static_cast<int>(words.size()), arguments.data(),
                                   words.at(0) == "nbody" ? nbody::solvers() : pde::solvers());
  std::fflush(nullptr);
  return code;
}

std::string codes_of_all(int code, int ranks) {
  std::vector<int> codes(static_cast<std::size_t>(ranks));
  MPI_Gather(&code, 1, MPI_INT, codes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  return fmt::format("{}", fmt::join(codes, " "));
}

void serve(const std::string& folder) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const cartwright::campaign::Output output(fmt::format("{}/output.{}", folder, rank));
  const Kokkos::ScopeGuard kokkos;
  if (rank == 0) output.answer("ready");
  for (std::string line = next_line(rank); !line.empty(); line = next_line(rank)) {
    const std::string codes = codes_of_all(carry_out(Request(line)), ranks);
    if (rank == 0) output.answer(codes);
  }
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  serve(argc > 1 ? argv[1] : ".");
  MPI_Finalize();
  return 0;
}
