// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace cartwright::rt {

class Communicator;

/// Devices with memory of their own, by what programs them.
enum class DeviceKind : std::uint8_t { cuda, hip };

/// Whether the MPI library says that its calls take addresses of such a device: by its extension
/// (MPIX_Query_cuda_support, MPIX_Query_rocm_support, MPIX_GPU_query_support), or by what `comm`
/// says of itself (mpi_memory_alloc_kinds, MPI 4.1, 12.4.3). False where it says nothing. Local.
[[nodiscard]] bool mpi_takes_memory_of(DeviceKind device, const Communicator& comm);

/// Whether a list of kinds as MPI 4.1 writes them ("mpi,system,cuda:device:managed") has memory
/// that lies on such a device: `cuda` or `cuda:device`, not `cuda:host` alone.
[[nodiscard]] bool names_memory_of(DeviceKind device, std::string_view kinds);

}  // namespace cartwright::rt
