// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cartwright/mapping/machine/machine_file.hpp>
#include <cartwright/mapping/probe/probe_plots.hpp>
#include <cartwright/mapping/probe/probe_store.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/input_file.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cartwright/rt/output_file.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace cartwright::mapping {
namespace {

namespace files = std::filesystem;

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "host";
  const std::string host(name.data());
  const std::string first = host.substr(0, host.find('.'));
  return first.empty() ? "host" : first;
}

/// Nodes of one job differ from those of the next: "node017" becomes "node".
std::string without_number(std::string host) {
  const std::size_t end = host.find_last_not_of("0123456789-_");
  if (end != std::string::npos) host.resize(end + 1);
  return host;
}

std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// "Open MPI v4.1.4" or "MPICH 4.0.2" of a longer text, and the transports that somebody has
/// chosen.
std::string library_name() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  rt::mpi_check(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  std::string name(text.data(), static_cast<std::size_t>(length));
  name.resize(std::min(name.size(), name.find_first_of(",\n")));
  constexpr std::string_view label = " Version:";
  if (const std::size_t at = name.find(label); at != std::string::npos) {
    const std::size_t version = name.find_first_not_of(" \t", at + label.size());
    name = name.substr(0, at + 1) + name.substr(std::min(version, name.size()));
  }
  for (const char* choice :
       {"OMPI_MCA_pml", "OMPI_MCA_btl", "OMPI_MCA_mtl", "MPIR_CVAR_CH4_NETMOD", "UCX_TLS"}) {
    const std::string value = variable(choice);
    // The launcher's word for what Open MPI would choose by itself.
    const bool is_usual =
        std::string_view(choice) == "OMPI_MCA_pml" && value == variable("CARTWRIGHT_USUAL_PML");
    if (!value.empty() && !is_usual) name += fmt::format(", {}={}", choice, value);
  }
  return name;
}

/// The first line of a text file; longer ones than any of ours are none.
std::string first_line(const files::path& path) {
  const std::string text = rt::read_file(path, std::size_t{1} << 20);
  return text.substr(0, text.find('\n'));
}

constexpr const char* advice = "Name another place with --output FILE.yaml.";

}  // namespace

std::string ProbeIdentity::fingerprint() const {
  return fmt::format("{} | {} | {} | {}", host, layout, about, library);
}

ProbeIdentity identify(const Topology& topology) {
  ProbeIdentity identity;
  identity.host = host_name();
  if (topology.machine_nodes > 1) identity.host = without_number(identity.host);
  identity.layout = fmt::format("{}x{}{}", topology.nodes, topology.largest_node,
                                topology.is_virtual ? "-virtual" : "");
  identity.about =
      fmt::format("{}; {}; {}", topology.describe(), processor_name(), topology.binding.describe());
  identity.library = library_name();
  return identity;
}

std::string probed_machines_directory() {
  if (auto own = variable("CARTWRIGHT_MACHINES"); !own.empty()) return own;
  if (const auto cache = variable("XDG_CACHE_HOME"); !cache.empty())
    return cache + "/cartwright/machines";
  if (const auto home = variable("HOME"); !home.empty())
    return home + "/.cache/cartwright/machines";
  return ".cartwright/machines";
}

std::string probed_machine_path(const ProbeIdentity& identity) {
  return (files::path(probed_machines_directory()) / (identity.name() + ".yaml")).string();
}

std::string samples_path(const std::string& machine_path) {
  return files::path(machine_path).replace_extension(".samples.jsonl").string();
}

bool is_probed(const std::string& machine_path, const ProbeIdentity& identity, bool quick_will_do) {
  try {
    const ProbeSamples header = parse_samples(first_line(samples_path(machine_path)));
    (void)read_machine(machine_path);
    return header.fingerprint == identity.fingerprint() && (quick_will_do || !header.quick);
  } catch (const rt::Error&) {
    return false;
  }
}

std::optional<plan::Machine> probed_machine(const Topology& topology) {
  const ProbeIdentity identity = identify(topology);
  const std::string path = probed_machine_path(identity);
  if (!is_probed(path, identity, true)) return std::nullopt;
  return read_machine(path);
}

plan::Machine described_machine(const std::string& name, const std::string& directory) {
  return read_machine(find_machine(name, directory, probed_machines_directory()));
}

void prepare_store(const std::string& machine_path) {
  const files::path path(machine_path);
  std::error_code fault;
  if (path.has_parent_path()) files::create_directories(path.parent_path(), fault);
  rt::require_writable(path, advice);
}

std::vector<std::string> store(const std::string& machine_path, const ProbeSamples& samples,
                               const ProbeAnalysis& analysis) {
  prepare_store(machine_path);
  const files::path path(machine_path);
  std::string head;
  for (const std::string& note : analysis.notes) head += "# " + note + "\n";
  for (const LevelFits& level : analysis.levels)
    for (const std::string& note : level.notes) head += fmt::format("# {}: {}\n", level.name, note);
  const std::string machine = head + machine_text(analysis.machine);
  std::vector<std::string> paths{machine_path};
  if (!rt::is_stream(path)) {  // beside a device there is no place for more
    paths.push_back(samples_path(machine_path));
    rt::write_file(paths.back(), samples_text(samples), advice);
    paths.push_back(files::path(path).replace_extension(".fits.json").string());
    rt::write_file(paths.back(), fits_text(analysis), advice);
    for (const ProbePlot& plot : plots_of(samples, analysis)) {
      paths.push_back(
          (path.parent_path() / fmt::format("{}.{}.svg", path.stem().string(), plot.name))
              .string());
      rt::write_file(paths.back(), plot.svg, advice);
    }
  }
  rt::write_file(path, machine, advice);  // last: only a whole result counts
  return paths;
}

}  // namespace cartwright::mapping
