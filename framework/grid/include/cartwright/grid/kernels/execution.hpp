// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Kokkos_Core.hpp>
#include <cartwright/rt/device_memory.hpp>

namespace cartwright::grid {

/// Where kernels run. With a device backend this is the device, and fields live in its memory.
using Execution = Kokkos::DefaultExecutionSpace;
using Memory = Execution::memory_space;

/// Kernels and framework share memory: no staging, and row loops instead of one thread a point.
/// Else kernels are begun one after the other, and nobody waits for them but who copies what they
/// have computed, and the end of what a solver has called.
/// A rehearsal (CARTWRIGHT_DEVICE=rehearsal) runs the code for devices on the host, for tests.
#ifdef CARTWRIGHT_REHEARSES_DEVICE
inline constexpr bool kernels_run_on_host = false;
#else
inline constexpr bool kernels_run_on_host =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, Memory>::accessible;
#endif

/// Of the device, where there is one.
#ifdef KOKKOS_ENABLE_HIP
inline constexpr rt::DeviceKind device_kind = rt::DeviceKind::hip;
#else
inline constexpr rt::DeviceKind device_kind = rt::DeviceKind::cuda;
#endif

}  // namespace cartwright::grid
