// SPDX-License-Identifier: Apache-2.0
// For what hosts and devices compute alike, in headers that don't need Kokkos for anything else.
#pragma once

#if defined(__CUDACC__) || defined(__HIPCC__)
#define CARTWRIGHT_BOTH_SIDES __host__ __device__
#else
#define CARTWRIGHT_BOTH_SIDES
#endif
