"""The cases of `alder validate`: a deck each, and energies known from outside alder.

Expected values come from the literature, or from the plain double sums below: every pair or every wave vector, one after the other,
with nothing in common with alder's lists, kernels and grids.
"""
import cmath
import json
import math

from . import geometry, gro, models, reference
from .settings import mdp

# kJ/mol nm e^-2 from CODATA 2018: e^2 N_A / (4 pi eps0).
COULOMB = 1.602176634e-19 ** 2 * 6.02214076e23 / (4 * math.pi * 8.8541878128e-12) * 1e6
MADELUNG = {"nacl": 1.7475645946331822, "cscl": 1.76267477307099}
MADELUNG_SOURCE = "Madelung constant of the infinite lattice, referred to the nearest-neighbour distance (OEIS A085469, A181152)"


def single_point(comment, rcoulomb, rvdw=None, **rules):
    radius = max(rcoulomb, rvdw or rcoulomb)
    return mdp(comment, integrator="md", nsteps=0, dt=0.001, continuation="yes", comm_mode="none", nstlist=1, verlet_buffer_tolerance=-1,
               rlist=radius, nstenergy=1, nstcalcenergy=1, nstfout=1, rcoulomb=rcoulomb, rvdw=rvdw or rcoulomb, **rules)


def store(folder, deck_text, title, source, expectations, coordinates=None):
    folder.mkdir(parents=True, exist_ok=True)
    topology, run = deck_text
    (folder / "topol.top").write_text(topology)
    (folder / "run.mdp").write_text(run)
    if coordinates:
        atoms, box, decimals = coordinates
        gro.write(folder / "conf.gro", title, atoms, box, decimals=decimals)
    case = {"schema": "alder-case-1", "name": folder.name, "title": title, "source": source,
            "deck": {"mdp": "run.mdp", "coordinates": "conf.gro", "topology": "topol.top"}, "expectations": expectations}
    (folder / "case.json").write_text(json.dumps(case, indent=2) + "\n")


def expect(term, value, tolerance, source):
    return {"term": term, "value": value, "tolerance": tolerance, "source": source}


def nearest(box, a, b):
    """|a - b| to the nearest image in a rectangular box."""
    return math.sqrt(sum((d - edge * round(d / edge)) ** 2 for d, edge in zip((a[k] - b[k] for k in range(3)), (box[0][0], box[1][1], box[2][2]))))


def lennard_jones(points, box, sigma, epsilon, cutoff, shifted):
    """Sum over all pairs within the cutoff; shifted: each pair's energy is zero there."""
    at_cutoff = (sigma / cutoff) ** 6
    offset = 4 * epsilon * (at_cutoff ** 2 - at_cutoff) if shifted else 0.0
    terms = []
    for i, a in enumerate(points):
        for b in points[:i]:
            r = nearest(box, a, b)
            if r < cutoff:
                s = (sigma / r) ** 6
                terms.append(4 * epsilon * (s * s - s) - offset)
    return math.fsum(terms)


def ewald_real(points, charges, molecule, box, beta, cutoff):
    """Screened pairs of different molecules within the cutoff, less the smeared self energies and the smeared pairs inside a molecule."""
    terms = [-beta / math.sqrt(math.pi) * q * q for q in charges]
    for i, a in enumerate(points):
        for j, b in enumerate(points[:i]):
            r = nearest(box, a, b)
            if molecule[i] == molecule[j]:
                terms.append(-charges[i] * charges[j] * math.erf(beta * r) / r)
            elif r < cutoff:
                terms.append(charges[i] * charges[j] * math.erfc(beta * r) / r)
    return COULOMB * math.fsum(terms)


def ewald_reciprocal(points, charges, edge, beta, largest):
    """Half the wave vectors of a cube with |n| <= largest, doubled."""
    phases = [[[cmath.exp(2j * math.pi * n * x / edge) for n in range(-largest, largest + 1)] for x in p] for p in points]
    terms = []
    for h in range(largest + 1):
        for k in range(-largest, largest + 1):
            for m in range(-largest, largest + 1):
                n2 = h * h + k * k + m * m
                if n2 > largest * largest or h == 0 and (k < 0 or k == 0 and m <= 0):
                    continue
                k2 = (2 * math.pi / edge) ** 2 * n2
                structure = sum(q * p[0][h + largest] * p[1][k + largest] * p[2][m + largest] for q, p in zip(charges, phases))
                terms.append(2 * math.exp(-k2 / (4 * beta * beta)) / k2 * abs(structure) ** 2)
    return COULOMB * 2 * math.pi / edge ** 3 * math.fsum(terms)


