// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/selection/decision.hpp>
#include <stdexcept>
#include <string>

/// What tables of choices name, read from JSON of either kind. Throws std::exception that says what
/// there isn't.
namespace cartwright::comm {

template <class Json>
[[nodiscard]] plan::Operation operation_in(const Json& json) {
  const auto operation = plan::operation_named(json.at("operation").template get<std::string>());
  if (!operation)
    throw std::invalid_argument("there is no operation " + json.at("operation").dump());
  return *operation;
}

template <class Json>
[[nodiscard]] BackendId backend_in(const Json& json) {
  const auto backend = backend_named(json.at("backend").template get<std::string>());
  if (!backend || traits_of(*backend).kind == BackendTraits::Kind::choice)
    throw std::invalid_argument("there is no backend " + json.at("backend").dump());
  return *backend;
}

/// Empty for native.
template <class Json>
[[nodiscard]] std::string algorithm_in(const Json& json, plan::Operation operation) {
  auto algorithm = json.at("algorithm").template get<std::string>();
  if (!algorithm.empty()) (void)plan::parse_choice(operation, algorithm);
  return algorithm;
}

}  // namespace cartwright::comm
