"""Runs of the alder program on copies of a shipped deck, for the tests in this folder."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ALDER = os.environ.get("ALDER", "alder")
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class DeckRuns(unittest.TestCase):
    """Each test works in a folder of its own, holding a copy of inputs/<deck>."""

    deck = "water"
    mdp = "nvt.mdp"

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="alder-test-")
        self.addCleanup(shutil.rmtree, self.folder)
        source = os.path.join(SOURCE, "inputs", self.deck)
        for name in os.listdir(source):
            if os.path.isfile(os.path.join(source, name)):
                shutil.copy(os.path.join(source, name), self.folder)

    def set_mdp(self, **values):
        """Writes run.mdp: the deck's file with some keys replaced (names with _ for -)."""
        with open(os.path.join(self.folder, self.mdp)) as source:
            lines = source.read().splitlines()
        keys = {k.replace("_", "-"): v for k, v in values.items()}
        kept = [l for l in lines if re.split(r"[\s=]", l.strip().lower().replace("_", "-"), maxsplit=1)[0] not in keys]
        with open(os.path.join(self.folder, "run.mdp"), "w") as out:
            out.write("\n".join(kept + [f"{k} = {v}" for k, v in keys.items()]) + "\n")

    def command(self, name, *extra):
        return [ALDER, "mdrun", "-f", "run.mdp", "-c", "conf.gro", "-p", "topol.top", "-deffnm", name, *map(str, extra)]

    def run_deck(self, name, *extra, expect=0):
        done = subprocess.run(self.command(name, *extra), cwd=self.folder, capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, expect, done.stderr[-2000:])
        return done

    def text_of(self, path):
        """What stands in a file so far; empty where there is none."""
        if not os.path.exists(path):
            return ""
        with open(path, errors="replace") as source:
            return source.read()

    def report(self, name):
        with open(os.path.join(self.folder, name + ".json")) as source:
            return json.load(source)

    def final_state(self, name):
        state = self.report(name)["final_state"]
        return state["step"], state["sha256"]


def main():
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[1:]])
