// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cartwright/mapping/machine_file.hpp>
#include <cartwright/mapping/probe_plots.hpp>
#include <cartwright/mapping/probe_store.hpp>
#include <cartwright/rt/error.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
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
       {"OMPI_MCA_pml", "OMPI_MCA_btl", "OMPI_MCA_mtl", "MPIR_CVAR_CH4_NETMOD", "UCX_TLS"})
    if (const std::string value = variable(choice); !value.empty())
      name += fmt::format(", {}={}", choice, value);
  return name;
}

std::string read_text(const files::path& path, bool first_line_only) {
  std::ifstream in(path);
  if (first_line_only) {
    std::string line;
    std::getline(in, line);
    return line;
  }
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

rt::Error cannot_write(const files::path& path) {
  return rt::input_error(fmt::format("cannot write {}", path.string()),
                         "Name another place with --output FILE.yaml.");
}

/// Whole or not at all.
void write_text(const files::path& path, const std::string& text) {
  const files::path part = path.string() + ".part";
  std::ofstream out(part, std::ios::binary);
  out << text;
  out.close();
  std::error_code fault;
  if (out) files::rename(part, path, fault);
  if (!out || fault) throw cannot_write(path);
}

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
    const ProbeSamples header = parse_samples(read_text(samples_path(machine_path), true));
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

void prepare_store(const std::string& machine_path) {
  const files::path path(machine_path);
  std::error_code fault;
  if (path.has_parent_path()) files::create_directories(path.parent_path(), fault);
  const files::path part = path.string() + ".part";
  const bool good = std::ofstream(part, std::ios::app).good();
  files::remove(part, fault);
  if (!good) throw cannot_write(path);
}

std::vector<std::string> store(const std::string& machine_path, const ProbeSamples& samples,
                               const ProbeAnalysis& analysis) {
  prepare_store(machine_path);
  const files::path path(machine_path);
  std::vector<std::string> paths{samples_path(machine_path)};
  write_text(paths.back(), samples_text(samples));
  paths.push_back(files::path(path).replace_extension(".fits.json").string());
  write_text(paths.back(), fits_text(analysis));
  for (const ProbePlot& plot : plots_of(samples, analysis)) {
    paths.push_back(
        (path.parent_path() / fmt::format("{}.{}.svg", path.stem().string(), plot.name)).string());
    write_text(paths.back(), plot.svg);
  }
  std::string head;
  for (const std::string& note : analysis.notes) head += "# " + note + "\n";
  for (const LevelFits& level : analysis.levels)
    for (const std::string& note : level.notes) head += fmt::format("# {}: {}\n", level.name, note);
  write_text(path, head + machine_text(analysis.machine));  // last: only a whole result counts
  paths.insert(paths.begin(), machine_path);
  return paths;
}

}  // namespace cartwright::mapping
