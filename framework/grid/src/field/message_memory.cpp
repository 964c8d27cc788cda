// SPDX-License-Identifier: Apache-2.0
#include <cartwright/comm/cart_comm.hpp>
#include <cartwright/grid/field/message_memory.hpp>
#include <cartwright/grid/kernels/execution.hpp>
#include <cartwright/grid/run/app.hpp>
#include <cartwright/rt/device_memory.hpp>
#include <cartwright/rt/runtime.hpp>

namespace cartwright::grid {

MessageMemory message_memory_of(const App& app, const comm::CartComm& comm) {
  using comm::DeviceMemory;
  const comm::Settings& settings = comm.all().context().settings;
  const DeviceMemory asked =
      app.exchange_options().stage_messages ? DeviceMemory::staged : settings.device_memory;
  if (asked == DeviceMemory::staged) return MessageMemory::staged;
  // Messages of MPI's are neither epochs nor delayed.
  const bool may_be_direct =
      !comm::traits_of(settings.backend).is_one_sided && !settings.link_speed();
  if (asked == DeviceMemory::direct && may_be_direct) return MessageMemory::direct;
  if (kernels_run_on_host) return MessageMemory::host;
  return may_be_direct && rt::mpi_takes_memory_of(device_kind, app.runtime().comm())
             ? MessageMemory::direct
             : MessageMemory::staged;
}

}  // namespace cartwright::grid
