// SPDX-License-Identifier: Apache-2.0
// What a closure is given in a kernel's parameters (PTX) and what the host copies there.
#include <Kokkos_Core.hpp>
#include <cstdio>
using View = Kokkos::View<double*, Kokkos::CudaSpace>;
struct V2 { double* p; int n; char c; };
template <class L> __global__ void size_of(L l, int* o) { o[0] = sizeof(L); l(0); }
template <class L> void show(const char* n, L l, int* o) { printf("%s host %d\n", n, (int)sizeof(L)); size_of<<<1,1>>>(l, o); }
void a(View v, double d, int* o) { show("view,double", [=] __host__ __device__ (int i) { v(i) = d; }, o); }
void b(const View& v, double d, int* o) { show("ref view,double", [=] __host__ __device__ (int i) { v(i) = d; }, o); }
void c(V2 v, char k, int* o) { show("V2,char", [=] __host__ __device__ (int i) { v.p[i] = k; }, o); }
void d(View v, int* o) { show("view", [=] __host__ __device__ (int i) { v(i) = 1; }, o); }
void e(View v, double d, int* o) { show("double,view", [=] __host__ __device__ (int i) { double x = d; v(i) = x; }, o); }
int main() { View v; int* o = nullptr; a(v,1,o); b(v,1,o); c({},1,o); d(v,o); e(v,1,o); }
