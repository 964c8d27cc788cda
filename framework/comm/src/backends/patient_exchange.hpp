// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/request.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace cartwright::comm {

/// What ranks tell each other when something has gone wrong. Some may do something else meanwhile:
/// nothing, if it takes longer than 5 s. `start(in, out, request)` begins the nonblocking
/// collective of MPI that fills `results` elements.
template <class T, class Start>
[[nodiscard]] std::optional<std::vector<T>> patient_exchange(std::vector<T> mine,
                                                             std::size_t results, Start&& start) {
  struct Exchange {
    std::vector<T> in;
    std::vector<T> out;
  };
  auto exchange = std::make_unique<Exchange>(Exchange{std::move(mine), std::vector<T>(results)});
  MPI_Request request = MPI_REQUEST_NULL;
  start(exchange->in.data(), exchange->out.data(), &request);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  for (rt::Patience patience(false); std::chrono::steady_clock::now() < deadline;
       patience.pause()) {
    int done = 0;
    rt::mpi_check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) return std::move(exchange->out);
  }
  (void)exchange.release();  // still MPI's
  return std::nullopt;
}

}  // namespace cartwright::comm
