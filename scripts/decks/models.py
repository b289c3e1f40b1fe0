"""Published models, each from its paper's own numbers, as topologies written out in full."""
import math

KCAL = 4.184  # kJ
KELVIN = 0.00831446261815324  # kJ/mol, CODATA 2018


def from_c6_c12(c6, c12):
    """sigma (nm), epsilon (kJ/mol) of 4 eps ((s/r)^12 - (s/r)^6)."""
    return (c12 / c6) ** (1 / 6), c6 * c6 / (4 * c12)


class Water:
    """Three sites, rigid: oxygen first, then two hydrogens."""
    names = ("OW", "HW1", "HW2")

    def __init__(self, title, source, bond, angle, charge, c6, c12):
        self.title, self.source = title, source
        self.bond, self.angle, self.charge = bond, angle, charge
        self.sigma, self.epsilon = from_c6_c12(c6, c12)
        half = math.radians(angle) / 2
        self.across = 2 * bond * math.sin(half)
        self.shape = [(0.0, 0.0, 0.0), (bond * math.sin(half), 0.0, bond * math.cos(half)),
                      (-bond * math.sin(half), 0.0, bond * math.cos(half))]
        self.masses = (15.9994, 1.008, 1.008)

    def atom_types(self):
        return (f"OW   8  15.9994  0.0  A  {self.sigma:.9e}  {self.epsilon:.9e}\n"
                "HW   1   1.0080  0.0  A  0.0  0.0\n")

    def molecule(self, flexible=False):
        hold = (f"[ settles ]\n; oxygen  function  O-H  H-H (nm)\n1  1  {self.bond:.6f}  {self.across:.8f}\n" if not flexible else
                f"[ bonds ]\n1 2 1 {self.bond:.6f} 345000\n1 3 1 {self.bond:.6f} 345000\n"
                f"[ angles ]\n2 1 3 1 {self.angle:.4f} 383\n")
        return ("[ moleculetype ]\n; name  bonds within which pairs are left out\nSOL  2\n"
                "[ atoms ]\n; number type residue name atom group charge mass\n"
                f"1  OW  1  SOL  OW   1  {-2 * self.charge:.4f}  15.9994\n"
                f"2  HW  1  SOL  HW1  1  {self.charge:.4f}   1.0080\n"
                f"3  HW  1  SOL  HW2  1  {self.charge:.4f}   1.0080\n"
                f"{hold}[ exclusions ]\n1 2 3\n2 1 3\n3 1 2\n")


class FourSiteWater(Water):
    """The charge of the oxygen sits on a site of its own, on the line that halves the angle."""
    names = ("OW", "HW1", "HW2", "MW")

    def __init__(self, *words, site, **more):
        super().__init__(*words, **more)
        self.share = site / (2 * self.bond * math.cos(math.radians(self.angle) / 2))
        self.shape = [*self.shape, (0.0, 0.0, site)]

    def atom_types(self):
        return super().atom_types() + "MW   0   0.0000  0.0  D  0.0  0.0\n"

    def molecule(self, flexible=False):
        if flexible:
            raise ValueError("only rigid")
        return ("[ moleculetype ]\n; name  bonds within which pairs are left out\nSOL  2\n"
                "[ atoms ]\n; number type residue name atom group charge mass\n"
                "1  OW  1  SOL  OW   1   0.0000  15.9994\n"
                f"2  HW  1  SOL  HW1  1   {self.charge:.4f}   1.0080\n"
                f"3  HW  1  SOL  HW2  1   {self.charge:.4f}   1.0080\n"
                f"4  MW  1  SOL  MW   1  {-2 * self.charge:.4f}   0.0000\n"
                f"[ settles ]\n; oxygen  function  O-H  H-H (nm)\n1  1  {self.bond:.6f}  {self.across:.8f}\n"
                f"[ virtual_sites3 ]\n; site  from  function  shares\n4  1  2  3  1  {self.share:.9f}  {self.share:.9f}\n"
                "[ exclusions ]\n1 2 3 4\n2 1 3 4\n3 1 2 4\n4 1 2 3\n")


