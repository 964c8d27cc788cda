// SPDX-License-Identifier: Apache-2.0
#include "collective_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cartwright/comm/elements/element.hpp>
#include <cartwright/comm/elements/operator.hpp>
#include <cartwright/comm/elements/user_operator.hpp>
#include <cartwright/rt/mpi_check.hpp>
#include <complex>
#include <cstring>
#include <type_traits>

namespace cartwright::comm::testing {

namespace {

struct Affine {
  std::uint32_t a;
  std::uint32_t b;
};
struct Blob {
  std::array<unsigned char, 12> bytes;
};

/// First the left map, then the right one, modulo 2^32.
struct Chain {
  Affine operator()(const Affine& l, const Affine& r) const { return {l.a * r.a, l.b * r.a + r.b}; }
};
struct TakeRight {
  template <class T>
  T operator()(const T& /*left*/, const T& right) const {
    return right;
  }
};
/// The same with something to remember.
template <class F>
struct WithState {
  std::uint32_t secret = 0;
  template <class T>
  T operator()(const T& left, const T& right) const {
    return secret == 4711 ? F{}(left, right) : left;
  }
};

/// Calls `use` with a value of the kind's type.
template <class Use>
auto with_type(Kind kind, Use&& use) {
  switch (kind) {
    case Kind::int8:
      return use(std::int8_t{});
    case Kind::uint8:
      return use(std::uint8_t{});
    case Kind::int16:
      return use(std::int16_t{});
    case Kind::uint16:
      return use(std::uint16_t{});
    case Kind::int32:
      return use(std::int32_t{});
    case Kind::uint32:
      return use(std::uint32_t{});
    case Kind::int64:
      return use(std::int64_t{});
    case Kind::uint64:
      return use(std::uint64_t{});
    case Kind::float32:
      return use(float{});
    case Kind::float64:
      return use(double{});
    case Kind::complex64:
      return use(std::complex<float>{});
    case Kind::complex128:
      return use(std::complex<double>{});
    case Kind::boolean:
      return use(bool{});
    case Kind::affine:
      return use(Affine{});
    case Kind::blob:
      break;
  }
  return use(Blob{});
}

std::uint64_t mixed(std::uint64_t word) {
  word = (word ^ (word >> 30U)) * 0xBF58476D1CE4E5B9U;
  word = (word ^ (word >> 27U)) * 0x94D049BB133111EBU;
  return word ^ (word >> 31U);
}

/// Small enough for sums and products over 9 ranks to be exact in every type.
template <class T>
T small_number(std::uint64_t chance, bool is_product) {
  const int low = std::is_unsigned_v<T> ? 0 : is_product ? -1 : -8;
  const int span = is_product ? (std::is_unsigned_v<T> ? 2 : 3) : 15;
  return static_cast<T>(low + static_cast<int>(chance % static_cast<std::uint64_t>(span)));
}

template <class T>
T sample(std::uint64_t chance, bool is_product) {
  if constexpr (std::is_same_v<T, bool>) {
    return chance % 2 == 1;
  } else if constexpr (std::is_same_v<T, Affine>) {
    return {static_cast<std::uint32_t>(chance), static_cast<std::uint32_t>(chance >> 32U)};
  } else if constexpr (std::is_same_v<T, Blob>) {
    Blob blob{};
    for (auto& byte : blob.bytes) byte = static_cast<unsigned char>(chance = mixed(chance));
    return blob;
  } else if constexpr (detail::IsComplex<T>::value) {
    using Part = typename T::value_type;
    return {small_number<Part>(chance, is_product), small_number<Part>(chance >> 20U, is_product)};
  } else {
    return small_number<T>(chance, is_product);
  }
}

MPI_Datatype mpi_type_of(Kind kind) {
  constexpr std::size_t predefined = 13;
  const std::array<MPI_Datatype, predefined> types = {
      MPI_INT8_T,  MPI_UINT8_T,  MPI_INT16_T,           MPI_UINT16_T,
      MPI_INT32_T, MPI_UINT32_T, MPI_INT64_T,           MPI_UINT64_T,
      MPI_FLOAT,   MPI_DOUBLE,   MPI_CXX_FLOAT_COMPLEX, MPI_CXX_DOUBLE_COMPLEX,
      MPI_CXX_BOOL};
  const auto at = static_cast<std::size_t>(kind);
  if (at < predefined) return types[at];
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int size = kind == Kind::affine ? sizeof(Affine) : sizeof(Blob);
  rt::mpi_check(MPI_Type_contiguous(size, MPI_BYTE, &type), "MPI_Type_contiguous");
  rt::mpi_check(MPI_Type_commit(&type), "MPI_Type_commit");
  return type;
}

MPI_Op mpi_operator_of(const Spec& spec) {
  if (spec.reduction < 0) {
    MPI_Op op = MPI_OP_NULL;
    Spec stateless = spec;
    stateless.has_state = false;
    using Function = void(void*, void*, int*, MPI_Datatype*);
    rt::mpi_check(
        MPI_Op_create(reinterpret_cast<Function*>(reduction_for(stateless).mpi_function), 0, &op),
        "MPI_Op_create");
    return op;
  }
  const bool is_boolean = spec.kind == Kind::boolean;
  switch (static_cast<Operator>(spec.reduction)) {
    case Operator::sum:
      return MPI_SUM;
    case Operator::product:
      return MPI_PROD;
    case Operator::minimum:
      return is_boolean ? MPI_LAND : MPI_MIN;
    case Operator::maximum:
      return is_boolean ? MPI_LOR : MPI_MAX;
    case Operator::logical_and:
      return MPI_LAND;
    case Operator::logical_or:
      return MPI_LOR;
    case Operator::logical_xor:
      return MPI_LXOR;
    case Operator::bit_and:
      return is_boolean ? MPI_LAND : MPI_BAND;
    case Operator::bit_or:
      return is_boolean ? MPI_LOR : MPI_BOR;
    case Operator::bit_xor:
      break;
  }
  return is_boolean ? MPI_LXOR : MPI_BXOR;
}

template <class T>
Reduction reduction_of_kind(const Spec& spec) {
  if constexpr (Reducible<T>) {
    if (spec.reduction >= 0)
      return predefined(static_cast<Operator>(spec.reduction), scalar_type<T>());
  }
  using F = std::conditional_t<std::is_same_v<T, Affine>, Chain, TakeRight>;
  static const auto stateless = associative(F{});
  static const auto with_state = associative(WithState<F>{4711});
  return spec.has_state ? detail::reduction_of<T>(with_state) : detail::reduction_of<T>(stateless);
}

plan::Count random_count(std::mt19937_64& random, plan::Count most) {
  const auto choice = random() % 16;
  if (choice == 0) return 0;
  if (choice < 5) return static_cast<plan::Count>(random() % 9);
  const auto limit = choice < 12 ? std::min<plan::Count>(most, 200) : most;
  return static_cast<plan::Count>(random() % static_cast<std::uint64_t>(limit + 1));
}

std::vector<int> as_ints(std::span<const plan::Count> offsets, bool lengths) {
  std::vector<int> numbers;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    numbers.push_back(static_cast<int>(lengths ? offsets[i + 1] - offsets[i] : offsets[i]));
  return numbers;
}

/// By value: the sign of a zero depends on the brackets in a product of complex numbers.
template <class Part>
bool are_equal(std::span<const std::byte> a, std::span<const std::byte> b) {
  for (std::size_t i = 0; i + sizeof(Part) <= a.size(); i += sizeof(Part)) {
    Part x{};
    Part y{};
    std::memcpy(&x, a.data() + i, sizeof x);
    std::memcpy(&y, b.data() + i, sizeof y);
    if (!(x == y)) return false;
  }
  return true;
}

constexpr std::byte untouched{0xA5};
constexpr std::size_t guard = 64;

}  // namespace

Reduction reduction_for(const Spec& spec) {
  if (!plan::is_reduction(spec.operation)) return {};
  return with_type(spec.kind, [&](auto value) { return reduction_of_kind<decltype(value)>(spec); });
}

std::string Spec::describe() const {
  return fmt::format("{} kind {} count {}{} root {}{} reduction {}{} seed {}",
                     plan::name_of(operation), static_cast<int>(kind), count,
                     counts.empty() ? "" : " uneven", root, in_place ? " in place" : "", reduction,
                     has_state ? " with a state" : "", seed);
}

Spec random_spec(std::mt19937_64& random, int ranks, const SpecLimits& limits) {
  Spec spec;
  spec.operation = plan::operations()[random() % plan::operations().size()];
  spec.kind = static_cast<Kind>(random() % kinds);
  const bool is_large = random() % 200 == 0;
  spec.count = random_count(random, is_large ? 150000 : limits.most_elements);
  const auto p = static_cast<std::size_t>(ranks);
  if (plan::has_rank_blocks(spec.operation)) spec.count /= std::max(1, ranks / 2);
  spec.root = static_cast<int>(random() % p);
  spec.in_place = random() % 3 == 0;
  spec.seed = random();
  const bool is_uneven = random() % 3 == 0;
  const auto blocks = spec.operation == plan::Operation::alltoall ? p * p : p;
  const bool has_blocks =
      plan::has_rank_blocks(spec.operation) || spec.operation == plan::Operation::reduce_scatter;
  if (is_uneven && has_blocks && limits.uneven) {
    for (std::size_t i = 0; i < blocks; ++i)
      spec.counts.push_back(random_count(random, std::max<plan::Count>(spec.count, 3)));
    if (spec.operation == plan::Operation::alltoall && spec.in_place)
      for (std::size_t a = 0; a < p; ++a)
        for (std::size_t b = 0; b < a; ++b) spec.counts[a * p + b] = spec.counts[b * p + a];
  }
  const bool is_own = random() % 4 == 0;
  const auto op = static_cast<Operator>(random() % 10);
  spec.has_state = random() % 2 == 0 && limits.states;
  if (!plan::is_reduction(spec.operation)) return spec;
  const bool is_defined_for_kind = with_type(spec.kind, [&](auto value) {
    using T = decltype(value);
    if constexpr (Reducible<T>)
      return is_defined(op, scalar_type<T>());
    else
      return false;
  });
  if (!is_own && is_defined_for_kind) spec.reduction = static_cast<int>(op);
  return spec;
}

Trial::Trial(const Spec& spec, const rt::Communicator& reference)
    : spec_(spec), me_(reference.rank().value), ranks_(reference.size()) {
  lay_out(reference.size(), reference.rank().value);
  fill();
  ask_mpi(reference);
  reset();
}

std::size_t Trial::bytes(plan::Count elements) const {
  return static_cast<std::size_t>(elements) * call_.element.size;
}

void Trial::lay_out(int ranks, int me) {
  const auto p = static_cast<std::size_t>(ranks);
  const auto to_me = [&](std::size_t from, std::size_t to) {
    return spec_.counts.empty() ? spec_.count : spec_.counts[from * p + to];
  };
  sent_.assign(1, 0);
  received_.assign(1, 0);
  for (std::size_t rank = 0; rank < p; ++rank) {
    const auto self = static_cast<std::size_t>(me);
    if (spec_.operation == plan::Operation::alltoall) {
      sent_.push_back(sent_.back() + to_me(self, rank));
      received_.push_back(received_.back() + to_me(rank, self));
    } else {
      sent_.push_back(sent_.back() + (spec_.counts.empty() ? spec_.count : spec_.counts[rank]));
      received_.push_back(sent_.back());
    }
  }
  const auto at = static_cast<std::size_t>(me);
  call_.operation = spec_.operation;
  call_.element = with_type(spec_.kind, [](auto value) { return element_of<decltype(value)>(); });
  call_.count = spec_.operation == plan::Operation::barrier ? 0 : spec_.count;
  if (!spec_.counts.empty()) {
    call_.offsets = sent_;
    if (spec_.operation == plan::Operation::alltoall) call_.output_offsets = received_;
    call_.count = spec_.operation == plan::Operation::alltoall ? 0 : sent_[at + 1] - sent_[at];
  }
  if (plan::is_rooted(spec_.operation)) call_.root = rt::Rank{spec_.root};
  call_.reduction = reduction_for(spec_);
  call_.site = CallSite::here();
}

/// What this rank contributes.
void Trial::fill() {
  using enum plan::Operation;
  plan::Count elements = spec_.count;
  const auto at = static_cast<std::size_t>(me_);
  if (spec_.operation == barrier) elements = 0;
  if (spec_.operation == gather || spec_.operation == allgather)
    elements = sent_[at + 1] - sent_[at];
  if (spec_.operation == reduce_scatter || spec_.operation == alltoall) elements = sent_.back();
  if (spec_.operation == scatter) elements = is_root() ? sent_.back() : 0;
  if (spec_.operation == broadcast && !is_root()) elements = 0;
  contribution_.resize(bytes(elements));
  const bool is_product = spec_.reduction == static_cast<int>(Operator::product);
  with_type(spec_.kind, [&](auto value) {
    using T = decltype(value);
    for (plan::Count i = 0; i < elements; ++i) {
      const T element = sample<T>(mixed(spec_.seed + static_cast<std::uint64_t>(me_) * 0x9E3779B9U +
                                        static_cast<std::uint64_t>(i) * 0x85EBCA6BU),
                                  is_product);
      std::memcpy(contribution_.data() + bytes(i), &element, sizeof element);
    }
    return 0;
  });
}

void Trial::ask_mpi(const rt::Communicator& reference) {
  using enum plan::Operation;
  const auto at = static_cast<std::size_t>(me_);
  plan::Count result = spec_.count;
  if (spec_.operation == barrier) result = 0;
  if (spec_.operation == reduce && !is_root()) result = 0;
  if (spec_.operation == reduce_scatter || spec_.operation == scatter)
    result = sent_[at + 1] - sent_[at];
  if (spec_.operation == gather) result = is_root() ? sent_.back() : 0;
  if (spec_.operation == allgather || spec_.operation == alltoall) result = received_.back();
  expected_.assign(bytes(result), untouched);
  const MPI_Datatype type = mpi_type_of(spec_.kind);
  const MPI_Op op = plan::is_reduction(spec_.operation) ? mpi_operator_of(spec_) : MPI_OP_NULL;
  const MPI_Comm comm = reference.handle();
  const int n = static_cast<int>(spec_.count);
  const int mine = static_cast<int>(sent_[at + 1] - sent_[at]);
  const void* const in = contribution_.data();
  void* const out = expected_.data();
  const auto counts = as_ints(sent_, true);
  const auto begins = as_ints(sent_, false);
  const auto out_counts = as_ints(received_, true);
  const auto out_begins = as_ints(received_, false);
  switch (spec_.operation) {
    case barrier:
      break;
    case broadcast:
      if (is_root()) expected_ = contribution_;
      rt::mpi_check(MPI_Bcast(expected_.data(), n, type, spec_.root, comm), "MPI_Bcast");
      break;
    case reduce:
      rt::mpi_check(MPI_Reduce(in, out, n, type, op, spec_.root, comm), "MPI_Reduce");
      break;
    case allreduce:
      rt::mpi_check(MPI_Allreduce(in, out, n, type, op, comm), "MPI_Allreduce");
      break;
    case scan:
      rt::mpi_check(MPI_Scan(in, out, n, type, op, comm), "MPI_Scan");
      break;
    case exscan:
      rt::mpi_check(MPI_Exscan(in, out, n, type, op, comm), "MPI_Exscan");
      break;
    case reduce_scatter:
      rt::mpi_check(MPI_Reduce_scatter(in, out, counts.data(), type, op, comm),
                    "MPI_Reduce_scatter");
      break;
    case gather:
      rt::mpi_check(
          MPI_Gatherv(in, mine, type, out, counts.data(), begins.data(), type, spec_.root, comm),
          "MPI_Gatherv");
      break;
    case scatter:
      rt::mpi_check(
          MPI_Scatterv(in, counts.data(), begins.data(), type, out, mine, type, spec_.root, comm),
          "MPI_Scatterv");
      break;
    case allgather:
      rt::mpi_check(MPI_Allgatherv(in, mine, type, out, counts.data(), begins.data(), type, comm),
                    "MPI_Allgatherv");
      break;
    case alltoall:
      rt::mpi_check(MPI_Alltoallv(in, counts.data(), begins.data(), type, out, out_counts.data(),
                                  out_begins.data(), type, comm),
                    "MPI_Alltoallv");
      break;
  }
  if (spec_.reduction < 0 && plan::is_reduction(spec_.operation)) {
    MPI_Op own = op;
    rt::mpi_check(MPI_Op_free(&own), "MPI_Op_free");
  }
  if (spec_.kind == Kind::affine || spec_.kind == Kind::blob) {
    MPI_Datatype own = type;
    rt::mpi_check(MPI_Type_free(&own), "MPI_Type_free");
  }
}

void Trial::reset() {
  using enum plan::Operation;
  const auto at = static_cast<std::size_t>(me_);
  const bool has_own_place = spec_.operation == allreduce || spec_.operation == scan ||
                             spec_.operation == exscan || spec_.operation == reduce_scatter ||
                             spec_.operation == allgather || spec_.operation == alltoall;
  const bool is_in_place = spec_.in_place && (has_own_place || is_root()) &&
                           spec_.operation != barrier && spec_.operation != broadcast;
  call_.place =
      is_in_place || spec_.operation == broadcast ? plan::Place::in_place : plan::Place::separate;
  std::size_t length = expected_.size();
  std::size_t result_at = 0;
  if (is_in_place && spec_.operation == reduce_scatter) {
    length = contribution_.size();
    result_at = bytes(sent_[at]);
  }
  output_.assign(guard + length + guard, untouched);
  std::byte* const out = output_.data() + guard;
  if (spec_.operation == broadcast && is_root()) {
    std::copy(contribution_.begin(), contribution_.end(), out);
  }
  if (is_in_place && spec_.operation != scatter) {
    const bool is_one_block = spec_.operation == gather || spec_.operation == allgather;
    std::copy(contribution_.begin(), contribution_.end(),
              out + (is_one_block ? bytes(sent_[at]) : 0));
  }
  input_ = contribution_;
  const bool has_input = spec_.operation != broadcast && spec_.operation != barrier &&
                         (!is_in_place || spec_.operation == scatter);
  call_.input = has_input ? input_.data() : nullptr;
  const bool has_output = spec_.operation != barrier &&
                          !(is_in_place && spec_.operation == scatter) &&
                          !((spec_.operation == reduce || spec_.operation == gather) && !is_root());
  call_.output = has_output ? out : nullptr;
  compared_from_ = guard + result_at;
  compared_to_ = has_output ? compared_from_ + expected_.size() : compared_from_;
  if (spec_.operation == exscan && me_ == 0) {
    expected_.assign(output_.begin() + guard, output_.end() - guard);
  }
}

bool Trial::is_right() const {
  const auto is_untouched = [&](std::size_t from, std::size_t to) {
    return std::all_of(output_.begin() + static_cast<std::ptrdiff_t>(from),
                       output_.begin() + static_cast<std::ptrdiff_t>(to),
                       [](std::byte byte) { return byte == untouched; });
  };
  if (!is_untouched(0, guard) || !is_untouched(output_.size() - guard, output_.size()))
    return false;
  if (input_ != contribution_) return false;
  const auto result = std::span(output_).subspan(compared_from_, compared_to_ - compared_from_);
  if (spec_.kind == Kind::complex64) return are_equal<float>(result, expected_);
  if (spec_.kind == Kind::complex128) return are_equal<double>(result, expected_);
  return std::equal(result.begin(), result.end(), expected_.begin());
}

}  // namespace cartwright::comm::testing
