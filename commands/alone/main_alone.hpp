// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace cartwright::command {

/// What programs of the launcher's verbs have in common that run on no ranks: `program` returns an
/// exit code, as main does; what it throws becomes a message and an exit code.
int main_alone(const std::function<int()>& program);

}  // namespace cartwright::command
