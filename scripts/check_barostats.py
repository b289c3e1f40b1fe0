#!/usr/bin/python3
"""Do barostats sample constant pressure? Minutes to an hour, not part of the tests.

    scripts/check_barostats.py ratio [NAME...] [--ps 400]      volumes of liquid argon (inputs/argon) at two pressures
    scripts/check_barostats.py drift [--ps 20]                 conserved energy of water (inputs/water) under each barostat
    scripts/check_barostats.py density [--ps 500] [--control]  SPC/E water at 298 K and 1 bar, beside Debian's gmx
    scripts/check_barostats.py pressure [--ps 500] [--control] argon at constant volume, beside Debian's gmx

NAME is one of c-rescale, c-rescale-semi, parrinello-rahman, parrinello-rahman-nh, berendsen; default: all.
ratio: where volumes are those of the constant-pressure ensemble, the logarithm of the ratio of their densities at two pressures is a straight
line in V of slope -(P2 - P1)/kT. The slope comes from logistic regression of independent samples (M. R. Shirts, J. Chem. Theory Comput. 9, 909
(2013)) and must lie within 3 standard errors; that of Berendsen must not, or the test tests nothing. parrinello-rahman-nh is shown, not judged: one
Nose-Hoover thermostat rings with the box and samples too wide, here (-4.6 +- 0.5 for -6.1) and in gmx 2022.5 on the same deck (-4.8 +- 0.5).
density and pressure: means with standard errors by blocks; they pass where they agree within 3 standard errors of the difference.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from decks.ensembles import ARGON, ARGON_KELVIN, BOLTZMANN, correlation  # noqa: E402

BAR, PRESSURES = 16.6053906717, (50.0, 130.0)
WATER = """integrator = md
dt = 0.002
nstlist = 10
coulombtype = PME
rcoulomb = 0.9
rvdw = 0.9
DispCorr = EnerPres
tcoupl = v-rescale
tc-grps = System
tau-t = 0.5
ref-t = 298
ld-seed = 5
nstenergy = 50
nstcalcenergy = 50
nstlog = 0
"""
V_RESCALE, NOSE_HOOVER = "tcoupl = v-rescale\ntau-t = 0.5\n", "tcoupl = nose-hoover\ntau-t = 1\n"
LIQUID = "tau-p = {tau}\ncompressibility = 2e-4{second}\nref-p = {pressure}{more}\n"
RULES = {
    "c-rescale": V_RESCALE + "pcoupl = C-rescale\n",
    "c-rescale-semi": V_RESCALE + "pcoupl = C-rescale\npcoupltype = semiisotropic\n",
    "parrinello-rahman": V_RESCALE + "pcoupl = Parrinello-Rahman\n",
    "parrinello-rahman-nh": NOSE_HOOVER + "pcoupl = Parrinello-Rahman\n",
    "berendsen": V_RESCALE + "pcoupl = Berendsen\n",
}


def mean_and_error(series):
    return series.mean(), series.std() * numpy.sqrt(correlation(series) / len(series))


def files(deck, mdp):
    return ["-f", mdp, "-c", deck / "conf.gro", "-p", deck / "topol.top"]


def by_alder(arguments, folder, deck, mdp, *names):
    (folder / "run.mdp").write_text(mdp)
    subprocess.run([arguments.alder.resolve(), "mdrun", *files(deck, "run.mdp"), "-deffnm", "md", "-nt", str(arguments.threads)], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with h5py.File(folder / "md.h5md", "r") as file:
        return [numpy.array(file[f"energies/{name}/value"]).ravel() for name in names]


def by_gmx(arguments, folder, deck, mdp, name):
    (folder / "run.mdp").write_text(mdp)
    quiet = dict(cwd=folder, check=True, capture_output=True)
    subprocess.run(["gmx", "grompp", *files(deck, "run.mdp"), "-o", "t.tpr", "-maxwarn", "9"], **quiet)
    subprocess.run(["gmx", "mdrun", "-s", "t.tpr", "-deffnm", "gmx", "-ntmpi", "1", "-ntomp", str(arguments.threads), "-nb", "cpu"], **quiet)
    subprocess.run(["gmx", "energy", "-f", "gmx.edr", "-o", "e.xvg", "-dp"], input=f"{name}\n\n", text=True, **quiet)
    return numpy.array([float(line.split()[1]) for line in (folder / "e.xvg").read_text().splitlines() if line[:1] not in "#@"])


def slope_of_ratio(first, second):
    """Maximum likelihood of ln(p2/p1) = a + b V, by Newton's method, and the standard error of b."""
    v = numpy.concatenate([first, second])
    label = numpy.concatenate([numpy.zeros(len(first)), numpy.ones(len(second))])
    centre = v.mean()
    design = numpy.stack([numpy.ones_like(v), v - centre], axis=1)
    theta = numpy.zeros(2)
    for _ in range(50):
        chance = 1 / (1 + numpy.exp(-design @ theta))
        curvature = design.T @ (design * (chance * (1 - chance))[:, None])
        step = numpy.linalg.solve(curvature, design.T @ (label - chance))
        theta += step
        if numpy.abs(step).max() < 1e-10:
            break
    return theta[1], numpy.sqrt(numpy.linalg.inv(curvature)[1, 1])


