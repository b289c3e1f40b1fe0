#!/usr/bin/env python3
"""What a user may write on the command line, and what stands in the folder already: each is done, or refused before anything is lost."""
import json
import os
import signal
import stat
import subprocess
import time

from deck_runs import ALDER, DeckRuns, main


class CommandLine(DeckRuns):
    deck = "three-atoms"
    mdp = "nvt.mdp"

    def setUp(self):
        super().setUp()
        self.set_mdp(nsteps=200)

    def alder(self, *arguments, expect, **environment):
        done = subprocess.run([ALDER, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=120,
                              env={**os.environ, **environment})
        self.assertEqual(done.returncode, expect, done.stderr[-2000:])
        return done

    def energy(self, *extra, expect, **environment):
        return self.alder("energy", "-f", "run.mdp", "-c", "conf.gro", "-p", "topol.top", *extra, expect=expect, **environment)

    def path(self, name):
        return os.path.join(self.folder, name)

    def test_names_that_no_file_can_have(self):
        for name in ("", ".", "nowhere/md", "conf.gro/md"):
            self.assertIn("-deffnm", self.run_deck(name, expect=2).stderr)
        os.mkdir(self.path("folder"))
        self.run_deck("folder/", expect=2)
        self.assertEqual(os.listdir(self.path("folder")), [])

    def test_numbers_out_of_range(self):
        for option, value in (("-nsteps", -3), ("-cpt", -1), ("-cpt", "nan"), ("-maxh", "nan"), ("-maxh", -5), ("-nt", -1)):
            self.run_deck("md", option, value, expect=2)
        self.energy("-tolerance", "nan", expect=2)
        self.run_deck("md", "-nsteps", -2)
        self.assertEqual(self.final_state("md")[0], 200)

    def test_one_dash_or_two(self):
        self.alder("mdrun", "--f", "run.mdp", "-c", "conf.gro", "--p", "topol.top", "--deffnm", "md", expect=0)
        self.assertIn("-p is required", self.alder("mdrun", "-f", "run.mdp", "-c", "conf.gro", expect=2).stderr)

    def test_help_and_unknown_commands(self):
        self.assertIn("-deffnm", self.alder("help", "mdrun", expect=0).stdout)
        self.assertIn("no command 'grompp'", self.alder("grompp", "-f", "run.mdp", expect=2).stderr)

    def test_threads_of_the_environment(self):
        for odd in ("99999", "0", "many", "1.5"):
            self.assertIn("OMP_NUM_THREADS", self.energy(expect=2, OMP_NUM_THREADS=odd).stderr)
        self.energy(expect=0, OMP_NUM_THREADS="2,1")

    def test_references_that_compare_nothing(self):
        for text in ("[]", '{"terms": {}}', '{"terms": {"Kinetic En.": 1}}', '{"terms": {"Potential": null}}',
                     '{"terms": {"Potential": 1}, "engine": 5}', '{"terms": '):
            with open(self.path("reference.json"), "w") as out:
                out.write(text)
            self.assertIn("reference.json", self.energy("-compare", "reference.json", expect=2).stderr)
        self.energy("-compare", ".", expect=2)
        self.energy("-json", "reference.json", expect=0)
        self.energy("-compare", "reference.json", expect=0)

    def test_devices_keep_their_place(self):
        os.mkfifo(self.path("pipe"))
        with subprocess.Popen(["cat", self.path("pipe")], stdout=subprocess.PIPE) as reader:
            self.energy("-json", "pipe", expect=0)
            self.assertEqual(json.loads(reader.stdout.read())["natoms"], 3)
        self.assertTrue(stat.S_ISFIFO(os.stat(self.path("pipe")).st_mode))

    def test_results_that_cannot_be_printed(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([ALDER, "energy", "-f", "run.mdp", "-c", "conf.gro", "-p", "topol.top"], cwd=self.folder, stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=120)
        self.assertEqual(done.returncode, 1)
        self.assertIn("standard output", done.stderr)

    def test_an_older_run_is_moved_aside_with_its_checkpoint(self):
        self.run_deck("md")
        self.set_mdp(nsteps=-1)
        process = subprocess.Popen(self.command("md", "-nt", 1), cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            if "frame step" in self.text_of(self.path("md.log")) and os.path.exists(self.path("#md.log.1#")):
                break
            time.sleep(0.02)
        process.kill()
        process.wait()
        for ending in ("h5md", "log", "json", "gro", "cpt.h5"):
            self.assertTrue(os.path.exists(self.path(f"#md.{ending}.1#")), ending)
        self.assertIn("starting anew", self.run_deck("md", "-cpi", "-nsteps", 100).stderr)

    def test_restart_says_what_changes_bits(self):
        self.run_deck("md", "-nstlist", 10)
        self.assertNotIn("other bits", self.run_deck("md", "-cpi", "-nsteps", 240, "-nstlist", 10).stderr)
        self.assertIn("list interval 10 -> 20", self.run_deck("md", "-cpi", "-nsteps", 280, "-nstlist", 20).stderr)

    def test_nothing_left_to_do(self):
        self.run_deck("md")
        _, bits = self.final_state("md")
        for _ in range(2):
            done = self.run_deck("md", "-cpi")
            self.assertIn("no steps are left", done.stderr)
            self.assertRegex(done.stdout, r"speed +not given: 0 steps were timed")
            self.assertNotIn("ns/day", done.stdout)
            with open(self.path("md.json")) as source:
                speed = json.load(source)["performance"]
            self.assertEqual((speed["ns_per_day"], speed["hours_per_ns"], speed["timed_steps"]), (None, None, 0))
            self.assertEqual(self.final_state("md"), (200, bits))

    def test_blow_up_is_in_the_log(self):
        with open(self.path("conf.gro")) as source:
            lines = source.read().splitlines()
        lines[1], lines[2:5] = "6", lines[2:5] * 2  # a second water on top of the first
        with open(self.path("conf.gro"), "w") as out:
            out.write("\n".join(lines) + "\n")
        with open(self.path("topol.top")) as source:
            topology = source.read()
        with open(self.path("topol.top"), "w") as out:
            out.write(topology.rstrip().removesuffix("1") + "2\n")
        self.assertIn("overlap", self.energy(expect=1).stderr)
        self.assertRegex(self.run_deck("md", expect=1).stderr, "step 0: .*atom 1 ")
        self.assertIn("Failed: step 0", self.text_of(self.path("md.log")))

    def test_minimization(self):
        self.set_mdp(integrator="steep", nsteps=5, emtol=1)
        self.run_deck("em", "-cpi")
        report = self.report("em")
        self.assertEqual(report["schema"], "alder-bench-2")
        self.assertIn(report["final_state"]["step"], range(6))
        self.assertNotIn("trajectory", report["files"])
        for name in report["files"].values():
            self.assertTrue(os.path.exists(self.path(name)), name)

    def test_a_signal_while_the_deck_is_read(self):
        self.set_mdp(nsteps=-1)
        os.mkfifo(self.path("slow.top"))
        command = ["slow.top" if word == "topol.top" else word for word in self.command("md", "-nt", 1)]
        process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(self.path("slow.top"), "w") as out:  # opens once alder reads
            process.send_signal(signal.SIGTERM)
            with open(self.path("topol.top")) as source:
                out.write(source.read())
        self.assertEqual(process.wait(60), 75)
        self.assertTrue(os.path.exists(self.path("md.cpt.h5")))


if __name__ == "__main__":
    main()
