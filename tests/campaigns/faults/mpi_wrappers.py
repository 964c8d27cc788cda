#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mpi_wrappers.py MPI_H: for every function of an MPI header, a definition that may fail instead of doing its work."""
import pathlib
import re
import sys

# Without them nothing can begin, end or be said.
NEVER = {"MPI_Init", "MPI_Init_thread", "MPI_Initialized", "MPI_Finalized", "MPI_Finalize", "MPI_Abort", "MPI_Error_string", "MPI_Error_class",
         "MPI_Query_thread", "MPI_Is_thread_main", "MPI_Get_library_version", "MPI_Get_version", "MPI_Pcontrol", "MPI_T_init_thread", "MPI_DUP_FN"}
# Of MPI-1, removed since: some headers still declare them.
REMOVED = {"MPI_Address", "MPI_Errhandler_create", "MPI_Errhandler_get", "MPI_Errhandler_set", "MPI_Type_extent", "MPI_Type_hindexed",
           "MPI_Type_hvector", "MPI_Type_lb", "MPI_Type_struct", "MPI_Type_ub"}


def whole(header, known):
    """Its text, with that of the files beside it which it includes: MPICH's mpi.h declares nothing itself."""
    if header in known or not header.exists():
        return ""
    known.add(header)
    return re.sub(r'^\s*#\s*include\s*["<]([^">]+)[">]', lambda match: whole(header.parent / match.group(1), known), header.read_text(encoding="utf-8"), flags=re.M)


def declarations(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//[^\n]*|^\s*#[^\n]*(?:\\\n[^\n]*)*", " ", text, flags=re.M)
    for match in re.finditer(r"\bint\s+(MPI_[A-Z][A-Za-z0-9_]*)\s*\(([^;{}]*?)\)\s*([^;{}]*);", text):
        name, parameters = match.group(1), match.group(2)
        if name in NEVER | REMOVED or name.startswith("MPI_T_") or "..." in parameters or re.search(r"_(f2c|c2f|f082c|c2f08|f082f|f2f08)$", name):
            continue
        yield name, [] if parameters.strip() in ("", "void") else split(parameters)


def split(parameters):
    """At commas outside of brackets."""
    parts, depth = [""], 0
    for letter in parameters:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [" ".join(part.split()) for part in parts]


def numbered(parameter, number):
    """The parameter with a name of ours."""
    name = f"a{number}"
    parameter = re.sub(r"\bMPICH_ATTR_\w+(\([^)]*\))?", "", parameter).strip()
    array = re.match(r"(.*?)(\w+)?\s*((?:\[[^\]]*\])+)$", parameter)
    if array:
        return f"{array.group(1)} {name}{array.group(3)}", name
    bare = re.match(r"(.*[\s*])(\w+)$", parameter)
    if bare and bare.group(2) not in ("int", "double", "char", "void"):
        return f"{bare.group(1)} {name}", name
    return f"{parameter} {name}", name


def main():
    print("// Written by mpi_wrappers.py.\n#include <mpi.h>\n\n#include \"faults.hpp\"\n\nextern \"C\" {")
    seen = set()
    for name, parameters in declarations(whole(pathlib.Path(sys.argv[1]), set())):
        if name in seen:
            continue
        seen.add(name)
        pairs = [numbered(parameter, i) for i, parameter in enumerate(parameters)]
        print(f"int {name}({', '.join(pair[0] for pair in pairs)}) {{\n"
              f"  if (faults::fails(faults::Kind::mpi, \"{name}\")) return MPI_ERR_OTHER;\n"
              f"  return P{name}({', '.join(pair[1] for pair in pairs)});\n}}")
    print("}")
    if "MPI_Send" not in seen:
        sys.exit(f"{sys.argv[1]} doesn't declare what MPI has")


main()
