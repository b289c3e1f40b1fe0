#!/usr/bin/env python3
"""However several ranks are stopped - asked, failing, killed - all go together, and the run can be taken up again with the same bits."""
import os
import random
import signal
import subprocess
import time
import unittest

from deck_runs import main
from ranks_test import RankRuns, alive


class Stops(RankRuns):
    ranks = 4
    kills = int(os.environ.get("KILLS", "3"))

    def setUp(self):
        super().setUp()
        self.set_mdp(nsteps=0)
        done = subprocess.run(self.ranks_command(2, "probe"), cwd=self.folder, capture_output=True, text=True, timeout=100)
        if "this version runs on one" in done.stderr:
            self.skipTest("no back end of this version runs on several ranks")

    def expect_gone(self, process, pids, seconds=10):
        """The launcher ends, and with it every rank."""
        begun = time.time()
        process.wait(seconds)
        while any(alive(pid) for pid in pids.values()):
            self.assertLess(time.time() - begun, seconds, "ranks live on")
            time.sleep(0.05)
        return time.time() - begun

    def test_a_signal_to_any_rank_stops_all(self):
        whole = self.whole()
        for rank, number in ((0, signal.SIGTERM), (2, signal.SIGTERM), (3, signal.SIGUSR1)):
            name = f"asked{rank}"
            process, pids = self.start_ranks(self.ranks, name)
            os.kill(pids[rank], number)
            self.assertEqual(process.wait(60), 75, self.said(name))
            self.assertIn(f"signal {int(number)}", self.report(name)["ended"])
            self.assertLess(self.report(name)["final_state"]["step"], self.steps)
            self.run_ranks(3, name, "-cpi")
            self.assertEqual(self.final_state(name), whole)

    def test_a_killed_rank_takes_all_along(self):
        whole = self.whole(nstxout=20, nstenergy=20)
        rng = random.Random(11)
        for trial in range(self.kills):
            name = f"killed{trial}"
            process, pids = self.start_ranks(self.ranks, name, "-cpt", 0)
            time.sleep(rng.uniform(0, 0.8))
            rank = rng.randrange(self.ranks)
            os.kill(pids[rank], signal.SIGKILL)
            self.expect_gone(process, pids)
            self.assertNotEqual(process.returncode, 0)
            self.run_ranks(rng.choice((1, 2, 3)), name, "-cpi")
            self.assertEqual(self.final_state(name), whole, f"rank {rank} killed")

    def test_a_rank_that_hangs_cannot_keep_the_others(self):
        """One rank stands still; the launcher is asked to end the job."""
        self.set_mdp(nsteps=self.steps)
        process, pids = self.start_ranks(self.ranks, "hanging")
        os.kill(pids[1], signal.SIGSTOP)
        process.send_signal(signal.SIGTERM)
        self.expect_gone(process, pids)

    def test_a_failure_of_rank_zero_is_told_once(self):
        disk = os.path.join(self.folder, "disk")
        os.mkdir(disk)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk], capture_output=True).returncode != 0:
            raise unittest.SkipTest("mounting a tmpfs needs root")
        self.addCleanup(subprocess.run, ["umount", disk])
        self.set_mdp(nsteps=-1, nstxout=1, nstvout=1, nstenergy=1)
        done = self.run_ranks(self.ranks, "disk/full", expect=1)
        said = [line for line in done.stderr.splitlines() if line.startswith("alder:")]
        self.assertEqual(len(said), 1, done.stderr)
        self.assertRegex(said[0], r"full\.(h5md|log).*(No space left|disk)")


class GoesOnElsewhere(RankRuns):
    """Four ranks are stopped; three go on, with domains along the other box vector and one rank for PME alone."""

    steps = 500
    extra = {}

    def test_four_ranks_stopped_go_on_with_three(self):
        whole = self.whole(**self.extra)
        process, pids = self.start_ranks(4, "run", "-dd", 4, 1, 1)
        os.kill(pids[1], signal.SIGUSR1)
        self.assertEqual(process.wait(60), 75, self.said("run"))
        self.assertIn("4 x 1 domains", self.text_of(os.path.join(self.folder, "run.log")))
        self.assertLess(self.report("run")["final_state"]["step"], self.steps)
        self.run_ranks(3, "run", "-cpi", "-dd", 1, 2, 1, "-npme", 1)
        self.assertIn("1 x 2 domains", self.text_of(os.path.join(self.folder, "run.log")))
        self.assertEqual(self.final_state("run"), whole)


class PeptideGoesOnElsewhere(GoesOnElsewhere):
    """The same under pressure coupling, with bonds that ranks share."""

    deck = "peptide"
    extra = dict(pcoupl="C-rescale", tau_p=2, ref_p=1, compressibility=4.5e-5, nstpcouple=10, nstcalcenergy=10)


if __name__ == "__main__":
    main()
