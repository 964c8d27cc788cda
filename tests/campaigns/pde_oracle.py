# SPDX-License-Identifier: Apache-2.0
"""heat and wave, written again in numpy from the equations: shares no code with the project. Axis 0 of the arrays
here is x."""
import numpy

NAMES = {"sin": numpy.sin, "cos": numpy.cos, "exp": numpy.exp, "sqrt": numpy.sqrt, "tanh": numpy.tanh, "abs": numpy.abs, "pi": numpy.pi}


class Problem:
    def __init__(self, extent, length, origin, periodic, faces):
        self.extent, self.length, self.origin, self.periodic, self.faces = extent, length, origin, periodic, faces
        self.spacing = [length[a] / extent[a] for a in range(len(extent))]

    def positions(self):
        centres = [self.origin[a] + (numpy.arange(n) + 0.5) * self.spacing[a] for a, n in enumerate(self.extent)]
        return numpy.meshgrid(*centres, indexing="ij")

    def evaluate(self, formula, positions, time=0.0):
        names = dict(NAMES, t=time, **{f"l{'xyz'[a]}": length for a, length in enumerate(self.length)})
        names.update({name: numpy.zeros(()) for name in "xyz"})
        names.update(zip("xyz", positions))
        value = eval(formula.replace("^", "**"), {"__builtins__": {}}, names)  # formulas of our own making
        return numpy.broadcast_to(value, numpy.broadcast_shapes(*(p.shape for p in positions))).astype(float)

    def face_values(self, axis, side, formula, time):
        positions = [numpy.take(p, [0], axis=axis) for p in self.positions()]
        positions[axis] = numpy.full_like(positions[axis], self.origin[axis] + side * self.length[axis])
        return self.evaluate(formula, positions, time)

    def ghost(self, u, axis, side, time):
        """The layer of cells beyond a face."""
        inside = numpy.take(u, [-1 if side else 0], axis=axis)
        if self.periodic[axis]:
            return numpy.take(u, [0 if side else -1], axis=axis)
        kind, formula = self.faces.get((axis, side), self.faces.get("all", ("dirichlet", "0")))
        given = self.face_values(axis, side, formula, time)
        return 2 * given - inside if kind == "dirichlet" else inside + self.spacing[axis] * given

    def laplacian(self, u, time):
        total = numpy.zeros_like(u)
        for axis in range(u.ndim):
            wide = numpy.concatenate([self.ghost(u, axis, 0, time), u, self.ghost(u, axis, 1, time)], axis=axis)
            low, middle, high = (numpy.take(wide, range(k, k + u.shape[axis]), axis=axis) for k in range(3))
            total += (low - 2 * middle + high) / self.spacing[axis] ** 2
        return total


def heat(problem, initial, diffusivity, dt, steps):
    """The fields after 0, 1, … `steps` steps of Euler's method."""
    u = problem.evaluate(initial["temperature"], problem.positions())
    states = [u]
    for n in range(steps):
        u = u + dt * diffusivity * problem.laplacian(u, n * dt)
        states.append(u)
    return states


def wave(problem, initial, speed, dt, steps):
    """Leapfrog; the step before the first one by Taylor's formula."""
    u = problem.evaluate(initial["displacement"], problem.positions())
    velocity = problem.evaluate(initial["velocity"], problem.positions())
    c = speed**2 * dt**2
    before = u - dt * velocity + 0.5 * c * problem.laplacian(u, 0.0)
    states = [u]
    for n in range(steps):
        u, before = 2 * u - before + c * problem.laplacian(u, n * dt), u
        states.append(u)
    return states
