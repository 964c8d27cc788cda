// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cartwright/comm/make_backend.hpp>
#include <cartwright/comm/native_backend.hpp>
#include <cartwright/rt/error.hpp>

namespace cartwright::comm {

std::unique_ptr<Backend> make_backend(std::string_view name, const rt::Communicator& comm) {
  if (name == "native" || name == "auto") return std::make_unique<NativeBackend>(comm);
  if (name == "p2p" || name == "shared" || name == "rma") {
    throw rt::input_error(fmt::format("comm.backend: '{}' is not built yet: it comes later", name),
                          "Use native (the MPI library's own collectives) or auto.",
                          rt::Reach::all_ranks);
  }
  throw rt::input_error(fmt::format("comm.backend: there is no backend '{}'", name),
                        "Use native (the MPI library's own collectives) or auto.",
                        rt::Reach::all_ranks);
}

}  // namespace cartwright::comm
