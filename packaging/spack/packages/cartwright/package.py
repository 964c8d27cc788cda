# SPDX-License-Identifier: Apache-2.0
"""A recipe for Spack (https://spack.io)."""
from spack.package import *


class Cartwright(CMakePackage):
    """Solvers on Cartesian grids: MPI between processes, Kokkos inside one."""

    # Where the sources are: a checkout, by `spack dev-build cartwright@main`, or `git` given here.
    version("main", branch="main")

    variant("grid", default=True, description="Grids, linear systems and the apps; without: communication only")
    variant("hypre", default=False, when="+grid", description="hypre's multigrid behind the keys of linear systems")
    variant("cuda", default=False, when="+grid", description="Kernels on NVIDIA's devices")
    variant("rocm", default=False, when="+grid", description="Kernels on AMD's devices")
    conflicts("+cuda", when="+rocm")
    conflicts("%gcc@:11", msg="C++20 of g++ 12 or later is needed")

    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    generator("ninja")

    depends_on("mpi@3:")
    depends_on("hwloc")
    depends_on("yaml-cpp@0.7:")
    depends_on("fmt@9:")
    depends_on("nlohmann-json@3:")
    depends_on("cli11", type="build")

    with when("+grid"):
        depends_on("kokkos@3.4:5 +openmp", when="~cuda~rocm")
        depends_on("kokkos@3.4:5 +cuda +openmp", when="+cuda")
        depends_on("kokkos@3.4:5 +rocm +openmp", when="+rocm")
        depends_on("hdf5@1.10.7: +mpi")
        depends_on("plplot +pango")  # with which comes its driver for pictures, by cairo
        depends_on("libpng")
        depends_on("muparser")
        depends_on("openblas")
        depends_on("netlib-scalapack")
        depends_on("hypre +mpi", when="+hypre")

    def cmake_args(self):
        device = "cuda" if self.spec.satisfies("+cuda") else "hip" if self.spec.satisfies("+rocm") else ""
        return [
            self.define_from_variant("CARTWRIGHT_GRID", "grid"),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_Hypre", not self.spec.satisfies("+hypre")),
            self.define("CARTWRIGHT_DEVICE", device),
            self.define("CARTWRIGHT_UNITY", True),
            self.define("CARTWRIGHT_TESTS", False),
        ]

    @run_after("install")
    def install_programs(self):
        """`programs` is a component of its own, which a plain installation leaves out."""
        with working_dir(self.build_directory):
            cmake("--install", ".", "--component", "programs")
