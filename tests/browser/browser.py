"""Headless Chromium for tests of pages: Python's own library alone, over Chromium's debugging pipe.

    with Browser() as browser:
        page = browser.open("run.html", width=400)
        page.complaints()          # what a reader's browser would have to complain of; [] for a good page
        page.value("document.title")
        page.screenshot("run.png")

Debian's chromium-headless-shell is looked for, then chromium; without either NoBrowser is raised. Every wait has a limit, and the browser
with all its processes and its profile is gone when the block ends, or at the limit.
"""
import base64
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import tempfile
import time

NAMES = ("chromium-headless-shell", "chromium")
SMALLEST_TEXT = 10  # pixels, of text in a drawing


class NoBrowser(Exception):
    """No Chromium here."""


class BrowserFailed(Exception):
    """Chromium did not start, did not answer in time, or answered with an error."""


def program():
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return found
    raise NoBrowser("no Chromium here: apt-get install " + NAMES[0])


class Browser:
    """`limit` is the most seconds that any one answer may take."""

    def __init__(self, limit=60):
        self.limit = limit
        self.program = program()
        self.process = None

    def __enter__(self):
        self.profile = tempfile.mkdtemp(prefix="alder-browser-")
        to_browser, self.out = os.pipe()
        self.into, from_browser = os.pipe()
        self.last_id, self.received, self.events = 0, b"", []
        self.notes = os.path.join(self.profile, "notes")
        try:
            with open(self.notes, "wb") as notes:
                # Chromium reads commands on descriptor 3 and writes answers on 4. The shell puts the pipes there, whatever their numbers.
                self.process = subprocess.Popen(
                    ["/bin/sh", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "sh", self.program,
                     "--headless", "--remote-debugging-pipe", "--user-data-dir=" + self.profile,
                     "--no-sandbox",  # refuses to work as root otherwise; the pages are our own
                     "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars", "--force-device-scale-factor=1",
                     "--disable-background-networking", "--disable-component-update", "--disable-extensions", "--no-default-browser-check",
                     "--disable-sync", "--metrics-recording-only", "about:blank"],
                    pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL, stdout=notes, stderr=notes, start_new_session=True,
                    env={**os.environ, "HOME": self.profile, "XDG_CONFIG_HOME": self.profile, "XDG_CACHE_HOME": self.profile})
            os.close(to_browser)
            os.close(from_browser)
            self.version = self.call("Browser.getVersion")["product"]
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for end in (self.out, self.into):
            try:
                os.close(end)
            except OSError:
                pass
        if self.process:
            # All it started is in its process group.
            try:
                self.process.wait(timeout=3)
            except subprocess.TimeoutExpired:
                pass
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.process.wait()
        for _ in range(20):  # a dying process may still write into its profile
            shutil.rmtree(self.profile, ignore_errors=True)
            if not os.path.exists(self.profile):
                break
            time.sleep(0.1)

    def receive(self, deadline):
        """The next message."""
        while b"\0" not in self.received:
            left = deadline - time.monotonic()
            ready = select.select([self.into], [], [], max(left, 0))[0]
            if not ready:
                raise BrowserFailed(f"no answer within {self.limit} s; Chromium says: {self.said()}")
            more = os.read(self.into, 1 << 20)
            if not more:
                raise BrowserFailed("Chromium has ended: " + self.said())
            self.received += more
        message, self.received = self.received.split(b"\0", 1)
        return json.loads(message)

    def said(self):
        try:
            with open(self.notes, errors="replace") as notes:
                return notes.read()[-1500:]
        except OSError:
            return ""

    def call(self, method, session=None, **parameters):
        """Sends a command and waits for its answer; events that come meanwhile are kept."""
        self.last_id += 1
        command = {"id": self.last_id, "method": method, "params": parameters}
        if session:
            command["sessionId"] = session
        try:
            os.write(self.out, json.dumps(command).encode() + b"\0")
        except BrokenPipeError:
            raise BrowserFailed("Chromium has ended: " + self.said()) from None
        deadline = time.monotonic() + self.limit
        while True:
            message = self.receive(deadline)
            if message.get("id") == self.last_id:
                if "error" in message:
                    raise BrowserFailed(f"{method}: {message['error'].get('message')}")
                return message["result"]
            if "method" in message:
                self.events.append(message)

    def wait_for(self, event, session):
        deadline = time.monotonic() + self.limit
        while not any(e["method"] == event and e.get("sessionId") == session for e in self.events):
            message = self.receive(deadline)
            if "method" in message:
                self.events.append(message)

    def open(self, path, width, height=900, dark=False):
        """A page of a file, loaded and laid out in a window of that width (pixels)."""
        return Page(self, path, width, height, dark)


