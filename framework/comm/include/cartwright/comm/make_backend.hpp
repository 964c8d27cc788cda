// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cartwright/comm/backend.hpp>
#include <cartwright/rt/communicator.hpp>
#include <memory>
#include <string_view>

namespace cartwright::comm {

/// "native"; "auto", which is `native` until there is more to choose from. Throws an input error
/// for names of backends that come later and for names that nobody knows. `comm` must outlive it.
[[nodiscard]] std::unique_ptr<Backend> make_backend(std::string_view name,
                                                    const rt::Communicator& comm);

}  // namespace cartwright::comm
