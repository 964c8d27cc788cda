# SPDX-License-Identifier: Apache-2.0
"""reader_test.py DIRECTORY: the results that reader_test.bash has made there, against h5py and against what decks say."""
import pathlib
import shutil
import sys
import unittest

import h5py
import numpy

import cartwright

WORK = pathlib.Path(sys.argv.pop(1))


def raw(name, step, field):
    """What h5py reads, without the package."""
    (path,) = (WORK / name / "fields").glob(f"*_{step:010d}.h5")
    with h5py.File(path) as file:
        return file[field][...]


class Fields(unittest.TestCase):
    def setUp(self):
        self.run_ = cartwright.open(WORK / "heat")
        self.u = self.run_["temperature"]

    def test_moments(self):
        self.assertEqual(self.run_.steps.tolist(), [0, 10, 20, 30, 40])
        self.assertEqual(self.run_.times[0], 0)
        self.assertTrue((numpy.diff(self.run_.times) > 0).all())
        self.assertEqual(self.run_.time_unit, "s")
        self.assertEqual(self.run_.fields, ("temperature",))

    def test_description(self):
        self.assertEqual(self.u.shape, (5, 16, 24))
        self.assertEqual((self.u.unit, self.u.length_unit, self.u.axes, self.u.centring), ("K", "m", ("y", "x"), "cell"))
        self.assertEqual((self.u.components, len(self.u), self.u.dtype), ((), 5, numpy.float64))
        numpy.testing.assert_allclose(self.u.x, (numpy.arange(24) + 0.5) * 2.0 / 24, rtol=1e-15)
        numpy.testing.assert_allclose(self.u.y, (numpy.arange(16) + 0.5) * 1.5 / 16, rtol=1e-15)
        with self.assertRaisesRegex(cartwright.ResultsError, "no axis z"):
            self.u.z

    def test_slices(self):
        everything = numpy.stack([raw("heat", step, "temperature") for step in self.run_.steps])
        numpy.testing.assert_array_equal(self.u[:], everything)
        numpy.testing.assert_array_equal(numpy.asarray(self.u), everything)
        for key in (-1, 0, slice(1, 4, 2), (slice(None), 3, 5), (2, slice(None), -1), (slice(None, None, -1), 3),
                    (1, slice(None, None, -2)), (..., 4), (slice(3, 3),), ([0, 4], slice(2, 5), slice(None, None, 3)),
                    (0, [1, 5]), (slice(None), ..., slice(1, 3)), (-1, -1, -1), (slice(9, None), 2)):
            numpy.testing.assert_array_equal(self.u[key], everything[key], err_msg=str(key))
        for key in (5, -6, (0, 16), (0, 0, 0, 0), (None,), (..., ...)):
            with self.assertRaises(IndexError, msg=str(key)):
                self.u[key]
        self.assertEqual(sum(1 for _ in self.u), 5)

    def test_places_and_times(self):
        time, values = self.u.at(self.run_.times[3] * 1.0001)
        self.assertEqual(time, self.run_.times[3])
        numpy.testing.assert_array_equal(values, self.u[3])
        numpy.testing.assert_array_equal(self.u.nearest(x=1.04, y=0), self.u[:, 0, 12])
        numpy.testing.assert_array_equal(self.u.nearest(x=99), self.u[:, :, 23])
        with self.assertRaisesRegex(cartwright.ResultsError, "axes y, x, not z"):
            self.u.nearest(z=1)

    def test_texts(self):
        self.assertIn("solver: heat", self.run_.deck)
        self.assertTrue(self.run_.layout)
        self.assertIn("version", self.run_.attributes)
        self.assertEqual(self.run_.report["sections"]["run"]["steps"], 40)
        self.assertEqual(repr(self.u), "<temperature in K: shape (5, 16, 24), float64, cell>")

    def test_tables(self):
        table = self.run_.tables["diagnostics"]
        self.assertEqual(table["step"].tolist(), [0, 10, 20, 30, 40])
        numpy.testing.assert_array_equal(table["time"], self.run_.times)
        numpy.testing.assert_array_equal(table["temperature_max"], self.u[:].max(axis=(1, 2)))
        self.assertEqual((table.units["temperature_max"], table.units["dt"]), ("K", "s"))
        with self.assertRaisesRegex(cartwright.ResultsError, "no column 'temperature'"):
            table["temperature"]

    def test_checkpoints(self):
        last = self.run_.checkpoints[-1]
        self.assertEqual((last.step, last.time), (40, self.run_.times[-1]))
        numpy.testing.assert_array_equal(last["temperature"], self.u[-1])
        self.assertEqual(last.settings["solver"], "heat")
        self.assertEqual(last.series("temperature").unit, "K")


