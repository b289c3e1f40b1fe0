#!/usr/bin/env python3
"""That the harness for pages finds what is wrong with one: a page for each fault, and a good one without any."""
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from browser import Browser, BrowserFailed, NoBrowser, program

GOOD = """<!DOCTYPE html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>good</title>
<link rel="icon" href="data:,"></head><body><p id="words">words</p><svg class="drawing" viewBox="0 0 100 50" style="width:100px">
<text x="5" y="20" style="font-size:12px">text</text></svg>%s</body></html>"""


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="alder-test-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.browser = Browser()
        cls.browser.__enter__()
        cls.addClassCleanup(cls.browser.__exit__)

    def page(self, more="", width=400, **how):
        path = os.path.join(self.folder, "page.html")
        with open(path, "w") as out:
            out.write(GOOD % more)
        return self.browser.open(path, width, **how)

    def found(self, more, pattern):
        complaints = self.page(more).complaints()
        self.assertTrue(any(re.search(pattern, c) for c in complaints), complaints)

    def test_a_good_page(self):
        page = self.page()
        self.assertEqual(page.complaints(), [])
        self.assertEqual(page.value("document.getElementById('words').textContent"), "words")
        self.assertEqual(page.value("innerWidth"), 400)
        self.assertAlmostEqual(page.smallest_text(), 12, delta=0.01)

    def test_console(self):
        self.found("<script>console.error('bad luck')</script>", r"console error: bad luck")
        self.found("<script>console.warn('take care')</script>", r"console warning: take care")
        self.found("<script>undefinedName()</script>", r"console exception: ReferenceError")
        self.found("<script>setTimeout(() => { throw new Error('late') }, 50)</script>", r"console exception: Error: late")

    def test_security_policy(self):
        policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\"><script>1</script>"
        path = os.path.join(self.folder, "policy.html")
        with open(path, "w") as out:
            out.write("<html><head>" + policy + "</head></html>")
        page = self.browser.open(path, 400)
        self.assertTrue(any("Content Security Policy" in c for c in page.complaints()), page.complaints())

    def test_requests(self):
        self.found('<img src="http://127.0.0.1:9/x.png">', r"request: http://127\.0\.0\.1:9/x\.png")
        self.found('<link rel="stylesheet" href="https://fonts.invalid/f.css">', r"request: https://fonts\.invalid/f\.css")
        self.found('<script src="beside.js"></script>', r"request: file://.*/beside\.js")
        self.found("<script>setTimeout(() => fetch('http://127.0.0.1:9/late').catch(() => 0), 50)</script>", r"request: http://127\.0\.0\.1:9/late")
        self.found("<script>try { new WebSocket('ws://127.0.0.1:9/ws') } catch (e) {}</script>", r"request: ws://127\.0\.0\.1:9/ws")

    def test_sideways(self):
        self.found('<div style="width: 500px">wide</div>', r"scrolls sideways, by (9\d|1\d\d) pixels")
        self.assertEqual(self.page('<div style="overflow-x: auto"><div style="width: 500px">wide</div></div>').complaints(), [])
        self.assertEqual(self.page('<div style="width: 500px">wide</div>', width=1600).complaints(), [])

    def test_small_text(self):
        self.found('<svg viewBox="0 0 200 50" style="width:100px"><text x="5" y="20" style="font-size:12px">t</text></svg>', r"text of 6\.0 pixels")

    def test_cut_text(self):
        self.found('<svg class="drawing" viewBox="0 0 100 50" style="width:100px"><text x="80" y="20" style="font-size:12px">too long</text></svg>',
                   r"cut off in a drawing: too long")

    def test_expressions(self):
        page = self.page()
        self.assertEqual(page.value("({a: [1, 2.5, 'x']})"), {"a": [1, 2.5, "x"]})
        with self.assertRaisesRegex(BrowserFailed, "nowhere"):
            page.value("nowhere.at.all")

    def test_dark(self):
        asked = "matchMedia('(prefers-color-scheme: dark)').matches"
        self.assertFalse(self.page().value(asked))
        self.assertTrue(self.page(dark=True).value(asked))

    def test_screenshot(self):
        path = os.path.join(self.folder, "page.png")
        self.page('<div style="height: 2000px"></div>', width=500).screenshot(path)
        with open(path, "rb") as image:
            header = image.read(24)
        width, height = struct.unpack(">II", header[16:24])
        self.assertEqual(header[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(width, 500)
        self.assertGreater(height, 2000)


class Endings(unittest.TestCase):
    """The browser is gone afterwards, whatever happened."""

    def assert_gone(self, browser):
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            left = subprocess.run(["pgrep", "-f", "--", "--user-data-dir=" + browser.profile], capture_output=True, text=True).stdout.split()
            if not left:
                break
            time.sleep(0.1)
        self.assertEqual(left, [])
        self.assertFalse(os.path.exists(browser.profile))

    def test_a_page_that_hangs(self):
        folder = tempfile.mkdtemp(prefix="alder-test-")
        self.addCleanup(shutil.rmtree, folder)
        path = os.path.join(folder, "hangs.html")
        with open(path, "w") as out:
            out.write("<script>for (;;) {}</script>")
        begin = time.monotonic()
        with self.assertRaisesRegex(BrowserFailed, "no answer within 5 s"):
            with Browser(limit=5) as browser:
                browser.open(path, 400)
        self.assertLess(time.monotonic() - begin, 40)
        self.assert_gone(browser)

    def test_a_file_that_is_not_there(self):
        with self.assertRaisesRegex(BrowserFailed, "ERR_FILE_NOT_FOUND"):
            with Browser() as browser:
                browser.open("/nowhere/page.html", 400)
        self.assert_gone(browser)

    def test_a_browser_that_dies(self):
        with self.assertRaisesRegex(BrowserFailed, "has ended"):
            with Browser() as browser:
                os.killpg(browser.process.pid, signal.SIGKILL)
                browser.call("Browser.getVersion")
        self.assert_gone(browser)


if __name__ == "__main__":
    try:
        program()
    except NoBrowser as reason:
        print(reason)
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[1:]])
