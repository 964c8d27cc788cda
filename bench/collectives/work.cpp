// SPDX-License-Identifier: Apache-2.0
#include "work.hpp"

#include <algorithm>
#include <cartwright/rt/mpi_check.hpp>

namespace cartwright::bench {

Work::Work(const rt::Communicator& comm, plan::Operation operation, std::size_t bytes)
    : comm_(comm.handle()) {
  const bool has_blocks = plan::has_rank_blocks(operation);
  const auto blocks = static_cast<std::size_t>(has_blocks ? comm.size() : 1);
  const std::size_t elements = std::max<std::size_t>(bytes / sizeof(double) / blocks, 1);
  input_.assign(elements * blocks, 1.0);
  output_.assign(elements * blocks, 2.0);
  call_ = {.operation = operation,
           .input = reinterpret_cast<const std::byte*>(input_.data()),
           .output = reinterpret_cast<std::byte*>(output_.data()),
           .element = comm::element_of<double>(),
           .count = static_cast<plan::Count>(elements),
           .reduction = comm::predefined(comm::Operator::sum, comm::ScalarType::float64)};
}

void Work::by_mpi() {
  using enum plan::Operation;
  const auto n = static_cast<int>(call_.count);
  const double* const in = input_.data();
  double* const out = output_.data();
  switch (call_.operation) {
    case barrier:
      return rt::mpi_check(MPI_Barrier(comm_), "MPI_Barrier");
    case broadcast:
      return rt::mpi_check(MPI_Bcast(out, n, MPI_DOUBLE, 0, comm_), "MPI_Bcast");
    case reduce:
      return rt::mpi_check(MPI_Reduce(in, out, n, MPI_DOUBLE, MPI_SUM, 0, comm_), "MPI_Reduce");
    case allreduce:
      return rt::mpi_check(MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, comm_), "MPI_Allreduce");
    case reduce_scatter:
      return rt::mpi_check(MPI_Reduce_scatter_block(in, out, n, MPI_DOUBLE, MPI_SUM, comm_),
                           "MPI_Reduce_scatter_block");
    case scatter:
      return rt::mpi_check(MPI_Scatter(in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, 0, comm_),
                           "MPI_Scatter");
    case gather:
      return rt::mpi_check(MPI_Gather(in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, 0, comm_),
                           "MPI_Gather");
    case allgather:
      return rt::mpi_check(MPI_Allgather(in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, comm_),
                           "MPI_Allgather");
    default:
      return rt::mpi_check(MPI_Alltoall(in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, comm_),
                           "MPI_Alltoall");
  }
}

}  // namespace cartwright::bench
