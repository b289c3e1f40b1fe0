"""`alder mdrun -rerun` and `-c` from trajectories, ours and those of other programs."""
import json
import os
import re
import subprocess

import h5py
import numpy as np

from deck_runs import ALDER, DeckRuns, main

TERMS = ["LJ (SR)", "Coulomb (SR)", "Coul. recip.", "Potential"]


class Rerun(DeckRuns):
    deck = "water"

    def at(self, name):
        return os.path.join(self.folder, name)

    def made(self, **values):
        """A run of 20 steps with a frame and energies every 10."""
        self.set_mdp(nsteps=20, nstxout=10, nstvout=10, nstfout=10, nstenergy=10, nstcalcenergy=10, ld_seed=7, **values)
        self.run_deck("run", "-nt", 2)
        return h5py.File(self.at("run.h5md"), "r")

    def rerun(self, trajectory, *extra, expect=0):
        return self.run_deck("again", "-rerun", trajectory, *extra, expect=expect)

    def energies(self, name):
        with h5py.File(self.at(name + ".h5md"), "r") as f:
            return {term: f["energies"][term]["value"][:] for term in f["energies"]}

    def energy_of(self, conf):
        done = subprocess.run([ALDER, "energy", "-f", "run.mdp", "-c", conf, "-p", "topol.top", "--json", "e.json"], cwd=self.folder,
                              capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        with open(self.at("e.json")) as source:
            return json.load(source)

    def write_foreign(self, run, path, fixed_text=False, with_unit=True):
        """As another program might: Angstrom, double, another group, a fixed cuboid box, strides for steps, unlike anything of ours."""
        with h5py.File(self.at(path), "w") as f:
            f.create_group("h5md").attrs["version"] = [1, 1]
            atoms = f.create_group("particles/all")
            for element, source, unit in (("position", "position", "Angstrom"), ("velocity", "velocity", "Angstrom fs-1")):
                scale = 10 if element == "position" else 0.01
                group = atoms.create_group(element)
                value = group.create_dataset("value", data=scale * run["particles/trajectory"][source]["value"][:].astype("f8"))
                if with_unit:
                    value.attrs["unit"] = np.bytes_(unit) if fixed_text else unit
                group["step"] = 10
                group["step"].attrs["offset"] = 0
                group["time"] = 20.0
                group["time"].attrs["unit"] = "fs"
            edges = run["particles/trajectory/box/edges/value"][0]
            atoms.create_dataset("box/edges", data=10 * np.diag(edges)).attrs["unit"] = "Angstrom"

    def test_a_run_gives_its_own_energies_again(self):
        with self.made() as run:
            frames = run["particles/trajectory"]
            own = self.energies("run")
            self.rerun("run.h5md")
            again = self.energies("again")
            for term in TERMS:
                # Frames hold single precision: 1e-7 nm.
                np.testing.assert_allclose(again[term], own[term], rtol=1e-5, err_msg=term)
            with h5py.File(self.at("again.h5md"), "r") as f:
                got = f["particles/trajectory"]
                np.testing.assert_array_equal(got["position/step"][:], [0, 10, 20])
                np.testing.assert_allclose(got["position/time"][:], frames["position/time"][:])
                np.testing.assert_allclose(got["position/value"][:], frames["position/value"][:], atol=4e-7)
                np.testing.assert_array_equal(got["velocity/value"][:], frames["velocity/value"][:])
                force = frames["force/value"][:]
                self.assertLess(np.std(got["force/value"][:] - force) / np.std(force), 2e-4)
        report = self.report("again")
        self.assertEqual((report["ended"], report["averages_over"]), ("done", 3))
        self.assertAlmostEqual(report["averages"]["Potential"]["mean"], own["Potential"].mean(), delta=0.5)
        self.assertEqual(report["files"]["rerun of"], "run.h5md")
        self.assertFalse(os.path.exists(self.at("again.cpt.h5")) or os.path.exists(self.at("again.gro")))
        self.assertIn("A V E R A G E S   over 3", self.text_of(self.at("again.log")))

    def test_frames_of_a_gro_are_single_points(self):
        self.set_mdp(nsteps=20, nstxout=10, nstvout=0, nstfout=0, nstenergy=10)
        alone = self.energy_of("conf.gro")
        with open(self.at("conf.gro")) as source:
            first = source.read().splitlines()
        shifted = [first[0] + " t= 2.5 step= 40"] + first[1:2] + [l[:20] + "%8.3f" % (float(l[20:28]) + 0.5) + l[28:] for l in first[2:-1]] + first[-1:]
        with open(self.at("two.gro"), "w") as out:
            out.write("\n".join(first + shifted) + "\n")
        self.rerun("two.gro")
        again = self.energies("again")
        self.assertEqual(again["Potential"][0], alone["terms"]["Potential"])
        self.assertEqual(again["Kinetic En."][0], alone["kinetic"])
        self.assertAlmostEqual(again["Pressure"][0], alone["pressure"], delta=1e-9 * abs(alone["pressure"]))
        np.testing.assert_allclose(again["Virial tensor"][0], alone["virial"], rtol=1e-12)
        self.assertAlmostEqual(again["Potential"][1] / again["Potential"][0], 1, delta=1e-4)  # the same, elsewhere on the grid
        with h5py.File(self.at("again.h5md"), "r") as f:
            np.testing.assert_array_equal(f["particles/trajectory/position/step"][:], [0, 40])
            self.assertEqual(f["particles/trajectory/position/time"][1], 2.5)
            self.assertNotIn("force", f["particles/trajectory"])

    def test_without_velocities_there_are_neither_kinetic_energies_nor_pressures(self):
        with open(self.at("conf.gro")) as source:
            lines = source.read().splitlines()
        with open(self.at("still.gro"), "w") as out:
            out.write("\n".join(lines[:2] + [l[:44] for l in lines[2:-1]] + lines[-1:]) + "\n")
        self.set_mdp()
        self.rerun("still.gro")
        again = self.energies("again")
        for name in ("Kinetic En.", "Temperature", "Pressure", "Pressure tensor", "Conserved En."):
            self.assertNotIn(name, again)
        self.assertEqual(again["Potential"][0], self.energy_of("conf.gro")["terms"]["Potential"])

    def test_trajectories_of_other_programs(self):
        with self.made() as run:
            own = self.energies("run")
            for fixed_text in (False, True):
                self.write_foreign(run, "foreign.h5md", fixed_text)
                self.rerun("foreign.h5md")
                np.testing.assert_allclose(self.energies("again")["Potential"], own["Potential"], rtol=1e-5)
                with h5py.File(self.at("again.h5md"), "r") as f:
                    np.testing.assert_array_equal(f["particles/trajectory/position/step"][:], [0, 10, 20])
                    np.testing.assert_allclose(f["particles/trajectory/position/time"][:], [0, 0.02, 0.04])
                    np.testing.assert_allclose(f["particles/trajectory/velocity/value"][:],
                                               run["particles/trajectory/velocity/value"][:], rtol=1e-6)
            self.write_foreign(run, "mute.h5md", with_unit=False)
            self.assertIn("does not say its unit", self.rerun("mute.h5md", expect=2).stderr)

    def test_a_start_from_the_last_frame(self):
        with self.made() as run:
            last = run["particles/trajectory/position/value"][2]
        self.set_mdp(nsteps=0, nstxout=1, nstvout=1, gen_vel="no", continuation="yes")
        done = subprocess.run([ALDER, "mdrun", "-f", "run.mdp", "-c", "run.h5md", "-p", "topol.top", "-deffnm", "next"], cwd=self.folder,
                              capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(self.at("next.h5md"), "r") as f:
            np.testing.assert_allclose(f["particles/trajectory/position/value"][0], last, atol=4e-7)
        self.assertNotEqual(self.report("next")["input_hash"], self.report("run")["input_hash"])
        self.assertAlmostEqual(self.energy_of("run.h5md")["terms"]["Potential"] / self.energies("run")["Potential"][2], 1, delta=1e-5)

    def test_what_is_refused(self):
        self.set_mdp()
        self.assertIn("excludes", self.rerun("conf.gro", "-cpi", expect=2).stderr)
        self.assertIn("none.h5md: cannot be read", self.rerun("none.h5md", expect=2).stderr)
        with open(self.at("conf.gro")) as source:
            lines = source.read().splitlines()
        with open(self.at("short.gro"), "w") as out:
            out.write("\n".join(lines + [lines[0], "3"] + lines[2:5] + lines[-1:]) + "\n")
        self.assertIn("frame 1 has 3 atoms and the topology 2700", self.rerun("short.gro", expect=2).stderr)
        self.assertIn("failed: frame 1", self.report("again")["ended"])
        self.assertIsNone(self.report("again")["final_state"])
        done = self.run_deck("md", "-cpi", "conf.gro", expect=2)
        self.assertIn("is no checkpoint", done.stderr)

    def test_the_command_that_converts_xtc_and_trr_works(self):
        import MDAnalysis
        self.set_mdp(nstxout=0, nstvout=0, nstfout=0, nstenergy=10)
        universe = MDAnalysis.Universe(self.at("conf.gro"))
        alone = self.energy_of("conf.gro")["terms"]["Potential"]
        for ending in ("trr", "xtc"):
            with MDAnalysis.Writer(self.at("t." + ending), universe.atoms.n_atoms) as out:
                out.write(universe.atoms)
                out.write(universe.atoms)
            said = self.rerun("t." + ending, expect=2).stderr
            self.assertEqual(said.count("\n"), 1, said)
            command = re.search(r"python3 -c \"(.*)\"", said).group(1)
            converted = subprocess.run(["/usr/bin/python3", "-W", "ignore", "-c", command], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(converted.returncode, 0, converted.stderr)
            self.rerun("t.h5md")
            energies = self.energies("again")["Potential"]
            self.assertEqual(len(energies), 2)
            np.testing.assert_allclose(energies, alone, rtol=1e-5)
            os.remove(self.at("t.h5md"))


if __name__ == "__main__":
    main()
