#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""solver_lengths.py ROOT: the functions of the solvers in apps/pde stay short, counted as the tutorial counts: lines that
are neither blank nor comment, as clang-format lays them out. At most 60 each, of euler and navier_stokes 120; the same holds for all
that a solver consists of but its kernels for single points, its keys and its entry."""
import pathlib
import re
import sys

MORE = {"euler": 120, "navier_stokes": 120}
WHOLE_IS_LONGER = {"lattice_boltzmann"}  # with the rule for open faces, what is shown and its check of the grid


def functions(code):
    """Each top-level function: its name, and its lines with the template's line and the signature."""
    code = re.sub(r"/\*.*?\*/", "", code, flags=re.DOTALL)
    lines = [line for line in re.sub(r"//[^\n]*", "", code).splitlines() if line.strip()]
    head = []
    for line in lines:
        if line.startswith(("#include", "namespace", "using ", "}  ")) or (not head and line == "};"):
            continue
        head.append(line)
        if line in ("}", "};") or (len(head) == 1 and line.endswith(";")):
            found = re.search(r"(\w+)\(", " ".join(head))
            if line == "}" and found:
                yield found[1], len(head), "KOKKOS_" in " ".join(head[:3])
            head = []


def main(root):
    good = True
    for source in sorted((root / "apps/pde").glob("*.cpp")):
        most = MORE.get(source.stem, 60)
        found = list(functions(source.read_text()))
        lengths = {name: length for name, length, _ in found}
        longest = max(lengths, key=lengths.get, default=None)
        whole = sum(length for name, length, is_kernel in found if not is_kernel and not name.endswith(("_schema", "_solver")))
        print(f"{source.name}: {lengths.get(source.stem, '-')} lines, longest {longest}, {lengths.get(longest)}, whole {whole}")
        good = good and all(length <= most for length in lengths.values())
        good = good and (whole <= most or source.stem in WHOLE_IS_LONGER)
    return 0 if good else 1


sys.exit(main(pathlib.Path(sys.argv[1])))
