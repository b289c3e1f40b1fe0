#!/usr/bin/env python3
"""The page of a run: real runs, their pages in Chromium, and the numbers there against those that h5py reads from the trajectory."""
import os
import re
import shutil
import subprocess
import sys
import time
import unittest

import h5py
import numpy

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TESTS, "browser"), os.path.join(TESTS, "app")]
from browser import Browser, NoBrowser, program  # noqa: E402
from deck_runs import ALDER, SOURCE, DeckRuns, main  # noqa: E402

# Of a chart, by its title: the lines' paths, and the marks' values with their places along the axis.
CHART = """(() => { const figure = [...document.querySelectorAll('figure')].find(f => f.querySelector('figcaption').textContent === %r);
    const marks = side => [...figure.querySelectorAll('.tick.' + side)].map(t => [parseFloat(t.dataset.value),
        t.querySelector('path').getAttribute('d'), t.querySelector('text').textContent]);
    return {lines: [...figure.querySelectorAll('svg.drawing path.line')].map(p => p.getAttribute('d')), x: marks('x'), y: marks('y')}; })()"""


class RunPage(DeckRuns):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.browser.__enter__()
        cls.addClassCleanup(cls.browser.__exit__)

    def report_of(self, *arguments, expect=0):
        done = subprocess.run([ALDER, "report", *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, expect, done.stderr)
        return done

    def open(self, name, width):
        page = self.browser.open(os.path.join(self.folder, name), width)
        self.assertEqual(page.complaints(), [])
        return page

    def chart(self, page, title):
        chart = page.value(CHART % title)
        places = {}
        for axis, part in (("x", 0), ("y", 1)):
            marks = [(value, float(re.findall(r"[\d.]+", d)[part])) for value, d, _ in chart[axis]]
            self.assertGreaterEqual(len(marks), 2)
            (v0, p0), (v1, p1) = marks[0], marks[-1]
            places[axis] = lambda value, v0=v0, p0=p0, v1=v1, p1=p1: p0 + (value - v0) / (v1 - v0) * (p1 - p0)
        return chart["lines"], places

    def points(self, d):
        return [tuple(map(float, point)) for point in re.findall(r"[ML]([-\d.]+) ([-\d.]+)", d)]

    def assert_drawn(self, page, title, times, values):
        """First, last, least and greatest of a column stand where the marks of the axes say."""
        lines, place = self.chart(page, title)
        points = self.points(lines[0])
        self.assertLessEqual(len(points), 1500)
        if len(values) <= 1500:
            self.assertEqual(len(points), len(values))
        for index, point in ((0, points[0]), (len(values) - 1, points[-1])):
            self.assertAlmostEqual(point[0], place["x"](times[index]), delta=0.05)
            self.assertAlmostEqual(point[1], place["y"](values[index]), delta=0.05)
        for index, point in ((numpy.argmax(values), min(points, key=lambda p: p[1])), (numpy.argmin(values), max(points, key=lambda p: p[1]))):
            self.assertAlmostEqual(point[0], place["x"](times[index]), delta=0.05)
            self.assertAlmostEqual(point[1], place["y"](values[index]), delta=0.05)

    def columns(self, name, **how):
        with h5py.File(os.path.join(self.folder, name), "r", **how) as f:
            energies = f["energies"]
            first = energies["Potential"]
            steps, times = first["step"][()], first["time"][()]
            return steps, times, {n: (energies[n]["value"].attrs["unit"], energies[n]["value"][()][: len(steps)])
                                  for n in energies if energies[n]["value"].ndim == 1}

    def assert_data(self, data, name, **how):
        steps, times, columns = self.columns(name, **how)
        self.assertEqual(data["records"]["step"], list(steps))
        self.assertEqual(data["records"]["time_ps"], list(times))
        self.assertEqual(set(data["records"]["columns"]), set(columns))
        for column, (unit, values) in columns.items():
            self.assertEqual(data["records"]["columns"][column]["unit"], unit)
            self.assertEqual(data["records"]["columns"][column]["values"], list(values), column)
            self.assertAlmostEqual(data["averages"][column]["mean"], values.mean(), delta=1e-9 * abs(values.mean()) + 1e-12)
            self.assertAlmostEqual(data["averages"][column]["rms_fluctuation"], values.std(), delta=1e-6 * values.std() + 1e-9)
        return steps, times, {n: v for n, (_, v) in columns.items()}

    def test_a_run(self):
        self.set_mdp(nsteps=600, nstenergy=2, nstcalcenergy=2, nstxout=200, nstlog=200, pcoupl="C-rescale", tau_p=1, ref_p=1,
                     compressibility=4.5e-5)
        self.run_deck("md", "-nt", 2)
        self.assertIn("md.html", self.report_of("md.h5md").stdout)
        report = self.report("md")
        for width in (400, 1600):
            page = self.open("md.html", width)
            data = page.value("JSON.parse(document.getElementById('data').textContent)")
            _, times, values = self.assert_data(data, "md.h5md")
            for title in ("Potential", "Temperature", "Pressure", "Density", "Coul. recip."):
                self.assert_drawn(page, title, times, values[title])
        text = page.value("document.body.innerText")
        self.assertNotIn("nan", text)
        for told in ("done", report["input_hash"], report["command_line"], report["hardware"]["CPU"], report["plan"]["Coulomb"]):
            self.assertIn(told, text)
        self.assertEqual(data["ended"], "done")
        self.assertEqual(data["atoms"], int(report["plan"]["atoms"]))
        self.assertEqual([(r["part"], r["wall_s"]) for r in data["table"]], [(r["part"], r["wall_s"]) for r in report["performance"]["table"]])
        self.assertEqual(data["rates"], [{k: r[k] for k in ("step", "ns_per_day")} for r in report["performance"].get("rates", [])])
        # the parameters, folded away
        with open(os.path.join(self.folder, "run.mdp")) as parameters:
            self.assertEqual(page.value("document.querySelector('details pre').textContent"), parameters.read())
        # the drift against numpy's line
        slope = numpy.polyfit(times, values["Conserved En."] - values["Conserved En."][0], 1)[0] * 1000 / data["atoms"]
        self.assertAlmostEqual(data["drift_kJ_mol_ns_atom"], slope, delta=1e-6 * abs(slope))
        self.assertGreater(data["drift_error"], 0)
        lines, place = self.chart(page, "Conserved energy since the first record")
        (x0, y0), (x1, y1) = self.points(lines[1])
        rise = place["y"](slope * (times[-1] - times[0]) / 1000) - place["y"](0)
        self.assertAlmostEqual(y1 - y0, rise, delta=0.05)
        self.assertAlmostEqual(x0, place["x"](times[0]), delta=0.05)
        self.assertAlmostEqual(x1, place["x"](times[-1]), delta=0.05)

    def test_long_series_are_thinned(self):
        self.deck_of("three-atoms")
        self.set_mdp(nsteps=5000, nstenergy=1, nstcalcenergy=1, nstxout=1000, nstlog=1000)
        self.run_deck("md", "-nt", 1)
        self.report_of("md.h5md")
        page = self.open("md.html", 400)
        steps, times, columns = self.columns("md.h5md")
        self.assertEqual(len(steps), 5001)
        self.assert_drawn(page, "Potential", times, columns["Potential"][1])

    def deck_of(self, deck):
        source = os.path.join(SOURCE, "inputs", deck)
        for name in os.listdir(source):
            if os.path.isfile(os.path.join(source, name)):
                shutil.copy(os.path.join(source, name), self.folder)
        self.mdp = "nve.mdp"

    def test_live_and_killed(self):
        self.deck_of("three-atoms")
        self.set_mdp(nsteps=-1, nstenergy=100, nstcalcenergy=100, nstxout=100, nstlog=100)
        process = subprocess.Popen(self.command("md", "-nt", 1, "-cpt", 0), cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            deadline = time.time() + 30
            while time.time() < deadline and "frame step" not in self.text_of(os.path.join(self.folder, "md.log")):
                self.assertIsNone(process.poll(), "ended by itself")
                time.sleep(0.01)
            live = self.report_of("md.h5md", "--html", "live.html")
            self.assertIsNone(process.poll())
        finally:
            process.kill()
            process.wait()
        self.assertIn("There is no md.json", live.stderr)
        self.report_of("md.h5md", "--html", "killed.html")
        for name in ("live.html", "killed.html"):
            page = self.open(name, 400)
            data = page.value("JSON.parse(document.getElementById('data').textContent)")
            self.assertFalse(data["closed"])
            self.assertIsNone(data["ended"])
            self.assertGreater(data["records"]["count"], 0)
            text = page.value("document.body.innerText")
            self.assertIn("is not closed: its run goes on, or was killed", text)
            self.assertIn("There is no md.json", text)
        self.assert_data(data, "md.h5md", libver="latest", swmr=True)

    def test_json_that_does_not_fit(self):
        self.deck_of("three-atoms")
        self.set_mdp(nsteps=200, nstenergy=10, nstcalcenergy=10, nstxout=100, nstlog=100)
        self.run_deck("md", "-nt", 1)
        os.rename(os.path.join(self.folder, "md.h5md"), os.path.join(self.folder, "other.h5md"))
        shutil.copy(os.path.join(self.folder, "md.json"), os.path.join(self.folder, "other.json"))
        done = self.report_of("other.h5md")
        self.assertIn("other.json is not used: it tells of the trajectory md.h5md", done.stderr)
        with open(os.path.join(self.folder, "other.json"), "w") as broken:
            broken.write('{"schema": ')
        self.assertIn("other.json is not used", self.report_of("other.h5md").stderr)
        self.assertIsNone(self.open("other.html", 400).value("JSON.parse(document.getElementById('data').textContent)")["ended"])

    def test_refusals(self):
        with open(os.path.join(self.folder, "text.h5md"), "w") as out:
            out.write("no HDF5")
        with h5py.File(os.path.join(self.folder, "empty.h5md"), "w") as f:
            f.create_group("h5md")
        for name, told in (("nowhere.h5md", "no such file"), ("text.h5md", "is no HDF5 file"), ("empty.h5md", "holds no energies")):
            done = self.report_of(name, expect=2)
            self.assertIn(name, done.stderr)
            self.assertIn(told, done.stderr)
        self.assertIn("one run has one page", self.report_of("a.h5md", "b.h5md", expect=2).stderr)
        self.assertIn("-csv is for figures of machines", self.report_of("a.h5md", "--csv", "x", expect=2).stderr)
        self.assertIn("-ledger and -prices and -cpt and -restart are for figures",
                      self.report_of("a.h5md", "-cpt", "5", "-restart", "1", "-prices", "p", "-ledger", "l", expect=2).stderr)
        self.assertFalse([n for n in os.listdir(self.folder) if n.endswith(".html")])


if __name__ == "__main__":
    try:
        program()
    except NoBrowser as reason:
        print(reason)
        sys.exit(77)
    main()
