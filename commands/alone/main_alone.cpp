// SPDX-License-Identifier: Apache-2.0
#include "main_alone.hpp"

#include <cartwright/rt/error.hpp>
#include <cartwright/rt/failure.hpp>
#include <cstdio>
#include <exception>

namespace cartwright::command {

int main_alone(const std::function<int()>& program) {
  try {
    return program();
  } catch (...) {
    const rt::Error error = rt::as_error(std::current_exception());
    std::fputs(rt::failure_message(error).c_str(), stderr);
    return static_cast<int>(error.code());
  }
}

}  // namespace cartwright::command
