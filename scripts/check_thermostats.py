#!/usr/bin/python3
"""Do thermostats sample the canonical ensemble? Liquid argon (inputs/argon): a minute or two for each, not part of the tests.

    scripts/check_thermostats.py [NAME...] [--ps 400] [--control]

NAME is one of v-rescale, nose-hoover, andersen, andersen-massive, sd, bd, berendsen; default: all. For each, on samples far enough apart to be
independent, the Kolmogorov-Smirnov test compares
  velocity components with the normal distribution of variance k T/m
  the kinetic energy with the gamma distribution of shape Ndf/2 and scale k T
A canonical one passes where both p-values are above 1e-3. Berendsen's must fail on the kinetic energy (p below 1e-6), or the test tests nothing.
--control runs Debian's gmx on the same decks beside it and prints its p-values of the kinetic energy.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy
from scipy import stats

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
from decks.ensembles import ARGON, ARGON_KELVIN, BOLTZMANN, correlation  # noqa: E402

MASS = 39.948
FRAMES = "nstvout = 400\nnstxout = 400\n"
RULES = {
    "v-rescale": "integrator = md\ntcoupl = v-rescale\ntau-t = 0.2\n",
    "nose-hoover": "integrator = md\ntcoupl = nose-hoover\ntau-t = 0.7\n",
    "nose-hoover-vv": "integrator = md-vv\ntcoupl = nose-hoover\ntau-t = 0.7\nnh-chain-length = 4\n",
    "v-rescale-vv": "integrator = md-vv\ntcoupl = v-rescale\ntau-t = 0.2\n",
    "andersen": "integrator = md-vv\ntcoupl = andersen\ntau-t = 0.5\nnstcomm = 1\n",
    "andersen-massive": "integrator = md-vv\ntcoupl = andersen-massive\ntau-t = 0.5\ncomm-mode = none\n",
    "sd": "integrator = sd\ntau-t = 0.5\n",
    "bd": "integrator = bd\nbd-fric = 20000\ntau-t = 1\ncomm-mode = none\n",
    "berendsen": "integrator = md\ntcoupl = berendsen\ntau-t = 0.2\n",
}


class Argon:
    def __init__(self, arguments):
        self.deck, self.alder, self.threads, self.ps = ROOT / "inputs/argon", arguments.alder.resolve(), arguments.threads, arguments.ps

    def write(self, folder, name):
        (folder / "run.mdp").write_text(ARGON + FRAMES + f"nsteps = {round(self.ps / 0.005)}\n" + RULES[name])
        return ["-f", "run.mdp", "-c", self.deck / "conf.gro", "-p", self.deck / "topol.top"]

    def alder_run(self, folder, name):
        subprocess.run([self.alder, "mdrun", *self.write(folder, name), "-deffnm", "md", "-nt", str(self.threads)], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
        with h5py.File(folder / "md.h5md", "r") as file:
            kinetic = file["energies/Kinetic En./value"][()]
            temperature = file["energies/Temperature/value"][()]
            velocity = file["particles/trajectory/velocity/value"][()]
        freedom = round(float(2 * kinetic[-1] / (BOLTZMANN * temperature[-1])))
        return kinetic, velocity, freedom

    def gmx_kinetic(self, folder, name):
        quiet = dict(cwd=folder, check=True, capture_output=True)
        subprocess.run(["gmx", "grompp", *self.write(folder, name), "-o", "t.tpr", "-maxwarn", "9"], **quiet)
        subprocess.run(["gmx", "mdrun", "-s", "t.tpr", "-deffnm", "gmx", "-ntmpi", "1", "-ntomp", str(self.threads), "-nb", "cpu"], **quiet)
        subprocess.run(["gmx", "energy", "-f", "gmx.edr", "-o", "e.xvg", "-dp"], input="Kinetic-En.\n\n", text=True, **quiet)
        return numpy.array([float(line.split()[1]) for line in (folder / "e.xvg").read_text().splitlines() if line[:1] not in "#@"])


def kinetic_test(name, kinetic, freedom):
    settled = kinetic[len(kinetic) // 10:]
    samples = settled[:: correlation(settled)]
    # the mean of two steps, whose velocities are independent in Brownian dynamics
    means = 2 if name == "bd" else 1
    gamma = stats.gamma(0.5 * means * freedom, scale=BOLTZMANN * ARGON_KELVIN / means)
    return stats.kstest(samples, gamma.cdf).pvalue, len(samples), samples.std() / gamma.std()


def velocity_test(velocity, mass):
    frames = velocity[len(velocity) // 10:]
    values = numpy.asarray(frames, dtype=float).ravel() / numpy.sqrt(BOLTZMANN * ARGON_KELVIN / mass)
    return stats.kstest(values[:: max(1, len(values) // 50000)], stats.norm.cdf).pvalue


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--alder", type=pathlib.Path, default=ROOT / "build/release/bin/alder")
    parser.add_argument("--ps", type=float, default=400)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--control", action="store_true")
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(RULES):
        parser.error(f"{', '.join(sorted(unknown))}: choose from {', '.join(RULES)}")
    argon, good = Argon(arguments), True
    for name in arguments.names or RULES:
        with tempfile.TemporaryDirectory() as scratch:
            kinetic, velocity, freedom = argon.alder_run(pathlib.Path(scratch), name)
        p_kinetic, count, width = kinetic_test(name, kinetic, freedom)
        p_velocity = velocity_test(velocity, 0.5 * 20000 * 0.005 if name == "bd" else MASS)  # friction dt / 2 stands for the mass
        canonical = name != "berendsen"
        held = (p_kinetic > 1e-3 and p_velocity > 1e-3) if canonical else p_kinetic < 1e-6
        good = good and held
        print(f"{name:17} kinetic energy p {p_kinetic:.2g} ({count} samples, width {width:.3f} of the canonical one), velocities p {p_velocity:.2g}: "
              + ("as it must be" if held else "NOT as it must be"), flush=True)
        if arguments.control and shutil.which("gmx"):
            with tempfile.TemporaryDirectory() as scratch:
                p, count, width = kinetic_test(name, argon.gmx_kinetic(pathlib.Path(scratch), name), freedom)
            print(f"    gmx           kinetic energy p {p:.2g} ({count} samples, width {width:.3f})", flush=True)
    sys.exit(not good)


main()
