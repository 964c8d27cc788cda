# SPDX-License-Identifier: Apache-2.0
"""CSV files of a run: numbers over steps."""
import csv
import re

import numpy

from .reading import ResultsError


class Table:
    """Columns as numpy arrays, by name: table["time"]. `step` and `iteration` are integers, all else doubles."""

    def __init__(self, path, units):
        self.path = path
        with open(path, newline="", encoding="utf-8") as file:
            lines = file.readlines()
        # A run that goes on may be in the middle of its last row, and of that row's last number.
        if lines and not lines[-1].endswith("\n"):
            lines.pop()
        rows = list(csv.reader(lines))
        if not rows:
            raise ResultsError(f"'{path}' is empty")
        self.columns = tuple(rows[0])
        whole = [row for row in rows[1:] if len(row) == len(self.columns)]
        try:
            self._data = {name: numpy.array([row[number] for row in whole], dtype=_type_of(name))
                          for number, name in enumerate(self.columns)}
        except ValueError as error:
            raise ResultsError(f"'{path}' holds something that is no number: {error}") from error
        #: {column: unit} of those whose unit is known.
        self.units = {name: unit for name in self.columns if (unit := _unit_of(name, units)) is not None}

    def __getitem__(self, column):
        if column not in self._data:
            raise ResultsError(f"'{self.path}' has no column '{column}'; there are: {', '.join(self.columns)}")
        return self._data[column]

    def __contains__(self, column):
        return column in self._data

    def __len__(self):
        return len(next(iter(self._data.values())))

    def __repr__(self):
        return f"<table of {len(self)} rows: {', '.join(self.columns)}>"


def _type_of(column):
    return numpy.int64 if column in ("step", "iteration") else numpy.float64


def _unit_of(column, units):
    """`units`: of fields and single components, and of time. A statistic has its field's unit."""
    if column in ("time", "dt"):
        return units.get("time")
    return units.get(re.sub(r"_(min|max|mean|l2)$", "", column))