class Page:
    def __init__(self, browser, path, width, height, dark):
        self.browser = browser
        self.url = pathlib.Path(path).resolve().as_uri()
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        failed = self.call("Page.navigate", url=self.url).get("errorText")
        if failed:
            raise BrowserFailed(f"{self.url}: {failed}")
        browser.wait_for("Page.loadEventFired", self.session)
        # What a page asks for or says late comes within these frames.
        self.value("new Promise(done => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done(1))), 200))")

    def call(self, method, **parameters):
        return self.browser.call(method, session=self.session, **parameters)

    def of(self, method):
        return [e["params"] for e in self.browser.events if e["method"] == method and e.get("sessionId") == self.session]

    def value(self, expression):
        """Value of a JavaScript expression, waited for where it is a promise."""
        done = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in done:
            details = done["exceptionDetails"]
            raise BrowserFailed(details.get("exception", {}).get("description") or details["text"])
        return done["result"].get("value")

    def messages(self):
        """All that the console shows, as (kind, text): calls of console, exceptions, and the browser's own warnings and errors."""
        self.value("1")  # events that are under way come before the answer
        said = [(m["type"], " ".join(str(a.get("value", a.get("description", ""))) for a in m["args"]))
                for m in self.of("Runtime.consoleAPICalled")]
        thrown = [("exception", m["exceptionDetails"].get("exception", {}).get("description") or m["exceptionDetails"]["text"])
                  for m in self.of("Runtime.exceptionThrown")]
        return said + thrown + [(m["entry"]["level"], m["entry"]["text"]) for m in self.of("Log.entryAdded")]

    def requests(self):
        """Addresses that the page asked for besides its own, whether they were let through or not. What the page holds itself (data:) is
        no request."""
        self.value("1")
        asked = [m["request"]["url"] for m in self.of("Network.requestWillBeSent")]
        asked += [m["url"] for m in self.of("Network.webSocketCreated")]
        return [url for url in asked if url.split("#")[0] != self.url and not url.startswith("data:")]

    def sideways(self):
        """Pixels by which the page is wider than its window."""
        return self.value("Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - window.innerWidth")

    def smallest_text(self):
        """The least height of a font in a drawing, in pixels of the screen; None where there is no text in any."""
        return self.value("""(() => { const sizes = [...document.querySelectorAll('svg text')].map(
            t => parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().d); return sizes.length ? Math.min(...sizes) : null; })()""")

    def cut_text(self):
        """Texts of drawings that reach beyond their drawing."""
        return self.value("""[...document.querySelectorAll('svg.drawing text')].filter(t => { const a = t.getBoundingClientRect(),
            b = t.ownerSVGElement.getBoundingClientRect(); return a.left < b.left - 1 || a.right > b.right + 1 || a.top < b.top - 1 ||
            a.bottom > b.bottom + 1; }).map(t => t.textContent)""")

    def complaints(self):
        """All that keeps a page from being a good one, as lines; none for a good one."""
        found = [f"console {kind}: {text}" for kind, text in self.messages()]
        found += ["request: " + url for url in self.requests()]
        if self.sideways() > 0:
            found.append(f"the page scrolls sideways, by {self.sideways()} pixels")
        smallest = self.smallest_text()
        if smallest is not None and smallest < SMALLEST_TEXT:
            found.append(f"text of {smallest:.1f} pixels in a drawing")
        return found + ["text cut off in a drawing: " + text for text in self.cut_text()]

    def screenshot(self, path, whole=True, height=None):
        """A PNG of the page; `height` cuts a long one."""
        tall = self.value("document.documentElement.scrollHeight") if whole else self.value("window.innerHeight")
        wide = self.value("window.innerWidth")
        clip = {"x": 0, "y": 0, "width": wide, "height": min(tall, height or tall), "scale": 1}
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))
