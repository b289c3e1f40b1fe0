#!/usr/bin/env python3
"""A trajectory depends on the input alone: not on threads, stops, kills or the lifetime of a pair list."""
import random
import signal
import subprocess
import time
import os

from deck_runs import DeckRuns, main


class BitRuns(DeckRuns):
    steps = 1000

    def unbroken(self, **mdp):
        self.set_mdp(nsteps=self.steps, **mdp)
        self.run_deck("whole", "-nt", 2)
        step, bits = self.final_state("whole")
        self.assertEqual(step, self.steps)
        return bits

    def wait_for_first_frame(self, name, process):
        """Waits until the log reports steps done, so that a signal hits a running loop."""
        log = os.path.join(self.folder, name + ".log")
        for _ in range(600):
            if process.poll() is not None:
                self.fail(f"{name} ended before it could be stopped")
            if "frame step" in self.text_of(log):
                return
            time.sleep(0.02)
        self.fail(f"{name} reported no frame in 12 s")

    def same_trajectory(self, a, b):
        import h5py
        import numpy

        with h5py.File(os.path.join(self.folder, a + ".h5md")) as one, h5py.File(os.path.join(self.folder, b + ".h5md")) as two:
            names = []
            one.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
            self.assertGreater(len(names), 5)
            for name in names:
                self.assertIn(name, two)
                self.assertTrue(numpy.array_equal(one[name][()], two[name][()]), name)


