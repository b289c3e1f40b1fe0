"""Boxes, lattices and rotations. Lengths in nm; a box is three row vectors in lower-triangular form."""
import itertools
import math
import random


def cubic(edge):
    return [(edge, 0.0, 0.0), (0.0, edge, 0.0), (0.0, 0.0, edge)]


def dodecahedron(distance):
    """Rhombic dodecahedron (square base): every nearest image at the same distance, 71 % of the cube's volume."""
    return [(distance, 0.0, 0.0), (0.0, distance, 0.0), (distance / 2, distance / 2, distance * math.sqrt(0.5))]


def octahedron(distance):
    """Truncated octahedron: nearest images at one distance, 77 % of the cube's volume."""
    return [(distance, 0.0, 0.0), (distance / 3, distance * 2 * math.sqrt(2) / 3, 0.0),
            (-distance / 3, distance * math.sqrt(2) / 3, distance * math.sqrt(6) / 3)]


def volume(box):
    return box[0][0] * box[1][1] * box[2][2]


def scaled_to(box, target):
    """The same shape with another volume."""
    factor = (target / volume(box)) ** (1 / 3)
    return [tuple(factor * x for x in row) for row in box]


def from_fractions(box, fractions):
    return tuple(sum(f * row[k] for f, row in zip(fractions, box)) for k in range(3))


def sites(box, count, rng):
    """`count` points spread evenly: of the primitive and the body-centred lattices that fit the box, the one with the widest
    nearest-neighbour distance among those with points enough; points over are left out at random."""
    best = None
    for basis in ([(0.5, 0.5, 0.5)], [(0.25, 0.25, 0.25), (0.75, 0.75, 0.75)]):
        n = max(1, math.floor((count / len(basis)) ** (1 / 3)))
        for cells in itertools.product(range(n, n + 2), repeat=3):
            if cells[0] * cells[1] * cells[2] * len(basis) < count:
                continue
            steps = [tuple(x / m for x in row) for row, m in zip(box, cells)]
            shifts = [s for s in itertools.product((-1, 0, 1), repeat=3) if any(s)]
            nearest = min(math.hypot(*from_fractions(steps, s)) for s in shifts)
            if len(basis) == 2:
                halves = itertools.product((-0.5, 0.5), repeat=3)
                nearest = min(nearest, min(math.hypot(*from_fractions(steps, h)) for h in halves))
            if best is None or nearest > best[0]:
                best = nearest, cells, basis
    _, cells, basis = best
    points = [from_fractions(box, tuple((cell[k] + offset[k]) / cells[k] for k in range(3)))
              for cell in itertools.product(*map(range, cells)) for offset in basis]
    return [points[i] for i in sorted(rng.sample(range(len(points)), count))]


def random_rotation(rng):
    """Rows of a rotation matrix, uniform over all of them: a quaternion of four normal numbers, normalized."""
    q = [rng.gauss(0, 1) for _ in range(4)]
    norm = math.sqrt(sum(x * x for x in q))
    w, x, y, z = (c / norm for c in q)
    return [(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))]


def placed(shape, rotation, centre):
    """A molecule's points, rotated about its first point, which goes to `centre`."""
    origin = shape[0]
    local = [tuple(p[k] - origin[k] for k in range(3)) for p in shape]
    return [tuple(centre[k] + sum(rotation[k][m] * p[m] for m in range(3)) for k in range(3)) for p in local]


def jittered(points, width, rng):
    return [tuple(x + rng.gauss(0, width) for x in p) for p in points]


def seeded(seed):
    return random.Random(seed)


def maxwell(masses, temperature, rng):
    """Velocities (nm/ps) of the Maxwell-Boltzmann distribution, total momentum removed."""
    kt = 0.00831446261815324 * temperature
    v = [[rng.gauss(0, math.sqrt(kt / m)) if m > 0 else 0.0 for _ in range(3)] for m in masses]
    total = sum(masses)
    drift = [sum(m * u[k] for m, u in zip(masses, v)) / total for k in range(3)]
    return [tuple(u[k] - drift[k] for k in range(3)) for u in v]
