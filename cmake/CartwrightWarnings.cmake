# SPDX-License-Identifier: Apache-2.0
# Warning flags of our own sources: link PRIVATE, never installed.
# Not among them, because g++ 12 finds faults in its own library with them: -Wnull-dereference, -Wrestrict; and, where a
# sanitizer adds code, -Wmaybe-uninitialized.
add_library(cartwright_warnings INTERFACE)
target_compile_options(
  cartwright_warnings
  INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Wall;-Wextra;-Wpedantic;-Wconversion;-Wshadow;-Wnon-virtual-dtor;-Wold-style-cast;-Wcast-align;-Woverloaded-virtual;-Wdouble-promotion;-Wformat=2>
            $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wduplicated-cond;-Wduplicated-branches;-Wlogical-op;-Wno-restrict>
            $<$<AND:$<BOOL:${CARTWRIGHT_SANITIZE}>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:-Wno-maybe-uninitialized>
            $<$<AND:$<BOOL:${CARTWRIGHT_WERROR}>,$<COMPILE_LANGUAGE:CXX>>:-Werror>)
