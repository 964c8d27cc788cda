// SPDX-License-Identifier: Apache-2.0
// cartwright reproduce: published numbers beside ours.
#include <fmt/format.h>

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/failure.hpp>
#include <cartwright/rt/output_file.hpp>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>

#include "options.hpp"
#include "report.hpp"

namespace reproduce = cartwright::reproduce;
namespace rt = cartwright::rt;

namespace {

const std::map<std::string, std::function<reproduce::Document(reproduce::Effort)>> makers{
    {"ruefenacht", reproduce::ruefenacht},
    {"karlsson", reproduce::karlsson},
    {"viertel", reproduce::viertel}};

// Whether every deviation is explained.
bool run(const reproduce::Options& options) {
  if (!options.markdown.empty()) rt::require_writable(options.markdown);
  std::vector<reproduce::Document> documents;
  bool explained = true;
  for (const std::string& name : options.documents) {
    documents.push_back(makers.at(name)(options.effort));
    reproduce::print(documents.back(), options.only_deviations);
    explained = explained && reproduce::count(documents.back()).unexplained == 0;
  }
  fmt::print("\n");
  for (const auto& document : documents) fmt::print("{}\n", reproduce::summary(document));
  if (!options.markdown.empty())
    rt::write_file(options.markdown, reproduce::markdown(documents, options.only_deviations));
  return explained;
}

}  // namespace

int main(int argc, char** argv) {
  int exit_code = 0;
  try {
    const auto options = reproduce::parse_options(argc, argv, exit_code);
    if (options && !run(*options)) exit_code = 2;
  } catch (...) {
    const rt::Error error = rt::as_error(std::current_exception());
    std::fputs(rt::failure_message(error).c_str(), stderr);
    exit_code = static_cast<int>(error.code());
  }
  return exit_code;
}