def argon(folder, start):
    """`start`: atoms and box of inputs/argon."""
    atoms, box = start
    cutoff, sigma, epsilon = 1.2, 0.34, 120 * models.KELVIN
    topology = models.argon_topology(len(atoms))
    run = single_point("argon, one configuration", cutoff, coulombtype="Cut-off", vdw_modifier="Potential-shift", DispCorr="EnerPres")
    store(folder, (topology, run), f"Argon, {len(atoms)} atoms", models.ARGON_SOURCE, [], (atoms, box, 3))
    value = lennard_jones([a[3] for a in atoms], box, sigma, epsilon, cutoff, shifted=True)
    peer, _ = reference.compute(folder, True)
    both = f"every pair summed one by one in double precision; {peer['engine']} gives {peer['terms']['LJ (SR)']:.6f}"
    expectations = [expect("LJ (SR)", value, 1e-5, both),
                    expect("Disper. corr.", peer["terms"]["Disper. corr."], 1e-5, peer["engine"]),
                    expect("Potential", peer["terms"]["Potential"], 1e-5, peer["engine"])]
    store(folder, (topology, run), f"Argon, {len(atoms)} atoms", models.ARGON_SOURCE, expectations)


def water(folder, start):
    atoms, box = start
    topology = models.water_topology(models.SPCE, len(atoms) // 3)
    run = single_point("SPC/E water, one configuration", 0.9, coulombtype="PME", pme_order=4, fourierspacing=0.12, ewald_rtol="1e-5",
                       vdw_modifier="Potential-shift", DispCorr="EnerPres")
    title = f"SPC/E water, {len(atoms) // 3} molecules, PME"
    store(folder, (topology, run), title, models.SPCE.source, [], (atoms, box, 3))
    peer, _ = reference.compute(folder, False)
    names = ("LJ (SR)", "Disper. corr.", "Coulomb (SR)", "Coul. recip.", "Potential")
    store(folder, (topology, run), title, models.SPCE.source, [expect(n, peer["terms"][n], 1e-5, peer["engine"]) for n in names])


def madelung(folder, kind, deck, edge):
    """Point charges on a perfect lattice: E = -M f q^2 / r0 for each pair of ions."""
    neighbour = edge / 2 if kind == "nacl" else edge * math.sqrt(3) / 2
    pairs = len(deck.atoms) // 2
    value = -MADELUNG[kind] * COULOMB / neighbour * pairs
    run = single_point("point charges on a lattice, tight PME", 1.1, coulombtype="PME", pme_order=8, fourierspacing=0.045, ewald_rtol="1e-8",
                       coulomb_modifier="None", vdw_modifier="None")
    note = (f"-M f/r0 for each of {pairs} pairs of ions, M = {MADELUNG[kind]}, r0 = {neighbour:.9f} nm, "
            f"f = {COULOMB:.9f} kJ/mol nm/e^2 (CODATA 2018)")
    store(folder, (deck.topology, run), f"{deck.title} of point charges against its Madelung constant", MADELUNG_SOURCE,
          [expect("Potential", value, 1e-6, note)], (deck.atoms, deck.box, 6))


NIST = models.Water("SPC/E water", "NIST Standard Reference Simulation Website, SPC/E Water Reference Calculations, 10 Angstrom cutoff",
                    bond=0.1, angle=109.47, charge=0.4238,
                    c6=4 * 78.19743111 * models.KELVIN * 0.316555789 ** 6, c12=4 * 78.19743111 * models.KELVIN * 0.316555789 ** 12)


def nist(folder):
    """The configuration lies in the folder as conf.gro (its README says where it is from); the box is a cube of 2 nm.

    NIST sums pairs within 1 nm, half the box. The cutoff here is 5e-7 nm less, so that it is under half the box; no pair of the
    configuration lies between (the nearest ones are at 0.9999989 and 1.0000238 nm)."""
    _, atoms, box, _ = gro.read(folder / "conf.gro")
    points = [a[3] for a in atoms]
    molecule = [i // 3 for i in range(len(atoms))]
    charges = [(-0.8476, 0.4238, 0.4238)[i % 3] for i in range(len(atoms))]
    beta, cutoff = 2.8, 0.9999995
    run = single_point("NIST SPC/E configuration 1: beta = 5.6/L, converged in k space", cutoff, coulombtype="PME", pme_order=8,
                       fourierspacing=0.05, ewald_rtol=f"{math.erfc(beta * cutoff):.12e}", coulomb_modifier="None", vdw_modifier="None")
    lj = lennard_jones(points[::3], box, 0.316555789, 78.19743111 * models.KELVIN, cutoff, shifted=False)
    real = ewald_real(points, charges, molecule, box, beta, cutoff)
    recip = ewald_reciprocal(points, charges, box[0][0], beta, 14)
    expectations = [
        expect("LJ (SR)", lj, 1e-5, "NIST: 9.95387e4 K; to more digits, every pair summed in double precision"),
        expect("Coulomb (SR)", real, 1e-5,
               "NIST: real -5.58889e5, self -2.84469e6, intramolecular 2.80999e6 K; to more digits, every pair summed in double precision"),
        expect("Coul. recip.", recip, 1e-5,
               "wave vectors to |n| = 14 in double precision, converged; NIST's own sum stops at n^2 < 27 with 6.27009e3 K (52.1325 kJ/mol)")]
    store(folder, (models.water_topology(NIST, len(atoms) // 3), run), "NIST SPC/E sample configuration 1", NIST.source, expectations)
