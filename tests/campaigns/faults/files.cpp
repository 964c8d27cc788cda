// SPDX-License-Identifier: Apache-2.0
// What the file system is asked for, by path or by descriptor.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>

#include "faults.hpp"

namespace {

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

template <class Subject>
bool fails(Subject subject, const char* name) {
  return faults::watches(subject) && faults::fails(faults::Kind::file, name);
}

mode_t mode_of(int flags, va_list more) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  if (fails(path, "open")) return -1;
  static const auto real = next<int (*)(const char*, int, ...)>("open");
  return real(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  if (fails(path, "open64")) return -1;
  static const auto real = next<int (*)(const char*, int, ...)>("open64");
  return real(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_of(flags, more);
  va_end(more);
  if (fails(path, "openat")) return -1;
  static const auto real = next<int (*)(int, const char*, int, ...)>("openat");
  return real(folder, path, flags, mode);
}

std::FILE* fopen(const char* path, const char* mode) {
  if (fails(path, "fopen")) return nullptr;
  static const auto real = next<std::FILE* (*)(const char*, const char*)>("fopen");
  return real(path, mode);
}

std::FILE* fopen64(const char* path, const char* mode) {
  if (fails(path, "fopen64")) return nullptr;
  static const auto real = next<std::FILE* (*)(const char*, const char*)>("fopen64");
  return real(path, mode);
}

ssize_t write(int file, const void* data, size_t bytes) {
  if (fails(file, "write")) return -1;
  static const auto real = next<ssize_t (*)(int, const void*, size_t)>("write");
  return real(file, data, bytes);
}

ssize_t pwrite64(int file, const void* data, size_t bytes, off64_t at) {
  if (fails(file, "pwrite64")) return -1;
  static const auto real = next<ssize_t (*)(int, const void*, size_t, off64_t)>("pwrite64");
  return real(file, data, bytes, at);
}

ssize_t pwrite(int file, const void* data, size_t bytes, off_t at) {
  if (fails(file, "pwrite")) return -1;
  static const auto real = next<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite");
  return real(file, data, bytes, at);
}

ssize_t read(int file, void* data, size_t bytes) {
  if (fails(file, "read")) return -1;
  static const auto real = next<ssize_t (*)(int, void*, size_t)>("read");
  return real(file, data, bytes);
}

int fsync(int file) {
  if (fails(file, "fsync")) return -1;
  static const auto real = next<int (*)(int)>("fsync");
  return real(file);
}

int ftruncate64(int file, off64_t bytes) {
  if (fails(file, "ftruncate64")) return -1;
  static const auto real = next<int (*)(int, off64_t)>("ftruncate64");
  return real(file, bytes);
}

int ftruncate(int file, off_t bytes) {
  if (fails(file, "ftruncate")) return -1;
  static const auto real = next<int (*)(int, off_t)>("ftruncate");
  return real(file, bytes);
}

int posix_fallocate(int file, off_t begin, off_t bytes) {
  if (fails(file, "posix_fallocate")) return 28;  // ENOSPC is returned, not left in errno
  static const auto real = next<int (*)(int, off_t, off_t)>("posix_fallocate");
  return real(file, begin, bytes);
}

int fallocate(int file, int mode, off_t begin, off_t bytes) {
  if (fails(file, "fallocate")) return -1;
  static const auto real = next<int (*)(int, int, off_t, off_t)>("fallocate");
  return real(file, mode, begin, bytes);
}

int rename(const char* from, const char* to) {
  if (fails(to, "rename")) return -1;
  static const auto real = next<int (*)(const char*, const char*)>("rename");
  return real(from, to);
}

int mkdir(const char* path, mode_t mode) {
  if (fails(path, "mkdir")) return -1;
  static const auto real = next<int (*)(const char*, mode_t)>("mkdir");
  return real(path, mode);
}

int fdatasync(int file) {
  if (fails(file, "fdatasync")) return -1;
  static const auto real = next<int (*)(int)>("fdatasync");
  return real(file);
}

int fchmod(int file, mode_t mode) {
  if (fails(file, "fchmod")) return -1;
  static const auto real = next<int (*)(int, mode_t)>("fchmod");
  return real(file, mode);
}

int flock(int file, int operation) {
  if (fails(file, "flock")) return -1;
  static const auto real = next<int (*)(int, int)>("flock");
  return real(file, operation);
}

int fstat(int file, struct stat* status) {
  if (fails(file, "fstat")) return -1;
  static const auto real = next<int (*)(int, struct stat*)>("fstat");
  return real(file, status);
}

int stat(const char* path, struct stat* status) {
  if (fails(path, "stat")) return -1;
  static const auto real = next<int (*)(const char*, struct stat*)>("stat");
  return real(path, status);
}

int lstat(const char* path, struct stat* status) {
  if (fails(path, "lstat")) return -1;
  static const auto real = next<int (*)(const char*, struct stat*)>("lstat");
  return real(path, status);
}

int statvfs(const char* path, struct statvfs* status) {
  if (fails(path, "statvfs")) return -1;
  static const auto real = next<int (*)(const char*, struct statvfs*)>("statvfs");
  return real(path, status);
}

ssize_t writev(int file, const struct iovec* parts, int count) {
  if (fails(file, "writev")) return -1;
  static const auto real = next<ssize_t (*)(int, const struct iovec*, int)>("writev");
  return real(file, parts, count);
}

int remove(const char* path) {
  if (fails(path, "remove")) return -1;
  static const auto real = next<int (*)(const char*)>("remove");
  return real(path);
}

int rmdir(const char* path) {
  if (fails(path, "rmdir")) return -1;
  static const auto real = next<int (*)(const char*)>("rmdir");
  return real(path);
}

// Memory that ranks share, whatever its name.
int memfd_create(const char* name, unsigned flags) noexcept {
  if (faults::fails(faults::Kind::file, "memfd_create", faults::Whose::own)) return -1;
  static const auto real = next<int (*)(const char*, unsigned)>("memfd_create");
  return real(name, flags);
}

void* mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  static const auto real = next<void* (*)(void*, size_t, int, int, int, off_t)>("mmap");
  if (file >= 0 && faults::fails(faults::Kind::file, "mmap", faults::Whose::own)) return MAP_FAILED;
  return real(at, bytes, protection, flags, file, offset);
}

DIR* opendir(const char* path) {
  if (fails(path, "opendir")) return nullptr;
  static const auto real = next<DIR* (*)(const char*)>("opendir");
  return real(path);
}

DIR* fdopendir(int file) {
  if (fails(file, "fdopendir")) return nullptr;
  static const auto real = next<DIR* (*)(int)>("fdopendir");
  return real(file);
}

ssize_t readlink(const char* path, char* target, size_t bytes) {
  if (fails(path, "readlink")) return -1;
  static const auto real = next<ssize_t (*)(const char*, char*, size_t)>("readlink");
  return real(path, target, bytes);
}

int access(const char* path, int how) noexcept {
  if (fails(path, "access")) return -1;
  static const auto real = next<int (*)(const char*, int)>("access");
  return real(path, how);
}

size_t fwrite(const void* data, size_t bytes, size_t count, std::FILE* file) {
  if (fails(::fileno(file), "fwrite")) return 0;
  static const auto real = next<size_t (*)(const void*, size_t, size_t, std::FILE*)>("fwrite");
  return real(data, bytes, count, file);
}

int fclose(std::FILE* file) {
  const bool failing = fails(::fileno(file), "fclose");
  static const auto real = next<int (*)(std::FILE*)>("fclose");
  const int result = real(file);
  return failing ? EOF : result;
}

int unlink(const char* path) {
  if (fails(path, "unlink")) return -1;
  static const auto real = next<int (*)(const char*)>("unlink");
  return real(path);
}

int close(int file) {
  // A failed close has closed all the same.
  const bool failing = fails(file, "close");
  static const auto real = next<int (*)(int)>("close");
  const int result = real(file);
  return failing ? -1 : result;
}
}
