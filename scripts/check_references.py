#!/usr/bin/env python3
"""Holds `alder energy` against the stored double-precision references of validation/decks.

usage: scripts/check_references.py ALDER [--simd LEVEL] [NAME...]
Right is: every term within 1e-5 of its reference (plus 1e-7 of the sum of |terms|, plus 1e-3 kJ/mol), forces within 2e-5 relative
root-mean-square (1.1e-5 is the worst seen, where argon-like forces are small against their rounding), and, where the reference says so,
the virial within 1e-4 of its largest entry. Exit status 77 where the processor lacks the SIMD level.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

DECKS = pathlib.Path(__file__).resolve().parent.parent / "validation" / "decks"


def vectors(path):
    return [tuple(map(float, line.split())) for line in path.read_text().splitlines()]


def force_error(found, expected):
    if len(found) != len(expected):
        return math.inf
    off = sum((a - b) ** 2 for f, e in zip(found, expected) for a, b in zip(f, e))
    return math.sqrt(off / sum(b * b for e in expected for b in e))


def faults(deck, energy, forces):
    """(what is wrong, worst relative error of a term, relative rms error of the forces)"""
    reference = json.loads((deck / "reference.json").read_text())
    expected = {name: value for name, value in reference["terms"].items() if not name.startswith("Vir-")}
    total = sum(abs(value) for name, value in expected.items() if name != "Potential")
    wrong, worst = [], 0.0
    for name, value in expected.items():
        found = energy["terms"].get(name)
        if found is None and abs(value) < 1e-9:
            continue
        if not isinstance(found, (int, float)) or not math.isfinite(found):
            wrong.append(f"{name} is {found}, not {value:.6f}")
            continue
        worst = max(worst, abs(found - value) / max(abs(value), 1.0))
        if abs(found - value) > 1e-5 * abs(value) + 1e-7 * total + 1e-3:
            wrong.append(f"{name} is {found:.6f}, not {value:.6f}")
    if reference["check_virial"]:
        virial = [[reference["terms"][f"Vir-{i}{j}"] for j in "XYZ"] for i in "XYZ"]
        largest = max(abs(x) for row in virial for x in row)
        off = max(abs(energy["virial"][i][j] - virial[i][j]) for i in range(3) for j in range(3))
        if not off <= 1e-4 * largest + 1e-3:
            wrong.append(f"virial off by {off:.4f} kJ/mol of {largest:.1f}")
    rms = force_error(forces, vectors(deck / "forces.txt"))
    if not rms < 2e-5:
        wrong.append(f"forces off by {rms:.1e}")
    return wrong, worst, rms


def check(alder, deck, simd):
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch)
        command = [alder, "energy", "-f", "run.mdp", "-c", "conf.gro", "-p", "topol.top", "--json", out / "e.json", "--forces", out / "f.txt", *simd]
        if (deck / "ref.gro").exists():
            command += ["-r", "ref.gro"]
        if (deck / "index.ndx").exists():
            command += ["-n", "index.ndx"]
        done = subprocess.run(command, cwd=deck, capture_output=True, text=True, timeout=120)
        if done.returncode:
            return [f"exit status {done.returncode}: {done.stderr.strip()[:200]}"], math.nan, math.nan
        return faults(deck, json.loads((out / "e.json").read_text()), vectors(out / "f.txt"))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    alder, names, simd = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2:], []
    if names[:1] == ["--simd"]:
        simd, names = ["--simd", names[1]], names[2:]
    decks = [DECKS / name for name in names] or sorted(p.parent for p in DECKS.glob("*/reference.json"))
    if not decks:
        sys.exit(f"no deck in {DECKS}")
    bad = 0
    for deck in decks:
        wrong, worst, rms = check(alder, deck, simd)
        if simd and wrong and "processor cannot run it" in wrong[0]:
            print(wrong[0])
            sys.exit(77)
        bad += bool(wrong)
        print(f"{deck.name:24} " + ("; ".join(wrong) if wrong else f"terms {worst:.0e}, forces {rms:.0e}"))
    print(f"{len(decks) - bad} decks right, {bad} wrong")
    sys.exit(bool(bad))


main()
