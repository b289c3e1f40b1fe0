#!/usr/bin/env python3
"""What survives a kill and a full disk, on real runs. ALDER_KILLS sets how many moments are tried (default 50)."""
import os
import random
import re
import subprocess
import time
import unittest

import h5py

from deck_runs import ALDER, DeckRuns, main


class Storage(DeckRuns):
    deck = "three-atoms"
    mdp = "nve.mdp"

    def reported_frames(self, name):
        with open(os.path.join(self.folder, name + ".log"), errors="replace") as log:
            return [int(m) for m in re.findall(r"^frame step (\d+) written$", log.read(), re.M)]

    def frames(self, name, **how):
        with h5py.File(os.path.join(self.folder, name + ".h5md"), "r", **how) as f:
            group = next(iter(f["particles"].values()))
            steps = group["position/step"][()]
            count = len(steps)
            self.assertGreaterEqual(group["position/value"].shape[0], count)
            return [int(s) for s in steps]

    def test_killed_at_random_moments(self):
        kills = int(os.environ.get("ALDER_KILLS", "50"))
        rng = random.Random(11)
        self.set_mdp(nsteps=-1, nstxout=1, nstvout=1, nstfout=1, nstenergy=1, nstlog=100)
        for trial in range(kills):
            name = f"killed{trial}"
            process = subprocess.Popen(self.command(name, "-nt", 1, "-cpt", 0), cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            log = os.path.join(self.folder, name + ".log")
            deadline = time.time() + 20
            while time.time() < deadline and "frame step" not in self.text_of(log):
                self.assertIsNone(process.poll(), "ended by itself")
                time.sleep(0.005)
            time.sleep(rng.uniform(0, 0.3))
            process.kill()
            process.wait()
            reported = self.reported_frames(name)
            self.assertGreater(len(reported), 0)
            kept = self.frames(name, libver="latest", swmr=True)
            self.assertTrue(set(reported) <= set(kept), f"kill {trial}: {len(set(reported) - set(kept))} reported frames are lost")
            repaired = subprocess.run([ALDER, "repair", name + ".h5md"], cwd=self.folder, capture_output=True, text=True, timeout=60)
            self.assertEqual(repaired.returncode, 0, repaired.stderr)
            self.assertEqual(self.frames(name), kept)
            if trial % 10 == 0:
                import MDAnalysis

                universe = MDAnalysis.Universe.empty(3, trajectory=False)
                universe.load_new(os.path.join(self.folder, name + ".h5md"))
                self.assertEqual(len(universe.trajectory), len(kept))
                universe.trajectory.close()  # an open file would be served from HDF5's cache below
            last = max(kept)
            self.run_deck(name, "-cpi", "-nt", 1, "-nsteps", last + 20)
            self.assertEqual(self.final_state(name)[0], last + 20)
            self.assertEqual(self.frames(name), list(range(last + 21)))

    def test_full_disk(self):
        disk = os.path.join(self.folder, "disk")
        os.mkdir(disk)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk], capture_output=True).returncode != 0:
            raise unittest.SkipTest("mounting a tmpfs needs root")
        self.addCleanup(subprocess.run, ["umount", disk])
        self.set_mdp(nsteps=-1, nstxout=1, nstvout=1, nstfout=1, nstenergy=1, nstlog=100)
        done = self.run_deck("disk/full", "-nt", 1, "-cpt", 0, expect=1)
        self.assertRegex(done.stderr, r"full\.(h5md|log|cpt\.h5).*(No space left|disk)")
        os.mkdir(os.path.join(self.folder, "free"))
        for name in os.listdir(disk):
            if ".cpt.h5" in name:
                subprocess.run(["cp", os.path.join(disk, name), os.path.join(self.folder, "free")], check=True)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "free/full.cpt.h5")))
        for name in ("full.h5md", "full.log"):
            subprocess.run(["cp", os.path.join(disk, name), os.path.join(self.folder, "free")], check=True)
        self.run_deck("free/full", "-cpi", "-nt", 1, "-nsteps", 20000)
        self.assertEqual(self.final_state("free/full")[0], 20000)


if __name__ == "__main__":
    main()
