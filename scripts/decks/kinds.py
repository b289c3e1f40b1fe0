"""Small decks, one kind of force or input each, to hold alder against a double-precision reference. Fixed seeds; 8 to 648 atoms.

A kind is a function that returns a Kind; KINDS lists them. Configurations are lattices shaken at random: what matters is that every
term is far from zero and no force cancels by symmetry.
"""
import itertools
import math

from . import butane, geometry, models
from .settings import mdp


class Kind:
    reference = None  # atoms of ref.gro, where positions are restrained
    reference_box = None  # its box, where that is another one
    index = {}  # groups of index.ndx: atoms from 1

    def __init__(self, what, atoms, box, topology, virial=True, **rules):
        self.what, self.atoms, self.box, self.topology, self.virial, self.rules = what, atoms, box, topology, virial, rules

    def mdp(self):
        cutoff = max(float(self.rules["rcoulomb"]), float(self.rules["rvdw"]))
        return mdp(self.what, integrator="md", nsteps=0, dt=0.001, continuation="yes", comm_mode="none", nstlist=1,
                   verlet_buffer_tolerance=-1, rlist=cutoff, nstenergy=1, nstcalcenergy=1, nstfout=1, **self.rules)


def cut(radius, modifier="None", **more):
    return dict(coulombtype="Cut-off", coulomb_modifier="None", vdw_modifier=modifier, rcoulomb=radius, rvdw=radius, **more)


def ljpme(rules, **more):
    return {**rules, "vdwtype": "PME", **more}


def pme(radius, order=4, **more):
    return dict(coulombtype="PME", pme_order=order, rcoulomb=radius, rvdw=radius, **{"fourierspacing": 0.12, "ewald_rtol": "1e-5", **more})


# ---- two Lennard-Jones species ------------------------------------------------------------------------------------------------------

SPECIES = {"A": (0.34, 0.9), "B": (0.30, 0.5)}  # sigma, epsilon
MASS = {"A": 39.948, "B": 20.180}


def species_types(rule):
    text = "[ atomtypes ]\n"
    for name, (sigma, epsilon) in SPECIES.items():
        first, second = (4 * epsilon * sigma ** 6, 4 * epsilon * sigma ** 12) if rule == 1 else (sigma, epsilon)
        text += f"{name}  1  {MASS[name]}  0.0  A  {first:.10e}  {second:.10e}\n"
    return text


def mixture(what, seed, rule=2, extra="", box=None, count=216, **rules):
    rng = geometry.seeded(seed)
    box = box or geometry.cubic(2.25)
    points = geometry.jittered(geometry.sites(box, count, rng), 0.02, rng)
    first = count // 2
    rng.shuffle(points)
    atoms = [(i + 1, name, name, p) for i, (name, p) in enumerate(zip("A" * first + "B" * (count - first), points))]
    topology = models.defaults(rule) + species_types(rule) + extra
    for name in SPECIES:
        topology += f"[ moleculetype ]\n{name}  1\n[ atoms ]\n1  {name}  1  {name}  {name}  1  0.0\n"
    topology += f"[ system ]\n{what}\n[ molecules ]\nA  {first}\nB  {count - first}\n"
    return Kind(what, atoms, box, topology, **rules)


def special_pair(rule):
    """[ nonbond_params ] for A-B, in the units that the combination rule asks for."""
    sigma, epsilon = 0.33, 1.3
    first, second = (4 * epsilon * sigma ** 6, 4 * epsilon * sigma ** 12) if rule == 1 else (sigma, epsilon)
    return f"[ nonbond_params ]\nA  B  1  {first:.10e}  {second:.10e}\n"


# ---- ions ---------------------------------------------------------------------------------------------------------------------------

def ions(what, seed, box, count, net=0, gap=0.0, **rules):
    """`count` ions on a shaken lattice, alternating; `net` cations more than anions (an even number); a `gap` (nm) above along z."""
    rng = geometry.seeded(seed)
    points = geometry.jittered(geometry.sites(box, count, rng), 0.02, rng)
    cations = (count + net) // 2
    rng.shuffle(points)
    names = ["Na"] * cations + ["Cl"] * (count - cations)
    atoms = [(i + 1, name, name, p) for i, (name, p) in enumerate(zip(names, points))]
    topology = models.salt_topology("Na", "Cl", cations)
    topology = topology[:topology.rindex("Cl")] + f"Cl  {count - cations}\n"
    box = [*box[:2], (box[2][0], box[2][1], box[2][2] + gap)]
    return Kind(what, atoms, box, topology, **rules)


