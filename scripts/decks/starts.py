"""Starts: a deck's atoms, box, topology and settings, before anything has moved."""
import math

from . import butane, geometry, gro, models, settings

BOXES = {"cubic": geometry.cubic, "dodecahedron": geometry.dodecahedron, "octahedron": geometry.octahedron}


class Deck:
    """What a deck's folder will hold. `rules` are the mdp keys that set its forces apart from the usual ones."""

    def __init__(self, title, atoms, box, velocities, topology, decimals=3, temperature=300, dt=0.002, **rules):
        self.title, self.atoms, self.box, self.velocities, self.topology = title, atoms, box, velocities, topology
        self.decimals, self.temperature, self.dt, self.rules = decimals, temperature, dt, rules

    def runs(self):
        shared = dict(velocities=bool(self.velocities), dt=self.dt, temperature=self.temperature, **self.rules)
        return {"nvt.mdp": settings.nvt(f"{self.title}: {self.temperature} K", **shared),
                "nve.mdp": settings.nve(f"{self.title}: constant energy", **shared)}

    def write(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        gro.write(folder / "conf.gro", self.title, self.atoms, self.box, self.velocities, self.decimals)
        (folder / "topol.top").write_text(self.topology)
        for name, text in self.runs().items():
            (folder / name).write_text(text)


def half_cutoff(box, wanted=0.9):
    """A cutoff that fits: a little under half of the smallest height of the box."""
    heights = [geometry.volume(box) / norm for norm in (
        math.dist((0, 0, 0), cross(box[1], box[2])), math.dist((0, 0, 0), cross(box[2], box[0])), math.dist((0, 0, 0), cross(box[0], box[1])))]
    return min(wanted, math.floor(0.42 * min(heights) * 100) / 100)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def water(count, model, box_kind, seed=1):
    """`count` molecules at 997 kg/m^3; fewer than 64 stand alone in a box of 2 nm."""
    rng = geometry.seeded(seed)
    space = count * sum(model.masses) / (997 * 0.602214) if count >= 64 else 8.0
    box = geometry.scaled_to(BOXES[box_kind](1.0), space)
    atoms = []
    for m, centre in enumerate(geometry.sites(box, count, rng)):
        points = geometry.placed(model.shape, geometry.random_rotation(rng), centre)
        atoms += [(m + 1, "SOL", name, point) for name, point in zip(model.names, points)]
    cutoff = half_cutoff(box)
    return Deck(model.title, atoms, box, None, models.water_topology(model, count), rcoulomb=cutoff, rvdw=cutoff)


def argon(count, seed=1):
    """1374 kg/m^3, 94.4 K: Rahman's liquid."""
    rng = geometry.seeded(seed)
    box = geometry.cubic((count * models.ARGON_MASS / (1374 * 0.602214)) ** (1 / 3))
    points = geometry.jittered(geometry.sites(box, count, rng), 0.01, rng)
    atoms = [(i + 1, "Ar", "Ar", p) for i, p in enumerate(points)]
    cutoff = half_cutoff(box, 1.2)
    return Deck("Argon", atoms, box, geometry.maxwell([models.ARGON_MASS] * count, 94.4, rng), models.argon_topology(count),
                temperature=94.4, dt=0.005, coulombtype="Cut-off", rcoulomb=cutoff, rvdw=cutoff)


CRYSTALS = {  # lattice constant, cations and anions in fractions of the cell
    "nacl": ("Na", "Cl", 0.578, [(0, 0, 0), (0, .5, .5), (.5, 0, .5), (.5, .5, 0)], [(.5, 0, 0), (0, .5, 0), (0, 0, .5), (.5, .5, .5)]),
    "cscl": ("Cs", "Cl", 0.412, [(0, 0, 0)], [(.5, .5, .5)]),
}


def crystal(kind, cells, edge=None, charges_only=False):
    cation, anion, usual, first, second = CRYSTALS[kind]
    edge = edge or usual
    box = geometry.cubic(cells * edge)
    atoms = []
    for name, basis in ((cation, first), (anion, second)):
        for cell in range(cells ** 3):
            corner = (cell // cells ** 2, cell // cells % cells, cell % cells)
            for offset in basis:
                atoms.append((len(atoms) + 1, name, name, tuple(edge * (corner[k] + offset[k]) for k in range(3))))
    count = len(atoms) // 2
    cutoff = half_cutoff(box)
    topology = models.salt_topology(cation, anion, count, charges_only)
    return Deck(f"{cation}{anion} crystal", atoms, box, None, topology, rcoulomb=cutoff, rvdw=cutoff)


def liquid_butane(cells, seed=1):
    atoms, box, velocities = butane.liquid(cells, geometry.seeded(seed))
    cutoff = half_cutoff(box)
    return Deck("Butane", atoms, box, velocities, butane.topology(len(atoms) // 14), temperature=270, dt=0.001, rcoulomb=cutoff, rvdw=cutoff)
