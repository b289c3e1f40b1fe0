"""All-atom butane: bonds, angles, dihedrals of several terms, 1-4 pairs.

Bonded and Lennard-Jones parameters: W. D. Cornell et al., J. Am. Chem. Soc. 117, 5179 (1995), and J. Wang, P. Cieplak, P. A. Kollman,
J. Comput. Chem. 21, 1049 (2000). Charges: W. L. Jorgensen, D. S. Maxwell, J. Tirado-Rives, J. Am. Chem. Soc. 118, 11225 (1996).
"""
import math

from . import geometry, models

SOURCE = ("bonded and LJ: Cornell et al., J. Am. Chem. Soc. 117, 5179 (1995); Wang, Cieplak, Kollman, J. Comput. Chem. 21, 1049 (2000); "
          "charges: Jorgensen, Maxwell, Tirado-Rives, J. Am. Chem. Soc. 118, 11225 (1996)")
CARBONS = 4
MASS = {"CT": 12.011, "HC": 1.008}
TYPES = "CT  6  12.011  0.0  A  0.339967  0.457730\nHC  1  1.008  0.0  A  0.264953  0.065689\n"
BONDED = """[ bondtypes ]
; nm, kJ/mol/nm^2
CT CT 1 0.1526 259408.0
CT HC 1 0.1090 284512.0
[ angletypes ]
; degrees, kJ/mol/rad^2
CT CT CT 1 109.5 334.720
CT CT HC 1 109.5 418.400
HC CT HC 1 109.5 292.880
[ dihedraltypes ]
; degrees, kJ/mol, multiplicity
CT CT CT CT 9   0.0 0.75312 3
CT CT CT CT 9 180.0 1.04600 2
CT CT CT CT 9 180.0 0.83680 1
HC CT CT CT 9   0.0 0.66944 3
HC CT CT HC 9   0.0 0.62760 3
"""


def shape():
    """The anti conformer: (type, atom name, charge, position), and the bonds as index pairs. Every angle is tetrahedral."""
    cc, ch = 0.1526, 0.1090
    half = math.acos(-1 / 3) / 2
    atoms, bonds = [], []
    for i in range(CARBONS):
        up = 1 if i % 2 else -1
        atoms.append(("CT", f"C{i + 1}", 0.0, (i * cc * math.sin(half), 0.0, up * cc * math.cos(half) / 2)))
        if i:
            bonds.append((i - 1, i))
    for i in range(CARBONS):
        x, y, z = atoms[i][3]
        up = 1 if i % 2 else -1
        arms = [(0.0, side * math.sin(half), up * math.cos(half)) for side in (1, -1)]
        if i == 0:
            arms.append((-math.sin(half), 0.0, -up * math.cos(half)))
        if i == CARBONS - 1:
            arms.append((math.sin(half), 0.0, -up * math.cos(half)))
        for k, arm in enumerate(arms):
            bonds.append((i, len(atoms)))
            atoms.append(("HC", f"H{i + 1}{k + 1}", 0.06, (x + ch * arm[0], y + ch * arm[1], z + ch * arm[2])))
        atoms[i] = ("CT", atoms[i][1], -0.06 * len(arms), atoms[i][3])
    return atoms, bonds


def topology(count):
    atoms, bonds = shape()
    near = {i: set() for i in range(len(atoms))}
    for a, b in bonds:
        near[a].add(b)
        near[b].add(a)
    angles = [(a, b, c) for b in near for a in sorted(near[b]) for c in sorted(near[b]) if a < c]
    dihedrals = [(a, b, c, d) for b, c in bonds for a in sorted(near[b] - {c}) for d in sorted(near[c] - {b})]
    pairs = sorted({tuple(sorted((d[0], d[3]))) for d in dihedrals})
    text = f"; butane; {SOURCE}\n" + models.defaults(2, "yes", 0.5, 0.8333) + "[ atomtypes ]\n" + TYPES + BONDED
    text += "[ moleculetype ]\nBUT  3\n[ atoms ]\n"
    text += "".join(f"{i + 1} {kind} 1 BUT {name} {i + 1} {charge:.2f} {MASS[kind]}\n" for i, (kind, name, charge, _) in enumerate(atoms))
    for section, entries, function in (("bonds", bonds, 1), ("pairs", pairs, 1), ("angles", angles, 1), ("dihedrals", dihedrals, 9)):
        text += f"[ {section} ]\n" + "".join(" ".join(str(i + 1) for i in e) + f" {function}\n" for e in entries)
    return text + f"[ system ]\nButane\n[ molecules ]\nBUT  {count}\n"


def liquid(cells, rng):
    """2 x 3 x 3 cells of parallel chains times `cells`, 573 kg/m^3; atoms as gro.write takes them, box, velocities at 270 K."""
    nx, ny, nz = 2 * cells, 3 * cells, 3 * cells
    count = nx * ny * nz
    density = 573 / 58.1222 * 602.214e-3  # molecules a nm^3
    width = (1 / density / 0.72) ** 0.5
    step = (0.72, width, width)
    box = [(nx * step[0], 0.0, 0.0), (0.0, ny * step[1], 0.0), (0.0, 0.0, nz * step[2])]
    shape_atoms, _ = shape()
    out, masses = [], []
    for m in range(count):
        cell = (m // (ny * nz), m // nz % ny, m % nz)
        turn = rng.choice((1, -1))
        for kind, name, _, (x, y, z) in shape_atoms:
            point = ((cell[0] + 0.18) * step[0] + x, (cell[1] + 0.5) * step[1] + turn * y, (cell[2] + 0.5) * step[2] + turn * z)
            out.append((m + 1, "BUT", name, point))
            masses.append(MASS[kind])
    return out, box, geometry.maxwell(masses, 270, rng)
