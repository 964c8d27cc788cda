// SPDX-License-Identifier: Apache-2.0
#include "solver_run.hpp"

#include <hdf5.h>
#include <mpi.h>

#include <cartwright/grid/run/run.hpp>
#include <cartwright/grid/run/run_request.hpp>
#include <cartwright/rt/command_line.hpp>
#include <cartwright/rt/deck.hpp>
#include <cartwright/rt/mpi_session.hpp>
#include <cartwright/rt/process_options.hpp>
#include <cartwright/rt/program.hpp>
#include <cartwright/rt/runtime.hpp>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace cartwright::grid::test {

void run_solver(const SolverEntry& solver, const std::string& deck_text,
                const std::filesystem::path& directory, bool restart) {
  RunRequest request;
  rt::Deck deck =
      rt::Deck::parse(deck_text, "test.yaml", {"output.directory=" + directory.string()});
  rt::SectionNode root, own;
  solver.bind(own);
  if (!own.keys.empty()) solver.bind(root.add_section(solver.name, ""));
  bind_run_options(root, request.options);
  mapping::schema().bind(root.add_section("mapping", ""), request.mapping);
  comm::schema().bind(root.add_section("comm", ""), request.comm);
  bind_field_data(root, solver.fields, request.fields);
  deck.apply(root);
  complete_run_options(deck, request.options);
  rt::CommandLine command_line;
  if (restart) command_line.restart = "";
  rt::ProcessOptions options;
  options.log.level = rt::LogLevel::quiet;
  rt::MpiSession session;  // borrows the MPI that has begun already
  rt::Runtime runtime(session, {"test", "0", "", "", {}}, command_line, std::move(deck), options,
                      rt::now());
  runtime.progress().set_oversubscribed(true);
  Run run(runtime, request, solver);
  solver.functions[static_cast<std::size_t>(request.options.dimensions()) - 1](run);
}

Files files_of(const std::filesystem::path& directory) {
  Files files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    const std::string name = std::filesystem::relative(entry.path(), directory).string();
    if (!entry.is_regular_file() || name == ".lock") continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    files[name] = {std::istreambuf_iterator<char>(stream), {}};
  }
  return files;
}

std::vector<double> dataset(const std::filesystem::path& file, const std::string& name) {
  const hid_t opened = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (opened < 0) throw std::runtime_error("cannot open " + file.string());
  const hid_t data = H5Dopen2(opened, name.c_str(), H5P_DEFAULT);
  const hid_t space = H5Dget_space(data);
  std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  const herr_t fault =
      H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(opened);
  if (fault < 0) throw std::runtime_error("cannot read " + name + " of " + file.string());
  return values;
}

}  // namespace cartwright::grid::test