# ---- water --------------------------------------------------------------------------------------------------------------------------

def water(what, seed, count, shape=geometry.cubic, flexible=False, virial=None, **rules):
    rng = geometry.seeded(seed)
    model = models.SPCE
    box = geometry.scaled_to(shape(1.0), count * sum(model.masses) / (997 * 0.602214))
    atoms = []
    for m, centre in enumerate(geometry.sites(box, count, rng)):
        points = geometry.placed(model.shape, geometry.random_rotation(rng), centre)
        if flexible:
            points = geometry.jittered(points, 0.004, rng)
        atoms += [(m + 1, "SOL", name, p) for name, p in zip(("OW", "HW1", "HW2"), points)]
    return Kind(what, atoms, box, models.water_topology(model, count, flexible),
                virial=flexible if virial is None else virial, **rules)


# ---- chains: fourteen atoms, every bonded kind ----------------------------------------------------------------------------------------

def parameters(function, values):
    return f"{function} " + " ".join(f"{v:g}" for v in values)


# Softer than chemistry, so that bonded forces do not drown the others in the comparison.
BOND = {1: (0.13, 12000), 2: (0.13, 4e5), 3: (0.13, 60, 10), 4: (0.13, 6000, 3), 6: (0.13, 12000), 7: (0.2, 4000), 10: (0.115, 0.13, 0.145, 20000)}
ANGLE = {1: (110, 60), 2: (110, 70), 3: (0.13, 0.12, 3000), 4: (0.13, 0.12, 0.2, 2000), 5: (110, 60, 0.22, 2000), 6: (112, 1.5, 3, 40, -9, 20),
         10: (100, 30)}
DIHEDRAL = {1: (30, 4.5, 3), 2: (20, 15), 3: (9.3, 13.2, -1.1, -20.9, 3.0, -2.0), 4: (180, 6, 2), 5: (2.5, -1.2, 3.1, 0.4), 9: (60, 2.0, 1)}


def chain(what, seed, bond=1, angle=1, dihedral=9, rule=2, fudge=(0.5, 0.8333), gen_pairs="yes", extra="", pairs="1", more="", count=18, **rules):
    rng = geometry.seeded(seed)
    shape, bonds = butane.shape()
    near = {i: sorted({b for a, b in bonds if a == i} | {a for a, b in bonds if b == i}) for i in range(len(shape))}
    angles = [(a, b, c) for b in near for a in near[b] for c in near[b] if a < c]
    dihedrals = [(a, b, c, d) for b, c in bonds for a in near[b] if a != c for d in near[c] if d != b]
    ends = sorted({tuple(sorted((d[0], d[3]))) for d in dihedrals})
    step = (0.78, 0.56, 0.56)
    cells = next(c for c in ((2, 3, 3), (3, 4, 4)) if c[0] * c[1] * c[2] >= count)
    box = [(cells[0] * step[0], 0.0, 0.0), (0.0, cells[1] * step[1], 0.0), (0.0, 0.0, cells[2] * step[2])]
    atoms = []
    for m, cell in zip(range(count), itertools.product(*map(range, cells))):
        points = geometry.jittered([a[3] for a in shape], 0.004, rng)
        atoms += [(m + 1, "CHN", shape[i][1], tuple((cell[k] + (0.18, 0.5, 0.5)[k]) * step[k] + p[k] for k in range(3)))
                  for i, p in enumerate(points)]
    charges = [round(rng.uniform(-0.3, 0.3), 3) for _ in shape]
    charges[0] = round(charges[0] - sum(charges), 3)
    # Hydrogens are small here, or the pairs two and three bonds apart would dwarf every other term.
    sizes = {"CT": (0.30, 0.4), "HC": (0.18, 0.1)}
    topology = models.defaults(rule, gen_pairs, *fudge) + "[ atomtypes ]\n"
    for name, (sigma, epsilon) in sizes.items():
        first, second = (4 * epsilon * sigma ** 6, 4 * epsilon * sigma ** 12) if rule == 1 else (sigma, epsilon)
        topology += f"{name}  {name}  6  {butane.MASS[name]}  0.0  A  {first:.10e}  {second:.10e}\n"
    topology += extra + "[ moleculetype ]\nCHN  3\n[ atoms ]\n"
    topology += "".join(f"{i + 1} {a[0]} 1 CHN {a[1]} {i + 1} {charges[i]:.3f} {butane.MASS[a[0]]}\n" for i, a in enumerate(shape))
    for section, entries, written in (("bonds", bonds, parameters(bond, BOND[bond])), ("pairs", ends, pairs),
                                      ("angles", angles, parameters(angle, ANGLE[angle])),
                                      ("dihedrals", dihedrals, parameters(dihedral, DIHEDRAL[dihedral]))):
        topology += f"[ {section} ]\n" + "".join(" ".join(str(i + 1) for i in e) + f" {written}\n" for e in entries)
        if section == "bonds" and bond in (6, 10):  # not chemical bonds: connections (function 5) make the exclusions
            topology += "".join(f"{a + 1} {b + 1} 5\n" for a, b in bonds)
        if section == "dihedrals" and dihedral == 9:
            topology += "".join(" ".join(str(i + 1) for i in e) + " 9 180 1.1 2\n" + " ".join(str(i + 1) for i in e) + " 9 0 0.7 3\n"
                                for e in entries[:1])
    topology += more + f"[ system ]\n{what}\n[ molecules ]\nCHN  {count}\n"
    return Kind(what, atoms, box, topology, **rules)


