// SPDX-License-Identifier: Apache-2.0
#include <cartwright/rt/mpi_check.hpp>
#include <utility>

#include "exchange.hpp"

namespace cartwright::bench::peer {

DatatypeExchange::DatatypeExchange(MPI_Comm comm, const std::array<int, 3>& dims,
                                   std::vector<const Block*> blocks)
    : dims_(dims), blocks_(std::move(blocks)) {
  // MPI counts the last axis fastest.
  const std::array<int, 3> reversed{dims[2], dims[1], dims[0]};
  const std::array<int, 3> periods{1, 1, 1};
  rt::mpi_check(MPI_Cart_create(comm, 3, reversed.data(), periods.data(), 0, &cart_),
                "MPI_Cart_create");
  for (int face = 0; face < 6; ++face) {
    // Neighbours come in the order of MPI's axes: z low, z high, y low, …
    const int position = 2 * (2 - face / 2) + face % 2;
    const auto place = static_cast<std::size_t>(position);
    outgoing_[place] = make_type(face, false);
    incoming_[place] = make_type(face, true);
  }
}

DatatypeExchange::~DatatypeExchange() {
  for (MPI_Datatype& type : outgoing_) MPI_Type_free(&type);
  for (MPI_Datatype& type : incoming_) MPI_Type_free(&type);
  MPI_Comm_free(&cart_);
}

/// The layer of all blocks, by absolute addresses: one message a face, however many blocks.
MPI_Datatype DatatypeExchange::make_type(int face, bool ghosts) const {
  const Layer r = face_layer(blocks_.front()->extents(), face, ghosts);
  std::vector<MPI_Datatype> types;
  std::vector<MPI_Aint> addresses;
  for (const Block* const block : blocks_) {
    const std::array<int, 3> sizes{block->extents()[2] + 2, block->extents()[1] + 2,
                                   static_cast<int>(block->stride_y())};
    const std::array<int, 3> subsizes{r.z1 - r.z0, r.y1 - r.y0, r.x1 - r.x0};
    const std::array<int, 3> starts{r.z0 + 1, r.y0 + 1, r.x0 + 1};
    rt::mpi_check(MPI_Type_create_subarray(3, sizes.data(), subsizes.data(), starts.data(),
                                           MPI_ORDER_C, MPI_DOUBLE, &types.emplace_back()),
                  "MPI_Type_create_subarray");
    rt::mpi_check(MPI_Get_address(block->row(-1, -1) - 1, &addresses.emplace_back()),
                  "MPI_Get_address");
  }
  const std::vector<int> ones(types.size(), 1);
  MPI_Datatype all = MPI_DATATYPE_NULL;
  rt::mpi_check(MPI_Type_create_struct(static_cast<int>(types.size()), ones.data(),
                                       addresses.data(), types.data(), &all),
                "MPI_Type_create_struct");
  rt::mpi_check(MPI_Type_commit(&all), "MPI_Type_commit");
  for (MPI_Datatype& type : types) rt::mpi_check(MPI_Type_free(&type), "MPI_Type_free");
  return all;
}

void DatatypeExchange::exchange_sides_of_short_axes() {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t place = 2 * (2 - axis);
    if (dims_[axis] <= 2) std::swap(incoming_[place], incoming_[place + 1]);
  }
}

void DatatypeExchange::run() {
  static constexpr std::array<int, 6> one{1, 1, 1, 1, 1, 1};
  static constexpr std::array<MPI_Aint, 6> here{};
  rt::mpi_check(
      MPI_Neighbor_alltoallw(MPI_BOTTOM, one.data(), here.data(), outgoing_.data(), MPI_BOTTOM,
                             one.data(), here.data(), incoming_.data(), cart_),
      "MPI_Neighbor_alltoallw");
}

}  // namespace cartwright::bench::peer
