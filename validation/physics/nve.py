#!/usr/bin/env python3
"""Constant-energy runs of SPC/E water: drift of the conserved energy beside GROMACS, and the dt^2 law of its fluctuation.

usage: nve.py drift ALDER [--gmx gmx] [--ps 100] [--seeds 5] [--threads 2]
       nve.py dt2   ALDER [--ps 10] [--threads 2]

drift  The conserved energy of inputs/water (2700 atoms, 2 fs, cut-off LJ, PME) is fitted by a line for each of several starting
       velocities, in both programs on the same deck. Passes where alder's mean |drift| is at most GROMACS's plus two standard errors.
dt2    With LJ switched off by its force and tight PME, leap-frog's energy error is of second order: the fluctuation at 2 fs must
       be 3.6 to 4.4 times that at 1 fs.
Exit status 1 where the test fails. These runs take minutes; the test suite does not hold them.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy

HERE = pathlib.Path(__file__).resolve().parent
DECK = HERE.parent.parent / "inputs" / "water"


def mdp_with(text, **values):
    keys = {k.replace("_", "-"): v for k, v in values.items()}
    kept = [l for l in text.splitlines() if re.split(r"[\s=]", l.strip().lower().replace("_", "-"), maxsplit=1)[0] not in keys]
    return "\n".join(kept + [f"{k} = {v}" for k, v in keys.items()]) + "\n"


def run(command, folder, **environment):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr[-2000:]}")
    return done.stdout


def alder_energies(alder, folder, threads, exact=False):
    import h5py

    run([alder, "mdrun", "-f", "run.mdp", "-c", DECK / "conf.gro", "-p", DECK / "topol.top", "-deffnm", "a", "-nt", threads], folder)
    with h5py.File(folder / "a.h5md") as f:
        group = f["energies/Conserved En."]
        return group["time"][()], group["value"][()]


def gmx_energies(gmx, folder, threads):
    quiet = dict(GMX_MAXBACKUP="-1", OMP_NUM_THREADS=str(threads))
    run([gmx, "grompp", "-f", "run.mdp", "-c", DECK / "conf.gro", "-p", DECK / "topol.top", "-o", "g.tpr", "-maxwarn", "5"], folder, **quiet)
    run([gmx, "mdrun", "-s", "g.tpr", "-deffnm", "g", "-ntmpi", "1", "-ntomp", threads, "-notunepme"], folder, **quiet)
    subprocess.run([gmx, "energy", "-f", "g.edr", "-o", "g.xvg", "-dp"], cwd=folder, input="Conserved\n\n", text=True, check=True,
                   capture_output=True, env={**os.environ, **quiet})
    rows = [l.split() for l in (folder / "g.xvg").read_text().splitlines() if l[:1] not in "#@"]
    table = numpy.array(rows, dtype=float)
    return table[:, 0], table[:, 1]


def slope(time, energy):
    return numpy.polyfit(time, energy, 1)[0]


def drift(arguments):
    text = (DECK / "nve.mdp").read_text()
    atoms = int((DECK / "conf.gro").read_text().splitlines()[1])
    slopes = {"alder": [], "gmx": []}
    for seed in range(1, arguments.seeds + 1):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            (folder / "run.mdp").write_text(mdp_with(text, nsteps=round(arguments.ps / 0.002), gen_seed=1000 + seed))
            slopes["alder"].append(slope(*alder_energies(arguments.alder, folder, str(arguments.threads))) / atoms)
            slopes["gmx"].append(slope(*gmx_energies(arguments.gmx, folder, str(arguments.threads))) / atoms)
            print(f"seed {seed}: alder {slopes['alder'][-1]:+.3e}, gmx {slopes['gmx'][-1]:+.3e} kJ/mol/ps an atom", flush=True)
    means = {k: numpy.mean(v) for k, v in slopes.items()}
    errors = {k: numpy.std(v, ddof=1) / len(v) ** 0.5 for k, v in slopes.items()}
    for name in slopes:
        print(f"{name:6} mean {means[name]:+.3e} +- {errors[name]:.1e} kJ/mol/ps an atom")
    limit = abs(means["gmx"]) + 2 * (errors["gmx"] ** 2 + errors["alder"] ** 2) ** 0.5
    good = abs(means["alder"]) <= limit
    print(f"limit {limit:.3e}: {'passed' if good else 'FAILED'}")
    return good


def fluctuation(arguments, dt, folder):
    text = (DECK / "nve.mdp").read_text()
    (folder / "run.mdp").write_text(mdp_with(
        text, dt=dt, nsteps=round(arguments.ps / dt), gen_seed=77, vdw_modifier="Force-switch", rvdw_switch=0.7, DispCorr="no",
        ewald_rtol=1e-7, fourierspacing=0.07, pme_order=6, rcoulomb=1.1, rvdw=1.1, verlet_buffer_tolerance=1e-5,
        nstcalcenergy=round(0.02 / dt), nstenergy=round(0.02 / dt), nstxout=0, nstvout=0))
    time, energy = alder_energies(arguments.alder, folder, str(arguments.threads))
    keep = time >= 1.0
    time, energy = time[keep], energy[keep]
    return numpy.std(energy - numpy.polyval(numpy.polyfit(time, energy, 1), time))


def dt2(arguments):
    with tempfile.TemporaryDirectory() as scratch:
        long, short = (fluctuation(arguments, dt, pathlib.Path(scratch)) for dt in (0.002, 0.001))
    ratio = long / short
    print(f"fluctuation of the conserved energy: {long:.4f} kJ/mol at 2 fs, {short:.4f} at 1 fs, ratio {ratio:.2f}")
    good = 3.6 <= ratio <= 4.4
    print("passed" if good else "FAILED: it should be 3.6 to 4.4")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("test", choices=("drift", "dt2"))
    parser.add_argument("alder", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("--gmx", default="gmx")
    parser.add_argument("--ps", type=float)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    arguments.ps = arguments.ps or {"drift": 100, "dt2": 20}[arguments.test]
    sys.exit(0 if {"drift": drift, "dt2": dt2}[arguments.test](arguments) else 1)


if __name__ == "__main__":
    main()
