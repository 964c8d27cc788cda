# SPDX-License-Identifier: Apache-2.0
# Warning flags of our own sources: link PRIVATE, never installed.
add_library(cartwright_warnings INTERFACE)
target_compile_options(
  cartwright_warnings
  INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Wall;-Wextra;-Wpedantic;-Wconversion;-Wsign-conversion;-Wshadow;-Wnon-virtual-dtor;-Wold-style-cast;-Wcast-align;-Woverloaded-virtual;-Wnull-dereference;-Wdouble-promotion;-Wformat=2>
            $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wduplicated-cond;-Wduplicated-branches;-Wlogical-op>
            $<$<BOOL:${CARTWRIGHT_WERROR}>:-Werror>)
