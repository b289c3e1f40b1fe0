#!/usr/bin/env python3
"""Several ranks are one program: one message, one status, one end."""
import os
import re
import subprocess
import time

from deck_runs import DeckRuns, main

MPIRUN = os.environ.get("MPIRUN", "mpirun")


def ranks_of(launcher):
    """Process ids of the ranks that a running mpirun has started, by rank."""
    found = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat") as stat, open(f"/proc/{entry}/environ", "rb") as environ:
                parent = int(stat.read().rsplit(")", 1)[1].split()[1])
                rank = re.search(rb"\0OMPI_COMM_WORLD_RANK=(\d+)", b"\0" + environ.read())
        except OSError:
            continue
        if parent == launcher and rank:
            found[int(rank[1])] = int(entry)
    return found


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


class RankRuns(DeckRuns):
    steps = 400

    def ranks_command(self, ranks, name, *extra):
        return [MPIRUN, "--quiet", "-n", str(ranks), *self.command(name, "-nt", 1, "-nb", "cpu", *extra)]

    def run_ranks(self, ranks, name, *extra, expect=0):
        done = subprocess.run(self.ranks_command(ranks, name, *extra), cwd=self.folder, capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, expect, done.stderr[-2000:])
        return done

    def start_ranks(self, ranks, name, *extra):
        """A run that reports its first frame, and the ranks' process ids."""
        with open(os.path.join(self.folder, name + ".said"), "w") as said:
            process = subprocess.Popen(self.ranks_command(ranks, name, *extra), cwd=self.folder, stdout=said, stderr=said)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        log = os.path.join(self.folder, name + ".log")
        for _ in range(1500):
            if process.poll() is not None:
                self.fail(f"{name} ended before it could be stopped: {self.said(name)}")
            if "frame step" in self.text_of(log):
                pids = ranks_of(process.pid)
                self.assertEqual(len(pids), ranks)
                return process, pids
            time.sleep(0.02)
        self.fail(f"{name} reported no frame in 30 s")

    def said(self, name):
        return self.text_of(os.path.join(self.folder, name + ".said"))[-1000:]

    def whole(self, **mdp):
        self.set_mdp(nsteps=self.steps, **mdp)
        self.run_deck("whole", "-nt", 1, "-nb", "cpu")
        return self.final_state("whole")


class Refusals(RankRuns):
    def one_message(self, done, pattern):
        said = [line for line in done.stderr.splitlines() if line and not line.startswith(("warning:", "note:"))]
        self.assertEqual(len(said), 1, done.stderr)
        self.assertRegex(said[0], pattern)

    def test_a_bad_deck_is_refused_once(self):
        self.set_mdp(nsteps=10, tcoupl="no-such-thermostat")
        self.one_message(self.run_ranks(4, "bad", expect=2), r"^run\.mdp:\d+: .*no-such-thermostat")

    def test_a_missing_file_is_refused_once(self):
        self.one_message(self.run_ranks(3, "bad", expect=2), r"^run\.mdp: cannot be read")

    def test_a_bad_option_is_refused_once(self):
        self.set_mdp(nsteps=10)
        done = self.run_ranks(3, "bad", "-dd", 1, 2, expect=2)
        self.assertEqual(len(re.findall("--dd", done.stderr)), 1, done.stderr)
        self.one_message(self.run_ranks(3, "bad", "-rdd", 1, expect=2), "-rdd is not supported")

    def test_more_domains_than_ranks_are_refused(self):
        self.set_mdp(nsteps=10)
        self.one_message(self.run_deck("bad", "-nb", "cpu", "-dd", 2, 1, 1, expect=2), "-dd")


class Crowds(RankRuns):
    def test_oversubscription_is_told_once(self):
        self.set_mdp(nsteps=10, tcoupl="no-such-thermostat")
        ranks = 2 * len(os.sched_getaffinity(0))
        done = self.run_ranks(ranks, "crowd", expect=2)
        said = [line for line in done.stderr.splitlines() if "oversubscribed" in line]
        self.assertEqual(len(said), 1, done.stderr)
        self.assertIn(f"{ranks} ranks of 1 thread share", said[0])
        self.assertIn("pins nothing", said[0])


if __name__ == "__main__":
    main()
