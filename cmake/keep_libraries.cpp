// SPDX-License-Identifier: Apache-2.0
// Builds that look for leaks: what a library allocated can only be told from ours (by
// tests/sanitizers/leaks.supp) while the library is loaded, and Open MPI unloads its own before the
// end. So nothing is unloaded. The linker is asked for the variable, and finds the function with
// it.
extern "C" {
extern const int cartwright_keep_libraries;
const int cartwright_keep_libraries = 1;

int dlclose(void* library);
int dlclose(void* /*library*/) {
  return 0;
}
}
