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
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from decks import geometry, gro, models, settings, starts  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
EQUILIBRATION = 5000  # steps of the last stage


def equilibrate(deck, folder, alder, steps=EQUILIBRATION):
    """Relax, melt, run; the last frame becomes the deck's start."""
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch)
        deck.write(work)
        (work / "relax.mdp").write_text(settings.relax(deck.temperature, deck.dt / 10, **deck.rules))
        (work / "melt.mdp").write_text(settings.melt(deck.temperature, deck.dt / 2, **deck.rules))
        start = "conf.gro"
        for stage, more in (("relax", []), ("melt", []), ("nvt", ["-nsteps", str(steps)])):
            subprocess.run([pathlib.Path(alder).resolve(), "mdrun", "-f", f"{stage}.mdp", "-c", start, "-p", "topol.top", "-deffnm", stage, *more], cwd=work, check=True)
            start = f"{stage}.gro"
        title, atoms, box, velocities = gro.read(work / start)
        deck.atoms, deck.box, deck.velocities = atoms, box, velocities
        deck.write(folder)


def make(arguments):
    if arguments.kind == "water":
        model = models.WATERS[arguments.model]
        size = len(model.names)
        if arguments.atoms < size:
            sys.exit(f"a molecule of {model.title} has {size} sites")
        if arguments.atoms % size:
            print(f"{arguments.atoms} sites are no whole number of water molecules; making {arguments.atoms // size * size}")
        return starts.water(arguments.atoms // size, model, arguments.box)
    if arguments.kind == "argon":
        return starts.argon(arguments.atoms)
    if arguments.kind == "butane":
        return starts.liquid_butane(arguments.cells)
    return starts.crystal(arguments.kind, arguments.cells)


def all_inputs(alder):
    """The decks of inputs/. Each folder's README.md is written by hand and stays."""
    rows = {"three-atoms": (starts.water(1, models.SPCE, "cubic"), False), "argon": (starts.argon(864), True), "water": (starts.water(900, models.SPCE, "cubic"), True),
            "water-dodecahedron": (starts.water(720, models.SPCE, "dodecahedron"), True), "nacl": (starts.crystal("nacl", 4), True),
            "tip4p": (starts.water(700, models.TIP4P, "cubic"), True),
            "butane": (starts.liquid_butane(2), True)}
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
    parser.add_argument("--box", choices=sorted(starts.BOXES), default="cubic", help="shape of a water box")
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
