"""Speed as a ratio to a peer in one run: alder and GROMACS take turns on one deck.

Before timing, both must be doing the same work: cutoffs and the PME grid from both logs, and the energies of the start, term by term, to
1e-4 (mixed precision GROMACS is off by up to 9e-5 from its own double precision). Both run the same number of steps and time the second half only; GROMACS's PME tuning is off and its threads are pinned, as alder's
are through OMP_PROC_BIND.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TERMS = ("Bond", "Angle", "Proper Dih.", "LJ-14", "Coulomb-14", "LJ (SR)", "Disper. corr.", "Coulomb (SR)", "Coul. recip.", "Potential")


def call(command, folder, threads=1, feed=None):
    environment = {**os.environ, "GMX_MAXBACKUP": "-1", "OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "true"}
    if command[0] == "gmx":
        del environment["OMP_PROC_BIND"]  # -pin on does it
    done = subprocess.run([str(c) for c in command], cwd=folder, input=feed, capture_output=True, text=True, env=environment)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stderr[-1500:]}")
    return done.stdout + done.stderr


def with_keys(text, **keys):
    """The .mdp text with keys replaced or added."""
    kept = [line for line in text.splitlines()
            if line.split("=")[0].strip().lower().replace("_", "-") not in {k.replace("_", "-") for k in keys}]
    return "\n".join(kept + [f"{k.replace('_', '-')} = {v}" for k, v in keys.items()]) + "\n"


class Pair:
    def __init__(self, arguments, work):
        self.deck, self.work, self.threads, self.alder = arguments.deck.resolve(), work, arguments.t, arguments.alder.resolve()
        self.steps, self.simd = arguments.nsteps, ["-simd", arguments.simd] if arguments.simd else []
        self.mdp = (self.deck / arguments.mdp).read_text()

    def files(self, mdp):
        return ["-f", mdp, "-c", self.deck / "conf.gro", "-p", self.deck / "topol.top"]

    def start_energies(self):
        """Of the configuration as it stands: no constraint solve, which the two would round differently."""
        (self.work / "start.mdp").write_text(with_keys(self.mdp, nsteps=0, continuation="yes", gen_vel="no", nstenergy=1, nstcalcenergy=1))
        call(["gmx", "grompp", *self.files("start.mdp"), "-o", "start.tpr", "-maxwarn", 5], self.work)
        call(["gmx", "mdrun", "-s", "start.tpr", "-deffnm", "start", "-ntmpi", 1, "-ntomp", 1, "-nb", "cpu"], self.work)
        call(["gmx", "energy", "-f", "start.edr", "-o", "start.xvg", "-dp"], self.work, feed="\n".join(map(str, range(1, 60))) + "\n\n")
        text = (self.work / "start.xvg").read_text()
        names = re.findall(r'@ s\d+ legend "(.*)"', text)
        values = next([float(x) for x in line.split()[1:]] for line in text.splitlines() if line[:1] not in "#@")
        call([self.alder, "energy", *self.files("start.mdp"), "--json", "start.json", *self.simd], self.work)
        return dict(zip(names, values)), json.loads((self.work / "start.json").read_text())["terms"]

    def check_energies(self):
        peer, ours = self.start_energies()
        total = sum(abs(peer[t]) for t in TERMS if t in peer and t != "Potential")
        for term in TERMS:
            if term not in peer:
                continue
            found = ours.get(term) or 0.0
            print(f"  {term:14} {peer[term]:18.6f} {found:18.6f}")
            if abs(found - peer[term]) > 1e-4 * abs(peer[term]) + 2e-7 * total:
                sys.exit(f"{term} differs: {peer[term]} and {found} kJ/mol; no comparison of speeds")

    def prepare(self):
        (self.work / "run.mdp").write_text(with_keys(self.mdp, nsteps=self.steps))
        call(["gmx", "grompp", *self.files("run.mdp"), "-o", "run.tpr", "-maxwarn", 5], self.work)

    def run_peer(self):
        call(["gmx", "mdrun", "-s", "run.tpr", "-deffnm", "peer", "-ntmpi", 1, "-ntomp", self.threads, "-pin", "on", "-notunepme", "-resethway",
              "-noconfout", "-nb", "cpu"], self.work, self.threads)
        log = (self.work / "peer.log").read_text()
        return float(re.search(r"^Performance:\s+(\S+)", log, re.M)[1]), log

    def run_alder(self):
        for old in self.work.glob("alder.*"):
            old.unlink()
        call([self.alder, "mdrun", *self.files("run.mdp"), "-deffnm", "alder", "-nt", self.threads, "-resethway", *self.simd], self.work, self.threads)
        report = json.loads((self.work / "alder.json").read_text())
        return report["performance"]["ns_per_day"], report

    @staticmethod
    def check_rules(log, report):
        """Cutoffs and grid as both logs tell them."""
        coulomb = report["plan"]["Coulomb"]
        peer = {key: re.search(rf"^\s*{key}\s*=\s*(\S+)", log, re.M) for key in ("rcoulomb", "rvdw", "fourier-nx", "fourier-ny", "fourier-nz")}
        peer = {key: found[1] for key, found in peer.items() if found}
        ours = re.search(r"rcoulomb ([\d.]+)", coulomb)
        if ours and abs(float(ours[1]) - float(peer["rcoulomb"])) > 1e-6:
            sys.exit(f"cutoffs differ: {peer['rcoulomb']} and {ours[1]} nm")
        vdw = re.search(r"(?:at|to) ([\d.]+) nm", report["plan"]["Lennard-Jones"])
        if vdw and abs(float(vdw[1]) - float(peer["rvdw"])) > 1e-6:
            sys.exit(f"LJ cutoffs differ: {peer['rvdw']} and {vdw[1]} nm")
        grid = re.search(r"grid (\d+) x (\d+) x (\d+)", coulomb)
        if grid and list(grid.groups()) != [peer[f"fourier-n{a}"] for a in "xyz"]:
            sys.exit(f"PME grids differ: {[peer[f'fourier-n{a}'] for a in 'xyz']} and {list(grid.groups())}")
        print(f"  cutoffs {peer['rcoulomb']}, {peer['rvdw']} nm" + (f", grid {' x '.join(grid.groups())}" if grid else "") + ": the same")


def main():
    parser = argparse.ArgumentParser(prog="bench_vs_gromacs.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("deck", type=pathlib.Path, help="folder with conf.gro, topol.top and run settings")
    parser.add_argument("-t", type=int, default=os.cpu_count(), help="threads")
    parser.add_argument("-simd", help="SIMD level of alder: sse4.1, avx2, avx512")
    parser.add_argument("-pairs", type=int, default=5)
    parser.add_argument("-nsteps", type=int, default=2000)
    parser.add_argument("-mdp", default="run.mdp")
    parser.add_argument("-alder", type=pathlib.Path, default=ROOT / "build/release/bin/alder")
    parser.add_argument("-json", type=pathlib.Path, help="write the figures here too")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        pair = Pair(arguments, pathlib.Path(scratch))
        print(f"energies of the start, kJ/mol{'':11}GROMACS{'':14}alder")
        pair.check_energies()
        pair.prepare()
        ratios, rows = [], []
        for turn in range(arguments.pairs):
            peer, log = pair.run_peer()
            ours, report = pair.run_alder()
            if turn == 0:
                pair.check_rules(log, report)
                version, simd = (re.search(rf"{what}:\s*(\S+)", log)[1] for what in ("GROMACS version", "SIMD instructions"))
                print(f"  GROMACS {version}, {simd}; alder {report['hardware'].get('SIMD')}; {arguments.t} threads, {arguments.nsteps} steps")
            ratios.append(ours / peer)
            rows.append({"gromacs_ns_per_day": peer, "alder_ns_per_day": ours})
            print(f"  pair {turn + 1}: GROMACS {peer:8.2f}  alder {ours:8.2f} ns/day  ratio {ratios[-1]:.3f}", flush=True)
        median = statistics.median(ratios)
        print(f"median ratio {median:.3f} of {len(ratios)} pairs ({min(ratios):.3f} to {max(ratios):.3f})")
        if arguments.json:
            arguments.json.write_text(json.dumps({"deck": arguments.deck.name, "threads": arguments.t, "pairs": rows, "median_ratio": median}, indent=1))


main()
