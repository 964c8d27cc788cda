# SPDX-License-Identifier: Apache-2.0
"""Results of Cartwright's runs as numpy arrays.

    import cartwright
    run = cartwright.open("out/heat")
    u = run["temperature"]              # all outputs: nothing is read yet
    u.times, u.unit, u.x                # when (s), in what (K), where (m)
    u[-1]                               # the last one: an array of shape (ny, nx)
    run.tables["diagnostics"]["temperature_max"]

Needs numpy and h5py (Debian: python3-h5py); `to_xarray` also needs xarray.
"""
from .reading import ResultsError
from .results import Checkpoint, Results, open
from .series import Series
from .tables import Table

__version__ = "0.1.0"
__all__ = ["Checkpoint", "Results", "ResultsError", "Series", "Table", "open"]
