# SPDX-License-Identifier: Apache-2.0
"""The output directory of a run."""
import json
import os
import pathlib
import re

import numpy

from .reading import FieldInfo, ResultsError, edges_of, fields_of, open_file, text
from .series import Series
from .tables import Table

_STEP = re.compile(r"(?P<name>.+)_(?P<step>\d+)\.h5$")
_SEAL = b"\nCARTWRIGHT-SEAL\n"


def open(path):
    """The results below `path` (a run's output directory) or in one file of its `fields/` or `checkpoints/`. What is there
    now counts: open once more to see what a run that goes on has written since."""
    return Results(path)


class Results:
    """What a run has written: run["temperature"] is a field over all outputs."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        if not self.path.exists():
            raise ResultsError(f"there is no '{self.path}'")
        self._files = self._output_files()
        if self.path.is_dir() and not self._may_be_of_a_run():
            raise ResultsError(f"'{self.path}' is no output directory of a run: it has no fields, checkpoints, tables (*.csv), "
                               "pictures or report.json")
        self._series = {}
        self.steps, self.times, self.time_unit = self._moments()

    def _output_files(self):
        if self.path.is_file():
            return [self.path]
        return _by_step(self.path / "fields")

    def _may_be_of_a_run(self):
        """One that has just begun hasn't written anything."""
        there = {each.name for each in self.path.iterdir()}
        return not there or bool(there & {"fields", "checkpoints", "pictures", "report.json"}) or any(
            name.endswith(".csv") for name in there)

    def _moments(self):
        steps, times, unit = [], [], "s"
        for path in self._files:
            with open_file(path) as file:
                if "step" not in file.attrs or "time" not in file.attrs:
                    raise ResultsError(f"'{path}' wasn't written by a run of Cartwright")
                steps.append(int(file.attrs["step"]))
                times.append(float(file.attrs["time"]))
                unit = text(file.attrs.get("time_unit", unit))
        return numpy.array(steps, dtype=numpy.int64), numpy.array(times), unit

    @property
    def fields(self):
        """Names of the fields."""
        return tuple(self._infos())

    def __contains__(self, field):
        return field in self._infos()

    def __iter__(self):
        return iter(self.fields)

    def __getitem__(self, field):
        return self.series(field)

    def series(self, field):
        """A field over all outputs."""
        infos = self._infos()
        if field not in infos:
            raise ResultsError(f"'{self.path}' has no field '{field}'; there are: {', '.join(infos) or 'none'}")
        return Series(self, infos[field], self._files, self.steps, self.times)

    def __repr__(self):
        return f"<results in '{self.path}': {len(self._files)} outputs of {', '.join(self.fields) or 'no field'}>"

    @property
    def edges(self):
        """Where cells begin along each axis, and where the last one ends: {"x": array of nx + 1, ...} in the unit of
        length of the fields."""
        with open_file(self._first()) as file:
            return edges_of(file)[0]

    @property
    def deck(self):
        """The deck as text, with what the command line changed, of the last output: a restart may have changed it."""
        return self._note("run/deck", -1)

    @property
    def layout(self):
        """How the grid was spread over ranks, as text."""
        return self._note("run/layout")

    @property
    def attributes(self):
        """Of the first output: version, commit, deck_name…"""
        with open_file(self._first()) as file:
            return {name: text(value) if isinstance(value, bytes) else value for name, value in file.attrs.items()}

    @property
    def report(self):
        """The final report, as report.json has it; None while the run goes on."""
        path = self.path / "report.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None

    @property
    def tables(self):
        """{name: Table} of the CSV files: diagnostics, convergence, and the solver's own."""
        if self.path.is_file():
            return _Tables()
        units = self._units() if self._files else {}
        return _Tables({path.stem: Table(path, units) for path in sorted(self.path.glob("*.csv"))})

    @property
    def checkpoints(self):
        """The whole checkpoints, oldest first; damaged ones are passed over."""
        found = []
        for path in _by_step(self.path / "checkpoints") if self.path.is_dir() else []:
            try:
                found.append(Checkpoint(path))
            except ResultsError:
                continue
        return found

    def to_xarray(self, fields=None):
        """An xarray.Dataset of all fields (or those named), over time. Reads everything: choose before where that is much."""
        import xarray
        return xarray.Dataset({name: self.series(name).to_xarray() for name in fields or self.fields},
                              attrs={key: str(value) for key, value in self.attributes.items()
                                     if key in ("version", "commit", "deck_name")})

    def _first(self):
        if not self._files:
            raise ResultsError(f"'{self.path}' has no fields (fields/*.h5)")
        return self._files[0]

    def _infos(self):
        if not self._series and self._files:
            with open_file(self._first()) as file:
                self._series = {name: FieldInfo(file[name]) for name in fields_of(file)}
        return self._series

    def _note(self, name, output=0):
        self._first()  # there is one
        with open_file(self._files[output]) as file:
            return text(file[name][()])

    def _units(self):
        units = {"time": self.time_unit}
        for name, info in self._infos().items():
            units[name] = info.unit
            whole = name.rsplit(".", 1)[0] if "." in name else name  # gas.velocity has gas.velocity_x
            for component, unit in zip(info.component_names, info.component_units):
                units[f"{whole}.{component}"] = unit
        return units


class _Tables(dict):
    def __missing__(self, name):
        raise ResultsError(f"there is no table '{name}'; there are: {', '.join(self) or 'none'}")


class Checkpoint(Results):
    """What a restart needs: fields as they were in memory, and the solver's scalars and arrays. checkpoint["gas"] is an
    array, and checkpoint.series("gas") knows what its components are called, and where its points are."""

    def __init__(self, path):
        super().__init__(path)
        self._record = _record_of(self.path)
        self.step, self.time = int(self.steps[0]), float(self.times[0])

    def __getitem__(self, field):
        return self.series(field)[0]

    @property
    def numbers(self):
        """{name: number or array} of the solver's `Scalar`s and `Array`s."""
        found = {}
        for each in self._record["numbers"]:
            kind = "bool" if each["type"] == "boolean" else each["type"]
            values = numpy.frombuffer(bytes.fromhex(each["bytes"]), dtype=kind)
            found[each["name"]] = values[0] if len(values) == 1 else values.copy()
        return found

    @property
    def settings(self):
        """What a run that goes on from here must have in common with this one."""
        return dict(self._record["must_match"])


def _by_step(directory):
    found = []
    for path in directory.glob("*.h5") if directory.is_dir() else []:
        match = _STEP.match(path.name)
        if match:
            found.append((int(match["step"]), path))
    return [path for _, path in sorted(found)]


def _record_of(path):
    """The JSON text behind the HDF5 data: text, its length and its hash (16 digits each), and a mark."""
    footer = 32 + len(_SEAL)
    try:
        with path.open("rb") as file:
            file.seek(-footer, os.SEEK_END)
            end = file.tell()
            lengths = file.read()
            if not lengths.endswith(_SEAL):
                raise ValueError
            file.seek(end - int(lengths[:16], 16))
            return json.loads(file.read()[:-footer].decode("utf-8"))
    except (ValueError, OSError):
        raise ResultsError(f"'{path}' is no whole checkpoint") from None
