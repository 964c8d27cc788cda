// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <atomic>
#include <bit>
#include <cartwright/comm/transport/shared_access.hpp>
#include <cartwright/comm/window/element_updates.hpp>
#include <cartwright/rt/error.hpp>
#include <complex>
#include <cstring>
#include <optional>
#include <thread>
#include <type_traits>

#include "../elements/reduction_operators.hpp"

namespace cartwright::comm {

namespace {

template <std::size_t bytes>
struct WordOf;
template <>
struct WordOf<1> {
  using Type = std::uint8_t;
};
template <>
struct WordOf<2> {
  using Type = std::uint16_t;
};
template <>
struct WordOf<4> {
  using Type = std::uint32_t;
};
template <>
struct WordOf<8> {
  using Type = std::uint64_t;
};

struct Replacement {
  template <class T>
  static T of(T /*left*/, T right) {
    return right;
  }
};
struct NoChange {
  template <class T>
  static T of(T left, T /*right*/) {
    return left;
  }
};

template <class T>
T element_at(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Where nobody else reaches the target.
template <class T, class Combine>
void update_alone(std::byte* target, const std::byte* operands, std::byte* former,
                  std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::byte* const at = target + i * sizeof(T);
    const T old = element_at<T>(at);
    if constexpr (!std::is_same_v<Combine, NoChange>) {
      const T now = Combine::template of<T>(old, element_at<T>(operands + i * sizeof(T)));
      std::memcpy(at, &now, sizeof now);
    }
    if (former != nullptr) std::memcpy(former + i * sizeof(T), &old, sizeof old);
  }
}

/// By the word that holds it, whatever it means.
template <class T, class Combine>
void update_words(std::byte* target, const std::byte* operands, std::byte* former,
                  // NOLINTNEXTLINE(readability-non-const-parameter): an ElementUpdate has it
                  std::size_t count, std::uint64_t* guard) {
  if (guard == nullptr) return update_alone<T, Combine>(target, operands, former, count);
  using Word = typename WordOf<sizeof(T)>::Type;
  for (std::size_t i = 0; i < count; ++i) {
    const std::atomic_ref<Word> word(reinterpret_cast<Word*>(target)[i]);
    Word old = word.load(std::memory_order_acquire);
    if constexpr (!std::is_same_v<Combine, NoChange>) {
      const T operand = element_at<T>(operands + i * sizeof(T));
      while (!word.compare_exchange_weak(
          old, std::bit_cast<Word>(Combine::template of<T>(std::bit_cast<T>(old), operand)),
          std::memory_order_acq_rel, std::memory_order_acquire)) {
      }
    }
    if (former != nullptr) std::memcpy(former + i * sizeof(T), &old, sizeof old);
  }
}

class Guarded {
 public:
  explicit Guarded(std::uint64_t& word) : word_(&word) {
    while (SharedAccess::exchange(*word_, 1) != 0) std::this_thread::yield();
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() { SharedAccess::store(*word_, 0); }

 private:
  std::uint64_t* word_;
};

/// Wider than a word: one after the other.
template <class T, class Combine>
void update_guarded(std::byte* target, const std::byte* operands, std::byte* former,
                    std::size_t count, std::uint64_t* guard) {
  std::optional<Guarded> guarded;
  if (guard != nullptr) guarded.emplace(*guard);
  update_alone<T, Combine>(target, operands, former, count);
}

template <class T, class Combine>
constexpr ElementUpdate update_by() {
  if constexpr (sizeof(T) <= sizeof(std::uint64_t) && !std::is_same_v<T, std::complex<float>>)
    return &update_words<T, Combine>;
  else
    return &update_guarded<T, Combine>;
}

template <class T, class Combine>
constexpr ElementUpdate defined() {
  if constexpr (requires(T value) { Combine::template of<T>(value, value); })
    return update_by<T, Combine>();
  else
    return nullptr;
}

template <class T>
ElementUpdate update_of(Update update) {
  if (update.code == Update::replace) return update_by<T, Replacement>();
  if (update.code == Update::none) return update_by<T, NoChange>();
  namespace by = elementwise;
  switch (static_cast<Operator>(update.code)) {
    case Operator::sum:
      return defined<T, by::Sum>();
    case Operator::product:
      return defined<T, by::Product>();
    case Operator::minimum:
      return defined<T, by::Minimum>();
    case Operator::maximum:
      return defined<T, by::Maximum>();
    case Operator::logical_and:
      return defined<T, by::LogicalAnd>();
    case Operator::logical_or:
      return defined<T, by::LogicalOr>();
    case Operator::logical_xor:
      return defined<T, by::LogicalXor>();
    case Operator::bit_and:
      return defined<T, by::BitAnd>();
    case Operator::bit_or:
      return defined<T, by::BitOr>();
    case Operator::bit_xor:
      return defined<T, by::BitXor>();
  }
  return nullptr;
}

ElementUpdate find_update(Update update, ScalarType type) {
  switch (type) {
    case ScalarType::boolean:
      return update_of<bool>(update);
    case ScalarType::int8:
      return update_of<std::int8_t>(update);
    case ScalarType::int16:
      return update_of<std::int16_t>(update);
    case ScalarType::int32:
      return update_of<std::int32_t>(update);
    case ScalarType::int64:
      return update_of<std::int64_t>(update);
    case ScalarType::uint8:
      return update_of<std::uint8_t>(update);
    case ScalarType::uint16:
      return update_of<std::uint16_t>(update);
    case ScalarType::uint32:
      return update_of<std::uint32_t>(update);
    case ScalarType::uint64:
      return update_of<std::uint64_t>(update);
    case ScalarType::float32:
      return update_of<float>(update);
    case ScalarType::float64:
      return update_of<double>(update);
    case ScalarType::long_double:
      return update_of<long double>(update);
    case ScalarType::complex64:
      return update_of<std::complex<float>>(update);
    case ScalarType::complex128:
      return update_of<std::complex<double>>(update);
  }
  return nullptr;
}

template <class Word>
void swap_word(std::byte* target, const std::byte* expected, const std::byte* desired,
               std::byte* former) {
  const std::atomic_ref<Word> word(*reinterpret_cast<Word*>(target));
  auto old = element_at<Word>(expected);
  (void)word.compare_exchange_strong(old, element_at<Word>(desired), std::memory_order_acq_rel,
                                     std::memory_order_acquire);
  std::memcpy(former, &old, sizeof old);
}

}  // namespace

ElementUpdate element_update(Update update, ScalarType type) {
  const ElementUpdate found = find_update(update, type);
  if (found == nullptr)
    throw rt::internal_failure(
        fmt::format("an epoch accumulates the {} of {}s, which is not defined",
                    name(static_cast<Operator>(update.code)), name(type)),
        "Count truth values as integers; compare complex numbers by their absolute values.");
  return found;
}

void compare_and_swap(std::byte* target, const std::byte* expected, const std::byte* desired,
                      std::byte* former, std::size_t size) {
  if (size == 1) return swap_word<std::uint8_t>(target, expected, desired, former);
  if (size == 2) return swap_word<std::uint16_t>(target, expected, desired, former);
  if (size == 4) return swap_word<std::uint32_t>(target, expected, desired, former);
  swap_word<std::uint64_t>(target, expected, desired, former);
}

}  // namespace cartwright::comm