def energy_map():
    """A smooth map of two dihedrals on 24 x 24 points for the atoms H-C-C-C-C."""
    angles = [math.radians(-180 + 15 * k) for k in range(24)]
    values = [2 * math.cos(phi) + 1.5 * math.sin(psi + 0.4) + 0.8 * math.cos(phi - 2 * psi) for phi in angles for psi in angles]
    rows = [" ".join(f"{v:.6f}" for v in values[k:k + 8]) for k in range(0, len(values), 8)]
    return "[ cmaptypes ]\nHC CT CT CT CT 1 24 24\\\n" + "\\\n".join(rows) + "\n"


HELD = "[ position_restraints ]\n" + "".join(f"{i} 1 {8000 * i} 20000 {50000 - 9000 * i}\n" for i in (1, 2, 3, 4))
# Every geometry, outward and inward, with radii that some displacements exceed and others do not.
FLAT = "[ position_restraints ]\n" + "".join(f"{i} 2 {g} {r} {900 * i}\n" for i, (g, r) in enumerate(
    ((1, 0.02), (2, 0.02), (3, 0.01), (4, 0.01), (5, 0.01), (6, 0.02), (7, 0.02), (8, 0.02), (1, -0.05), (2, -0.04), (4, -0.03), (8, -0.04)), 1))


def restrained(what, seed, more=HELD, swollen=None, width=0.004, **rules):
    """Every carbon held, with another constant along each axis, to where it was before it was shaken once more. swollen: the box of the
    reference is larger by these factors, and its atoms lie farther apart."""
    kind = chain(what, seed, count=4, more=more, **{**cut(0.75, refcoord_scaling="No"), **rules})
    rng = geometry.seeded(seed + 1000)
    kind.reference = kind.atoms
    kind.atoms = [(n, r, a, p) for (n, r, a, _), p in zip(kind.atoms, geometry.jittered([a[3] for a in kind.atoms], width, rng))]
    if swollen:
        kind.reference = [(n, r, a, tuple(x * s for x, s in zip(p, swollen))) for n, r, a, p in kind.reference]
        kind.reference_box = [tuple(x * s for x, s in zip(row, swollen)) for row in kind.box]
    return kind


# ---- virtual sites ------------------------------------------------------------------------------------------------------------------

SITES = {  # name: section, the atoms that make it (from 1), what stands behind them, where it is (nm, from the first of them)
    "2": ("virtual_sites2", (1, 2), "1 0.35", lambda u, v, w: scale(0.35, u)),
    "2fd": ("virtual_sites2", (1, 2), "2 0.09", lambda u, v, w: to_length(0.09, u)),
    "3": ("virtual_sites3", (2, 1, 3), "1 0.3 0.25", lambda u, v, w: add(scale(0.3, u), scale(0.25, v))),
    "3fd": ("virtual_sites3", (2, 1, 3), "2 0.4 0.1", lambda u, v, w: to_length(0.1, add(scale(0.6, u), scale(0.4, v)))),
    "3fad": ("virtual_sites3", (3, 2, 1), "3 115 0.11", lambda u, v, w: at_angle(115, 0.11, u, v)),
    "3out": ("virtual_sites3", (2, 1, 3), "4 0.3 0.2 2.5", lambda u, v, w: add(add(scale(0.3, u), scale(0.2, v)), scale(2.5, cross(u, v)))),
    "4fdn": ("virtual_sites4", (3, 2, 4, 11), "2 0.9 0.8 0.1",
             lambda u, v, w: to_length(0.1, cross(add(scale(0.9, v), scale(-1, u)), add(scale(0.8, w), scale(-1, u))))),
    "n": ("virtual_sitesn", (1, 2, 3), None, lambda u, v, w: add(scale(0.25, u), scale(0.25, v))),
}


