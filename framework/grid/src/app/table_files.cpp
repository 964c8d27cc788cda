// SPDX-License-Identifier: Apache-2.0
#include "table_files.hpp"

#include <cartwright/grid/run/run.hpp>
#include <cartwright/grid/run/table.hpp>

namespace cartwright::grid {

TableFiles::TableFiles(const comm::Collectives& comm, const Run& run,
                       const std::filesystem::path& directory,
                       std::optional<long long> restart_step) {
  for (Table* const table : run.tables())
    files_.emplace_back(table,
                        std::make_unique<StepTable>(comm, directory / (table->name() + ".csv"),
                                                    table->columns(), restart_step));
}

void TableFiles::flush() {
  for (auto& [table, file] : files_) {
    for (const Table::Row& row : table->rows_) file->add(row.step, row.numbers);
    table->rows_.clear();
    file->flush();
  }
}

}  // namespace cartwright::grid
