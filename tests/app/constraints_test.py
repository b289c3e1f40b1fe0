#!/usr/bin/env python3
"""A peptide in water with constraints, against GROMACS 2022.5 in double precision (gmx_d, one thread, the same settings).

Twenty steps of 2 fs: positions, velocities and constraint forces all enter the energies and the pressure at their end. Both solve
constraints far below their defaults, so that what is compared is the dynamics and not where an iteration was cut."""
import os

from deck_runs import DeckRuns, main

RULES = {"fourierspacing": 0.08, "pme_order": 6, "rlist": 0.9, "verlet_buffer_tolerance": -1, "nstlist": 1, "nstcalcenergy": 1, "nstenergy": 1,
         "dispcorr": "no", "comm_mode": "none", "nsteps": 20, "lincs_order": 8, "lincs_iter": 4, "shake_tol": 1e-8}
# potential, kinetic energy (kJ/mol), pressure, its xx and xy (bar): steps 0 and 20
H_BONDS = ((-38252.934606, 7542.338211, -32.491790, 21.965713, -349.795822), (-38209.025250, 7499.235424, 813.032208, 299.522271, -147.537965))
ALL_BONDS = ((-38270.405295, 7514.431031, -37.728166, -82.616923, -262.564064), (-38232.329973, 7475.334799, 719.725307, 172.096718, -191.601322))


class Constraints(DeckRuns):
    deck = "peptide"
    mdp = "nve.mdp"

    def energies(self, **rules):
        import h5py

        self.set_mdp(**RULES, **rules)
        self.run_deck("run", "-nt", 2)
        with h5py.File(os.path.join(self.folder, "run.h5md")) as file:
            terms = file["energies"]
            value = {name: terms[name]["value"][()] for name in ("Potential", "Kinetic En.", "Pressure", "Pressure tensor")}
        return [(value["Potential"][i], value["Kinetic En."][i], value["Pressure"][i], value["Pressure tensor"][i][0][0],
                 value["Pressure tensor"][i][0][1]) for i in (0, 20)]

    def compare(self, known, **rules):
        for ours, theirs in zip(self.energies(**rules), known):
            # GROMACS's own Ewald fit differs from the exact sum by some 2e-3 kJ/mol here
            for value, reference, tolerance in zip(ours, theirs, (0.02, 0.01, 0.1, 0.1, 0.1)):
                self.assertAlmostEqual(value, reference, delta=tolerance, msg=f"{rules}: {ours} for {theirs}")

    def test_h_bonds_by_lincs(self):
        self.compare(H_BONDS, constraints="h-bonds")

    def test_h_bonds_by_shake(self):
        self.compare(H_BONDS, constraints="h-bonds", constraint_algorithm="shake")

    def test_all_bonds_by_lincs(self):
        self.compare(ALL_BONDS, constraints="all-bonds")

    def test_all_bonds_by_shake(self):
        self.compare(ALL_BONDS, constraints="all-bonds", constraint_algorithm="shake")

    def test_energy_is_conserved(self):
        """1 ps with the defaults of LINCS: the drift of the conserved energy stays below thermal noise."""
        import h5py

        self.set_mdp(nsteps=500, nstcalcenergy=10, nstenergy=10)
        self.run_deck("run", "-nt", 2)
        with h5py.File(os.path.join(self.folder, "run.h5md")) as file:
            conserved = file["energies/Conserved En./value"][()]
        drift = (conserved[-5:].mean() - conserved[:5].mean()) / (6000 * 0.0083144626 * 300)
        self.assertLess(abs(drift), 1e-3)

    def test_a_run_that_tears_a_bond_says_which(self):
        self.set_mdp(nsteps=20, dt=0.02)
        done = self.run_deck("run", expect=1)
        self.assertRegex(done.stderr, r"step \d+: ")


if __name__ == "__main__":
    main()
