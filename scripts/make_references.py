#!/usr/bin/env python3
"""Makes validation/: the cases of `alder validate`, and decks of every kind that alder runs with double-precision references.

usage: scripts/make_references.py [--fresh] [NAME...]      NAME: a kind of scripts/decks/kinds.py, or `cases`; default: all
    --fresh   write a kind's run.mdp, conf.gro and topol.top anew too; otherwise a deck that stands keeps them and gets a new reference
Needs gmx_d (Debian's `gromacs`). References are stored, and compared where no gmx_d is: scripts/check_references.py.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from decks import cases, gro, kinds, reference, starts  # noqa: E402

VALIDATION = pathlib.Path(__file__).resolve().parent.parent / "validation"
INPUTS = VALIDATION.parent / "inputs"


def write(kind, folder):
    folder.mkdir(parents=True, exist_ok=True)
    gro.write(folder / "conf.gro", kind.what, kind.atoms, kind.box, decimals=5)
    if kind.reference:
        gro.write(folder / "ref.gro", f"{kind.what}: reference", kind.reference, kind.reference_box or kind.box, decimals=5)
    if kind.index:
        (folder / "index.ndx").write_text("".join(f"[ {name} ]\n" + "\n".join(map(str, atoms)) + "\n" for name, atoms in kind.index.items()))
    (folder / "topol.top").write_text(kind.topology)
    (folder / "run.mdp").write_text(kind.mdp())


def make_kind(name, fresh):
    folder = VALIDATION / "decks" / name
    kind = kinds.KINDS[name]()
    if fresh or not (folder / "conf.gro").exists():
        write(kind, folder)
    result, forces = reference.store(folder, kind.virial)
    rms = (sum(x * x for f in forces for x in f) / len(forces)) ** 0.5
    print(f"{name}: {len(forces)} atoms, potential {result['terms']['Potential']:.4f} kJ/mol, rms force {rms:.1f} kJ/mol/nm", flush=True)


def make_cases():
    """Argon and water start from the liquids of inputs/."""
    for name, make in (("argon", cases.argon), ("spce-water", cases.water)):
        _, atoms, box, _ = gro.read(INPUTS / ("argon" if name == "argon" else "water") / "conf.gro")
        make(VALIDATION / name, (atoms, box))
    cases.madelung(VALIDATION / "nacl-madelung", "nacl", starts.crystal("nacl", 4, 0.564, charges_only=True), 0.564)
    cases.madelung(VALIDATION / "cscl-madelung", "cscl", starts.crystal("cscl", 6, 0.412, charges_only=True), 0.412)
    cases.nist(VALIDATION / "nist-spce1")
    print("cases: " + ", ".join(sorted(p.parent.name for p in VALIDATION.glob("*/case.json"))))


def main():
    fresh = "--fresh" in sys.argv
    for name in [a for a in sys.argv[1:] if not a.startswith("--")] or [*kinds.KINDS, "cases"]:
        if name == "cases":
            make_cases()
        else:
            make_kind(name, fresh)


main()