class SameBits(BitRuns):
    def test_any_number_of_threads(self):
        bits = self.unbroken()
        for threads in (1, 3):
            self.run_deck(f"t{threads}", "-nt", threads)
            self.assertEqual(self.final_state(f"t{threads}")[1], bits, f"{threads} threads")

    def test_another_seed_gives_other_bits(self):
        bits = self.unbroken(ld_seed=1)
        self.set_mdp(nsteps=self.steps, ld_seed=2)
        self.run_deck("other", "-nt", 2)
        self.assertNotEqual(self.final_state("other")[1], bits)

    def test_stop_off_the_list_schedule_and_restart(self):
        bits = self.unbroken(nstxout=50, nstenergy=50)
        self.run_deck("part", "-nsteps", 413)
        self.assertEqual(self.final_state("part")[0], 413)
        self.run_deck("part", "-cpi", "-nsteps", self.steps, "-nt", 1)
        self.assertEqual(self.final_state("part"), (self.steps, bits))
        self.same_trajectory("whole", "part")

    def test_signal_and_restart(self):
        bits = self.unbroken()
        for number in (signal.SIGTERM, signal.SIGUSR1):
            name = f"signal{number}"
            process = subprocess.Popen(self.command(name, "-nt", 1), cwd=self.folder, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            self.wait_for_first_frame(name, process)
            process.send_signal(number)
            self.assertEqual(process.wait(60), 75)
            self.run_deck(name, "-cpi", "-nt", 2)
            self.assertEqual(self.final_state(name), (self.steps, bits))

    def test_kill_and_restart(self):
        bits = self.unbroken(nstxout=20, nstenergy=20)
        rng = random.Random(7)
        for trial in range(3):
            name = f"killed{trial}"
            process = subprocess.Popen(self.command(name, "-nt", 1, "-cpt", 0), cwd=self.folder, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            self.wait_for_first_frame(name, process)
            time.sleep(rng.uniform(0.0, 0.5))
            process.kill()
            process.wait()
            self.run_deck(name, "-cpi", "-nt", 2)
            self.assertEqual(self.final_state(name), (self.steps, bits))
            self.same_trajectory("whole", name)

    def test_exact_lists_do_not_depend_on_nstlist(self):
        self.set_mdp(nsteps=self.steps, nstlist=20)
        self.run_deck("n20", "-exact-lists", "-nt", 2)
        bits = self.final_state("n20")[1]
        for nstlist in (5, 50):
            self.set_mdp(nsteps=self.steps, nstlist=nstlist)
            self.run_deck(f"n{nstlist}", "-exact-lists", "-nt", 2)
            self.assertEqual(self.final_state(f"n{nstlist}")[1], bits, f"nstlist {nstlist}")
            self.assertGreater(self.report(f"n{nstlist}")["performance"]["list_builds"], 1)

    def expect_same_over_threads_and_a_stop(self, name, stop, steps):
        """The whole run on two threads; the same stopped on one and gone on with on three."""
        self.run_deck(name, "-nt", 2)
        whole = self.final_state(name)
        self.run_deck(name + "-part", "-nsteps", stop, "-nt", 1)
        self.run_deck(name + "-part", "-cpi", "-nsteps", steps, "-nt", 3)
        self.assertEqual(self.final_state(name + "-part"), whole)
        self.same_trajectory(name, name + "-part")

    def test_couplings_over_threads_and_a_stop(self):
        """The box, its velocity and the thermostats' own variables live through a checkpoint as they are; frames and energies too."""
        pressure = dict(tau_p=1, compressibility="4.5e-5", ref_p=1)
        couplings = {
            "rescaled": dict(pcoupl="c-rescale", **pressure),
            "swinging": dict(pcoupl="Parrinello-Rahman", tcoupl="nose-hoover", tau_t=0.5, **pressure),
            "tilting": dict(pcoupl="Parrinello-Rahman", pcoupltype="anisotropic", tau_p=1, compressibility="4e-5 4e-5 4e-5 4e-5 4e-5 4e-5",
                            ref_p="1 1 1 0 0 0"),
            "annealed": dict(pcoupl="Berendsen", pcoupltype="semiisotropic", tau_p=1, compressibility="4.5e-5 4.5e-5", ref_p="1 1",
                             annealing="single", annealing_npoints=2, annealing_time="0 0.5", annealing_temp="300 330"),
        }
        for name, mdp in couplings.items():
            with self.subTest(name):
                self.set_mdp(nsteps=240, nstxout=40, nstenergy=20, nstcalcenergy=20, nstpcouple=7, **mdp)
                self.expect_same_over_threads_and_a_stop(name, 130, 240)

    def test_long_range_sums_over_threads_and_a_stop(self):
        sums = {
            "ljpme": dict(vdwtype="PME", pcoupl="c-rescale", tau_p=1, compressibility="4.5e-5", ref_p=1),
            "slab": dict(vdwtype="PME", lj_pme_comb_rule="Lorentz-Berthelot", ewald_geometry="3dc"),
            "vacuum": dict(epsilon_surface=1),
        }
        for name, mdp in sums.items():
            with self.subTest(name):
                self.set_mdp(nsteps=120, nstxout=40, nstenergy=20, nstcalcenergy=20, **mdp)
                self.expect_same_over_threads_and_a_stop(name, 70, 120)

    def test_integrators_over_threads_and_a_stop(self):
        """Noise is looked up by step and atom; velocity Verlet keeps half-step velocities between steps; chains are part of the state."""
        pressure = dict(pcoupl="c-rescale", tau_p=1, compressibility="4.5e-5", ref_p=1)
        integrators = {
            "noisy": dict(integrator="sd", tcoupl="no", tau_t=0.5, **pressure),
            "brownian": dict(integrator="bd", tcoupl="no", bd_fric=3000),
            "chained": dict(integrator="md-vv", tcoupl="nose-hoover", tau_t=0.5, nh_chain_length=4),
            "verlet": dict(integrator="md-vv", tcoupl="v-rescale", **pressure),
            "struck": dict(integrator="md-vv", tcoupl="andersen-massive", tau_t=0.2, nstcomm=10),
        }
        for name, mdp in integrators.items():
            with self.subTest(name):
                self.set_mdp(nsteps=160, nstxout=40, nstvout=40, nstenergy=20, nstcalcenergy=20, **mdp)
                self.expect_same_over_threads_and_a_stop(name, 90, 160)

    def test_heat_that_no_energy_has_shown_yet_survives_a_stop(self):
        """The checkpoint falls on step 90, between energies."""
        self.set_mdp(nsteps=130, nstxout=40, nstenergy=40, nstcalcenergy=40, integrator="sd", tcoupl="no", tau_t=0.5)
        self.run_deck("whole", "-nstlist", 15)
        self.run_deck("part", "-nstlist", 15, "-nsteps", 97)
        self.run_deck("part", "-nstlist", 15, "-cpi", "-nsteps", 130)
        self.assertEqual(self.final_state("part"), self.final_state("whole"))
        self.same_trajectory("whole", "part")


class SameBitsOfAPeptide(BitRuns):
    """Constraints in water: groups of hydrogens, and a whole molecule that is solved as one."""

    deck = "peptide"
    steps = 100

    def test_any_number_of_threads(self):
        for rules in ({}, {"constraints": "all-bonds"}, {"constraints": "all-bonds", "constraint_algorithm": "shake"}):
            bits = self.unbroken(**rules)
            for threads in (1, 3):
                self.run_deck(f"t{threads}", "-nt", threads)
                self.assertEqual(self.final_state(f"t{threads}")[1], bits, f"{rules}, {threads} threads")

    def test_stop_off_the_list_schedule_and_restart(self):
        pressure = dict(pcoupl="c-rescale", tau_p=1, compressibility="4.5e-5", ref_p=1)
        # Slow forces act on even steps, and the checkpoint falls on an odd one.
        waiting = dict(mts="yes", mts_level2_forces="longrange-nonbonded dihedral", nstlist=9, nstlog=10)
        noisy = dict(integrator="sd", tcoupl="no", tau_t=0.5)
        cases = {"rescaled": pressure, "noisy": noisy, "waiting": {**waiting, **pressure}, "noisy-waiting": {**waiting, **noisy}}
        for name, rules in cases.items():
            with self.subTest(name):
                self.set_mdp(nsteps=self.steps, nstxout=10, nstenergy=10, nstcalcenergy=10, **rules)
                self.run_deck(name, "-nt", 2)
                self.run_deck(name + "-part", "-nsteps", 44 if "mts" in rules else 43, "-nt", 3)
                self.run_deck(name + "-part", "-cpi", "-nsteps", self.steps, "-nt", 1)
                self.assertEqual(self.final_state(name + "-part"), self.final_state(name))
                self.same_trajectory(name, name + "-part")

    def test_exact_lists_do_not_depend_on_nstlist(self):
        self.set_mdp(nsteps=self.steps, nstlist=20)
        self.run_deck("n20", "-exact-lists", "-nt", 2)
        self.set_mdp(nsteps=self.steps, nstlist=7)
        self.run_deck("n7", "-exact-lists", "-nt", 2)
        self.assertEqual(self.final_state("n7")[1], self.final_state("n20")[1])


class SameBitsWithSites(DeckRuns):
    """The same water with its negative charge on a massless site on the axis, as TIP4P has it."""

    steps = 400

    def setUp(self):
        super().setUp()
        path = os.path.join(self.folder, "conf.gro")
        title, _, *atoms, box = self.text_of(path).splitlines()
        lines = []
        for water in range(0, len(atoms), 3):
            lines += atoms[water:water + 3]
            lines.append(atoms[water][:10] + "   MW" + atoms[water][15:44])
        with open(path, "w") as out:
            out.write("\n".join([title, str(len(lines)), *(f"{l[:15]}{(i + 1) % 100000:5d}{l[20:]}" for i, l in enumerate(lines)), box]) + "\n")
        top = self.text_of(os.path.join(self.folder, "topol.top"))
        top = top.replace("HW   1   1.0080  0.0  A  0.0  0.0\n", "HW   1   1.0080  0.0  A  0.0  0.0\nMW   0   0.0  0.0  V  0.0  0.0\n")
        top = top.replace("-0.8476", "0.0").replace("[ settles ]", "4  MW  1  SOL  MW   1  -0.8476  0.0\n[ settles ]")
        exclusions = top[top.index("[ exclusions ]"):top.index("[ system ]")]
        top = top.replace(exclusions, "[ virtual_sites3 ]\n4 1 2 3 1 0.13 0.13\n[ exclusions ]\n1 2 3 4\n2 1 3 4\n3 1 2 4\n4 1 2 3\n")
        with open(os.path.join(self.folder, "topol.top"), "w") as out:
            out.write(top)
        self.set_mdp(nsteps=self.steps, nstxout=100, nstvout=100, nstenergy=100)

    def test_threads_and_restart(self):
        self.run_deck("whole", "-nt", 2)
        whole = self.final_state("whole")
        for threads in (1, 3):
            self.run_deck(f"t{threads}", "-nt", threads)
            self.assertEqual(self.final_state(f"t{threads}"), whole, f"{threads} threads")
        self.run_deck("part", "-nsteps", 213)
        self.run_deck("part", "-cpi", "-nsteps", self.steps, "-nt", 1)
        self.assertEqual(self.final_state("part"), whole)

    def test_velocities_of_sites(self):
        import h5py
        import numpy

        self.run_deck("whole")
        with h5py.File(os.path.join(self.folder, "whole.h5md")) as file:
            group = next(iter(file["particles"].values()))
            v = group["velocity/value"][()].reshape(len(group["velocity/value"]), -1, 4, 3)
        made = 0.74 * v[:, :, 0] + 0.13 * (v[:, :, 1] + v[:, :, 2])
        self.assertLess(numpy.abs(v[:, :, 3] - made).max(), 1e-5)
        self.assertGreater(numpy.abs(made).max(), 0.5)


if __name__ == "__main__":
    main()
