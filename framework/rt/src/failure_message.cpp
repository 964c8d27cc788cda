// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/rt/failure.hpp>
#include <new>

#include "memory_use.hpp"

namespace cartwright::rt {

std::string failure_message(const Error& error) {
  std::string text = fmt::format("cartwright: error: {}", error.what());
  if (text.back() != '\n') text += '\n';
  if (!error.advice().empty()) text += error.advice() + '\n';
  return text;
}

Error as_error(const std::exception_ptr& exception) {
  const std::string advice = "This is a fault of the program: please report it with the deck.";
  try {
    std::rethrow_exception(exception);
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return {ExitCode::internal_failure, "out of memory: " + memory_use_text(),
            "Use more nodes, fewer ranks a node, or a smaller grid; --dry-run estimates what a run "
            "needs."};
  } catch (const std::exception& unexpected) {
    return internal_failure(fmt::format("unexpected exception: {}", unexpected.what()), advice);
  } catch (...) {
    return internal_failure("unexpected exception of an unknown type", advice);
  }
}

}  // namespace cartwright::rt
