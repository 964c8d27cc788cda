// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cartwright::campaign {

/// A line of a campaign: FOLDER [NAME=VALUE …] PROGRAM ARGUMENT …, words that the unit separator
/// (character 31) parts.
struct Request {
  explicit Request(const std::string& line);

  std::string folder;                                            ///< to work in
  std::vector<std::pair<std::string, std::string>> environment;  ///< for this request only
  std::vector<std::string> words;                                ///< the program and its arguments
};

/// This process works in the request's folder, with its environment, to the end of the scope.
class Surroundings {
 public:
  explicit Surroundings(const Request& request);
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;
  ~Surroundings();

 private:
  const Request& request_;
};

}  // namespace cartwright::campaign
