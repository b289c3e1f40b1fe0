"""Minimizers on shipped decks: they agree with `alder energy`, get lower than steepest descent, and threads change nothing."""
import json
import os
import subprocess

from deck_runs import ALDER, DeckRuns, main


class Minimizing(DeckRuns):
    def minimize(self, name, integrator, *extra):
        """The potential reached in 25 steps."""
        self.set_mdp(integrator=integrator, tcoupl="no", gen_vel="no", emtol=50, nsteps=25)
        done = self.run_deck(name, *extra)
        for line in done.stdout.splitlines():
            if line.split()[:1] == ["potential"]:
                return float(line.split()[1])
        self.fail(done.stdout)

    def energy_of(self, conf):
        done = subprocess.run([ALDER, "energy", "-f", "run.mdp", "-c", conf, "-p", "topol.top", "--json", "e.json"], cwd=self.folder,
                              capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        with open(os.path.join(self.folder, "e.json")) as source:
            return json.load(source)["terms"]["Potential"]

    def compare(self, integrator):
        lowest = self.minimize("one", integrator, "-nt", 1)
        self.assertEqual(lowest, self.minimize("two", integrator, "-nt", 2))
        self.assertEqual(self.final_state("one"), self.final_state("two"))
        self.assertAlmostEqual(self.energy_of("one.gro") / lowest, 1, delta=1e-5)
        self.assertLess(lowest, self.minimize("steep", "steep") - 100)


class RigidWater(Minimizing):
    deck = "water"

    def test_conjugate_gradients(self):
        self.compare("cg")

    def test_l_bfgs_is_refused(self):
        self.set_mdp(integrator="l-bfgs", tcoupl="no")
        self.assertIn("l-bfgs cannot keep constraints (SETTLE)", self.run_deck("md", expect=2).stderr)


class FlexibleMolecules(Minimizing):
    deck = "butane"

    def test_l_bfgs(self):
        self.compare("l-bfgs")


if __name__ == "__main__":
    main()
