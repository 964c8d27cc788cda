// SPDX-License-Identifier: Apache-2.0
// The allocator of C++, and the one that Kokkos asks.
#include <dlfcn.h>

#include <cerrno>
#include <cstdlib>
#include <new>

#include "faults.hpp"

namespace {

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

void* allocate(std::size_t bytes) {
  void* const memory = faults::fails(faults::Kind::memory, "operator new")
                           ? nullptr
                           : std::malloc(bytes > 0 ? bytes : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) {
  return allocate(bytes);
}
void* operator new[](std::size_t bytes) {
  return allocate(bytes);
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  if (faults::fails(faults::Kind::memory, "operator new (nothrow)")) return nullptr;
  return std::malloc(bytes > 0 ? bytes : 1);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  void* memory = nullptr;
  if (faults::fails(faults::Kind::memory, "operator new (aligned)") ||
      ::posix_memalign(&memory, static_cast<std::size_t>(alignment), bytes) != 0)
    throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

extern "C" {

int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  if (faults::fails(faults::Kind::memory, "posix_memalign")) return ENOMEM;
  static const auto real = next<int (*)(void**, std::size_t, std::size_t)>("posix_memalign");
  return real(memory, alignment, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  if (faults::fails(faults::Kind::memory, "aligned_alloc")) return nullptr;
  static const auto real = next<void* (*)(std::size_t, std::size_t)>("aligned_alloc");
  return real(alignment, bytes);
}
}
