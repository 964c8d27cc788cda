// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace cartwright::bench {

/// The frame of main for a benchmark of one process, without MPI: command line, JSON.
/// `about_quick`: what --quick does. `body` prints its table and returns the cases. Returns what
/// `main` returns.
[[nodiscard]] int run_serial_benchmark(
    int argc, char** argv, const std::string& name, const std::string& about_quick,
    const std::function<nlohmann::ordered_json(bool quick)>& body);

}  // namespace cartwright::bench
