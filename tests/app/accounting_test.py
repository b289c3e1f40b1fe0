#!/usr/bin/env python3
"""What runs write into the ledger, and how prices, quotas and -maxcost hold them."""
import json
import os
import shutil
import signal
import subprocess
import time
import unittest

from deck_runs import ALDER, DeckRuns, main

PRICE = """[[price]]
name = "{name}"
cpu = ""
kind = "on demand"
currency = "USD"
per_hour = {per_hour}
date = 2026-11-30
source = "a test"
verified = false
"""


class Accounting(DeckRuns):
    deck = "three-atoms"
    mdp = "nvt.mdp"

    def command(self, name, *extra):
        """On processors, whose price is asked for, wherever this is tried."""
        return super().command(name, "-nb", "cpu", *extra)

    def setUp(self):
        super().setUp()
        self.ledger = os.path.join(self.folder, "ledger.jsonl")
        with open("/proc/cpuinfo") as info:
            model = next((l.split(":")[1].strip() for l in info if l.startswith("model name")), "unknown")
        self.word = model.split()[0]
        for name in ("ALDER_LEDGER", "ALDER_PROJECT", "ALDER_PRICES", "ALDER_PRICE", "ALDER_QUOTAS", "SLURM_JOB_ID", "SLURM_JOB_ACCOUNT"):
            os.environ.pop(name, None)

    def entries(self):
        with open(self.ledger) as lines:
            return [json.loads(line) for line in lines]

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as out:
            out.write(text)
        return name

    def prices(self, *per_hour):
        """A table with prices of this CPU."""
        return self.write("prices.toml", "".join(PRICE.format(name=f"price{i}", per_hour=p).replace('""', f'"{self.word}"')
                                                 for i, p in enumerate(per_hour)))

    def table(self, *extra, expect=0):
        done = subprocess.run([ALDER, "ledger", *extra], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, expect, done.stderr)
        return done

    def test_each_run_gives_one_line(self):
        os.environ.update(SLURM_JOB_ID="1234", SLURM_JOB_ACCOUNT="folding", ALDER_LEDGER=self.ledger)
        self.addCleanup(lambda: [os.environ.pop(n) for n in ("SLURM_JOB_ID", "SLURM_JOB_ACCOUNT", "ALDER_LEDGER")])
        self.set_mdp(nsteps=1000)
        began = time.time()
        self.run_deck("md", "-nt", 1)
        took = (time.time() - began) / 3600
        self.run_deck("md", "-nt", 1, "-cpi", "-project", "other", "-prices", self.prices(36, 72), "-price", "price1")
        first, second = self.entries()
        report = self.report("md")
        dt = float(report["plan"]["time step (ps)"])
        self.assertEqual(first["schema"], "alder-ledger-1")
        self.assertEqual((first["job"], first["project"], first["gpus"], first["ranks"]), ("1234", "folding", 0, 1))
        self.assertEqual((first["device"], first["host"]), (report["hardware"]["CPU"], report["hardware"]["host"]))
        self.assertEqual(first["system"], {"title": report["title"], "topology": "topol.top", "input_hash": report["input_hash"]})
        self.assertEqual(first["exit"], {"status": 0, "reason": "done"})
        self.assertEqual(first["steps"], 1000)
        self.assertAlmostEqual(first["ns"], dt, places=12)
        self.assertTrue(0.1 * took < first["hours"] <= took, (first["hours"], took))
        self.assertIsNone(first["cost"])
        # no steps were left: nothing was gained, and time was spent
        self.assertEqual((second["project"], second["steps"], second["ns"]), ("other", 0, 0))
        self.assertAlmostEqual(second["cost"]["amount"], 72 * second["hours"], delta=1e-9)
        self.assertEqual((second["cost"]["price"], second["cost"]["verified"]), ("price1", False))
        printed = self.table().stdout
        self.assertRegex(printed, r"\njob +runs +hours .*\n1234 +2 ")
        self.assertRegex(printed, r"\nfolding +1 .* unknown\n")
        self.assertRegex(printed, r"\nother +1 .* USD \(price not verified\)\n")
        self.assertNotIn("folding", self.table("--by", "user").stdout)

    def test_a_stop_a_failure_and_a_refusal(self):
        self.set_mdp(nsteps=-1)
        process = subprocess.Popen(self.command("md", "-nt", 1, "-ledger", self.ledger), cwd=self.folder, stdout=subprocess.DEVNULL)
        while "frame step" not in self.text_of(os.path.join(self.folder, "md.log")):
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=60), 75)
        (stopped,) = self.entries()
        self.assertEqual(stopped["exit"]["status"], 75)
        self.assertIn("stopped early: signal 15", stopped["exit"]["reason"])
        self.assertEqual(stopped["steps"], self.report("md")["final_state"]["step"])

        # atoms that are on top of each other
        self.set_mdp(nsteps=1000, dt=0.5, constraints="none")
        self.run_deck("broken", "-nt", 1, "-ledger", self.ledger, expect=1)
        failed = self.entries()[1]
        self.assertEqual((failed["exit"]["status"], failed["ns"]), (1, 0))
        self.assertTrue(failed["exit"]["reason"].startswith("failed: "))

        self.set_mdp(nsteps=1000, tcoupl="nonsense")
        self.run_deck("refused", "-nt", 1, "-ledger", self.ledger, expect=2)
        self.assertEqual(len(self.entries()), 2)

    def test_minimizations_and_reruns_cost_too(self):
        self.set_mdp(nsteps=100)
        self.run_deck("md", "-nt", 1)
        self.run_deck("again", "-nt", 1, "-rerun", "md.h5md", "-ledger", self.ledger)
        self.set_mdp(nsteps=5, integrator="steep")
        self.run_deck("em", "-nt", 1, "-ledger", self.ledger)
        self.assertEqual([(e["exit"]["reason"], e["ns"]) for e in self.entries()], [("done", 0), ("done", 0)])

    def test_a_ledger_that_cannot_be_written(self):
        self.set_mdp(nsteps=100)
        done = self.run_deck("md", "-nt", 1, "-ledger", "absent/ledger.jsonl", expect=2)
        self.assertIn("absent/ledger.jsonl: cannot open the ledger", done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "md.log")))

    def test_torn_lines_are_told_of(self):
        self.set_mdp(nsteps=100)
        self.write("ledger.jsonl", '{"schema": "alder-led')
        self.run_deck("md", "-nt", 1, "-ledger", self.ledger)
        done = self.table("ledger.jsonl")
        self.assertIn("ledger.jsonl:1: left out", done.stderr)
        self.assertIn("1 runs, 1 lines left out", done.stdout)
        self.assertIn("no ledger is named", self.table(expect=2).stderr)

    def test_maxcost_stops_in_time_and_the_run_goes_on(self):
        self.set_mdp(nsteps=-1, nstlist=10)
        self.assertIn("-maxcost 1: the run has no price: no table of prices is given",
                      self.run_deck("md", "-nt", 1, "-maxcost", 1, expect=2).stderr)
        prices = self.prices(3600)  # 1 USD a second of one thread
        for start in (1, 2):
            done = self.run_deck("md", "-nt", 1, "-maxcost", 2, "-prices", prices, "-ledger", self.ledger, "-cpi", expect=75)
            self.assertIn("-maxcost 2 USD is nearly used up", done.stdout)
            entry = self.entries()[-1]
            self.assertEqual(len(self.entries()), start)
            self.assertIn("-maxcost 2 USD", entry["exit"]["reason"])
            # a list step of three atoms and a checkpoint take less than the last hundredth; ending, at most a tenth of a second on busy cores
            self.assertTrue(1.97 < entry["cost"]["amount"] < 2.2, entry)
        self.assertEqual(sum(e["steps"] for e in self.entries()), self.report("md")["final_state"]["step"])
        # two threads spend it in half the time
        self.run_deck("two", "-nt", 2, "-maxcost", 2, "-prices", prices, "-ledger", self.ledger, expect=75)
        entry = self.entries()[-1]
        self.assertEqual(entry["processors"], 2)
        self.assertTrue(0.98 < entry["hours"] * 3600 < 1.2, entry)

    def test_quotas(self):
        self.set_mdp(nsteps=100)
        prices = self.prices(3600)
        quotas = self.write("quotas.toml", '[[quota]]\nproject = "folding"\nmoney = 100\ncurrency = "USD"\n')
        flags = ("-nt", 1, "-ledger", self.ledger, "-project", "folding", "-quotas", quotas)
        self.assertIn("this run has no price in USD", self.run_deck("md", *flags, expect=2).stderr)
        flags += ("-prices", prices)
        self.assertNotIn("has used", self.run_deck("md", *flags).stderr)
        spent = self.entries()[0]
        for amount, status, said in ((75, 0, None), (85, 0, "warning: project folding has used 8"), (100, 2, "has used 10")):
            spent["cost"]["amount"] = amount
            self.write("ledger.jsonl", json.dumps(spent) + "\n")
            done = self.run_deck("md", *flags, expect=status)
            self.assertIn(said or "", done.stderr)
            if said is None:
                self.assertEqual(done.stderr, "")
        self.assertIn("-beyond-quota", done.stderr)
        self.assertEqual(len(self.entries()), 1)
        self.assertIn("starting all the same", self.run_deck("md", *flags, "-beyond-quota").stderr)
        self.assertEqual(len(self.entries()), 2)
        self.run_deck("md", *(f if f != "folding" else "other" for f in flags))  # another's quota
        self.assertIn("USED UP: project folding has used 10", self.table("ledger.jsonl", "-quotas", "quotas.toml").stdout)
        self.assertIn("none is given", self.run_deck("md", "-quotas", quotas, expect=2).stderr)

    def test_several_prices(self):
        self.set_mdp(nsteps=100)
        prices = self.prices(1, 2)
        flags = ("-nt", 1, "-ledger", self.ledger, "-prices", prices)
        self.assertIn("choose one with -price", self.run_deck("md", *flags).stderr)
        self.assertIsNone(self.entries()[0]["cost"])
        self.assertIn("has no price 'x'", self.run_deck("md", *flags, "-price", "x", expect=2).stderr)

    def test_ranks_write_one_line(self):
        if not shutil.which("mpirun"):
            self.skipTest("no mpirun")
        self.mdp = "nvt.mdp"
        shutil.copytree(os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "inputs", "water"),
                        self.folder, dirs_exist_ok=True)
        self.set_mdp(nsteps=-1)
        command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2",
                   *self.command("md", "-nt", 1, "-ledger", self.ledger, "-maxcost", 6, "-prices", self.prices(3600))]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 75, done.stderr[-2000:])
        (entry,) = self.entries()
        self.assertEqual((entry["ranks"], entry["processors"], entry["exit"]["status"]), (2, 2, 75))
        self.assertAlmostEqual(entry["cost"]["amount"], 2 * 3600 * entry["hours"], delta=1e-6)
        self.assertTrue(5.9 < entry["cost"]["amount"] < 9, entry)


if __name__ == "__main__":
    main()