class Grids(unittest.TestCase):
    def test_stretched(self):
        u = cartwright.open(WORK / "stretched")["temperature"]
        edges = 2.0 * (numpy.arange(21) / 20) ** 2
        numpy.testing.assert_allclose(u.x, 0.5 * (edges[1:] + edges[:-1]), rtol=1e-14)
        numpy.testing.assert_allclose(cartwright.open(WORK / "stretched").edges["x"], edges, rtol=1e-14)
        numpy.testing.assert_allclose(u.y, (numpy.arange(12) + 0.5) * 1.5 / 12, rtol=1e-14)

    def test_one_and_three_axes(self):
        line = cartwright.open(WORK / "line")["temperature"]
        self.assertEqual((line.axes, line.dtype, line.ndim), (("x",), numpy.float32, 2))
        box = cartwright.open(WORK / "box")["temperature"]
        self.assertEqual((box.axes, box.shape[1:]), (("z", "y", "x"), (4, 5, 6)))
        self.assertEqual(len(box.z), 4)
        self.assertEqual(box.nearest(z=0).shape, (len(box), 5, 6))

    def test_staggered(self):
        run = cartwright.open(WORK / "cavity")
        self.assertEqual(run["velocity_x"].shape[1:], (8, 13))
        numpy.testing.assert_allclose(run["velocity_x"].x, numpy.arange(13) / 12, atol=1e-15)
        numpy.testing.assert_allclose(run["velocity_x"].y, (numpy.arange(8) + 0.5) / 8, rtol=1e-15)
        numpy.testing.assert_allclose(run["velocity_y"].y, numpy.arange(9) / 8, atol=1e-15)

    def test_iterations(self):
        run = cartwright.open(WORK / "poisson")
        self.assertTrue(run.fields)
        for name in run.fields:
            self.assertTrue(numpy.isfinite(run[name][-1]).all())


class Components(unittest.TestCase):
    def setUp(self):
        self.run_ = cartwright.open(WORK / "euler")

    def test_vectors(self):
        velocity = self.run_["gas.velocity"]
        self.assertEqual(velocity.components, ("velocity_x", "velocity_y"))
        self.assertEqual(velocity.component_units, ("m/s", "m/s"))
        self.assertEqual(velocity.shape, (3, 8, 16, 2))
        numpy.testing.assert_array_equal(velocity.component("velocity_y"), velocity[:][..., 1])
        with self.assertRaisesRegex(cartwright.ResultsError, "there are: velocity_x, velocity_y"):
            velocity.component("u")

    def test_checkpoint(self):
        last = self.run_.checkpoints[-1]
        gas = last.series("gas")
        self.assertEqual(gas.components, ("density", "velocity_x", "velocity_y", "pressure"))
        self.assertEqual(gas.component_units, ("kg/m3", "m/s", "m/s", "Pa"))
        self.assertEqual(last["gas"].shape, (8, 16, 4))
        units = self.run_.tables["diagnostics"].units
        self.assertEqual((units["gas.velocity_x_l2"], units["gas.pressure_min"]), ("m/s", "Pa"))

    def test_one_file(self):
        (path,) = (WORK / "euler/fields").glob("*_0000000003.h5")
        one = cartwright.open(path)
        self.assertEqual((one.steps.tolist(), one.tables, one.checkpoints, one.report), ([3], {}, [], None))
        numpy.testing.assert_array_equal(one["gas.density"][0], raw("euler", 3, "gas.density"))


