#!/usr/bin/env python3
"""Job scripts under a Slurm of the test's own: each ends well, and what is taken off its node goes on to the unbroken run's bits."""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "app"))

from deck_runs import SOURCE, DeckRuns, main

SCRIPTS = os.path.join(SOURCE, "scripts", "slurm")
TIMES = int(os.environ.get("TIMES", "5"))


class Slurm(DeckRuns):
    @classmethod
    def setUpClass(cls):
        cls.cluster = tempfile.mkdtemp(prefix="slurm-")
        subprocess.run([os.path.join(HERE, "cluster.sh"), "start", cls.cluster], check=True, timeout=60)
        cls.environment = dict(os.environ, SLURM_CONF=os.path.join(cls.cluster, "slurm.conf"), NB="cpu")

    @classmethod
    def tearDownClass(cls):
        subprocess.run([os.path.join(HERE, "cluster.sh"), "stop", cls.cluster], check=True, timeout=60)
        time.sleep(1)
        shutil.rmtree(cls.cluster, ignore_errors=True)

    def call(self, *command, expect=0):
        done = subprocess.run(list(map(str, command)), cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=300)
        if expect is not None:
            self.assertEqual(done.returncode, expect, done.stderr + self.said())
        return done.stdout

    def submit(self, script, *options, wait=True, expect=0, alder=()):
        """Of one task, so that the two processors hold it."""
        given = [*(["-W"] if wait else []), "--cpus-per-task=1", *options]
        said = self.call("sbatch", *given, os.path.join(SCRIPTS, script), *alder, expect=expect)
        return re.search(r"job (\d+)", said)[1]

    def said(self):
        return "".join(self.text(name)[-1500:] for name in sorted(os.listdir(self.folder)) if name.endswith(".out"))

    def text(self, name):
        return self.text_of(os.path.join(self.folder, name))

    def state_of(self, job):
        """Empty once Slurm has forgotten the job."""
        return self.call("squeue", "-h", "-j", job, "-o", "%T", expect=None).strip()

    def wait_for(self, what, seconds=90):
        until = time.time() + seconds
        while not what():
            self.assertLess(time.time(), until, self.said())
            time.sleep(0.1)


class Scripts(Slurm):
    deck = "argon"

    def test_processors(self):
        self.set_mdp(nsteps=400)
        self.submit("cpu.sbatch", "--ntasks-per-node=2")
        self.assertEqual(self.report("md")["final_state"]["step"], 400)
        self.assertRegex(self.text("md.log"), r"ranks +2")

    def test_one_gpu(self):
        self.set_mdp(nsteps=400)
        job = self.submit("gpu.sbatch", "--job-name=one", "--account=folding")
        self.assertEqual(self.report("one")["final_state"]["step"], 400)
        hardware = self.report("one")["hardware"]
        taken = {"Slurm job": job, "job name": "one", "job account": "folding", "processors per task": "1", "threads": "1"}
        self.assertEqual(hardware, {**hardware, **taken})

    def test_one_slice(self):
        self.set_mdp(nsteps=400)
        self.submit("mig.sbatch")
        self.assertEqual(self.report("md")["final_state"]["step"], 400)

    def test_a_rank_a_gpu(self):
        self.set_mdp(nsteps=400)
        self.submit("nodes.sbatch", "--nodes=1", "--ntasks-per-node=2", "--gres=gpu:2")
        self.assertEqual(self.report("md")["final_state"]["step"], 400)
        self.assertRegex(self.text("md.log"), r"ranks +2")

    def test_replicas_have_random_numbers_of_their_own(self):
        self.set_mdp(nsteps=200, gen_vel="yes", gen_temp=90)
        self.submit("replicas.sbatch")
        bits = {self.final_state(f"replica_{n}/md") for n in range(4)}
        self.assertEqual(len(bits), 4)
        self.assertEqual({step for step, _ in bits}, {200})

    def test_a_time_limit_stops_the_run_with_a_checkpoint_that_goes_on(self):
        self.set_mdp(nsteps=10_000_000)
        # Slurm's limits are minutes, and it looks about every half of one: the warning comes at once.
        self.submit("cpu.sbatch", "--ntasks-per-node=1", "--time=2", "--signal=USR1@110", expect=75)
        first = self.report("md")
        self.assertIn("signal 10", first["ended"])
        self.assertGreater(first["final_state"]["step"], 0)
        end = first["final_state"]["step"] + 1000
        self.set_mdp(nsteps=end)
        self.submit("cpu.sbatch", "--ntasks-per-node=1")
        self.assertEqual(self.report("md")["final_state"]["step"], end)


class Preemption(Slurm):
    """Taken away several times at random moments, by a job that counts more and by the administrator."""

    deck, steps, whole = "water", 15000, None

    def unbroken(self):
        self.set_mdp(nsteps=self.steps, nstxout=500, nstenergy=100)
        if Preemption.whole is None:
            self.run_deck("whole", "-nb", "cpu", "-nt", 1)
            Preemption.whole = self.final_state("whole")
        return Preemption.whole

    def restarts(self, job):
        found = re.search(r"Restarts=(\d+)", self.call("scontrol", "show", "job", job, expect=None))
        return int(found[1]) if found else -1

    def broken(self, disturb):
        whole = self.unbroken()
        rng = random.Random(7)
        job = self.submit("preemptible.sbatch", "-p", "low", wait=False)
        for n in range(TIMES):
            self.wait_for(lambda: self.text("md.log").count("\n") > 0 and self.state_of(job) == "RUNNING")
            time.sleep(rng.uniform(0.2, 1.5))
            if self.state_of(job) == "":
                self.fail(f"the run was over before it was taken away {TIMES} times")
            disturb(job)
            self.wait_for(lambda: self.restarts(job) >= n + 1 or self.state_of(job) == "COMPLETED")
            self.assertEqual(self.restarts(job), n + 1, "the run was over before it was taken away: too few steps for this machine")
        self.wait_for(lambda: self.state_of(job) in ("", "COMPLETED", "FAILED"), 180)
        self.assertEqual(self.final_state("md"), whole, self.said())
        self.assertGreaterEqual(len(re.findall(r"^start \d+ on", self.said(), re.M)), 1)
        return job

    def test_by_a_job_of_higher_priority(self):
        def disturb(job):
            self.call("sbatch", "-W", "-p", "high", "--exclusive", "-o", "/dev/null", "--wrap", "sleep 1")

        self.broken(disturb)

    def test_by_requeue(self):
        self.broken(lambda job: self.call("scontrol", "requeue", job))


def missing():
    """What keeps a Slurm from being started here; empty: nothing."""
    if os.geteuid() != 0:
        return "root"
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin"])
    return " ".join(name for name in ("slurmctld", "slurmd", "munged", "sbatch") if not shutil.which(name, path=path))


if __name__ == "__main__":
    if missing():
        print(f"skipped: no {missing()} here")
        sys.exit(77)
    main()
