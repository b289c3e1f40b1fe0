#!/usr/bin/env python3
"""The files of a run as others read them: h5py and MDAnalysis, after kills, on full disks, after restarts.

FRAME_WRITER names the program that writes them (tests/programs/frame_writer.cpp); its formulas stand here a second time.
OUTPUT_KILLS sets how many moments are tried (default 50).
"""
import os
import random
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import warnings

warnings.filterwarnings("ignore")
import h5py
import MDAnalysis
import numpy as np

WRITER = os.environ["FRAME_WRITER"]


def value(step, atoms, scale):
    atom, axis = np.meshgrid(np.arange(atoms), np.arange(3), indexing="ij")
    return scale * ((step * 7 + atom * 3 + axis) % 160 + 1) / 16.0


def box(step, triclinic):
    grow = 1 + step % 8 / 64
    if triclinic:
        return np.array([[3 * grow, 0, 0], [0.5, 3.5 * grow, 0], [-0.75, 1.0, 4 * grow]])
    return 3 * grow * np.eye(3)


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="output-test-")
        self.addCleanup(shutil.rmtree, self.folder)

    def at(self, *names):
        return os.path.join(self.folder, *names)

    def writer(self, *words, expect=0, **how):
        done = subprocess.run([WRITER, *map(str, words)], capture_output=True, text=True, timeout=120, **how)
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        return done

    def reported(self, name):
        if not os.path.exists(self.at(name + ".log")):
            return []
        with open(self.at(name + ".log")) as log:
            lines = log.read().split("\n")[:-1]  # the last one may be cut
        return [int(line.split()[2]) for line in lines if line.startswith("frame step")]

    def check_frames(self, path, atoms, triclinic=False, **how):
        """Every row that has a step holds what the formulas say. Returns the steps."""
        with h5py.File(path, "r", **how) as f:
            group = f["particles/trajectory"]
            steps = group["position/step"][()]
            # every frame of a small file; of a large one enough to see that chunks fall where they should
            for row in range(len(steps)) if atoms < 1000 else [0, len(steps) - 1][: len(steps)]:
                step = int(steps[row])
                for name, scale in (("position", 1), ("velocity", 2), ("force", -4)):
                    np.testing.assert_array_equal(group[name]["value"][row], value(step, atoms, scale), f"{name} of step {step}")
                np.testing.assert_array_equal(group["box/edges/value"][row], box(step, triclinic))
                self.assertEqual(group["position/time"][row], 0.25 * step)
            energy = f["energies/LJ (SR)/step"][()]
            for row, step in enumerate(energy):
                self.assertEqual(f["energies/LJ (SR)/value"][row], -100.0 - step / 3)
                self.assertEqual(f["energies/Virial tensor/value"][row, 0, 1], step)
            return [int(s) for s in steps], [int(s) for s in energy]

    def start(self, name, *words):
        return subprocess.Popen([WRITER, "run", self.at(name), "steps=100000000", *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def kill_later(self, process, seconds, name=None, frames=0):
        """After so many frames, however slow the machine, and a moment more."""
        patience = time.time() + 60
        while name and len(self.reported(name)) < frames and time.time() < patience:
            time.sleep(0.001)
        time.sleep(seconds)
        self.assertIsNone(process.poll(), "ended by itself")
        process.kill()
        process.wait()
        process.stderr.close()


class Killed(Files):
    def test_at_random_moments(self):
        kills, rng = int(os.environ.get("OUTPUT_KILLS", "50")), random.Random(2)
        checked = 0
        for trial in range(kills):
            name, atoms = f"k{trial}", rng.choice([3, 3, 50, 2000])
            process = self.start(name, f"atoms={atoms}", "checkpoint=7")
            # half of them during the first moments, when files are made
            if trial % 2:
                self.kill_later(process, rng.uniform(0, 0.05))
            else:
                self.kill_later(process, rng.uniform(0, 0.05), name, rng.randrange(1, 100))
            trajectory = self.at(name + ".h5md")
            reported = self.reported(name)
            if not os.path.exists(trajectory):
                self.assertEqual(reported, [])
                continue
            kept, energies = self.check_frames(trajectory, atoms, libver="latest", swmr=True)
            self.assertEqual(kept, list(range(len(kept))))
            self.assertLessEqual(set(reported), set(kept), f"kill {trial}: reported frames are lost")
            checked += len(reported)
            self.writer("repair", trajectory)
            self.assertEqual(self.check_frames(trajectory, atoms), (kept, energies))
            if kept and trial % 5 == 0:
                universe = MDAnalysis.Universe.empty(atoms, trajectory=False)
                universe.load_new(trajectory)
                self.assertEqual([ts.data["step"] for ts in universe.trajectory], kept)
            if os.path.exists(self.at(name + ".cpt.h5")):
                words = self.writer("checkpoint", self.at(name + ".cpt.h5")).stdout.split()
                self.assertEqual(len(words), 3, "the first checkpoint file is whole, no fallback")
                self.assertLessEqual(int(words[1]), len(kept), "a checkpoint counts frames that the trajectory holds")
        self.assertGreater(checked, 10 * kills)
        print(f"{kills} kills, {checked} reported frames, none lost")

    def test_goes_on_without_repair(self):
        self.writer("run", self.at("whole"), "steps=300")
        rng = random.Random(3)
        for trial in range(3):
            name = f"g{trial}"
            process = self.start(name, "pause=2")
            self.kill_later(process, rng.uniform(0, 0.02), name, rng.randrange(20, 60))
            # stopped a second time between two frames, closed in order
            step = int(self.writer("checkpoint", self.at(name + ".cpt.h5")).stdout.split()[0])
            self.writer("run", self.at(name), f"steps={min(step + 9, 300)}", "cpi=yes")
            self.writer("run", self.at(name), "steps=300", "cpi=yes")
            self.compare(self.at("whole.h5md"), self.at(name + ".h5md"))
            for ending in (".log", ".json"):
                with open(self.at("whole" + ending)) as a, open(self.at(name + ending)) as b:
                    told = [[line for line in file if '"made_at"' not in line] for file in (a, b)]  # all but the time of day
                self.assertEqual(*told)

    def compare(self, left, right):
        """Dataset by dataset, attribute by attribute."""
        with h5py.File(left, "r") as a, h5py.File(right, "r") as b:
            names = [[], []]
            a.visit(names[0].append)
            b.visit(names[1].append)
            self.assertEqual(*names)
            for name in names[0]:
                self.assertEqual({k: str(v) for k, v in a[name].attrs.items()}, {k: str(v) for k, v in b[name].attrs.items()}, name)
                if isinstance(a[name], h5py.Dataset):
                    self.assertEqual((a[name].dtype, a[name].chunks, a[name].maxshape), (b[name].dtype, b[name].chunks, b[name].maxshape))
                    np.testing.assert_array_equal(a[name][()], b[name][()], name)
                    if name.endswith(("step", "time")):
                        self.assertEqual(b[name].id.get_offset(), None)
            for f in (a, b):  # shared, not copied
                self.assertEqual(f["particles/trajectory/force/step"], f["particles/trajectory/position/step"])

    def test_no_block_of_the_index_crosses_a_page(self):
        """A write that a kill stops ends at a page boundary: a block within one page is on disk whole or not at all."""
        self.writer("run", self.at("pages"), "steps=1500", "atoms=2000")
        with h5py.File(self.at("pages.h5md"), "r") as f:
            self.assertEqual(f.id.get_create_plist().get_file_space_page_size(), 4096)
        with open(self.at("pages.h5md"), "rb") as f:
            bytes_ = f.read()
        sizes = {b"BTHD": 38, b"BTLF": 2048, b"BTIN": 2048}  # headers and nodes of the trees that name chunks
        found = dict.fromkeys(sizes, 0)
        for signature, size in sizes.items():
            at = bytes_.find(signature)
            while at >= 0:
                found[signature] += 1
                self.assertEqual(at // 4096, (at + size - 1) // 4096, f"{signature} at {at}")
                at = bytes_.find(signature, at + 1)
        self.assertGreater(min(found.values()), 0, found)
        self.assertNotIn(b"EASB", bytes_)  # an extensible array that has grown: its blocks would outgrow a page in the end

    def test_a_live_file_is_left_alone(self):
        process = self.start("live", "pause=1")
        while not self.reported("live"):
            time.sleep(0.01)
        for words in (("repair", self.at("live.h5md")), ("run", self.at("live"), "steps=5"), ("run", self.at("live"), "steps=5", "cpi=yes")):
            refused = self.writer(*words, expect=1)
            self.assertIn("another alder is writing", refused.stderr)
        with h5py.File(self.at("live.h5md"), "r", libver="latest", swmr=True) as f:  # a reader may watch
            steps = f["particles/trajectory/position/step"]
            before, patience = len(steps), time.time() + 60
            while len(steps) == before and time.time() < patience:
                time.sleep(0.01)
                steps.refresh()
            self.assertGreater(len(steps), before)
        self.kill_later(process, 0)
        reported = self.reported("live")
        kept, _ = self.check_frames(self.at("live.h5md"), 3, libver="latest", swmr=True)
        self.assertLessEqual(set(reported), set(kept))

    def test_going_on_with_the_wrong_file_is_refused(self):
        self.writer("run", self.at("w"), "steps=20", "atoms=5")
        with open(self.at("w.h5md"), "rb") as f:
            before = f.read()
        for word, message in (("forces=no", "the file holds forces"), ("atoms=6", "the file holds 5 atoms, the run 6")):
            refused = self.writer("run", self.at("w"), "steps=30", "atoms=5", word, "cpi=yes", expect=2)
            self.assertIn(message, refused.stderr)
            with open(self.at("w.h5md"), "rb") as f:
                self.assertEqual(f.read(), before, "what is beyond the checkpoint is not removed from another run's file")
        self.writer("run", self.at("w"), "steps=3", "atoms=5")  # another trajectory under the name, shorter than the checkpoint says
        self.writer("run", self.at("x"), "steps=20", "atoms=5")
        shutil.copy(self.at("x.cpt.h5"), self.at("w.cpt.h5"))
        refused = self.writer("run", self.at("w"), "steps=30", "atoms=5", "cpi=yes", expect=1)
        self.assertIn("holds 4 frames and 2 energies up to step 14, the checkpoint counts 14 and 7", refused.stderr)
        self.assertEqual(len(self.check_frames(self.at("w.h5md"), 5)[0]), 4)

    def test_hdf5_locking_set_from_outside(self):
        for word in ("TRUE", "FALSE", "BEST_EFFORT"):
            self.writer("run", self.at(word), "steps=20", env={**os.environ, "HDF5_USE_FILE_LOCKING": word})
            self.writer("run", self.at(word), "steps=30", "cpi=yes", env={**os.environ, "HDF5_USE_FILE_LOCKING": word})
            self.assertEqual(self.check_frames(self.at(word + ".h5md"), 3)[0], list(range(31)))

    def test_an_older_file_is_kept(self):
        self.writer("run", self.at("twice"), "steps=5")
        self.writer("run", self.at("twice"), "steps=8")
        self.assertEqual(len(self.check_frames(self.at("#twice.h5md.1#"), 3)[0]), 6)
        self.assertEqual(len(self.check_frames(self.at("twice.h5md"), 3)[0]), 9)


class Damaged(Files):
    def test_repair_never_hangs_or_dies(self):
        """Half-written blocks, as after a power cut: an answer, right or a refusal, in seconds; rows that come back are right."""
        process = self.start("torn", "atoms=50")
        self.kill_later(process, 0, "torn", 200)
        with open(self.at("torn.h5md"), "rb") as f:
            whole = f.read()
        rng, answered = random.Random(5), {0: 0, 1: 0, 2: 0}
        for trial in range(60):
            bytes_ = bytearray(whole)
            if trial % 3 == 0:
                del bytes_[rng.randrange(len(bytes_)):]
            else:
                length, start = rng.choice([1, 512, 4096]), rng.randrange(len(bytes_))
                if trial % 3 == 1:
                    start = rng.randrange(60000)  # where most of the structure is
                bytes_[start:start + length] = bytes(rng.randrange(256) for _ in range(len(bytes_[start:start + length])))
            with open(self.at("cut.h5md"), "wb") as f:
                f.write(bytes_)
            begun = time.time()
            done = subprocess.run([WRITER, "repair", self.at("cut.h5md")], capture_output=True, text=True, timeout=20)
            self.assertIn(done.returncode, (0, 1, 2), done.stderr)
            self.assertLess(time.time() - begun, 10)
            self.assertEqual(done.stderr.count("\n"), 0 if done.returncode == 0 else 1)
            answered[done.returncode] += 1
            if done.returncode == 0:
                h5py.File(self.at("cut.h5md"), "r").close()
            else:
                with open(self.at("cut.h5md"), "rb") as f:
                    self.assertEqual(f.read(), bytes(bytes_), "a file that cannot be repaired stays as it is")
            self.assertFalse([n for n in os.listdir(self.folder) if n.startswith("cut") and n.endswith(".new")])
        self.assertGreater(answered[0], 0, answered)

    def test_frames_before_a_broken_block_are_saved(self):
        """Chunk indices are checksummed; with the last block of one broken, frames whose chunks the others name come back."""
        process = self.start("torn", "atoms=2000")
        self.kill_later(process, 0, "torn", 300)
        with h5py.File(self.at("torn.h5md"), "r", libver="latest", swmr=True) as f:
            frames = len(f["particles/trajectory/position/step"])
        with open(self.at("torn.h5md"), "rb") as f:
            bytes_ = bytearray(f.read())
        # the last tenth of the leaves of the trees that name chunks, by their signature
        leaves = [at for at in range(0, len(bytes_), 2048) if bytes_[at:at + 4] == b"BTLF"]
        for leaf in leaves[-len(leaves) // 10:]:
            bytes_[leaf + 20] ^= 255
        with open(self.at("torn.h5md"), "wb") as f:
            f.write(bytes_)
        self.writer("repair", self.at("torn.h5md"))
        kept, _ = self.check_frames(self.at("torn.h5md"), 2000)
        self.assertEqual(kept, list(range(len(kept))))
        self.assertLess(len(kept), frames)
        self.assertGreater(len(kept), frames // 4)

    def test_other_files_are_refused(self):
        with open(self.at("text.h5md"), "w") as f:
            f.write("no trajectory\n" * 100)
        with h5py.File(self.at("other.h5md"), "w") as f:
            f["x"] = [1, 2, 3]
        for name, words in (("text", "no HDF5 file"), ("other", "no H5MD"), ("absent", "no such file")):
            refused = self.writer("repair", self.at(name + ".h5md"), expect=2)
            self.assertIn(words, refused.stderr)
            self.assertIn(name + ".h5md: ", refused.stderr)


class FullDisk(Files):
    def check_left(self, folder, name, message):
        """What a full disk leaves: the reason, checkpoints that are whole, every reported frame."""
        self.assertRegex(message, r"/" + name + r"\.(h5md|log|cpt\.h5|json): cannot .*(No space left on device|File too large)")
        self.assertEqual(message.count("\n"), 1, message)
        self.assertFalse([n for n in os.listdir(folder) if n.endswith(".new")], os.listdir(folder))
        step, frames, _ = self.writer("checkpoint", os.path.join(folder, name + ".cpt.h5")).stdout.split()
        with h5py.File(os.path.join(folder, name + ".h5md"), "r", libver="latest", swmr=True) as f:
            kept = [int(s) for s in f["particles/trajectory/position/step"][()]]
        with open(os.path.join(folder, name + ".log")) as log:
            reported = [int(line.split()[2]) for line in log.read().split("\n")[:-1] if line.startswith("frame step")]
        self.assertGreater(len(reported), 0)
        self.assertLessEqual(set(reported), set(kept))
        self.assertLessEqual(int(frames), len(kept))
        # with room again, the run goes on from there
        for file in os.listdir(folder):
            shutil.copy(os.path.join(folder, file), self.at(file))
        self.writer("run", self.at(name), f"steps={int(step) + 20}", "atoms=400", "cpi=yes")
        self.assertEqual(self.check_frames(self.at(name + ".h5md"), 400)[0], list(range(int(step) + 21)))

    @staticmethod
    def limit(size):
        """No file may grow beyond `size`: the same refusal as a full disk's, for any user, at any byte."""

        def inside():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

        return inside

    def test_file_size_limit(self):
        rng = random.Random(4)
        for _ in range(10):
            os.mkdir(self.at("small"))
            size = rng.randrange(200_000, 1_500_000)
            done = self.writer("run", self.at("small", "full"), "steps=100000", "atoms=400", expect=1, preexec_fn=self.limit(size))
            self.check_left(self.at("small"), "full", done.stderr)
            for path in os.listdir(self.folder):
                shutil.rmtree(self.at(path)) if path == "small" else os.remove(self.at(path))

    def test_repair_and_restart_without_room_leave_the_file(self):
        process = self.start("k", "atoms=400")
        self.kill_later(process, 0, "k", 40)
        with open(self.at("k.h5md"), "rb") as f:
            before = f.read()
        for words in (("repair", self.at("k.h5md")), ("run", self.at("k"), "atoms=400", "cpi=yes")):
            done = self.writer(*words, expect=1, preexec_fn=self.limit(200_000))
            self.assertRegex(done.stderr, r"k.h5md: cannot .*File too large")
            with open(self.at("k.h5md"), "rb") as f:
                self.assertEqual(f.read(), before)
        self.writer("repair", self.at("k.h5md"))
        self.check_frames(self.at("k.h5md"), 400)

    def test_small_disk(self):
        for size in (600, 1100, 2000):
            disk = self.at(f"disk{size}")
            os.mkdir(disk)
            mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", disk], capture_output=True)
            if mounted.returncode != 0:
                self.skipTest("mounting a tmpfs needs root")
            try:
                done = self.writer("run", os.path.join(disk, "full"), "steps=100000", "atoms=400", expect=1)
                self.check_left(disk, "full", done.stderr)
            finally:
                subprocess.run(["umount", disk], check=True)
            for file in os.listdir(self.folder):
                if file.startswith("full"):
                    os.remove(self.at(file))

    def test_full_from_the_start(self):
        done = self.writer("run", self.at("none"), expect=1, preexec_fn=self.limit(1000))
        self.assertRegex(done.stderr, r"none.h5md: cannot create: .*File too large")
        self.assertEqual(os.listdir(self.folder), [])


class Readers(Files):
    def universe(self, name, atoms):
        universe = MDAnalysis.Universe.empty(atoms, trajectory=False)
        universe.load_new(self.at(name + ".h5md"))
        return universe

    def check_mdanalysis(self, shape):
        """MDAnalysis speaks A, A/ps, kJ/mol/A and ps."""
        atoms, triclinic = 5, shape == "triclinic"
        self.writer("run", self.at(shape), f"atoms={atoms}", "steps=20", f"box={shape}")
        trajectory = self.universe(shape, atoms).trajectory
        self.assertEqual(len(trajectory), 21)
        self.assertEqual(trajectory.units, {"time": "ps", "length": "nm", "velocity": "nm/ps", "force": "kJ/(mol*nm)"})
        for ts in trajectory:
            step = ts.frame
            np.testing.assert_allclose(ts.positions, 10 * value(step, atoms, 1), rtol=1e-6)
            np.testing.assert_allclose(ts.velocities, 10 * value(step, atoms, 2), rtol=1e-6)
            np.testing.assert_allclose(ts.forces, value(step, atoms, -4) / 10, rtol=1e-6)
            np.testing.assert_allclose(ts.triclinic_dimensions, 10 * box(step, triclinic), atol=2e-5)
            self.assertEqual((ts.time, ts.data["step"]), (0.25 * step, step))

    def test_mdanalysis_cubic(self):
        self.check_mdanalysis("cubic")

    def test_mdanalysis_triclinic(self):
        self.check_mdanalysis("triclinic")

    def test_every_dataset_has_a_unit(self):
        self.writer("run", self.at("u"), "steps=3")
        units = {}
        with h5py.File(self.at("u.h5md"), "r") as f:
            f.visititems(lambda name, item: units.update({name: item.attrs["unit"]}) if isinstance(item, h5py.Dataset) else None)
            self.assertEqual(list(f["h5md"].attrs["version"]), [1, 1])
            self.assertEqual(list(f["particles/trajectory/box"].attrs["boundary"]), ["periodic"] * 3)
            np.testing.assert_allclose(f["particles/trajectory/mass"], 39.948, rtol=1e-7)
            self.assertTrue(all(isinstance(u, str) for u in units.values()), "variable-length text, which h5py gives as str")
        self.assertEqual({n: units["particles/trajectory/" + n + "/value"] for n in ("position", "velocity", "force", "box/edges")},
                         {"position": "nm", "velocity": "nm ps-1", "force": "kJ mol-1 nm-1", "box/edges": "nm"})
        self.assertEqual((units["energies/Potential/value"], units["energies/Pressure/value"]), ("kJ mol-1", "bar"))

    def test_large_frames(self):
        """400000 atoms: two chunks a frame, the second of another shape than what it covers."""
        atoms = 400_000
        self.writer("run", self.at("large"), f"atoms={atoms}", "steps=2", "checkpoint=1")
        with h5py.File(self.at("large.h5md"), "r") as f:
            self.assertEqual(f["particles/trajectory/position/value"].chunks, (1, 200_000, 3))
        self.assertEqual(self.check_frames(self.at("large.h5md"), atoms)[0], [0, 1, 2])
        self.writer("checkpoint", self.at("large.cpt.h5"))

    def test_same_input_same_bytes(self):
        for name in ("a", "b"):
            self.writer("run", self.at(name), "steps=30")
            time.sleep(1.1)  # past a tick of the clock that HDF5 stamps objects with
        for ending in (".h5md", ".cpt.h5"):
            with open(self.at("a" + ending), "rb") as a, open(self.at("b" + ending), "rb") as b:
                self.assertEqual(a.read(), b.read(), ending)

    def test_gro(self):
        for decimals, tolerance in ((3, 5.1e-4), (6, 5.1e-7)):
            self.writer("gro", self.at("x.gro"), "atoms=7", "box=triclinic", f"decimals={decimals}")
            atoms = MDAnalysis.Universe(self.at("x.gro"))
            np.testing.assert_allclose(atoms.atoms.positions, 10 * value(5, 7, 1), atol=10 * tolerance)
            np.testing.assert_allclose(atoms.trajectory.ts.velocities, 10 * value(5, 7, -0.25), atol=tolerance)
            np.testing.assert_allclose(atoms.trajectory.ts.triclinic_dimensions, 10 * box(5, True), atol=1e-4)
            self.assertEqual(list(atoms.atoms.resids), [1, 2, 3, 4, 5, 6, 7])


if __name__ == "__main__":
    unittest.main(verbosity=2)
