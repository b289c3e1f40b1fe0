#!/usr/bin/env python3
"""The page of alder report in a browser: nothing to complain of at any width, and plots that hold the numbers of its data, which are those of
the files."""
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "browser"))
from browser import Browser, NoBrowser, program  # noqa: E402

ALDER = os.environ.get("ALDER", "alder")
NAMES = ("a100", "a100_mig", "h200", "cpu", "run")
FIXTURES = [os.path.join(HERE, f"fixture_{name}.json") for name in NAMES]
MARK = "fixture: not measured"

# Of each chart: marks of its axes as [value, place], and of each series the centers of its markers (a triangle's is not quite its place) and
# the bends of its line.
DRAWN = """[...document.querySelectorAll('figure')].map(figure => { const svg = figure.querySelector('svg.drawing');
  const ticks = axis => [...svg.querySelectorAll('g.tick.' + axis)].map(g => { const box = g.querySelector('.grid').getBBox();
    return [parseFloat(g.dataset.value), axis == 'x' ? box.x : box.y]; });
  return { title: figure.querySelector('figcaption').textContent, x: ticks('x'), y: ticks('y'),
    legend: [...figure.querySelectorAll('.legend li')].map(l => l.textContent.trim()),
    bars: [...svg.querySelectorAll('g[data-group]')].map(g => { const bar = g.querySelector('rect.bar'), box = bar.getBBox();
      return { group: g.dataset.group, end: box.x + box.width, marked: bar.classList.contains('marked'), fill: getComputedStyle(bar).fill,
        text: g.querySelector('text').textContent }; }),
    series: [...svg.querySelectorAll('g[data-series]:not([data-group])')].map(g => ({ name: g.dataset.series,
      line: g.querySelector('.line').getAttribute('d'), marked: g.querySelector('.line').classList.contains('marked'),
      said: [...g.querySelectorAll('.marker title')].map(t => t.textContent),
      fill: [...g.querySelectorAll('.marker')].map(m => getComputedStyle(m).fill), stroke: getComputedStyle(g.querySelector('.line')).stroke,
      points: [...g.querySelectorAll('.marker')].map(m => { const b = m.getBBox(); return [b.x + b.width / 2, b.y + b.height / 2]; }) })) }; })"""


