#!/usr/bin/env python3
"""alder report on the command line: tables, CSV, prices, ledgers, and what is refused."""
import csv
import json
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import unittest

from deck_runs import ALDER, DeckRuns, SOURCE, main

FIXTURES = [os.path.join(SOURCE, "tests", "report", f"fixture_{name}.json") for name in ("a100", "a100_mig", "h200", "cpu", "run")]
SPOT = """[[price]]
name = "night"
gpu = "H200"
kind = "spot"
currency = "EUR"
per_hour = 1.2
date = 2026-12-01
source = "a test"
verified = true
hours_between_preemptions = 2
"""


class Report(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="alder-test-")
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("ALDER_PRICES", "ALDER_DATA", "ALDER_LEDGER"):
            os.environ.pop(name, None)

    def run_report(self, *arguments, expect=0):
        done = subprocess.run([ALDER, "report", *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, expect, done.stderr)
        return done

    def path(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "w") as out:
            out.write(content if isinstance(content, str) else json.dumps(content))
        return path

    def records(self, name="out.csv"):
        with open(os.path.join(self.folder, name), newline="") as source:
            return list(csv.DictReader(source))

    def measured(self, source, **changes):
        with open(source) as file:
            figures = json.load(file)
        figures["fixture"] = False
        figures.update(changes)
        return figures

    def test_tables_of_fixtures_say_so_in_every_row(self):
        text = self.run_report(*FIXTURES, "--csv", "out.csv").stdout
        self.assertLess(max(map(len, text.splitlines())), 141)
        rows = [l for l in text.splitlines() if "NVIDIA" in l or "EPYC" in l]
        self.assertGreater(len(rows), 60)
        for row in rows:
            self.assertTrue(row.startswith("  FIXTURE "), row)
        self.assertNotIn("cheapest", text)
        self.assertNotIn("fastest run", text)
        self.assertEqual(text.count("best choice: none"), 5)
        self.assertIn("no measurement", text)
        records = self.records()
        self.assertEqual({r["status"] for r in records}, {"fixture"})
        self.assertEqual({r["price_verified"] for r in records}, {"", "false"})

    def test_csv_holds_the_figures_of_the_files(self):
        self.run_report(*FIXTURES, "--csv", "out.csv")
        expected = 0
        for path in FIXTURES[:3]:
            with open(path) as file:
                figures = json.load(file)
            for result in figures["results"]:
                gpu = figures["hardware"]["GPU"]
                machine = gpu["name"] + (f" MIG {gpu['mig_profile']}" if gpu["mig_profile"] else "")
                key = {"machine": machine, "deck": result["deck"], "gpus": str(result["gpus"]), "replicas": str(result["replicas"])}
                found = [r for r in self.records() if all(r[k] == v for k, v in key.items())]
                whole = gpu["name"].startswith("NVIDIA A100") and not gpu["mig_profile"]
                self.assertEqual(len(found), 6 if whole else 1, key)
                expected += len(found)
                for record in found:
                    rate = statistics.median(result["ns_per_day"]["values"])
                    self.assertAlmostEqual(float(record["ns_per_day"]), rate)
                    self.assertAlmostEqual(float(record["ns_per_kWh"]), rate / (result["power_W"] * 0.024), places=6)
                    self.assertAlmostEqual(float(record["atom_steps_per_s"]), result["atoms"] * rate * 1e-9 / 86400 / 2e-15 * 1e0, delta=1)
                    if whole:
                        per_ns = float(record["cost_per_hour"]) * 24 / rate
                        self.assertAlmostEqual(float(record["cost_per_ns"]), per_ns, places=9)
                        self.assertEqual(record["lost"], "" if record["price_kind"] == "spot" else "0.0")
                    else:
                        self.assertEqual((record["price"], record["cost_per_ns"]), ("no price", ""))
        # 16 threads of the run and of the sweep are one row
        merged = [r for r in self.records() if r["deck"] == "water3k" and r["threads"] == "16"]
        self.assertEqual([r["windows"] for r in merged], ["6"])
        self.assertEqual(len(self.records()), expected + 11)

    def test_a_page_holds_the_records(self):
        self.run_report(*FIXTURES, "--csv", "out.csv", "--html", "out.html")
        with open(os.path.join(self.folder, "out.html")) as source:
            html = source.read()
        (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', html, re.S)
        data = json.loads(text)
        records = self.records()
        self.assertEqual(len(data["records"]), len(records))
        for record, line in zip(data["records"], records):
            record.pop("row")
            self.assertEqual({k: "" if v is None else str(v).lower() for k, v in record.items()}, {k: v.lower() for k, v in line.items()})
        self.assertGreater(html.count("fixture: not measured"), len(records))
        outside = re.findall(r"(?i)<[^>]*\b(?:src|href)\s*=\s*[\"'](?!data:)|url\(|@import|<script(?! type=\"application/json\")", html)
        self.assertEqual(outside, [])
        self.assertTrue("None: nothing here was measured" in html)
        for best in data["best"]:
            self.assertEqual((best["fastest_run"], best["cheapest"]), (None, []))

    def test_best_choice_of_measurements(self):
        a100 = self.path("a100.json", self.measured(FIXTURES[0]))
        h200 = self.path("h200.json", self.measured(FIXTURES[2]))
        text = self.run_report(a100, h200, FIXTURES[3]).stdout
        self.assertIn("fastest run: NVIDIA H200 (1 GPU, 1 thread, own FFT), 1900 ns/day", text)
        self.assertIn("most ns/day in all: NVIDIA A100-SXM4-80GB (1 GPU, 1 thread, 4 runs, own FFT), 2600 ns/day", text)
        self.assertIn("cheapest in USD: NVIDIA A100-SXM4-80GB (1 GPU, 1 thread, 4 runs, own FFT), at least 0.01014 USD (price not verified)",
                      text)
        self.assertIn("0.03378 USD (price not verified) a ns, by aws-on-demand", text)
        # figures of a file that failed a check win nothing
        wrong = self.measured(FIXTURES[2], right=False)
        wrong["checks"][0]["right"] = False
        text = self.run_report(a100, self.path("h200.json", wrong)).stdout
        self.assertRegex(text, r"\n  WRONG +NVIDIA H200 +1 .*\n +WRONG: failed force error of every deck\n")
        self.assertNotIn("fastest run: NVIDIA H200", text)

    def test_prices_and_preemptions(self):
        prices = self.path("prices.toml", SPOT)
        self.run_report(*FIXTURES, "--prices", prices, "--csv", "out.csv", "--cpt", 30, "--restart", 9)
        (record,) = (r for r in self.records() if r["deck"] == "water24k" and "H200" in r["machine"])
        self.assertAlmostEqual(float(record["lost"]), 24 / 120)  # 15 and 9 minutes of two hours
        self.assertAlmostEqual(float(record["cost_per_ns"]), 1.2 * 24 / float(record["ns_per_day"]) / 0.8)
        self.assertAlmostEqual(float(record["ns_per_currency_unit"]) * float(record["cost_per_ns"]), 1)
        os.environ["ALDER_PRICES"] = prices
        self.addCleanup(os.environ.pop, "ALDER_PRICES")
        self.assertIn(" 10.4 % ", self.run_report(*FIXTURES).stdout)  # 7.5 and 5 minutes
        self.assertIn("prices.toml:11: per_hour is missing",
                      self.run_report(*FIXTURES, "--prices", self.path("prices.toml", SPOT + "[[price]]\n"), expect=2).stderr)
        for flag in ("--cpt", "--restart"):
            for value in ("-1", "nan", "inf", "soon"):
                self.run_report(*FIXTURES, flag, value, expect=2)

    def test_a_ledger_beside_it(self):
        entry = {"schema": "alder-ledger-1", "ended_at": "2026-11-30T20:00:00Z", "version": "0.1.0", "job": None, "project": None,
                 "user": "ada", "host": "node1", "system": {"title": "Water", "topology": "topol.top", "input_hash": "00"},
                 "device": "NVIDIA H200", "mig_profile": None, "gpus": 1, "ranks": 1, "processors": 1, "hours": 2.0, "gpu_hours": 2.0,
                 "cost": {"amount": 6.0, "currency": "EUR", "price": "night", "verified": False}, "ns": 3.0, "steps": 1500000,
                 "exit": {"status": 75, "reason": "stopped early: signal 15"}}
        ledger = self.path("ledger.jsonl", json.dumps(entry) + "\n" + json.dumps(dict(entry, hours=1.0, ns=1.0)) + "\nhalf a li")
        done = self.run_report(FIXTURES[0], "--ledger", ledger)
        self.assertRegex(done.stdout, r"\n  NVIDIA H200 +Water +2 +2 +3\.000 +3\.000 +4\.000  3\.000 EUR by night \(price not verified\)\n")
        self.assertIn("ledger.jsonl:3: left out", done.stderr)

    def test_names_of_others_are_quoted(self):
        figures = self.measured(FIXTURES[0])
        figures["hardware"]["host"] = 'a "b", c\nd'
        for result in figures["results"]:
            result["deck"] = "<b>\x1b[31mdeck\x9b</b>"
        text = self.run_report(self.path("odd.json", figures), "--csv", "out.csv").stdout
        self.assertIn("<b>?[31mdeck?</b>: 3000 atoms", text)
        self.assertNotRegex(text, "[\x00-\x09\x0b-\x1f\x7f-\x9f]")
        self.assertEqual({(r["hosts"], r["deck"]) for r in self.records()}, {('a "b", c\nd', "<b>\x1b[31mdeck\x9b</b>")})

    def test_fixtures_hold_to_the_schema(self):
        done = subprocess.run(["/usr/bin/python3", os.path.join(SOURCE, "scripts", "check_bench_json.py"), *FIXTURES], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_refusals(self):
        self.assertIn("files is required", self.run_report(expect=2).stderr.lower())
        said = self.run_report(FIXTURES[0], "absent.json", self.path("old.json", {"schema": "alder-bench-1"}), expect=2).stderr
        self.assertIn("absent.json: cannot be read", said)
        self.assertIn("schema: 'alder-bench-1' is not known", said)
        self.assertIn("absent/out.csv", self.run_report(FIXTURES[0], "--csv", "absent/out.csv", expect=1).stderr)
        self.assertIn("absent/out.html", self.run_report(FIXTURES[0], "--html", "absent/out.html", expect=1).stderr)


class RunsReport(DeckRuns):
    """What mdrun writes."""

    deck = "three-atoms"

    def test_runs_are_read(self):
        self.set_mdp(nsteps=300, nstenergy=20)
        for name, more in (("one", ()), ("other", ()), ("short", ("-nsteps", 50)), ("frames", ("-rerun", "one.h5md"))):
            self.run_deck(name, "-nt", 1, "-nb", "cpu", *more)
        self.run_report = lambda *files: subprocess.run([ALDER, "report", *files, "--csv", "out.csv"], cwd=self.folder, capture_output=True,
                                                        text=True, timeout=60)
        done = self.run_report("one.json", "other.json", "short.json", "frames.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(self.folder, "out.csv"), newline="") as source:
            (record,) = (r for r in csv.DictReader(source) if r["ns_per_day"])
        rates = [self.report(name)["performance"]["ns_per_day"] for name in ("one", "other")]
        self.assertEqual((record["status"], record["windows"], record["threads"]), ("measured", "2", "1"))
        for key, value in (("ns_per_day", statistics.median(rates)), ("ns_per_day_least", min(rates)), ("ns_per_day_most", max(rates))):
            self.assertAlmostEqual(float(record[key]) / value, 1, places=6)


if __name__ == "__main__":
    main()
