#!/usr/bin/env python3
"""Frozen atoms keep their place to the bit, in runs and minimizations; held ones conserve energy."""
import os

import h5py
import numpy

from deck_runs import DeckRuns, main


class Frozen(DeckRuns):
    deck = "argon"

    def freeze(self, **mdp):
        with open(os.path.join(self.folder, "index.ndx"), "w") as out:
            out.write("[ Fixed ]\n" + "\n".join(str(i) for i in range(1, 51)) + "\n[ Sliding ]\n" + "\n".join(str(i) for i in range(51, 101)))
            out.write("\n[ System ]\n" + "\n".join(str(i) for i in range(1, 865)) + "\n")
        self.set_mdp(freezegrps="Fixed Sliding", freezedim="Y Y Y N Y Y", **mdp)

    def particles(self, name, *what):
        with h5py.File(os.path.join(self.folder, name + ".h5md")) as file:
            group = next(iter(file["particles"].values()))
            return [group[w + "/value"][()] for w in what]

    def test_places_and_velocities(self):
        self.freeze(nsteps=200, nstxout=50, nstvout=50)
        self.run_deck("whole", "-n", "index.ndx", "-nt", 2)
        self.run_deck("single", "-n", "index.ndx", "-nt", 1)
        self.assertEqual(self.final_state("whole"), self.final_state("single"))
        self.run_deck("part", "-n", "index.ndx", "-nsteps", 120)
        self.run_deck("part", "-n", "index.ndx", "-nsteps", 200, "-cpi")
        self.assertEqual(self.final_state("whole"), self.final_state("part"))
        r, v = self.particles("whole", "position", "velocity")
        self.assertEqual(len(r), 5)
        for frame in r:
            self.assertTrue(numpy.array_equal(frame[:50], r[0][:50]))
            self.assertTrue(numpy.array_equal(frame[50:100, 1:], r[0][50:100, 1:]))
        self.assertTrue((r[-1][50:100, 0] != r[0][50:100, 0]).all())
        self.assertTrue((r[-1][100:] != r[0][100:]).all())
        self.assertFalse(v[1:, :50].any())
        self.assertFalse(v[1:, 50:100, 1:].any())
        self.assertTrue(v[1:, 50:100, 0].all())

    def test_other_integrators(self):
        for integrator, more in (("sd", {"tau_t": 0.5}), ("bd", {"bd_fric": 500}), ("md-vv", {"tcoupl": "no"})):
            self.freeze(integrator=integrator, nsteps=20, nstxout=10, nstvout=10, dt=0.001, **{"tcoupl": "no", **more})
            self.run_deck(integrator, "-n", "index.ndx")
            r, v = self.particles(integrator, "position", "velocity")
            self.assertTrue(numpy.array_equal(r[-1][:50], r[0][:50]), integrator)
            self.assertTrue(numpy.array_equal(r[-1][50:100, 1:], r[0][50:100, 1:]), integrator)
            self.assertTrue((r[-1][50:100, 0] != r[0][50:100, 0]).all(), integrator)
            self.assertFalse(v[:, :50].any(), integrator)
            self.assertFalse(v[:, 50:100, 1:].any(), integrator)

    def test_minimization(self):
        self.freeze(integrator="steep", nsteps=20, emtol=1)
        self.run_deck("down", "-n", "index.ndx")

        def positions(name):
            lines = self.text_of(os.path.join(self.folder, name)).splitlines()[2:-1]
            return numpy.array([[float(x) for x in line[20:].split()[:3]] for line in lines])

        edge = float(self.text_of(os.path.join(self.folder, "conf.gro")).split()[-1])
        moved = positions("down.gro") - positions("conf.gro")
        moved -= edge * numpy.round(moved / edge)
        self.assertLess(abs(moved[:50]).max(), 2e-6)
        self.assertLess(abs(moved[50:100, 1:]).max(), 2e-6)
        self.assertGreater(abs(moved[100:]).max(), 1e-3)

    def test_restrained_atoms_conserve_energy(self):
        path = os.path.join(self.folder, "topol.top")
        top = self.text_of(path)
        with open(path, "w") as out:
            out.write(top.replace("[ system ]", "[ position_restraints ]\n1 1 500 800 300\n1 2 1 0.02 400\n[ system ]"))
        self.mdp = "nve.mdp"
        self.set_mdp(nsteps=400, dt=0.002, nstenergy=10, nstcalcenergy=10)
        self.run_deck("held", "-r", "conf.gro")
        with h5py.File(os.path.join(self.folder, "held.h5md")) as file:
            def series(name):
                item = file["energies"][name]
                return item["value"][()] if isinstance(item, h5py.Group) else item[()]
            conserved, held = series("Conserved En."), series("Position Rest.")
        self.assertGreater(held[-1], 50)
        self.assertLess(abs(conserved - conserved[0]).max(), 0.02 * held.max())


if __name__ == "__main__":
    main()
