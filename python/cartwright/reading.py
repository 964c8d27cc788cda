# SPDX-License-Identifier: Apache-2.0
"""What HDF5 files of a run say of themselves."""
import h5py
import numpy


class ResultsError(Exception):
    """What is missing or damaged, and where."""


def open_file(path):
    """Opened for reading, without a lock: a run that goes on may write beside it."""
    try:
        try:
            return h5py.File(path, "r", locking=False)
        except (TypeError, ValueError):  # h5py before 3.5, HDF5 before 1.10.7
            return h5py.File(path, "r")
    except OSError as error:
        raise ResultsError(f"'{path}' can't be read: {error}") from error


def text(value):
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def words(value):
    """"y, x" as ["y", "x"]; an empty text has none."""
    return [word.strip() for word in text(value).split(",")] if value else []


def fields_of(file):
    """Names of the datasets that are fields, in the file's order."""
    return [name for name, item in file.items() if isinstance(item, h5py.Dataset) and "centring" in item.attrs]


class FieldInfo:
    """A field as its dataset describes it."""

    def __init__(self, dataset):
        attributes = dataset.attrs
        self.name = dataset.name.lstrip("/")
        self.dtype = dataset.dtype
        self.unit = text(attributes["unit"])
        self.centring = text(attributes["centring"])
        self.axes = words(attributes["axes"])
        self.shape = dataset.shape
        self.component_names = words(attributes.get("components", ""))
        self.component_units = words(attributes["component_units"]) if "component_units" in attributes else []
        if not self.component_names and len(self.shape) > len(self.axes):
            self.component_names = [str(number) for number in range(self.shape[-1])]

    def like(self, other):
        return (self.shape, self.dtype, self.axes, self.centring) == (other.shape, other.dtype, other.axes, other.centring)

    def is_on_edges(self, axis):
        """Do the points lie where cells begin (nodes, and faces across this axis), or at their centres?"""
        return self.centring in ("node", "face_" + axis)


def edges_of(file):
    """Of cells along each axis, {"x": nx + 1 numbers, ...}, and the unit of length."""
    if "edges" not in file:
        raise ResultsError(f"'{file.filename}' was written by an older program: it doesn't say where its cells are")
    return {axis: item[...] for axis, item in file["edges"].items()}, text(file.attrs["length_unit"])


def positions(info, edges):
    """Where the points of a field are, one array an axis."""
    found = {}
    for place, axis in enumerate(info.axes):
        if axis == "particle":  # its number; where it is, is another dataset
            found[axis] = numpy.arange(info.shape[place])
            continue
        along = edges[axis]
        if not info.is_on_edges(axis):
            along = 0.5 * (along[:-1] + along[1:])
        found[axis] = numpy.array(along[:info.shape[place]])  # a periodic axis has one node less
    return found
