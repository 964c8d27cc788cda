// SPDX-License-Identifier: Apache-2.0
#include "layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/grid/output/block_matrix_file.hpp>
#include <cartwright/mapping/search/process_grid.hpp>
#include <optional>

namespace matmul {

namespace comm = cartwright::comm;
namespace grid = cartwright::grid;
namespace mapping = cartwright::mapping;
namespace rt = cartwright::rt;

namespace {

struct Known {
  long long value = 0;
  const char* from = "";
};

/// Takes a value that a file gives, or compares it with what is known.
void agree(Known& known, long long value, const char* from, const char* what) {
  if (known.value == 0) known = {value, from};
  if (known.value == value) return;
  throw rt::input_error(
      fmt::format("{} is {} by {}, but {} by {}", what, known.value, known.from, value, from),
      "A has rows x inner elements, B has inner x columns.", rt::Reach::all_ranks);
}

double part(long long extent, int parts) {
  const long long largest = (extent + parts - 1) / parts;
  return static_cast<double>(largest);
}

}  // namespace

Extents extents_of(rt::Runtime& runtime, const Options& options) {
  // The process grid, and with it the run's own collectives, comes of the extents.
  std::optional<comm::Collectives> comm;
  if (options.a.kind == "file" || options.b.kind == "file")
    comm.emplace(
        runtime.comm(), runtime.progress(),
        comm::Context{.settings = {.backend = comm::BackendId::native, .is_resolved = true}});
  Known rows{options.rows.value_or(0), "matmul.rows"};
  Known inner{options.inner.value_or(0), "matmul.inner"};
  Known columns{options.columns.value_or(0), "matmul.columns"};
  if (options.a.kind == "file") {
    const auto found = grid::matrix_extents(*comm, options.a.file, options.a.dataset);
    agree(rows, found.rows, "the file of A", "the number of rows of A");
    agree(inner, found.columns, "the file of A", "the number of columns of A");
  }
  if (options.b.kind == "file") {
    const auto found = grid::matrix_extents(*comm, options.b.file, options.b.dataset);
    agree(inner, found.rows, "the file of B", "the number of rows of B");
    agree(columns, found.columns, "the file of B", "the number of columns of B");
  }
  return {rows.value, inner.value, columns.value};
}

std::vector<int> process_grid(int ranks, const Extents& extents, const Request& request) {
  mapping::ProcessGridRequest wanted;
  wanted.ranks = ranks;
  // More ranks than rows are fine here: some get nothing.
  wanted.extents = {std::max<long long>(extents.columns, ranks),
                    std::max<long long>(extents.rows, ranks)};
  wanted.fixed = request.mapping.process_grid;
  return mapping::choose_process_grid(wanted);
}

std::vector<double> weights_of_faces(const std::vector<int>& dims, const Extents& extents) {
  return {part(extents.rows, dims[1]), part(extents.columns, dims[0])};
}

double bytes_of_rank(const std::vector<int>& dims, const Extents& extents, const Options& options) {
  const double m = part(extents.rows, dims[1]), n = part(extents.columns, dims[0]);
  const double a = m * part(extents.inner, dims[0]), b = n * part(extents.inner, dims[1]);
  const double operands = a + b + m * n;
  double buffers = 0.0;
  switch (options.algorithm) {
    case Algorithm::summa: {
      const double panels =
          static_cast<double>(std::min(options.panel, extents.inner)) * (options.look_ahead + 1);
      buffers = (dims[0] > 1 ? m * panels : 0.0) + (dims[1] > 1 ? n * panels : 0.0);
      break;
    }
    case Algorithm::cannon:
    case Algorithm::fox:
      buffers = (dims[0] > 1 ? 2.0 * a : 0.0) + (dims[1] > 1 ? 2.0 * b : 0.0);
      break;
    case Algorithm::pdgemm:
      break;
  }
  const double check = options.check == Check::pdgemm ? 2.0 * operands + m * n : 0.0;
  return sizeof(double) * (operands + std::max(buffers, check));
}

}  // namespace matmul
