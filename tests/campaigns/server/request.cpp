// SPDX-License-Identifier: Apache-2.0
#include "request.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace cartwright::campaign {
namespace {

constexpr char unit_separator = 31;

}  // namespace

Request::Request(const std::string& line) {
  std::istringstream stream(line);
  std::getline(stream, folder, unit_separator);
  for (std::string word; std::getline(stream, word, unit_separator);) {
    const std::size_t equals = word.find('=');
    if (words.empty() && equals != std::string::npos)
      environment.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    else
      words.push_back(word);
  }
}

// NOLINTBEGIN(concurrency-mt-unsafe): between two runs there is one thread
Surroundings::Surroundings(const Request& request) : request_(request) {
  std::filesystem::current_path(request.folder);
  for (const auto& [name, value] : request.environment) setenv(name.c_str(), value.c_str(), 1);
}

Surroundings::~Surroundings() {
  for (const auto& [name, value] : request_.environment) unsetenv(name.c_str());
  std::error_code ignored;
  std::filesystem::current_path("/", ignored);  // nobody removes this one
}
// NOLINTEND(concurrency-mt-unsafe)

}  // namespace cartwright::campaign
