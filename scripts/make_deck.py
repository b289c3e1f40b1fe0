#!/usr/bin/env python3
"""Makes decks: a folder with conf.gro, topol.top and run settings, from nothing but arithmetic, published models and fixed seeds.

    scripts/make_deck.py water --atoms 2700 --out my-water            any size from 3 atoms up, 997 kg/m^3
    scripts/make_deck.py water --atoms 30000 --model tip3p --box dodecahedron --equilibrate
    scripts/make_deck.py argon --atoms 864 | nacl --cells 4 | cscl --cells 5 | butane --cells 2
    scripts/make_deck.py inputs                                       every deck of inputs/, equilibrated

A start is a lattice with random orientations; --equilibrate lets alder itself run it into a liquid (EQUILIBRATION steps at the
end) and keeps the last frame with its velocities as conf.gro.
"""
import argparse
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from decks import butane, geometry, gro, models, settings  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
BOXES = {"cubic": geometry.cubic, "dodecahedron": geometry.dodecahedron, "octahedron": geometry.octahedron}
EQUILIBRATION = 20000  # steps of the last stage


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
        atoms += [(m + 1, "SOL", name, point) for name, point in zip(("OW", "HW1", "HW2"), points)]
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


def crystal(kind, cells, charges_only=False):
    cation, anion, edge, first, second = CRYSTALS[kind]
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


def equilibrate(deck, folder, alder, steps=EQUILIBRATION):
    """Relax, melt, run; the last frame becomes the deck's start."""
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch)
        deck.write(work)
        (work / "relax.mdp").write_text(settings.relax(deck.temperature, deck.dt / 10, **deck.rules))
        (work / "melt.mdp").write_text(settings.melt(deck.temperature, deck.dt / 2, **deck.rules))
        start = "conf.gro"
        for stage, more in (("relax", []), ("melt", []), ("nvt", ["-nsteps", str(steps)])):
            subprocess.run([alder, "mdrun", "-f", f"{stage}.mdp", "-c", start, "-p", "topol.top", "-deffnm", stage, *more], cwd=work, check=True)
            start = f"{stage}.gro"
        title, atoms, box, velocities = gro.read(work / start)
        deck.atoms, deck.box, deck.velocities = atoms, box, velocities
        deck.write(folder)


def make(arguments):
    if arguments.kind == "water":
        if arguments.atoms % 3:
            sys.exit(f"{arguments.atoms} atoms are no whole number of water molecules: three atoms each")
        return water(arguments.atoms // 3, models.WATERS[arguments.model], arguments.box)
    if arguments.kind == "argon":
        return argon(arguments.atoms)
    if arguments.kind == "butane":
        return liquid_butane(arguments.cells)
    return crystal(arguments.kind, arguments.cells)


def all_inputs(alder):
    """The decks of inputs/. Each folder's README.md is written by hand and stays."""
    rows = {"three-atoms": (water(1, models.SPCE, "cubic"), False), "argon": (argon(864), True), "water": (water(900, models.SPCE, "cubic"), True),
            "water-dodecahedron": (water(720, models.SPCE, "dodecahedron"), True), "nacl": (crystal("nacl", 4), True),
            "butane": (liquid_butane(2), True)}
    for name, (deck, run) in rows.items():
        print(f"inputs/{name}: {len(deck.atoms)} atoms", flush=True)
        if run and alder:
            equilibrate(deck, ROOT / "inputs" / name, alder)
        else:
            deck.write(ROOT / "inputs" / name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["water", "argon", "nacl", "cscl", "butane", "inputs"])
    parser.add_argument("--atoms", type=int, default=2700, help="water: a multiple of 3; argon: any")
    parser.add_argument("--cells", type=int, default=4, help="unit cells along an edge (crystals); size factor (butane)")
    parser.add_argument("--model", choices=sorted(models.WATERS), default="spce")
    parser.add_argument("--box", choices=sorted(BOXES), default="cubic", help="shape of a water box")
    parser.add_argument("--out", type=pathlib.Path, help="folder (default: named after the kind)")
    parser.add_argument("--equilibrate", action="store_true", help="let alder run the start into a liquid")
    parser.add_argument("--alder", default=shutil.which("alder") or str(ROOT / "build/release/bin/alder"), help="the program that equilibrates")
    arguments = parser.parse_args()
    if arguments.kind == "inputs":
        return all_inputs(arguments.alder if arguments.equilibrate else None)
    deck = make(arguments)
    folder = arguments.out or pathlib.Path(arguments.kind)
    if arguments.equilibrate:
        equilibrate(deck, folder, arguments.alder)
    else:
        deck.write(folder)
    print(f"{folder}: {len(deck.atoms)} atoms, box volume {geometry.volume(deck.box):.3f} nm^3")


main()
