// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cartwright/rt/communicator.hpp>
#include <cartwright/rt/device_memory.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <string>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace cartwright::rt {

namespace {

/// What the library's own extension says; each library has another one.
bool extension_takes(DeviceKind device) {
#if defined(MPIX_GPU_SUPPORT_CUDA)
  int takes = 0;
  const int kind = device == DeviceKind::cuda ? MPIX_GPU_SUPPORT_CUDA : MPIX_GPU_SUPPORT_HIP;
  mpi_check(MPIX_GPU_query_support(kind, &takes), "MPIX_GPU_query_support");
  return takes != 0;
#else
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  if (device == DeviceKind::cuda) return MPIX_Query_cuda_support() == 1;
#endif
#if defined(MPIX_ROCM_AWARE_SUPPORT)
  if (device == DeviceKind::hip) return MPIX_Query_rocm_support() == 1;
#endif
  return false;
#endif
}

/// Empty: it says nothing.
std::string alloc_kinds_of(const Communicator& comm) {
  MPI_Info info = MPI_INFO_NULL;
  mpi_check(MPI_Comm_get_info(comm.handle(), &info), "MPI_Comm_get_info");
  std::array<char, 256> value{};
  int is_there = 0;
  mpi_check(MPI_Info_get(info, "mpi_memory_alloc_kinds", static_cast<int>(value.size()) - 1,
                         value.data(), &is_there),
            "MPI_Info_get");
  mpi_check(MPI_Info_free(&info), "MPI_Info_free");
  return is_there != 0 ? value.data() : "";
}

/// The first of `parts` up to `separator`, which is taken off.
std::string_view next_of(std::string_view& parts, char separator) {
  const std::size_t end = std::min(parts.find(separator), parts.size());
  const std::string_view first = parts.substr(0, end);
  parts.remove_prefix(std::min(end + 1, parts.size()));
  return first;
}

}  // namespace

bool names_memory_of(DeviceKind device, std::string_view kinds) {
  const std::string_view wanted = device == DeviceKind::cuda ? "cuda" : "rocm";
  while (!kinds.empty()) {
    std::string_view restrictors = next_of(kinds, ',');
    if (next_of(restrictors, ':') != wanted) continue;
    if (restrictors.empty()) return true;
    while (!restrictors.empty())
      if (next_of(restrictors, ':') == "device") return true;
  }
  return false;
}

bool mpi_takes_memory_of(DeviceKind device, const Communicator& comm) {
  return extension_takes(device) || names_memory_of(device, alloc_kinds_of(comm));
}

}  // namespace cartwright::rt
