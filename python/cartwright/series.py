# SPDX-License-Identifier: Apache-2.0
"""One field over all outputs of a run."""
import numpy

from .reading import ResultsError, edges_of, open_file, positions


class Series:
    """A field over time. Indexing reads what it names and no more; the first index is the output, then come the axes of
    `axes` (the last one is x), then the component of a field that has several:

        u[-1]           the last output
        u[:, 10, 20]    all outputs at y cell 10, x cell 20: shape (outputs,)
        u[0, ..., 1]    component 1 of the first output
    """

    def __init__(self, run, info, files, steps, times):
        self._run, self._info, self._files, self._lengths = run, info, files, None
        #: numpy arrays, one number an output; times in `time_unit`.
        self.steps, self.times = steps, times

    name = property(lambda self: self._info.name)
    unit = property(lambda self: self._info.unit)
    dtype = property(lambda self: self._info.dtype)
    centring = property(lambda self: self._info.centring, doc="cell, node, face_x, face_y or face_z")
    axes = property(lambda self: tuple(self._info.axes), doc="slowest first: ('y', 'x')")
    components = property(lambda self: tuple(self._info.component_names), doc="names; empty for a field of numbers")
    component_units = property(lambda self: tuple(self._info.component_units))
    time_unit = property(lambda self: self._run.time_unit, doc="s; empty: steps of an iteration")
    shape = property(lambda self: (len(self._files), *self._info.shape))
    ndim = property(lambda self: len(self.shape))

    def __len__(self):
        return len(self._files)

    def __repr__(self):
        unit = f" in {self.unit}" if self.unit else ""
        return f"<{self.name}{unit}: shape {self.shape}, {self.dtype}, {self.centring}>"

    @property
    def length_unit(self):
        return self._places()[1]

    @property
    def coordinates(self):
        """Where the points are, {"y": array, "x": array} in `length_unit`; also of stretched cells."""
        return self._places()[0]

    x = property(lambda self: self._along("x"), doc="of the points, in `length_unit`")
    y = property(lambda self: self._along("y"))
    z = property(lambda self: self._along("z"))

    def component(self, name):
        """All outputs of one component, by its name: shape (outputs, nz, ny, nx), as an array."""
        return self[..., self._component_number(name)]

    def at(self, time):
        """The output that is the nearest to a time: (its time, array)."""
        nearest = int(numpy.argmin(numpy.abs(self.times - time)))
        return self.times[nearest], self[nearest]

    def nearest(self, **places):
        """All outputs at the points nearest to `x=`, `y=`, `z=`; axes that aren't named stay:
        u.nearest(x=0.5) has the shape (outputs, ny)."""
        unknown = set(places) - set(self.axes)
        if unknown:
            raise ResultsError(f"'{self.name}' has the axes {', '.join(self.axes)}, not {', '.join(sorted(unknown))}")
        key = tuple(int(numpy.argmin(numpy.abs(self._along(axis) - places[axis]))) if axis in places else slice(None)
                    for axis in self.axes)
        return self[(slice(None), *key)]

    def __iter__(self):
        return (self[number] for number in range(len(self)))

    def __array__(self, dtype=None, copy=None):
        return self[:].astype(dtype or self.dtype, copy=False)

    def __getitem__(self, key):
        key = self._full(key if isinstance(key, tuple) else (key,))
        chosen = numpy.arange(len(self))[key[0]]  # IndexError where there is no such output
        if numpy.ndim(chosen) == 0:
            return self._read(int(chosen), key[1:])
        if len(chosen) == 0:
            return numpy.empty((0, *numpy.empty(self.shape[1:], dtype=bool)[key[1:]].shape), self.dtype)
        return numpy.stack([self._read(int(number), key[1:]) for number in chosen])

    def to_xarray(self):
        """An xarray.DataArray with coordinates, `units` and `long_name` (Climate and Forecast conventions). Reads all."""
        import xarray
        coordinates = {"time": ("time", self.times, {"units": self.time_unit, "axis": "T"}),
                       "step": ("time", self.steps)}
        dimensions = ["time"]
        for axis, places in self.coordinates.items():
            name = axis + "_edge" if self._info.is_on_edges(axis) else axis
            dimensions.append(name)
            coordinates[name] = (name, places, {"units": self.length_unit, "axis": axis.upper()})
        if self.components:
            dimensions.append("component")
            coordinates["component"] = list(self.components)
        attributes = {"units": self.unit, "long_name": self.name, "centring": self.centring}
        if self.component_units:
            attributes["component_units"] = ", ".join(self.component_units)
        return xarray.DataArray(self[:], coordinates, dimensions, self.name, attributes)

    def _read(self, number, key):
        with open_file(self._files[number]) as file:
            if self.name not in file:
                raise ResultsError(f"'{self._files[number]}' has no field '{self.name}'")
            dataset = file[self.name]
            if dataset.shape != self._info.shape:
                raise ResultsError(f"'{self.name}' has another shape in '{self._files[number]}'")
            # Negative steps and several lists are numpy's, not HDF5's.
            simple = all(isinstance(part, (int, numpy.integer)) or
                         isinstance(part, slice) and (part.step is None or part.step > 0) for part in key)
            return dataset[key] if simple else dataset[...][key]

    def _full(self, key):
        """With `...` written out, and one entry for each axis."""
        places = [number for number, part in enumerate(key) if part is Ellipsis]
        if any(part is None for part in key) or len(places) > 1 or len(key) - len(places) > self.ndim:
            raise IndexError(f"'{self.name}' has {self.ndim} indices: the output, {', '.join(self.axes)}"
                             + (", the component" if self.components else ""))
        missing = (slice(None),) * (self.ndim - len(key) + len(places))
        at = places[0] if places else len(key)
        return (*key[:at], *missing, *key[at + 1:])

    def _component_number(self, name):
        if name not in self.components:
            raise ResultsError(f"'{self.name}' has no component '{name}'; there are: {', '.join(self.components) or 'none'}")
        return self.components.index(name)

    def _places(self):
        if self._lengths is None:
            with open_file(self._files[0]) as file:
                edges, unit = edges_of(file)
            self._lengths = positions(self._info, edges), unit
        return self._lengths

    def _along(self, axis):
        if axis not in self.axes:
            raise ResultsError(f"'{self.name}' has no axis {axis}")
        return self.coordinates[axis]
