"""Double-precision references: one configuration through GROMACS's gmx_d, its energies, virial and forces read back.

gmx_d prints energies to twelve decimals with `energy -dp`; forces come from its .trr file, big-endian doubles.
"""
import json
import os
import pathlib
import re
import struct
import subprocess
import tempfile


def call(command, folder, feed=None):
    environment = {**os.environ, "GMX_MAXBACKUP": "-1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=folder, input=feed, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))} failed:\n{done.stderr[-2000:]}")
    return done.stdout + done.stderr


def trr_forces(path):
    """The forces (kJ/mol/nm) of the first frame of a double-precision .trr file."""
    data = pathlib.Path(path).read_bytes()
    magic, _, length = struct.unpack(">iii", data[:12])
    if magic != 1993:
        raise RuntimeError(f"{path}: not a .trr file")
    at = 12 + (length + 3) // 4 * 4
    sizes = struct.unpack(">13i", data[at:at + 52])
    box, virial, pressure, _, _, x, v, f, atoms = sizes[2:11]
    if f != atoms * 24:
        raise RuntimeError(f"{path}: no double-precision forces")
    at += 52 + 16 + box + virial + pressure + x + v  # sizes, then time and lambda
    numbers = struct.unpack(f">{3 * atoms}d", data[at:at + f])
    return [numbers[3 * i:3 * i + 3] for i in range(atoms)]


def energies(folder):
    """Every term of the first frame of ener.edr by name."""
    call(["gmx_d", "energy", "-f", "ener.edr", "-o", "e.xvg", "-dp"], folder, "\n".join(str(i) for i in range(1, 80)) + "\n\n")
    names, values = [], []
    for line in (folder / "e.xvg").read_text().splitlines():
        legend = re.match(r'@ s\d+ legend "(.*)"', line)
        if legend:
            names.append(re.sub(r"\\[A-Za-z]|\\\d", "", legend[1]).removesuffix(" (bar)"))
        elif line and line[0] not in "#@":
            values = [float(x) for x in line.split()[1:]]
            break
    if len(names) != len(values):
        raise RuntimeError(f"{len(names)} names for {len(values)} energies")
    return dict(zip(names, values))


# Left out: what depends on the box alone, what the velocities after half a step would enter, and 1-4 energies by group, where GROMACS
# 2022.5 takes the first group for the first atom of every pair.
LEFT_OUT = ("Volume", "Density", "pV", "Enthalpy", "Conserved En.", "Constr. rmsd", "Box-", "Pres", "#Surf*SurfTen", "T-", "Kinetic En.",
            "Total Energy", "Temperature", "Mu-", "D.R.Viol. (nm)", "Coul-14:", "LJ-14:")


def compute(deck, check_virial):
    """(reference.json's content, forces) of a deck folder."""
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch)
        restrained = ["-r", deck / "ref.gro"] if (deck / "ref.gro").exists() else []
        groups = ["-n", deck / "index.ndx"] if (deck / "index.ndx").exists() else []
        call(["gmx_d", "grompp", "-f", deck / "run.mdp", "-c", deck / "conf.gro", "-p", deck / "topol.top", *restrained, *groups, "-o", "t.tpr",
              "-maxwarn", "5"], work)
        call(["gmx_d", "mdrun", "-s", "t.tpr", "-ntmpi", "1", "-ntomp", "1", "-reprod", "-nb", "cpu", "-o", "traj.trr", "-e", "ener.edr", "-g", "md.log"], work)
        version = re.search(r"GROMACS version:\s*([\d.]+)", (work / "md.log").read_text())[1]
        terms = {name: value for name, value in energies(work).items() if not name.startswith(LEFT_OUT)}
        forces = trr_forces(work / "traj.trr")
        log = (work / "md.log").read_text()
        beta = re.search(r"Gaussian width \(1/beta\) of\s+(\S+) nm", log)
    grid = [int(re.search(rf"fourier-n{axis}\s*=\s*(\d+)", log)[1]) for axis in "xyz"] if beta else None
    reference = {"engine": f"GROMACS {version} in double precision (gmx_d), one thread, step 0", "natoms": len(forces),
                 "terms": terms, "pme_grid": grid, "check_virial": check_virial}
    return reference, forces


def store(deck, check_virial):
    reference, forces = compute(deck, check_virial)
    (deck / "reference.json").write_text(json.dumps(reference, indent=1) + "\n")
    (deck / "forces.txt").write_text("".join(f"{x:.9e} {y:.9e} {z:.9e}\n" for x, y, z in forces))
    return reference, forces