def scale(factor, a):
    return tuple(factor * x for x in a)


def add(a, b):
    return tuple(x + y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def to_length(length, a):
    return scale(length / math.hypot(*a), a)


def at_angle(angle, distance, u, v):
    along = to_length(1, u)
    side = add(v, scale(-1, u))
    across = to_length(1, add(side, scale(-sum(x * y for x, y in zip(side, along)), along)))
    return add(scale(distance * math.cos(math.radians(angle)), along), scale(distance * math.sin(math.radians(angle)), across))


def sited(what, seed, site, off=0.0, **rules):
    """Chains that carry a charged site with LJ; the .gro has it `off` nm (rms) out of place."""
    kind = chain(what, seed, **rules)
    section, makers, written, place = SITES[site]
    size = 14
    entry = f"15 {' '.join(map(str, makers))} {written}" if written else "15 3 " + " ".join(f"{a} {w}" for a, w in zip(makers, (1.0, 0.5, 0.5)))
    out = []
    for line in kind.topology.splitlines():
        if line.startswith("HC  HC"):
            out += [line, "MW  MW  0  0.0  0.0  V  " + line.split("A", 1)[1].strip()]
            continue
        words = line.split()
        if words[:1] == ["1"] and len(words) == 8:  # the first atom pays for the site's charge
            line = " ".join([*words[:6], f"{float(words[6]) - 0.35:.3f}", words[7]])
        if line == "[ bonds ]":
            out.append(f"{size + 1} MW 1 CHN MW {size + 1} 0.350 0.0")
        if line == "[ system ]":
            out += [f"[ {section} ]", entry, "[ exclusions ]", f"{size + 1} " + " ".join(str(i + 1) for i in range(size))]
        out.append(line)
    kind.topology = "\n".join(out) + "\n"
    rng = geometry.seeded(seed + 2000)
    atoms = []
    for first in range(0, len(kind.atoms), size):
        molecule = kind.atoms[first:first + size]
        points = [molecule[a - 1][3] for a in makers]
        arms = [add(p, scale(-1, points[0])) for p in points[1:]] + [(0, 0, 0)] * 2
        where = add(points[0], place(*arms[:3]))
        atoms += molecule + [(molecule[0][0], "CHN", "MW", tuple(x + rng.gauss(0, off) for x in where))]
    kind.atoms = atoms
    return kind


def pair_types(rule):
    sigma, epsilon = 0.27, 0.2
    first, second = (4 * epsilon * sigma ** 6, 4 * epsilon * sigma ** 12) if rule == 1 else (sigma, epsilon)
    return f"[ pairtypes ]\nCT CT 1 {first:.10e} {second:.10e}\nCT HC 1 {first / 4:.10e} {second / 16:.10e}\n"


SKEWED = [(2.4, 0.0, 0.0), (1.2, 2.08, 0.0), (1.2, 0.69, 1.96)]
KINDS = {
    "lj-shift": lambda: mixture("LJ mixture, rule 2, potential-shift", 11, **cut(1.0, "Potential-shift", DispCorr="EnerPres")),
    "lj-rule1": lambda: mixture("LJ mixture, rule 1, plain cutoff", 12, rule=1, **cut(1.0, DispCorr="Ener")),
    "lj-rule1-special": lambda: mixture("LJ mixture, rule 1, nonbond_params", 13, rule=1, extra=special_pair(1), **cut(1.0)),
    "lj-rule2-special": lambda: mixture("LJ mixture, rule 2, nonbond_params", 14, extra=special_pair(2), **cut(1.0)),
    "lj-rule3-special": lambda: mixture("LJ mixture, rule 3, nonbond_params", 15, rule=3, extra=special_pair(3), **cut(0.9, "Potential-shift")),
    "lj-force-switch": lambda: mixture("LJ mixture, force-switch", 16, **cut(1.0, "Force-switch", rvdw_switch=0.8, DispCorr="EnerPres")),
    "lj-potential-switch": lambda: mixture("LJ mixture, potential-switch", 17, **cut(1.0, "Potential-switch", rvdw_switch=0.75, DispCorr="EnerPres")),
    "lj-skewed": lambda: mixture("LJ mixture, cutoff over half a cell height", 18, box=SKEWED, count=190, **cut(1.15, "Potential-shift")),
    "ions-cutoff": lambda: ions("salt, plain cutoff", 21, geometry.cubic(2.3), 216, **cut(1.1)),
    "ions-rf-conducting": lambda: ions("salt, reaction field, conducting surroundings", 22, geometry.cubic(2.3), 216,
                                       **{**cut(1.1), "coulombtype": "Reaction-field", "epsilon_rf": 0}),
    "ions-rf": lambda: ions("salt, reaction field, epsilon_r 2, epsilon_rf 78", 23, geometry.cubic(2.3), 216,
                            **{**cut(1.0, "Potential-shift"), "coulombtype": "Reaction-field", "epsilon_r": 2, "epsilon_rf": 78}),
    "ions-pme": lambda: ions("salt, PME order 4", 24, geometry.cubic(2.3), 216, **pme(1.0)),
    "ions-pme3": lambda: ions("salt, PME order 3", 25, geometry.cubic(2.3), 216, **pme(0.9, 3, fourierspacing=0.08)),
    "ions-pme5-triclinic": lambda: ions("salt, PME order 5, triclinic", 26, geometry.scaled_to(geometry.octahedron(1.0), 12.2), 216,
                                        **pme(1.0, 5, ewald_rtol="1e-6", coulomb_modifier="None")),
    "ions-pme6": lambda: ions("salt, PME order 6, three different edges", 27, [(2.0, 0, 0), (0, 2.3, 0), (0, 0, 2.7)], 220, **pme(0.9, 6)),
    "ions-pme7": lambda: ions("salt, PME order 7", 28, geometry.cubic(2.3), 216, **pme(0.9, 7, fourierspacing=0.16)),
    "ions-pme8": lambda: ions("salt, PME order 8, given grid", 29, geometry.cubic(2.3), 216,
                              **pme(0.9, 8, fourier_nx=20, fourier_ny=21, fourier_nz=24)),
    "lj-pme": lambda: mixture("LJ-PME, geometric C6 of a rule 2 mixture", 32, **ljpme(cut(1.0, "Potential-shift", DispCorr="EnerPres"))),
    "lj-pme-lb": lambda: mixture("LJ-PME, Lorentz-Berthelot", 33, **ljpme(cut(1.0, "Potential-shift"), lj_pme_comb_rule="Lorentz-Berthelot")),
    "lj-pme-special": lambda: mixture("LJ-PME, nonbond_params off the rule, plain cutoff, all of the dispersion correction", 34, extra=special_pair(2),
                                      **ljpme(cut(0.9, DispCorr="AllEnerPres"), lj_pme_comb_rule="Lorentz-Berthelot", pme_order=6)),
    "lj-pme-rule3": lambda: mixture("LJ-PME, rule 3, tight ewald-rtol-lj, reaction field", 35, rule=3, box=SKEWED, count=190,
                                    **ljpme({**cut(1.0), "coulombtype": "Reaction-field"}, ewald_rtol_lj="1e-5", pme_order=5)),
    "ions-lj-pme": lambda: ions("salt, PME and LJ-PME", 36, geometry.cubic(2.3), 216, **ljpme(pme(1.0), lj_pme_comb_rule="Lorentz-Berthelot")),
    # No virial here: GROMACS's differs from the strain derivative of its own energy (alder's agrees with that to 1e-5).
    "ions-net-charge": lambda: ions("salt with a net charge, PME", 30, geometry.cubic(2.3), 216, net=4, virial=False, **pme(1.0)),
    # No virial in these four: GROMACS leaves the dipole's energy out of it.
    "ions-slab": lambda: ions("a slab of salt, ewald-geometry 3dc", 37, geometry.cubic(2.3), 180, gap=3.2, virial=False,
                              **pme(0.9, ewald_geometry="3dc")),
    "ions-slab-charged": lambda: ions("a charged slab of salt, ewald-geometry 3dc", 38, geometry.cubic(2.3), 180, net=4, gap=3.2,
                                      virial=False, **pme(0.9, ewald_geometry="3dc", epsilon_r=2)),
    "water-in-vacuum": lambda: water("flexible water, PME, a crystal of boxes in vacuum", 46, 216, flexible=True, virial=False,
                                     **pme(0.9, epsilon_surface=1)),
    "chain-in-dielectric": lambda: chain("chains, PME, a crystal of boxes in a dielectric", 57, virial=False, **pme(0.7, epsilon_surface=4, epsilon_r=2)),
    "ions-skewed": lambda: ions("salt, PME, cutoff over half a cell height", 31, SKEWED, 180, **pme(1.15)),
    "water-pme": lambda: water("SPC/E, rigid, PME", 41, 216, **pme(0.9, DispCorr="EnerPres")),
    "water-rf": lambda: water("SPC/E, rigid, reaction field", 42, 216, coulombtype="Reaction-field", epsilon_rf=0, rcoulomb=0.9, rvdw=0.9),
    "water-dodecahedron": lambda: water("SPC/E, rigid, PME, dodecahedron", 43, 216, geometry.dodecahedron, **pme(0.9, DispCorr="Ener")),
    "water-lj-pme": lambda: water("SPC/E, rigid, PME and LJ-PME", 45, 216, **ljpme(pme(0.9), DispCorr="EnerPres")),
    "water-flexible": lambda: water("flexible water, PME, force-switch", 44, 216, flexible=True,
                                    **pme(0.9, vdw_modifier="Force-switch", rvdw_switch=0.7)),
    "chain": lambda: chain("chains, PME, generated 1-4 pairs", 51, **pme(0.7)),
    "chain-lj-pme": lambda: chain("chains, PME and LJ-PME, geometric", 55, **ljpme(pme(0.7), DispCorr="EnerPres")),
    "chain-lj-pme-lb": lambda: chain("chains, LJ-PME, Lorentz-Berthelot", 56, **ljpme(pme(0.7), lj_pme_comb_rule="Lorentz-Berthelot")),
    "chain-rule1": lambda: chain("chains, rule 1, pair types", 52, rule=1, gen_pairs="no", extra=pair_types(1) + "HC HC 1 2e-6 1e-10\n",
                                 dihedral=1, **cut(0.75, "Potential-shift")),
    "chain-rule2-types": lambda: chain("chains, rule 2, some pair types, the rest generated", 153, extra=pair_types(2), angle=2, **cut(0.75)),
    "chain-rule3-given": lambda: chain("chains, rule 3, 1-4 parameters in [ pairs ]", 54, rule=3, fudge=(1.0, 0.5), pairs="1 0.2 0.15",
                                       **{**cut(0.75), "coulombtype": "Reaction-field", "epsilon_rf": 20}),
}
for _function in sorted(BOND):
    KINDS[f"bond-{_function}"] = lambda f=_function: chain(f"chains, bond function {f}", 60 + f, bond=f, count=4, **cut(0.75))
for _function in sorted(ANGLE):
    KINDS[f"angle-{_function}"] = lambda f=_function: chain(f"chains, angle function {f}", 80 + f, angle=f, count=4, **cut(0.75))
for _function in sorted(DIHEDRAL):
    KINDS[f"dihedral-{_function}"] = lambda f=_function: chain(f"chains, dihedral function {f}", 100 + f, dihedral=f, count=4, **cut(0.75))
KINDS["pairs-2"] = lambda: chain("chains, 1-4 pairs with charges of their own", 121, pairs="2 0.7 0.2 -0.3 0.25 0.3", count=4, **cut(0.75))
KINDS["cmap"] = lambda: chain("chains with an energy map", 122, extra=energy_map(), count=4, more="[ cmap ]\n5 1 2 3 4 1\n", **cut(0.75))
KINDS["restrained"] = lambda: restrained("chains held to reference positions", 123)
for _site in SITES:
    KINDS[f"site-{_site}"] = lambda s=_site: sited(f"chains, virtual site {s}", 200 + len(s), s, count=4, **cut(0.75))
# Sites out of place: pairs see them as given (docs/decisions/0006), in the virial too.
KINDS["site-pme"] = lambda: sited("chains, virtual site 3out out of place, PME", 211, "3out", off=0.002, **pme(0.7))
KINDS["site-rf"] = lambda: sited("chains, virtual site 3fad out of place, reaction field", 212, "3fad", off=0.002,
                                 **{**cut(0.75), "coulombtype": "Reaction-field", "epsilon_rf": 20})
SWOLLEN = (1.03, 1.01, 0.98)
KINDS["restrained-all"] = lambda: restrained("chains held, references move with the box", 124, swollen=SWOLLEN, refcoord_scaling="All")
KINDS["restrained-com"] = lambda: restrained("chains held, the centre of the references moves with the box", 125, swollen=SWOLLEN, refcoord_scaling="COM")
KINDS["flat-bottom"] = lambda: restrained("chains in flat-bottomed wells of every geometry", 126, FLAT, width=0.02)
KINDS["flat-bottom-com"] = lambda: restrained("chains held and in flat-bottomed wells, whose centre moves with the box", 127,
                                              HELD + FLAT, SWOLLEN, 0.02, refcoord_scaling="COM")
KINDS["dihedral-restraint"] = lambda: chain("chains, dihedral restraints", 128, count=4, more="[ dihedral_restraints ]\n"
                                            "1 2 3 4 1 150 10 300\n5 1 2 3 1 -170 20 200\n5 1 2 8 1 60 5 150\n6 1 2 9 1 179 0.5 90\n", **cut(0.75))
KINDS["angle-restraint"] = lambda: chain("chains, angle restraints", 129, count=4, more="[ angle_restraints ]\n"
                                         "1 2 3 4 1 40 300 1\n5 1 4 12 1 80 200 2\n1 5 1 8 1 70 100 1\n[ angle_restraints_z ]\n1 2 1 30 250 1\n3 4 1 65 90 2\n", **cut(0.75))
KINDS["electric-field"] = lambda: ions("salt in an electric field", 130, geometry.cubic(2.3), 216,
                                       **pme(1.0, electric_field_x="0.3 0 0 0", electric_field_y="-0.5 150 2.0 0", electric_field_z="0.4 120 0.5 0.7", tinit=0.37))
KINDS["electric-field-sites"] = lambda: sited("chains with sites in an electric field", 131, "3fad", count=4, **cut(0.75, electric_field_x="0.5 0 0 0", electric_field_z="0.4 120 0.5 0.7"))
# Below, between, above, far above; a restraint of three pairs, conservative and with equal shares.
DISTANCES = ("[ distance_restraints ]\n1 4 1 0 1 0.45 0.5 0.6 1.0\n2 4 1 1 1 0.1 0.2 0.4 2.0\n1 3 1 2 1 0.0 0.1 0.3 1.5\n"
             "5 12 1 3 1 0.0 0.3 0.5 1.0\n5 13 1 3 1 0.0 0.3 0.5 1.0\n6 12 1 3 1 0.0 0.3 0.5 1.0\n1 14 1 4 2 0.2 0.3 0.7 0.5\n"
             "2 12 1 5 1 0.1 0.6 0.7 1.0\n")
KINDS["distance-restraint"] = lambda: chain("a chain, distance restraints", 132, count=1, more=DISTANCES, **cut(0.75, disre="Simple", disre_fc=2000))
KINDS["distance-restraint-equal"] = lambda: chain("a chain, distance restraints, equal weights", 133, count=1, more=DISTANCES,
                                                  **cut(0.75, disre="Simple", disre_fc=1500, disre_weighting="Equal"))
KINDS["distance-restraint-off"] = lambda: chain("chains, distance restraints left out", 134, count=4, more=DISTANCES, **cut(0.75))


def grouped(what, seed, **rules):
    """Molecules cut by energy groups: the first half of each, the rest of the first molecule, and what is left."""
    kind = chain(what, seed, energygrps="Heads First", **rules)
    heads = [i for i in range(1, len(kind.atoms) + 1) if (i - 1) % 14 < 7]
    kind.index = {"System": range(1, len(kind.atoms) + 1), "Heads": heads, "First": [i for i in range(1, 15) if i not in heads]}
    return kind


KINDS["energy-groups"] = lambda: grouped("chains in energy groups, PME", 135, **pme(0.7))
KINDS["energy-groups-rf"] = lambda: grouped("chains in energy groups, reaction field", 136, count=4,
                                            **{**cut(0.75, "Potential-shift"), "coulombtype": "Reaction-field", "epsilon_rf": 20})
