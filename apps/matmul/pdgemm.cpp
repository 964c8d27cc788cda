// SPDX-License-Identifier: Apache-2.0
// ScaLAPACK's product. It keeps matrices by columns, we by rows: what we call A B it sees as the
// transposed product B' A' on the transposed process grid, without anything being moved.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/rt/wait.hpp>
#include <limits>
#include <numeric>

#include "blacs_grid.hpp"

extern "C" {
int Csys2blacs_handle(MPI_Comm communicator);
void Cfree_blacs_system_handle(int handle);
void Cblacs_gridmap(int* context, int* ranks, int stride, int rows, int columns);
void Cblacs_gridexit(int context);
void pdgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n,
             const int* k, const double* alpha, const double* a, const int* ia, const int* ja,
             const int* a_descriptor, const double* b, const int* ib, const int* jb,
             const int* b_descriptor, const double* beta, double* c, const int* ic, const int* jc,
             const int* c_descriptor);
}

namespace matmul {

namespace rt = cartwright::rt;

namespace {

int as_int(long long value) {
  if (value > std::numeric_limits<int>::max())
    throw rt::input_error(fmt::format("pdgemm counts with 32 bits: {} is too much", value),
                          "Use matmul.algorithm: summa.", rt::Reach::all_ranks);
  return static_cast<int>(value);
}

std::array<int, 9> descriptor(const Matrix& matrix, int context) {
  const int block = as_int(matrix.rows().block());
  return {1,
          context,
          as_int(matrix.columns().extent()),
          as_int(matrix.rows().extent()),
          block,
          block,
          0,
          0,
          std::max(1, as_int(matrix.local_columns()))};
}

}  // namespace

BlacsGrid::BlacsGrid(const cartwright::comm::CartComm& cart)
    : system_(Csys2blacs_handle(cart.communicator().handle())), context_(system_) {
  std::vector<int> ranks(static_cast<std::size_t>(cart.size()));
  std::iota(ranks.begin(), ranks.end(), 0);
  const rt::WaitScope making({"Cblacs_gridmap"});
  Cblacs_gridmap(&context_, ranks.data(), cart.dims()[0], cart.dims()[0], cart.dims()[1]);
}

BlacsGrid::~BlacsGrid() {
  if (rt::unwinding()) return;
  Cblacs_gridexit(context_);
  Cfree_blacs_system_handle(system_);
}

void multiply_pdgemm(const Matrix& a, const Matrix& b, Matrix& c, Phases& phases) {
  multiply_pdgemm(BlacsGrid(a.cart()), a, b, c, phases);
}

void multiply_pdgemm(const BlacsGrid& grid, const Matrix& a, const Matrix& b, Matrix& c,
                     Phases& phases) {
  const auto of_a = descriptor(a, grid.context());
  const auto of_b = descriptor(b, grid.context());
  const auto of_c = descriptor(c, grid.context());
  const int rows = of_c[2], columns = of_c[3], inner = of_a[2], first = 1;
  const double one = 1.0, zero = 0.0;
  const auto timed = phases.time(Phase::pdgemm);
  const rt::WaitScope inside({"pdgemm"}, rt::WaitKind::library);
  pdgemm_("N", "N", &rows, &columns, &inner, &one, b.values().data(), &first, &first, of_b.data(),
          a.values().data(), &first, &first, of_a.data(), &zero, c.values().data(), &first, &first,
          of_c.data());
}

}  // namespace matmul
