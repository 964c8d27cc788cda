// SPDX-License-Identifier: Apache-2.0
#include "kokkos_session.hpp"

#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cartwright/grid/kernels/built_for.hpp>
#include <cartwright/grid/kernels/execution.hpp>
#include <cartwright/grid/run/thread_binding.hpp>
#include <cartwright/rt/agreement.hpp>
#include <cartwright/rt/command_line.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/log.hpp>
#include <cartwright/rt/runtime.hpp>
#include <cstdlib>
#include <memory>
#include <optional>
#include <thread>
#ifdef _OPENMP
#include <omp.h>
#endif

namespace cartwright::grid {
namespace {

int usable_cores() {
#ifdef _OPENMP
  return omp_get_num_procs();  // before any thread was bound, unlike the affinity of the main
                               // thread
#else
  return static_cast<int>(std::thread::hardware_concurrency());
#endif
}

/// -1: as OMP_NUM_THREADS says.
int choose_threads(const rt::Communicator& node) {
  const char* given =
      std::getenv("OMP_NUM_THREADS");  // NOLINT(concurrency-mt-unsafe): before any thread
  if (given != nullptr && *given != '\0') return -1;
  const int cores = usable_cores(), all = rt::combined(node, cores, rt::Combine::sum);
  const bool bound =
      all <= static_cast<int>(std::thread::hardware_concurrency()) || node.size() == 1;
  return bound ? cores : std::max(1, cores / node.size());
}

/// What kernels run on, if not on the host.
#if defined(KOKKOS_ENABLE_CUDA)
constexpr const char* backend = "CUDA";
#elif defined(KOKKOS_ENABLE_HIP)
constexpr const char* backend = "HIP";
#else
constexpr const char* backend = nullptr;
#endif

/// 0 also where there is no driver.
int device_count() {
  int count = 0;
#if defined(KOKKOS_ENABLE_CUDA)
  if (cudaGetDeviceCount(&count) != cudaSuccess) return 0;
#elif defined(KOKKOS_ENABLE_HIP)
  if (hipGetDeviceCount(&count) != hipSuccess) return 0;
#endif
  return count;
}

std::string name_of_device([[maybe_unused]] int device) {
#if defined(KOKKOS_ENABLE_CUDA)
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, device) == cudaSuccess) return properties.name;
#elif defined(KOKKOS_ENABLE_HIP)
  hipDeviceProp_t properties;
  if (hipGetDeviceProperties(&properties, device) == hipSuccess) return properties.name;
#endif
  return "unknown";
}

/// Which of its node's devices this rank gets; -1: kernels run on the host.
int choose_device(const rt::Communicator& node) {
  if (backend == nullptr) return -1;
  const int devices = device_count();
  if (devices == 0)
    throw rt::input_error(
        fmt::format("this program computes on a GPU, by {}, and there is none here", backend),
        "Run it on a machine with one and its driver, or build it without --device.");
  return node.rank().value % devices;
}

void start(int threads, int device) {
#if KOKKOS_VERSION >= 30700
  auto settings = Kokkos::InitializationSettings().set_disable_warnings(true);
  if (threads > 0) settings.set_num_threads(threads);
  if (device >= 0) settings.set_device_id(device);
  Kokkos::initialize(settings);
#else
  Kokkos::InitArguments arguments;
  arguments.num_threads = threads;
  arguments.device_id = device;
  arguments.disable_warnings = true;
  Kokkos::initialize(arguments);
#endif
}

/// Whether kernels are handed what the host has captured: with the views of Kokkos 4.7 nvcc 13's
/// code for devices takes a closure for smaller than its code for the host does, and reads what
/// lies behind a view from the wrong place.
bool hands_over_captures(const double behind) {
  const Kokkos::View<double*, Memory> seen("cartwright::captures", 1);
  Kokkos::parallel_for(
      "cartwright::captures", Kokkos::RangePolicy<Execution>(0, 1),
      KOKKOS_LAMBDA(const int i) { seen(i) = behind; });
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), seen)(0) == behind;
}

void require_captures() {
  if (hands_over_captures(0.7)) return;
  Kokkos::finalize();
  throw rt::input_error(
      "this program's kernels don't get what the host has captured for them: its device compiler "
      "lays out Kokkos's views in two ways",
      "Build Kokkos with -DKokkos_ENABLE_IMPL_VIEW_LEGACY=ON, and then this program: "
      "docs/devices.md.");
}

/// Profilers that speak Kokkos Tools see the regions of the report, by their names.
void tell_tools(rt::Trace& trace) {
  if (!Kokkos::Tools::profileLibraryLoaded()) return;
  trace.tell({.begin = [](const std::string& name) { Kokkos::Tools::pushRegion(name); },
              .end = [] { Kokkos::Tools::popRegion(); }});
}

}  // namespace

KokkosSession::KokkosSession(const rt::Communicator& comm) {
  if (Kokkos::is_initialized()) return;
  const rt::Communicator node = comm.split_shared_memory();
  const int device = choose_device(node);
  start(choose_threads(node), device);
  started_here_ = true;
  if (device < 0) return;
  require_captures();
  const int devices = device_count();
  device_ = fmt::format("{}, {} a node for {} rank{}; the MPI library {} its memory",
                        name_of_device(device), devices, node.size(), node.size() == 1 ? "" : "s",
                        rt::mpi_takes_memory_of(device_kind, comm) ? "takes" : "doesn't take");
}

KokkosSession::~KokkosSession() {
  if (started_here_ && Kokkos::is_initialized()) Kokkos::finalize();
}

rt::Module kokkos_module() {
  const auto session = std::make_shared<std::optional<KokkosSession>>();
  rt::Module module;
  module.name = "kokkos";
  module.start = [session](rt::Runtime& runtime) {
    if (const std::string missing = missing_instructions(); !missing.empty())
      throw rt::input_error(
          "this program was built for another processor: this one lacks " + missing,
          "Build it here, or with ./cartwright build -DCARTWRIGHT_NATIVE=OFF for any processor of "
          "its kind.");
    session->emplace(runtime.comm());
    tell_tools(runtime.trace());
    if (!(*session)->device().empty()) runtime.log().entry("device", (*session)->device());
    const ThreadReport threads = describe(runtime.comm(), ThreadBinding::of_this_rank());
    runtime.log().entry("threads", threads.text);
    runtime.log().entry("built for", built_for());
    if (threads.is_doubtful && runtime.command_line().mode != rt::Mode::check)
      runtime.log().warning(
          "threads share cores: set OMP_NUM_THREADS, or bind ranks to more cores");
  };
  module.stop = [session](rt::Runtime& runtime) {
    runtime.trace().tell({});
    session->reset();
  };
  return module;
}

}  // namespace cartwright::grid