class Xarray(unittest.TestCase):
    def setUp(self):
        try:
            import xarray  # noqa: F401
        except ImportError:
            self.skipTest("xarray is not installed")

    def test_field(self):
        run = cartwright.open(WORK / "heat")
        u = run["temperature"].to_xarray()
        self.assertEqual((u.dims, u.attrs["units"], u.y.attrs["units"]), (("time", "y", "x"), "K", "m"))
        numpy.testing.assert_array_equal(u.sel(x=1.04, method="nearest").values, run["temperature"].nearest(x=1.04))

    def test_all(self):
        data = cartwright.open(WORK / "cavity").to_xarray()
        self.assertEqual(data["velocity_x"].dims, ("time", "y", "x_edge"))
        gas = cartwright.open(WORK / "euler").to_xarray(["gas.velocity"])["gas.velocity"]
        self.assertEqual(gas.sel(component="velocity_x").shape, (3, 8, 16))
        self.assertEqual(cartwright.open(WORK / "euler").checkpoints[-1].to_xarray()["gas"].shape, (1, 8, 16, 4))


class Faults(unittest.TestCase):
    def copy(self, name):
        target = WORK / "copy"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(WORK / name, target)
        return target

    def refused(self, words, action):
        with self.assertRaisesRegex(cartwright.ResultsError, words):
            action()

    def test_nothing_there(self):
        self.refused("there is no '.*nowhere'", lambda: cartwright.open(WORK / "nowhere"))
        empty = WORK / "empty"
        empty.mkdir(exist_ok=True)
        run = cartwright.open(empty)
        self.assertEqual((run.fields, len(run.times), run.tables, run.checkpoints), ((), 0, {}, []))
        self.refused("no field 'u'; there are: none", lambda: run["u"])
        self.refused("has no fields", lambda: run.deck)
        self.refused("there are: temperature", lambda: cartwright.open(WORK / "heat")["temprature"])

    def test_other_directories(self):
        other = WORK / "other"
        other.mkdir(exist_ok=True)
        (other / "main.cpp").touch()
        self.refused("no output directory of a run", lambda: cartwright.open(other))
        (other / "diagnostics.csv").write_text("step,time\n0,0\n", encoding="utf-8")
        self.refused("no table 'energies'; there are: diagnostics", lambda: cartwright.open(other).tables["energies"])

    def test_row_that_is_being_written(self):
        file = self.copy("heat") / "diagnostics.csv"
        whole = file.read_bytes()
        end_of_former = whole[:-1].rindex(b"\n") + 1
        for end in (len(whole) - 1, len(whole) - 4, whole.rindex(b","), end_of_former + 1, end_of_former):
            file.write_bytes(whole[:end])
            table = cartwright.open(file.parent).tables["diagnostics"]
            self.assertEqual(table["step"].tolist(), [0, 10, 20, 30], f"cut at {end} of {len(whole)} bytes")
        file.write_bytes(whole[:5])  # within the names of columns
        self.refused("diagnostics.csv' is empty", lambda: cartwright.open(file.parent).tables["diagnostics"])

    def test_foreign_and_damaged(self):
        target = self.copy("heat")
        (target / "fields/heat_0000000010.h5").write_bytes(b"no HDF5")
        self.refused("heat_0000000010.h5' can't be read", lambda: cartwright.open(target))
        target = self.copy("heat")
        with h5py.File(target / "fields/heat_0000000015.h5", "w") as file:
            file["temperature"] = numpy.zeros((2, 2))
        self.refused("wasn't written by a run", lambda: cartwright.open(target))
        target = self.copy("heat")
        (target / "fields/heat_0000000050.h5.unfinished").write_bytes(b"half")
        self.assertEqual(len(cartwright.open(target).steps), 5)

    def test_checkpoints(self):
        target = self.copy("heat")
        whole = len(cartwright.open(target).checkpoints)
        (last,) = (target / "checkpoints").glob("*40.h5")
        last.write_bytes(last.read_bytes()[:-5])
        self.assertEqual(len(cartwright.open(target).checkpoints), whole - 1)
        self.refused("is no whole checkpoint", lambda: cartwright.Checkpoint(last))

    def test_tables(self):
        target = self.copy("heat")
        table = target / "diagnostics.csv"
        table.write_text(table.read_text() + "50,0.")
        self.assertEqual(len(cartwright.open(target).tables["diagnostics"]), 5)
        table.write_text("step,time\n1,soon\n")
        self.refused("no number", lambda: cartwright.open(target).tables)

    def test_older_files(self):
        target = self.copy("heat")
        for path in (target / "fields").glob("*.h5"):
            with h5py.File(path, "a") as file:
                del file["edges"]
        u = cartwright.open(target)["temperature"]
        self.assertEqual(u[-1].shape, (16, 24))
        self.refused("older program", lambda: u.x)


if __name__ == "__main__":
    unittest.main()
