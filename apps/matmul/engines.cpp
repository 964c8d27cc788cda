// SPDX-License-Identifier: Apache-2.0
#include "engines.hpp"

#include <fmt/format.h>

namespace matmul {

namespace rt = cartwright::rt;

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  throw rt::internal_failure(fmt::format("matrices can't be multiplied: {}", what), {},
                             rt::Reach::all_ranks);
}

bool is_plain(const Matrix& matrix) {
  return matrix.rows().block() == 0 && matrix.columns().block() == 0;
}

bool is_cyclic(const Matrix& matrix, long long block) {
  return block > 0 && matrix.rows().block() == block && matrix.columns().block() == block;
}

}  // namespace

const std::vector<std::pair<std::string, Algorithm>>& algorithms() {
  static const std::vector<std::pair<std::string, Algorithm>> all{{"summa", Algorithm::summa},
                                                                  {"cannon", Algorithm::cannon},
                                                                  {"fox", Algorithm::fox},
                                                                  {"pdgemm", Algorithm::pdgemm}};
  return all;
}

std::string name(Algorithm algorithm) {
  for (const auto& [text, value] : algorithms())
    if (value == algorithm) return text;
  return {};
}

void multiply(Algorithm algorithm, const Matrix& a, const Matrix& b, Matrix& c,
              const Tuning& tuning, Phases& phases) {
  require(&a.cart() == &b.cart() && &a.cart() == &c.cart(), "they are on different process grids");
  require(a.columns().extent() == b.rows().extent(), "A's columns and B's rows differ in number");
  require(a.rows() == c.rows() && b.columns() == c.columns(), "C is divided otherwise");
  const bool all_plain = is_plain(a) && is_plain(b) && is_plain(c);
  const long long block = c.rows().block();
  switch (algorithm) {
    case Algorithm::summa:
      return multiply_summa(a, b, c, tuning, phases);
    case Algorithm::cannon:
      require(all_plain, "Cannon's algorithm needs one block a rank");
      return multiply_cannon(a, b, c, tuning, phases);
    case Algorithm::fox:
      require(all_plain, "Fox's algorithm needs one block a rank");
      return multiply_fox(a, b, c, tuning, phases);
    case Algorithm::pdgemm:
      require(is_cyclic(a, block) && is_cyclic(b, block) && is_cyclic(c, block),
              "pdgemm needs block-cyclic distributions of one block size");
      return multiply_pdgemm(a, b, c, phases);
  }
}

}  // namespace matmul
