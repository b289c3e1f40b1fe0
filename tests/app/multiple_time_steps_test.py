#!/usr/bin/env python3
"""Multiple time steps: slow forces count for all steps until their next turn, and energies are those of a run without."""
import os

from deck_runs import DeckRuns, main

EVERY_GROUP = "longrange-nonbonded nonbonded pair dihedral angle"


class MultipleTimeSteps(DeckRuns):
    deck = "peptide"
    mdp = "nve.mdp"

    def arrays(self, name):
        import h5py

        with h5py.File(os.path.join(self.folder, name + ".h5md")) as file:
            group = next(iter(file["particles"].values()))
            energies = {term: item["value"][()] for term, item in file["energies"].items() if "value" in item}
            return group["velocity/value"][()].astype(float), energies

    def run_with(self, name, **mdp):
        self.set_mdp(nsteps=12, nstxout=1, nstvout=1, nstenergy=12, nstcalcenergy=12, nstlog=12, nstlist=12, **mdp)
        self.run_deck(name, "-nt", 2)
        return self.arrays(name)

    def test_slow_forces_count_for_all_steps_until_their_next_turn(self):
        """The first kick is F_fast + k F_slow, so velocities after it lie on a line in k; and the second step has no slow force at all."""
        import numpy

        for forces in ("longrange-nonbonded", "longrange-nonbonded dihedral angle", EVERY_GROUP):
            with self.subTest(forces):
                # Rigid water answers a kick nearly in proportion, the shorter the step the more so.
                one = self.run_with("one", constraints="none", dt=0.00025)
                runs = {k: self.run_with(f"k{k}", mts="yes", mts_level2_factor=k, mts_level2_forces=forces, constraints="none",
                                         define="-DFLEXIBLE", dt=0.00025) for k in (2, 3, 4)}
                slow = runs[2][0][1] - one[0][1]
                rms = numpy.sqrt((slow**2).mean())
                self.assertGreater(rms, 1e-4)
                for k in (3, 4):
                    rest = runs[k][0][1] - one[0][1] - (k - 1) * slow
                    self.assertLess(numpy.sqrt((rest**2).mean()), 3e-3 * rms)
                # From v(1/2) on: a step of fast forces alone leaves nearly the same acceleration whatever k; one with slow forces would not.
                second = {k: runs[k][0][2] - runs[k][0][1] for k in (3, 4)}
                self.assertLess(numpy.sqrt(((second[3] - second[4])**2).mean()), 0.2 * rms)

    def test_energies_are_those_without(self):
        """Where all forces are known, potential and virial are the same to the bit; the kinetic energy sees the greater kick."""
        import numpy

        one = self.run_with("one")[1]
        many = self.run_with("many", mts="yes", mts_level2_factor=2, mts_level2_forces=EVERY_GROUP)[1]
        self.assertGreater(len(one), 8)
        for term, values in one.items():
            with self.subTest(term):
                if term == "virial":  # SETTLE may round otherwise where its step is not kept
                    numpy.testing.assert_allclose(many[term][0], values[0], rtol=0, atol=1e-6)
                elif term in ("Kinetic En.", "Temperature", "Total Energy", "Conserved En.", "Pressure", "Pressure tensor") or "T-" in term:
                    self.assertNotEqual(numpy.ravel(many[term][0])[0], numpy.ravel(values[0])[0])
                else:
                    self.assertEqual(numpy.ravel(many[term][0])[0], numpy.ravel(values[0])[0])

    def test_what_falls_between_is_refused_at_its_line(self):
        self.set_mdp(mts="yes", mts_level2_factor=4, mts_level2_forces="nonbonded bonds", nstcalcenergy=5, nstenergy=10, nsteps=7)
        said = self.run_deck("refused", expect=2).stderr
        lines = self.text_of(os.path.join(self.folder, "run.mdp")).splitlines()
        at = {key: number for number, line in enumerate(lines, 1) for key in [line.split("=")[0].strip()]}
        for key, what in (("mts-level2-forces", "'bonds'"), ("mts-level2-forces", "longrange-nonbonded")):
            self.assertRegex(said, rf"run\.mdp:{at[key]}: .*{what}")
        self.set_mdp(mts="yes", mts_level2_factor=4, nstcalcenergy=5, nstenergy=10, nsteps=7, nstlog=6, nstfout=10, nstxout=10, nstlist=10,
                     mts_level2_forces=EVERY_GROUP)
        said = self.run_deck("refused", expect=2).stderr
        lines = self.text_of(os.path.join(self.folder, "run.mdp")).splitlines()
        at = {key: number for number, line in enumerate(lines, 1) for key in [line.split("=")[0].strip()]}
        for key in ("nstcalcenergy", "nstenergy", "nsteps", "nstlog", "nstfout", "nstlist"):
            self.assertRegex(said, rf"run\.mdp:{at[key]}: .*{key}")

    def test_a_single_point_does_not_mind(self):
        import subprocess

        from deck_runs import ALDER

        self.set_mdp(mts="yes", mts_level2_forces="", nstenergy=7)
        done = subprocess.run([ALDER, "energy", "-f", "run.mdp", "-c", "conf.gro", "-p", "topol.top"], cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    main()
