// SPDX-License-Identifier: Apache-2.0
// Runs what bin/pde or bin/nbody runs, and reads what it has written.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace pde_test {

struct Result {
  int code = -1;
  std::string text;  ///< standard output and error together
};

/// A directory of this test's own, gone afterwards.
class Scratch {
 public:
  Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Writes a file and returns its path.
  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const;

 private:
  std::string path_;
};

/// A variable of the environment, which must be there.
std::string variable(const char* name);
/// A command of a shell's.
Result shell(const std::string& command);

/// The program PDE with these arguments, in processes that were started for an earlier run, where
/// there were some (server.hpp): starting takes longer than most runs of tests. With `variables`
/// ("OMP_NUM_THREADS=2") as a user starts it, by the words in the variables MPIRUN and PDE.
Result run(int ranks, const std::string& arguments, const std::string& variables = {});
/// Without mpirun.
Result run_alone(const std::string& arguments);

/// All numbers of a dataset, as doubles.
std::vector<double> read_dataset(const std::string& file, const std::string& dataset);
/// fields/SOLVER_STEP.h5 in an output directory.
std::string output_file(const std::string& directory, const std::string& solver, long long step);

/// All rows of a table, by column.
std::vector<std::map<std::string, double>> rows_of(const std::string& file);
/// Those of diagnostics.csv.
std::vector<std::map<std::string, double>> all_diagnostics(const std::string& directory);
/// The last one.
std::map<std::string, double> last_diagnostics(const std::string& directory);
/// How long an oscillation of a column of diagnostics.csv takes, in the mean of those after the
/// time `from`: between passages through its mean, upwards. Not a number for fewer than three.
double period_of(const std::string& directory, const std::string& column, double from);
std::string read_text(const std::string& file);

}  // namespace pde_test
