// SPDX-License-Identifier: Apache-2.0
#include "pde_program.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "server.hpp"

namespace pde_test {
namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> parts;
  std::istringstream stream(line);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

/// One of each number of ranks, each started when it is first needed.
class Servers {
 public:
  Server& of(int ranks) {
    std::unique_ptr<Server>& server = servers_[ranks];
    if (server == nullptr || server->is_gone()) {
      const std::string folder = scratch_.path() + "/" + std::to_string(ranks);
      std::filesystem::create_directory(folder);
      server = std::make_unique<Server>(ranks, folder);
    }
    return *server;
  }

 private:
  Scratch scratch_;
  std::map<int, std::unique_ptr<Server>> servers_;
};

}  // namespace

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) throw std::runtime_error(std::string("set ") + name);
  return value;
}

Result shell(const std::string& command) {
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start: " + command);
  Result result;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    result.text.append(buffer.data(), n);
  const int status = pclose(pipe);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

Scratch::Scratch() {
  std::string pattern = (std::filesystem::current_path() / "pde_test_XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
  path_ = pattern;
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Scratch::write(const std::string& name, const std::string& text) const {
  const std::string file = path_ + "/" + name;
  std::ofstream(file) << text;
  return file;
}

Result run(int ranks, const std::string& arguments, const std::string& variables) {
  if (!variables.empty())
    return shell(variables + " " + variable("MPIRUN") + " -n " + std::to_string(ranks) + " " +
                 variable("PDE") + " " + arguments);
  static Servers servers;
  return servers.of(ranks).run(std::filesystem::path(variable("PDE")).filename(), arguments);
}

Result run_alone(const std::string& arguments) {
  return shell(variable("PDE") + " " + arguments);
}

std::vector<double> read_dataset(const std::string& file, const std::string& dataset) {
  const hid_t handle = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (handle < 0) throw std::runtime_error("cannot open " + file);
  const hid_t data = H5Dopen2(handle, dataset.c_str(), H5P_DEFAULT);
  const hid_t space = H5Dget_space(data);
  std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  const bool good =
      H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0;
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(handle);
  if (!good) throw std::runtime_error("cannot read " + dataset + " of " + file);
  return values;
}

std::string output_file(const std::string& directory, const std::string& solver, long long step) {
  std::array<char, 32> number{};
  std::snprintf(number.data(), number.size(), "_%010lld.h5", step);
  return directory + "/fields/" + solver + number.data();
}

std::vector<std::map<std::string, double>> all_diagnostics(const std::string& directory) {
  return rows_of(directory + "/diagnostics.csv");
}

std::vector<std::map<std::string, double>> rows_of(const std::string& name) {
  std::ifstream file(name);
  std::string line;
  std::getline(file, line);
  const auto names = split(line);
  std::vector<std::map<std::string, double>> rows;
  while (std::getline(file, line)) {
    if (line.empty()) continue;
    const auto values = split(line);
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < names.size() && i < values.size(); ++i)
      row[names[i]] = std::stod(values[i]);
  }
  return rows;
}

std::map<std::string, double> last_diagnostics(const std::string& directory) {
  const auto rows = all_diagnostics(directory);
  return rows.empty() ? std::map<std::string, double>{} : rows.back();
}

double period_of(const std::string& directory, const std::string& column, double from) {
  std::vector<double> times, values;
  double mean = 0;
  for (const auto& row : all_diagnostics(directory))
    if (row.at("time") > from) {
      times.push_back(row.at("time"));
      values.push_back(row.at(column));
      mean += row.at(column);
    }
  mean /= static_cast<double>(std::max<std::size_t>(1, values.size()));
  std::vector<double> crossings;
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double before = values[i - 1] - mean, here = values[i] - mean;
    if (before < 0 && here >= 0)
      crossings.push_back(times[i - 1] + (times[i] - times[i - 1]) * before / (before - here));
  }
  if (crossings.size() < 3) return std::nan("");
  return (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
}

std::string read_text(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace pde_test
