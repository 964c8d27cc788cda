// SPDX-License-Identifier: Apache-2.0
#include "failing_allocation.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

constinit thread_local bool is_wanted = false;
constinit thread_local long allocations_before = 0;
constinit thread_local bool are_counted = false;
constinit thread_local long counted = 0;

}  // namespace

// Those of the whole program; the standard library's other forms come here, too.
void* operator new(std::size_t bytes) {
  if (are_counted) ++counted;
  if (is_wanted && allocations_before-- == 0) throw std::bad_alloc();
  if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace cartwright::test {

FailingAllocation::FailingAllocation(long count) noexcept {
  allocations_before = count;
  is_wanted = true;
}

FailingAllocation::~FailingAllocation() {
  is_wanted = false;
}

bool FailingAllocation::has_failed() const noexcept {
  return allocations_before < 0;
}

CountedAllocations::CountedAllocations() noexcept {
  counted = 0;
  are_counted = true;
}

CountedAllocations::~CountedAllocations() {
  are_counted = false;
}

long CountedAllocations::count() const noexcept {
  return counted;
}

}  // namespace cartwright::test
