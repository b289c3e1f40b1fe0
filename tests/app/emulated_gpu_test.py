#!/usr/bin/python3
"""Runs with all kernels emulated, against the CPU back end: energies of every step, the same bits after a restart."""
import os
import subprocess
import unittest

import h5py
import numpy

import deck_runs

MPIRUN = os.environ.get("MPIRUN", "mpirun")

# Terms that are differences of large numbers are held to the scale of what they are made of.
SCALE_OF = {"Total Energy": "Potential", "Conserved En.": "Potential", "Enthalpy": "Potential"}


class EmulatedRuns(deck_runs.DeckRuns):
    def energies(self, name):
        with h5py.File(os.path.join(self.folder, name + ".h5md"), "r") as file:
            group = file["energies"]
            return {key: group[key]["value"][...] for key in group if isinstance(group[key], h5py.Group) and "value" in group[key]}

    def agree(self, steps, every=1, **mdp):
        """Few steps: any two roundings part ways, after 25 steps by 2e-4 kJ/mol in the improper dihedrals of the peptide (6 kJ/mol); the
        energies at equal positions are another test's."""
        self.set_mdp(nsteps=steps, nstenergy=every, nstcalcenergy=every, **{"nstlog": 0, **mdp})
        self.run_deck("cpu", "-nb", "cpu", "-nt", 1)
        self.run_deck("gpu", "-nb", "emulated-gpu")
        cpu, gpu = self.energies("cpu"), self.energies("gpu")
        self.assertEqual(sorted(cpu), sorted(gpu))
        self.assertGreater(len(cpu), 5)
        for key, values in cpu.items():
            if values.ndim != 1 or "ressure" in key or "Pres" in key:
                continue
            self.assertEqual(len(values), steps // every + 1)
            scale = numpy.abs(cpu.get(SCALE_OF.get(key, key), values)).max()
            worst = numpy.abs(gpu[key] - values).max()
            self.assertLessEqual(worst, 2e-5 * max(scale, 10.0), f"{key}: {worst} of {scale}")

    def same_bits_after_restart(self, steps, **mdp):
        self.set_mdp(nsteps=steps, **mdp)
        self.run_deck("whole", "-nb", "emulated-gpu")
        self.run_deck("part", "-nb", "emulated-gpu", "-nsteps", steps // 2)
        self.run_deck("part", "-nb", "emulated-gpu", "-nsteps", steps, "-cpi")
        self.assertEqual(self.final_state("whole"), self.final_state("part"))
        os.environ["ALDER_SIMT_SEED"] = "7"
        try:
            self.run_deck("shuffled", "-nb", "emulated-gpu")
        finally:
            del os.environ["ALDER_SIMT_SEED"]
        self.assertEqual(self.final_state("whole"), self.final_state("shuffled"))


class Figures(EmulatedRuns):
    deck = "three-atoms"

    def test_what_the_driver_tells_stands_beside_the_speed(self):
        self.set_mdp(nsteps=-1)
        old = os.environ.get("LD_LIBRARY_PATH", "")
        os.environ["LD_LIBRARY_PATH"] = os.environ["STAND_IN_NVML"] + (":" + old if old else "")
        try:
            self.run_deck("md", "-nb", "emulated-gpu", "-windows", 1, "-window", 0.5)
        finally:
            os.environ["LD_LIBRARY_PATH"] = old
        report = self.report("md")
        gpu, result = report["hardware"]["GPU"], report["results"][0]
        self.assertEqual((gpu["driver"], gpu["power_limit_W"], gpu["clock_MHz"]), ("570.86.15", 300, None))
        self.assertAlmostEqual(result["power_W"], 250, delta=5)
        self.assertEqual((result["place"], result["gpus"], report["rehearsal"]), ("emulated-gpu", 1, True))
        self.assertGreater(result["peak_memory"]["device_MiB"], 0.01)

    def test_a_bench_tells_what_is_no_measurement_of_a_gpu(self):
        deck = os.path.join(self.folder, "deck")
        os.mkdir(deck)
        for name in ("nvt.mdp", "conf.gro", "topol.top"):
            os.link(os.path.join(self.folder, name), os.path.join(deck, name))
        done = subprocess.run([deck_runs.ALDER, "bench", "deck", "-nb", "emulated-gpu", "-threads", "1", "-windows", "1", "-window", "0.3"],
                              cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        figures = self.report("bench")
        (result,) = figures["results"]
        self.assertTrue(figures["rehearsal"])
        self.assertEqual((result["place"], result["gpus"], result["transform"]), ("emulated-gpu", 1, "own"))
        self.assertEqual(figures["hardware"]["GPU"]["name"], "emulated GPU")
        self.assertGreater(result["force_error"], 0)

    def test_without_the_driver_it_is_not_told(self):
        self.set_mdp(nsteps=200)
        self.run_deck("md", "-nb", "emulated-gpu")
        report = self.report("md")
        self.assertIsNone(report["results"][0]["power_W"])
        self.assertIsNone(report["hardware"]["GPU"]["driver"])


class Water(EmulatedRuns):
    deck = "water"

    def test_energies_of_the_first_steps(self):
        self.agree(10)

    def test_same_bits_after_restart_and_in_any_block_order(self):
        self.same_bits_after_restart(40)


class Peptide(EmulatedRuns):
    deck = "peptide"

    def test_energies_of_the_first_steps(self):
        self.agree(10)

    def test_same_bits_after_restart_and_in_any_block_order(self):
        self.same_bits_after_restart(40)

    def test_other_integrators(self):
        """Noise of the same numbers, velocities that arrive at whole steps, in plain steps too, atoms that stay, all bonds of a molecule."""
        noise = dict(integrator="sd", tcoupl="no", tau_t=0.5)
        verlet = dict(integrator="md-vv", tcoupl="nose-hoover", tau_t=0.5)
        frozen = dict(constraints="none", dt=0.0005, freezegrps="Protein", freezedim="Y N Y", nstcomm=0, comm_mode="None")
        whole = dict(constraints="all-bonds")
        shaken = dict(constraint_algorithm="SHAKE", **whole)
        for rules in (noise, dict(integrator="bd", tcoupl="no", bd_fric=5000), verlet, frozen, whole, shaken, dict(whole, **noise)):
            with self.subTest(rules):
                self.agree(6, **rules)
        self.same_bits_after_restart(40, **verlet)


    def test_collisions(self):
        """All velocities drawn anew every third step, and held to constraints."""
        self.agree(4, integrator="md-vv", comm_mode="None", nstcomm=0, tcoupl="andersen-massive", tau_t=0.006)

    def test_multiple_time_steps(self):
        """Forces of grids, and all that may wait."""
        even = dict(mts="yes", mts_level2_factor=2, nstlog=2, nstxout=0, nstlist=10)
        for forces in ("longrange-nonbonded", "longrange-nonbonded nonbonded pair dihedral angle"):
            with self.subTest(forces):
                self.agree(4, every=2, mts_level2_forces=forces, **even)
        self.same_bits_after_restart(20, mts_level2_forces="longrange-nonbonded dihedral", nstenergy=10, nstcalcenergy=10, **even)


class Argon(EmulatedRuns):
    deck = "argon"

    def test_collisions(self):
        """Atoms struck one by one."""
        self.agree(6, integrator="md-vv", comm_mode="None", nstcomm=0, tcoupl="andersen", tau_t=0.01)


class Ranks(EmulatedRuns):
    """Several ranks with a GPU each: the bits of one, whether messages leave from its memory or the host's."""

    deck = "argon"

    def run_ranks(self, ranks, name, carriage):
        done = subprocess.run([MPIRUN, "--quiet", "-n", str(ranks), *self.command(name, "-nb", "emulated-gpu", "-gpu_id", "0,0")],
                              cwd=self.folder, env=dict(os.environ, ALDER_GPU_MPI=carriage), capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])

    def test_the_bits_of_one(self):
        self.set_mdp(nsteps=40)
        self.run_deck("alone", "-nb", "emulated-gpu")
        for ranks, carriage in ((2, "staged"), (3, "direct")):
            name = f"on{ranks}"
            self.run_ranks(ranks, name, carriage)
            self.assertEqual(self.final_state(name), self.final_state("alone"))
            self.assertRegex(self.text_of(os.path.join(self.folder, name + ".log")), f"{ranks} ranks, .*messages")


class Refusals(EmulatedRuns):
    deck = "three-atoms"

    def test_minimization_runs_or_says_why_not(self):
        self.set_mdp(integrator="steep", nsteps=3, tcoupl="no")
        self.run_deck("cpu", "-nb", "cpu")
        self.run_deck("gpu", "-nb", "emulated-gpu")
        self.assertAlmostEqual(self.potential("cpu"), self.potential("gpu"), delta=1e-4 * max(1.0, abs(self.potential("cpu"))))

    def refusal(self, *flags):
        return self.run_deck("refused", "-nb", "emulated-gpu", *flags, expect=2).stderr.strip().splitlines()

    def test_what_no_kernel_computes_is_refused_by_name(self):
        self.set_mdp(nsteps=3, coulombtype="PME", fourier_nx=1024, fourier_ny=1024, fourier_nz=1024)
        (line,) = self.refusal()
        self.assertIn("no GPU kernel yet for a PME grid of 1024 x 1024 x 1024", line)

    def test_what_does_not_fit_is_refused_with_both_figures(self):
        self.set_mdp(nsteps=3)
        (line,) = self.refusal("-gpu_mem", "0.01")
        self.assertRegex(line, r"needs \d+\.\d\d GiB of GPU memory and may have 0\.01 GiB")

    def test_a_gpu_that_is_not_there_is_refused(self):
        self.set_mdp(nsteps=3)
        (line,) = self.refusal("-gpu_id", "7")
        self.assertIn("numbered from 0", line)
        (line,) = self.refusal("-gpu_id", "0,,1")
        self.assertIn("-gpu_id 0,,1 is no list of numbers", line)

    def potential(self, name):
        with open(os.path.join(self.folder, name + ".log")) as log:
            return [float(line.split()[1]) for line in log if line.strip().startswith("potential")][-1]


if __name__ == "__main__":
    unittest.main()