# E(OO) = -(A/r)^6 + (B/r)^12 with A = 0.37122 nm (kJ/mol)^(1/6), B = 0.3428 nm (kJ/mol)^(1/12).
SPCE = Water("SPC/E water", "H. J. C. Berendsen, J. R. Grigera, T. P. Straatsma, J. Phys. Chem. 91, 6269 (1987)",
             bond=0.1, angle=109.47, charge=0.4238, c6=0.37122 ** 6, c12=0.3428 ** 12)
# A^2 = 582000 kcal Angstrom^12/mol, C^2 = 595 kcal Angstrom^6/mol.
TIP3P = Water("TIP3P water", "W. L. Jorgensen et al., J. Chem. Phys. 79, 926 (1983)",
              bond=0.09572, angle=104.52, charge=0.417, c6=595 * KCAL * 1e-6, c12=582000 * KCAL * 1e-12)
# A^2 = 600000 kcal Angstrom^12/mol, C^2 = 610 kcal Angstrom^6/mol.
TIP4P = FourSiteWater("TIP4P water", "W. L. Jorgensen et al., J. Chem. Phys. 79, 926 (1983)",
                      bond=0.09572, angle=104.52, charge=0.52, c6=610 * KCAL * 1e-6, c12=600000 * KCAL * 1e-12, site=0.015)
WATERS = {"spce": SPCE, "tip3p": TIP3P, "tip4p": TIP4P}


def defaults(rule=2, gen_pairs="no", fudge_lj=1.0, fudge_qq=1.0):
    return ("[ defaults ]\n; function  combination rule  generate pairs  fudge LJ  fudge QQ\n"
            f"1  {rule}  {gen_pairs}  {fudge_lj}  {fudge_qq}\n")


def water_topology(model, count, flexible=False):
    return (f"; {model.title}: {model.source}\n" + defaults() + "[ atomtypes ]\n; name  number  mass  charge  kind  sigma (nm)  epsilon (kJ/mol)\n"
            + model.atom_types() + model.molecule(flexible) + f"[ system ]\n{model.title}\n[ molecules ]\nSOL  {count}\n")


ARGON_SOURCE = "A. Rahman, Phys. Rev. 136, A405 (1964): sigma = 0.34 nm, epsilon = 120 K"
ARGON_MASS = 39.948


def argon_topology(count):
    return (f"; liquid argon: {ARGON_SOURCE}\n" + defaults() +
            f"[ atomtypes ]\nAr  18  {ARGON_MASS}  0.0  A  0.34  {120 * KELVIN:.9f}\n"
            "[ moleculetype ]\nAr  1\n[ atoms ]\n1  Ar  1  Ar  Ar  1  0.0\n"
            f"[ system ]\nArgon\n[ molecules ]\nAr  {count}\n")


# I. S. Joung, T. E. Cheatham, J. Phys. Chem. B 112, 9020 (2008), the set for SPC/E: Rmin/2 in Angstrom, epsilon in kcal/mol.
IONS_SOURCE = "I. S. Joung, T. E. Cheatham, J. Phys. Chem. B 112, 9020 (2008), set for SPC/E"
ROOT = 2 ** (1 / 6)
IONS = {"Na": (11, 22.98977, 1, 2 * 0.1212 / ROOT, 0.3526418 * KCAL), "Cl": (17, 35.453, -1, 2 * 0.2711 / ROOT, 0.0127850 * KCAL)}


def salt_topology(cation, anion, count, charges_only=False):
    """Pairs of ions in blocks: all cations, then all anions. charges_only: no LJ, so that the energy is the lattice sum of charges."""
    table = {**IONS, "Cs": (55, 132.90545, 1, 0.0, 0.0)}
    types = molecules = ""
    for name in (cation, anion):
        number, mass, charge, sigma, epsilon = table[name]
        if charges_only:
            sigma = epsilon = 0.0
        types += f"{name}  {number}  {mass}  0.0  A  {sigma:.9e}  {epsilon:.9e}\n"
        molecules += f"[ moleculetype ]\n{name}  1\n[ atoms ]\n1  {name}  1  {name}  {name}  1  {charge:.1f}\n"
    head = "; point charges alone: no Lennard-Jones\n" if charges_only else f"; {IONS_SOURCE}\n"
    return (head + defaults() + "[ atomtypes ]\n" + types + molecules +
            f"[ system ]\n{cation}{anion}\n[ molecules ]\n{cation}  {count}\n{anion}  {count}\n")
