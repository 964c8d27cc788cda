# SPDX-License-Identifier: Apache-2.0
"""Opens what xdmf_sample wrote with ParaView's own reader: times, axis order, positions and values."""

import sys

import numpy as np
from paraview import servermanager, simple
from paraview.vtk.util.numpy_support import vtk_to_numpy

TIMES = [0.0, 1.25, 2.5]


def expected(shape, component=0):
    """x + 100 y + 10000 z + 1000000 component, x fastest; `shape` is (nx, ny, nz)."""
    z, y, x = np.meshgrid(*(np.arange(n) for n in reversed(shape)), indexing="ij")
    return (x + 100 * y + 10000 * z + 1000000 * component).ravel().astype(float)


def blocks(data):
    """The data sets of a reader's output, composite or not."""
    if data.IsA("vtkMultiPieceDataSet"):
        return [b for i in range(data.GetNumberOfPieces()) for b in blocks(data.GetPiece(i))]
    if data.IsA("vtkMultiBlockDataSet"):
        return [b for i in range(data.GetNumberOfBlocks()) for b in blocks(data.GetBlock(i))]
    return [data]


def arrays(attributes):
    return {
        attributes.GetArrayName(i): vtk_to_numpy(attributes.GetArray(i))
        for i in range(attributes.GetNumberOfArrays())
    }


def same(what, found, wanted):
    if not np.allclose(np.asarray(found, dtype=float), wanted, rtol=1e-12):
        raise AssertionError(f"{what}: found {found}, expected {wanted}")


def check_cells(image, extent, time):
    found = arrays(image.GetCellData())
    same("cells", found["cells"], expected(extent) + time)
    same("single", found["single"], expected(extent) + time)
    same("whole", found["whole"], np.trunc(expected(extent) + time))
    same("large", found["large"], np.trunc(expected(extent) + time))
    same("mark", found["mark"], expected(extent) % 256)
    same("small", found["small"], expected(extent) % 65536)
    for name, components in (("pair", 2), ("vector", 3)):
        assert found[name].shape == (np.prod(extent), components), found[name].shape
        for c in range(components):
            same(name, found[name][:, c], expected(extent, c) + time)


def check_positions(image, extent, origin, spacing):
    nodes = [n + 1 if n > 1 or i == 0 else 1 for i, n in enumerate(extent)]
    assert list(image.GetDimensions()) == nodes, (image.GetDimensions(), nodes)
    same("first node", image.GetPoint(0), origin)
    last = [o + s * (n - 1) for o, s, n in zip(origin, spacing, nodes)]
    same("last node", image.GetPoint(image.GetNumberOfPoints() - 1), last)


def check(file, extent, origin, spacing, node_shape):
    reader = simple.OpenDataFile(file)
    assert reader is not None, f"ParaView cannot open {file}"
    same("times", reader.TimestepValues, TIMES)
    for time in TIMES:
        reader.UpdatePipeline(time)  # simple.UpdatePipeline ignores time 0
        images = blocks(servermanager.Fetch(reader))
        check_cells(images[0], extent, time)
        check_positions(images[0], extent, origin, spacing)
        same("nodes", arrays(images[-1].GetPointData())["nodes"], expected(node_shape) + time)
    print("right:", file)


directory = sys.argv[1]
check(f"{directory}/one/line.xdmf", (5, 1, 1), (-1, 0, 0), (2, 1, 1), (6, 1, 1))
check(f"{directory}/two/plane.xdmf", (5, 3, 1), (-1, 2, 0), (2, 3, 1), (6, 4, 1))
check(f"{directory}/three/space.xdmf", (5, 3, 4), (-1, 2, 3), (2, 3, 0.5), (6, 4, 5))
check(f"{directory}/ring/ring.xdmf", (5, 3, 1), (-1, 2, 0), (2, 3, 1), (5, 4, 1))
