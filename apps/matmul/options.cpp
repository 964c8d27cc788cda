// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>

#include <cartwright/grid/field/block_matrix_fill.hpp>
#include <cartwright/rt/deck.hpp>
#include <filesystem>

namespace matmul {

namespace grid = cartwright::grid;
namespace rt = cartwright::rt;
using rt::key;

namespace {

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const auto& [name, kind] : grid::matrix_kinds()) names.push_back(name);
  names.emplace_back("file");
  return names;
}

rt::Schema<Source> source_schema() {
  return {key("kind", &Source::kind)
              .choices(kinds())
              .about("random: even in [-1, 1), the same on any number of ranks; index: row * "
                     "columns + column; hilbert: 1/(row + column + 1), counted from 0; file: a "
                     "dataset of an HDF5 file"),
          key("seed", &Source::seed).minimum(0).about("of random numbers"),
          key("file", &Source::file).example("a.h5").about("with `kind: file`"),
          key("dataset", &Source::dataset)
              .example("matrix")
              .about("of shape (rows, columns), of any numeric type")};
}

void check_source(const rt::Deck& deck, const std::string& name, const Source& source,
                  bool has_extents) {
  if (source.kind != "file") {
    if (!source.file.empty() || !source.dataset.empty())
      throw deck.error(name,
                       fmt::format("'{}' names a file, but its kind is {}", name, source.kind),
                       "Write  kind: file");
    if (!has_extents)
      throw deck.error(name, fmt::format("the extents of '{}' are missing", name),
                       "Set matmul.rows, matmul.inner and matmul.columns; only files know theirs.");
    return;
  }
  if (source.file.empty() || source.dataset.empty())
    throw deck.error(
        name, fmt::format("'{}' is read from a file: 'file' and 'dataset' are needed", name));
  if (!std::filesystem::exists(source.file))
    throw deck.error(name + ".file", fmt::format("the file '{}' does not exist", source.file));
}

}  // namespace

rt::Schema<Options> schema() {
  return rt::Schema<Options>{
      key("rows", &Options::rows)
          .minimum(1)
          .maximum(2147483647)
          .example("3000")
          .about("of A and of the product; needed unless A is read from a file"),
      key("inner", &Options::inner)
          .minimum(1)
          .maximum(2147483647)
          .example("4000")
          .about("columns of A and rows of B; needed unless one of them is read from a file"),
      key("columns", &Options::columns)
          .minimum(1)
          .maximum(2147483647)
          .example("2000")
          .about("of B and of the product; needed unless B is read from a file"),
      key("algorithm", &Options::algorithm)
          .choices(algorithms())
          .about("summa: panels broadcast along rows and columns; cannon: blocks roll along both; "
                 "fox: broadcasts along rows, rolls along columns; pdgemm: ScaLAPACK"),
      key("panel", &Options::panel)
          .minimum(1)
          .about("summa: columns of A and rows of B that one step broadcasts, at most"),
      key("look_ahead", &Options::look_ahead)
          .minimum(1)
          .maximum(1000)
          .about("summa: panels on their way while one is multiplied"),
      key("segment", &Options::segment)
          .minimum(1)
          .unit("elements")
          .about("cannon, fox: the longest message of a shift"),
      key("block", &Options::block)
          .minimum(1)
          .maximum(2147483647)
          .about("pdgemm: rows and columns of a block"),
      key("repeat", &Options::repeat).minimum(1).about("products, one after the other"),
      key("threads", &Options::threads)
          .minimum(1)
          .about("of the BLAS library, on each rank: no more than its cores"),
      key("check", &Options::check)
          .choices(std::vector<std::pair<std::string, Check>>{
              {"none", Check::none}, {"residual", Check::residual}, {"pdgemm", Check::pdgemm}})
          .about("residual: A(Bx) against Cx for a random x; pdgemm: that, and every element "
                 "against ScaLAPACK's product")}
      .section("a", &Options::a, source_schema(), "the left operand")
      .section("b", &Options::b, source_schema(), "the right operand");
}

rt::Schema<OutputOptions> output_schema() {
  return {key("directory", &OutputOptions::directory).about("default: out/ and the deck's name"),
          key("product", &OutputOptions::product).about("write C to product.h5"),
          key("picture", &OutputOptions::picture)
              .about("timeline.svg: what each rank did when, in the last product")};
}

void check_options(const rt::Deck& deck, const Options& options) {
  const bool a_is_file = options.a.kind == "file", b_is_file = options.b.kind == "file";
  check_source(deck, "matmul.a", options.a, options.rows && (options.inner || b_is_file));
  check_source(deck, "matmul.b", options.b, options.columns && (options.inner || a_is_file));
}

}  // namespace matmul