def value_at(ticks, place):
    """The value at a place of a logarithmic axis, from two of its marks."""
    (low, at_low), (high, at_high) = ticks[0], ticks[-1]
    return math.exp(math.log(low) + (math.log(high) - math.log(low)) * (place - at_low) / (at_high - at_low))


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="alder-test-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.browser = Browser()
        cls.browser.__enter__()
        cls.addClassCleanup(cls.browser.__exit__)
        for name in ("ALDER_PRICES", "ALDER_DATA", "ALDER_LEDGER"):
            os.environ.pop(name, None)

    def page_of(self, files, width=1600, **how):
        path = os.path.join(self.folder, "page.html")
        subprocess.run([ALDER, "report", *files, "--html", path], check=True, stdout=subprocess.DEVNULL, timeout=60)
        return self.browser.open(path, width, **how)

    def measured(self, name, **changes):
        """A fixture as if it had been measured."""
        with open(os.path.join(HERE, f"fixture_{name}.json")) as source:
            figures = json.load(source)
        figures["fixture"] = False
        figures.update(changes)
        path = os.path.join(self.folder, f"{name}.json")
        with open(path, "w") as out:
            json.dump(figures, out)
        return path

    def test_nothing_to_complain_of(self):
        for width in (400, 700, 1600):
            self.assertEqual(self.page_of(FIXTURES, width).complaints(), [], width)
        self.assertEqual(self.page_of(FIXTURES, 400, dark=True).complaints(), [])
        self.assertEqual(self.page_of([self.measured("a100"), self.measured("cpu")], 400).complaints(), [])

    def test_odd_names(self):
        with open(FIXTURES[0]) as source:
            results = json.load(source)["results"]
        for result in results:
            result["deck"] = "</script><script>document.title = 'taken'</script>" + "x" * 200
        page = self.page_of([self.measured("a100", results=results)], 400)
        self.assertEqual(page.complaints(), [])
        self.assertNotEqual(page.value("document.title"), "taken")
        records = page.value("JSON.parse(document.getElementById('data').textContent).records")
        self.assertEqual({r["deck"] for r in records}, {results[0]["deck"]})

    def test_plots_hold_the_numbers_of_the_data(self):
        page = self.page_of(FIXTURES)
        drawn = page.value(DRAWN)
        told = page.value("JSON.parse(document.getElementById('data').textContent).charts")
        self.assertEqual([c["title"] for c in drawn], [c["title"] for c in told])
        self.assertGreaterEqual(len(drawn), 12)
        points = bars = 0
        for chart, data in zip(drawn, told):
            if chart["bars"]:
                (wanted,) = data["series"]
                self.assertEqual([b["group"] for b in chart["bars"]], wanted["groups"])
                (low, at_low), (high, at_high) = chart["x"][0], chart["x"][-1]
                for bar, value in zip(chart["bars"], wanted["values"]):
                    shown = low + (high - low) * (bar["end"] - at_low) / (at_high - at_low)
                    self.assertAlmostEqual(shown, value, delta=0.001 * high, msg=bar)
                    self.assertAlmostEqual(float(bar["text"]) / value, 1, delta=0.001)
                    bars += 1
                continue
            self.assertEqual([s["name"] for s in chart["series"]], [s["name"] for s in data["series"]])
            for series, wanted in zip(chart["series"], data["series"]):
                bends = [tuple(map(float, p)) for p in re.findall(r"([-\d.]+)[ ,]([-\d.]+)", series["line"])]
                self.assertEqual(len(bends), len(wanted["x"]), series["name"])
                self.assertIn(len(series["points"]), (0, len(bends)))
                for (x, y), (marker_x, marker_y) in zip(bends, series["points"]):
                    self.assertTrue(abs(x - marker_x) < 0.1 and abs(y - marker_y) < 1, series["name"])
                for (x, y), x_wanted, y_wanted in zip(bends, wanted["x"], wanted["y"]):
                    # places are written to a hundredth of a pixel; a decade has 40 pixels or more
                    self.assertAlmostEqual(value_at(chart["x"], x) / x_wanted, 1, delta=0.002, msg=series["name"])
                    self.assertAlmostEqual(value_at(chart["y"], y) / y_wanted, 1, delta=0.002, msg=series["name"])
                    points += 1
        self.assertGreater(points, 80)
        self.assertGreater(bars, 15)

    def test_the_data_are_those_of_the_files(self):
        page = self.page_of(FIXTURES[:3])
        charts = page.value("JSON.parse(document.getElementById('data').textContent).charts")
        (chart,) = (c for c in charts if c["title"] == "ns/day by system size")
        speed = {s["name"]: dict(zip(s["x"], s["y"])) for s in chart["series"]}
        for path in FIXTURES[:3]:
            with open(path) as source:
                figures = json.load(source)
            gpu = figures["hardware"]["GPU"]
            for result in figures["results"]:
                if result["replicas"] == 1:
                    name = gpu["name"] + (f" MIG {gpu['mig_profile']}" if gpu["mig_profile"] else "")
                    name += f", {result['gpus']} GPUs" if result["gpus"] > 1 else ""
                    self.assertEqual(speed[name].pop(result["atoms"]), statistics.median(result["ns_per_day"]["values"]))
        self.assertEqual([s for s in speed.values() if s], [])

    def test_fixtures_are_seen_as_such(self):
        page = self.page_of([self.measured("h200"), *FIXTURES[:2], FIXTURES[3]])
        ground = None
        for chart in page.value(DRAWN):
            for bar in chart["bars"]:
                self.assertEqual((bar["marked"], bar["fill"] == "none", MARK in bar["group"]), ("H200" not in bar["group"],) * 3, bar)
            for series in chart["series"]:
                made_up = "H200" not in series["name"]
                self.assertEqual(series["marked"], made_up, series["name"])
                if made_up:  # hollow, and named so
                    self.assertTrue(all(MARK in said for said in series["said"]), series)
                    self.assertTrue(any(series["name"] in line and MARK in line for line in chart["legend"]), chart["legend"])
                    ground = ground or series["fill"][0]
                    self.assertEqual(set(series["fill"]) - {ground}, set())
                elif series["said"]:
                    self.assertFalse(any(MARK in said for said in series["said"]))
                    self.assertEqual(set(series["fill"]), {series["stroke"]})
        rows = page.value("""[...document.querySelectorAll('tbody tr')].map(r => [r.textContent, r.classList.contains('marked'),
            getComputedStyle(r.cells[0]).fontStyle])""")
        made_up = [r for r in rows if re.search("A100|EPYC 9654", r[0])]
        self.assertGreater(len(made_up), 40)
        for text, marked, style in made_up:
            self.assertTrue(marked and MARK in text and style == "italic", text)
        best = page.value("document.querySelector('h2 + .scroll').textContent")
        self.assertIn("H200", best)
        self.assertNotRegex(best, "A100|EPYC")


if __name__ == "__main__":
    try:
        program()
    except NoBrowser as reason:
        print(reason)
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[1:]])