def ratio(arguments):
    good = True
    for name in arguments.names or RULES:
        samples = []
        for pressure in PRESSURES:
            two = name.endswith("semi")
            rules = RULES[name] + LIQUID.format(tau=2, second=" 2e-4" if two else "", pressure=pressure, more=f" {pressure}" if two else "")
            with tempfile.TemporaryDirectory() as scratch:
                volume, = by_alder(arguments, pathlib.Path(scratch), ROOT / "inputs/argon", ARGON + f"nsteps = {round(arguments.ps / 0.005)}\n" + rules, "Volume")
            settled = volume[len(volume) // 8:]
            samples.append(settled[:: correlation(settled)])
        found, error = slope_of_ratio(*samples)
        wanted = -(PRESSURES[1] - PRESSURES[0]) / (BAR * BOLTZMANN * ARGON_KELVIN)
        off = (found - wanted) / error
        held = abs(off) > 3 if name == "berendsen" else abs(off) < 3 or name.endswith("-nh")
        good = good and held
        print(f"{name:21} slope {found:.3f} +- {error:.3f}, {wanted:.3f} is right, {off:+.1f} errors away; {len(samples[0])} and {len(samples[1])} samples, "
              f"mean volumes {samples[0].mean():.3f} and {samples[1].mean():.3f} nm3: " + ("not judged" if name.endswith("-nh") else "as it must be" if held else "NOT as it must be"), flush=True)
    return good


def drift(arguments):
    for name in arguments.names or RULES:
        two = name.endswith("semi")
        rules = RULES[name] + "tau-p = 2\ncompressibility = 4.5e-5{0}\nref-p = 1{1}\n".format(*((" 4.5e-5", " 1") if two else ("", "")))
        keys = {line.split(" =")[0] for line in rules.splitlines()}
        base = "".join(line + "\n" for line in WATER.splitlines() if line.split(" =")[0] not in keys)
        with tempfile.TemporaryDirectory() as scratch:
            conserved, volume = by_alder(arguments, pathlib.Path(scratch), ROOT / "inputs/water", base + f"nsteps = {round(arguments.ps / 0.002)}\n" + rules,
                                         "Conserved En.", "Volume")
        time = numpy.arange(len(conserved)) * 0.1
        part = len(time) // 10
        slope, offset = numpy.polyfit(time[part:], conserved[part:], 1)
        rms = numpy.std(conserved[part:] - slope * time[part:] - offset)
        print(f"{name:21} drift {slope:+.3f} kJ/mol/ps, rms about it {rms:.2f} kJ/mol, volumes {volume.min():.2f} to {volume.max():.2f} nm3", flush=True)
    return True


def compare(arguments, deck, mdp, ours, theirs, unit):
    with tempfile.TemporaryDirectory() as scratch:
        series, = by_alder(arguments, pathlib.Path(scratch), deck, mdp, ours)
    mean, error = mean_and_error(series[len(series) // 8:])
    print(f"alder {ours.lower()} {mean:.3f} +- {error:.3f} {unit}", flush=True)
    if not (arguments.control and shutil.which("gmx")):
        return True
    with tempfile.TemporaryDirectory() as scratch:
        series = by_gmx(arguments, pathlib.Path(scratch), deck, mdp, theirs)
    reference, spread = mean_and_error(series[len(series) // 8:])
    off = (mean - reference) / numpy.hypot(error, spread)
    print(f"gmx   {ours.lower()} {reference:.3f} +- {spread:.3f} {unit}: {off:+.1f} standard errors between them", flush=True)
    return abs(off) < 3


def density(arguments):
    mdp = WATER + f"nsteps = {round(arguments.ps / 0.002)}\npcoupl = C-rescale\ntau-p = 2\ncompressibility = 4.5e-5\nref-p = 1\n"
    return compare(arguments, ROOT / "inputs/water", mdp, "Density", "Density", "kg/m3")


def pressure(arguments):
    return compare(arguments, ROOT / "inputs/argon", ARGON + V_RESCALE + f"nsteps = {round(arguments.ps / 0.005)}\n", "Pressure", "Pressure", "bar")


def main():
    checks = {"ratio": ratio, "drift": drift, "density": density, "pressure": pressure}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("check", choices=checks)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--alder", type=pathlib.Path, default=ROOT / "build/release/bin/alder")
    parser.add_argument("--ps", type=float)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--control", action="store_true")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(RULES):
        parser.error(f"{', '.join(sorted(unknown))}: choose from {', '.join(RULES)}")
    arguments.ps = arguments.ps or {"ratio": 400, "drift": 20, "density": 500, "pressure": 500}[arguments.check]
    sys.exit(not checks[arguments.check](arguments))


main()
