// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/rt/failure.hpp>
#include <filesystem>
#include <new>
#include <string_view>

#include "memory_use.hpp"

namespace cartwright::rt {
namespace {

constexpr std::string_view no_memory = "out of memory: ";

}  // namespace

Error out_of_memory(const std::string& wanted, const std::string& advice) {
  return internal_failure(
      fmt::format("{}{}{}{}", no_memory, wanted, wanted.empty() ? "" : "; ", memory_use_text()),
      advice.empty() ? "Use more nodes, fewer ranks a node, or a smaller grid; --dry-run estimates "
                       "what a run needs."
                     : advice);
}

std::string failure_message(const Error& error) {
  std::string text = fmt::format("cartwright: error: {}", error.what());
  if (text.back() != '\n') text += '\n';
  const bool may_lack_memory = error.code() == ExitCode::internal_failure &&
                               !std::string_view(error.what()).starts_with(no_memory);
  if (const std::string short_of = may_lack_memory ? memory_shortage() : ""; !short_of.empty())
    text += short_of + '\n';
  if (!error.advice().empty()) text += error.advice() + '\n';
  return text;
}

Error as_error(const std::exception_ptr& exception) {
  const std::string advice =
      "This is a fault of the program: please report it, with the deck if there is one.";
  try {
    std::rethrow_exception(exception);
  } catch (const Error& error) {
    return error;
  } catch (const std::filesystem::filesystem_error& error) {
    return input_error(fmt::format("'{}': {}", error.path1().string(), error.code().message()),
                       "Check the path and its permissions.");
  } catch (const std::bad_alloc&) {
    return out_of_memory({});
  } catch (const std::exception& unexpected) {
    return internal_failure(fmt::format("unexpected exception: {}", unexpected.what()), advice);
  } catch (...) {
    return internal_failure("unexpected exception of an unknown type", advice);
  }
}

}  // namespace cartwright::rt
