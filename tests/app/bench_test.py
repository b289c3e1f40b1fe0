#!/usr/bin/python3
"""alder bench from end to end: its figures against the logs of the runs they come from, and what it does when something goes wrong."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import deck_runs

CHECK = os.path.join(deck_runs.SOURCE, "scripts", "check_bench_json.py")


class Bench(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="alder-test-")
        self.addCleanup(shutil.rmtree, self.folder)

    def own_deck(self, source, mdp="nvt.mdp"):
        """A user's folder: one file of each kind."""
        folder = os.path.join(self.folder, source)
        os.mkdir(folder)
        for name in (mdp, "conf.gro", "topol.top"):
            shutil.copy(os.path.join(deck_runs.SOURCE, "inputs", source, name), folder)
        return source

    def bench(self, *words, expect=0):
        done = subprocess.run([deck_runs.ALDER, "bench", "-nb", "cpu", *map(str, words)], cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done

    def figures(self, name="bench.json"):
        path = os.path.join(self.folder, name)
        done = subprocess.run([sys.executable, CHECK, path], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        with open(path) as source:
            return json.load(source)

    def test_three_decks_against_their_logs(self):
        decks = ["water-3k", self.own_deck("argon"), self.own_deck("nacl")]
        done = self.bench(*decks, "-threads", 1, "-windows", 1, "-window", 0.4, "-keep", "kept")
        figures = self.figures()
        self.assertEqual([r["deck"] for r in figures["results"]], decks)
        self.assertEqual((figures["made_by"], figures["fixture"], figures["rehearsal"], figures["right"]), ("bench", False, False, True))
        self.assertEqual([r["atoms"] for r in figures["results"]], [2700, 864, 512])
        for number, result in enumerate(figures["results"], start=1):
            with open(os.path.join(self.folder, "kept", f"{result['deck']}-{number}.log")) as log:
                logged = re.search(r"^Performance: +([0-9.]+)", log.read(), re.M)
            self.assertAlmostEqual(result["ns_per_day"]["median"], float(logged[1]), delta=6e-4, msg=result["deck"])
            self.assertGreaterEqual(result["windows"][0]["seconds"], 0.4)
            self.assertGreaterEqual(result["windows"][0]["steps"], 100)
            if result["deck"] == "argon":
                self.assertEqual(result["force_error"], 0, "it has no charges, and no sum to cut short")
            else:
                self.assertTrue(1e-8 < result["force_error"] < 1e-2, result["force_error"])
            self.assertGreater(result["peak_memory"]["host_MiB"], 5)
            self.assertIn(result["deck"], done.stdout)

    def test_ranks_and_replicas(self):
        words = [self.own_deck("argon"), "-noforces", "-windows", 2, "-window", 0.5]
        self.bench(*words, "-ranks", 2, "-threads", 1, "-json", "ranks.json")
        (ranks,) = self.figures("ranks.json")["results"]
        self.assertEqual((ranks["ranks"], ranks["threads"], ranks["replicas"], ranks["force_error"]), (2, 1, 1, None))
        self.assertEqual(len(ranks["windows"]), 2, "one of each round")
        # Two runs at the same time: on a busy machine they may part, and are then refused rather than added up.
        done = subprocess.run([deck_runs.ALDER, "bench", "-nb", "cpu", *map(str, words), "-replicas", "2", "-threads", "1", "-keep", "kept"],
                              cwd=self.folder, capture_output=True, text=True, timeout=300)
        if done.returncode == 1:
            self.assertIn("timed together for", done.stderr)
            return
        (both,) = self.figures()["results"]
        self.assertEqual(both["replicas"], 2)
        alone = []
        for number in (1, 2):
            with open(os.path.join(self.folder, "kept", f"argon-{number}.json")) as report:
                alone.append(json.load(report)["results"][0])
        self.assertEqual(both["windows"][0]["steps"], sum(r["windows"][0]["steps"] for r in alone))
        self.assertAlmostEqual(both["ns_per_day"]["values"][0] / sum(r["ns_per_day"]["median"] for r in alone), 1, delta=0.1)

    def test_what_cannot_run_is_named_and_the_rest_is_timed(self):
        broken = self.own_deck("nacl")
        with open(os.path.join(self.folder, broken, "nvt.mdp"), "a") as mdp:
            mdp.write("rcoulmb = 1\n")
        done = self.bench(broken, self.own_deck("argon"), "-threads", 1, "-windows", 1, "-window", 0.1, "-noforces", expect=1)
        figures = self.figures()
        self.assertEqual([r["deck"] for r in figures["results"]], ["argon"])
        self.assertTrue(figures["right"], "what ran is none the worse for it")
        self.assertIn("rcoulmb", "".join(figures["left_out"]))
        self.assertIn("exit status 2", done.stderr)

    def test_combinations_and_budget_are_left_out_by_name(self):
        self.bench(self.own_deck("argon"), self.own_deck("nacl"), "-threads", "1,4096", "-windows", 1, "-window", 0.1, "-budget", 1e-6, expect=1)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "bench.json")), "nothing ran")
        self.bench("argon", "-threads", "1,100000", "-windows", 1, "-window", 0.1, "-noforces")
        self.assertRegex(self.figures()["left_out"][0], "100000 threads on [0-9]+ processors?$")

    def test_input_is_refused_at_once(self):
        done = self.bench("water-3", expect=2)
        self.assertIn("water-3: is neither a deck that alder makes nor a folder with one; name one of water-3k,", done.stderr)
        self.assertEqual(self.bench(self.own_deck("argon"), "-windows", 0, expect=2).stdout, "")

    def test_a_signal_ends_it_with_what_there_is(self):
        scratch = os.path.join(self.folder, "scratch")
        os.mkdir(scratch)
        command = [deck_runs.ALDER, "bench", "-nb", "cpu", self.own_deck("argon"), self.own_deck("nacl"), "-threads", "1", "-windows", "1", "-window", "0.2",
                   "-noforces", "-dt", "0.001,0.002,0.003"]
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "TMPDIR": scratch})
        path = os.path.join(self.folder, "bench.json")
        for _ in range(1200):
            if os.path.exists(path):
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 75)
        figures = self.figures()
        self.assertGreaterEqual(len(figures["results"]), 1)
        self.assertLess(len(figures["results"]), 6)
        self.assertEqual(len(figures["results"]) + len(figures["left_out"]), 6)
        self.assertEqual(os.listdir(scratch), [], "nothing is left behind")


if __name__ == "__main__":
    deck_runs.main()
