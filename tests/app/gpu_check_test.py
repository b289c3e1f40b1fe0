#!/usr/bin/env python3
"""scripts/gpu_check.sh from end to end: with the CPU in the GPU's place, and with programs that stand in for a GPU machine's tools; and that
its figures' schema is one that a file can break."""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ALDER = os.environ["ALDER"]
SMALL = {"GPU_CHECK_SIZES": "", "GPU_CHECK_PEPTIDE": "1x1x1", "GPU_CHECK_BITS": "40", "GPU_CHECK_NVE": "80"}

# What the programs of a GPU machine answer. `alder` says that there is a GPU and computes on the CPU.
STAND_INS = {
    "alder": """
if [ "$1" = info ]; then
    "$REAL_ALDER" info | sed 's/^  GPU .*/  GPU 0        NVIDIA Stand-In 80GB (MIG 1g.10gb), 9.8 GiB, compute capability 9.0, MIG-0123-ab/'
    exit
fi
for a; do shift; if [ "$a" = gpu ]; then a=cpu; fi; set -- "$@" "$a"; done
exec "$REAL_ALDER" "$@"
""",
    "alder_gpu_tests": "echo '[  PASSED  ] 12 tests.'",
    "nvidia-smi": """
case "$*" in
    *driver_version*) echo 580.65.06 ;;
    *power.limit*) echo '[N/A]' ;;
    *clocks.max.sm*) echo 1980 ;;
    *query-compute-apps*) for p in /proc/[0-9]*; do echo "${p#/proc/}, 321"; done ;;
esac
""",
    "nsys": """
if [ "$1" = profile ]; then exit; fi
echo 'Processing [kernels.sqlite] with [cuda_gpu_kern_sum.py]...'
echo 'Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name'
echo '81.0,2000000,400,5000.0,5000.0,4000,6000,10.0,"void alder::cuda::narrowForces<1, 2>(PairView, int)"'
echo '19.0,500000,200,2500.0,2500.0,2000,3000,10.0,"spread(int)"'
""",
    "compute-sanitizer": """
case "$*" in *racecheck*) echo 'a race'; exit 9 ;; esac
""",
}


def check(program, folder, **environment):
    done = subprocess.run([ROOT / "scripts/gpu_check.sh", program], capture_output=True, text=True,
                          env={**os.environ, **SMALL, "GPU_CHECK_FOLDER": str(folder), **environment})
    figures = pathlib.Path(folder) / "gpu_check.json"
    return done, json.loads(figures.read_text()) if figures.exists() else None


class GpuCheck(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name)
        cls.done, cls.figures = check(ALDER, cls.folder / "cpu", GPU_CHECK_NB="cpu", GPU_CHECK_STEPS="280", GPU_CHECK_WINDOWS="2")

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def schema_says(self, figures):
        path = self.folder / "figures.json"
        path.write_text(json.dumps(figures))
        done = subprocess.run([sys.executable, ROOT / "scripts/check_bench_json.py", path], capture_output=True, text=True)
        return done.returncode, done.stdout

    def test_all_is_right_and_said_to_be_a_rehearsal(self):
        self.assertEqual(self.done.returncode, 0, self.done.stdout[-3000:] + self.done.stderr[-1000:])
        self.assertIn("a REHEARSAL on cpu: no figure is a GPU's", self.done.stdout)
        self.assertTrue(self.figures["rehearsal"])
        self.assertIsNone(self.figures["hardware"]["GPU"])
        self.assertEqual(len(self.figures["checks"]), 13)

    def test_figures_hold_to_the_schema(self):
        code, said = self.schema_says(self.figures)
        self.assertEqual(code, 0, said)
        two, four = self.figures["results"]
        self.assertEqual((two["dt_ps"], four["dt_ps"]), (0.002, 0.004))
        self.assertEqual(two["atoms"], 2926)
        self.assertEqual(len(two["ns_per_day"]["values"]), 2)
        self.assertIn("pair forces", [row["part"] for row in two["table"]])
        self.assertGreater(two["peak_memory"]["host_MiB"], 10)

    def test_reports_take_them(self):
        path = self.folder / "taken.json"
        path.write_text(json.dumps(self.figures))
        done = subprocess.run([ALDER, "report", path], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("\n  rehearsal "), 4, done.stdout)  # of each timing its rate and its cost
        self.assertEqual(done.stdout.count("best choice: none"), 2)

    def test_the_schema_finds_what_is_wrong(self):
        def broken(change):
            figures = copy.deepcopy(self.figures)
            change(figures)
            code, said = self.schema_says(figures)
            self.assertEqual(code, 1, said)
            return said

        self.assertIn("left_out: missing", broken(lambda f: f.pop("left_out")))
        self.assertIn("speed: unknown", broken(lambda f: f.update(speed=1)))
        self.assertIn("atoms: str", broken(lambda f: f["results"][0].update(atoms="2926")))
        self.assertIn("right: not what the checks say", broken(lambda f: f["checks"][3].update(right=False)))
        self.assertIn("where the values give", broken(lambda f: f["results"][0]["ns_per_day"].update(median=1e6)))
        self.assertIn("where its window gives", broken(lambda f: f["results"][1]["windows"][0].update(seconds=1e-3)))
        self.assertIn("figures of a GPU", broken(lambda f: (f.update(rehearsal=False), f["results"][0].update(place="gpu"))))
        self.assertIn("schema: alder-bench-0", broken(lambda f: f.update(schema="alder-bench-0")))

    def test_a_gpu_machine_with_its_tools(self):
        tools = self.folder / "tools"
        tools.mkdir()
        for name, body in STAND_INS.items():
            (tools / name).write_text("#!/bin/sh\n" + body)
            (tools / name).chmod(0o755)
        done, figures = check(tools / "alder", self.folder / "gpu", PATH=f"{tools}:{os.environ['PATH']}", REAL_ALDER=ALDER, GPU_CHECK_STEPS="40",
                              GPU_CHECK_WINDOWS="1")
        self.assertNotIn("REHEARSAL", done.stdout)
        self.assertEqual(self.schema_says(figures)[0], 0, self.schema_says(figures)[1])
        report = subprocess.run([ALDER, "report", self.folder / "gpu" / "gpu_check.json"], capture_output=True, text=True)
        self.assertIn("\n  WRONG     NVIDIA Stand-In 80GB MIG 1g.10gb ", report.stdout, report.stderr)
        gpu = figures["hardware"]["GPU"]
        self.assertEqual((gpu["name"], gpu["memory_GiB"], gpu["mig_profile"], gpu["uuid"]), ("NVIDIA Stand-In 80GB", 9.8, "1g.10gb", "MIG-0123-ab"))
        self.assertEqual((gpu["driver"], gpu["power_limit_W"], gpu["clock_MHz"]), ("580.65.06", None, 1980))
        self.assertEqual([(r["transform"], r["dt_ps"]) for r in figures["results"]],
                         [("cufft", 0.002), ("cufft", 0.004), ("own", 0.002), ("own", 0.004)])
        first = figures["results"][0]
        self.assertEqual(first["kernels"], [{"name": "void alder::cuda::narrowForces<1, 2>", "calls": 400, "device_s": 0.002},
                                            {"name": "spread", "calls": 200, "device_s": 0.0005}])
        self.assertIsNone(first["ns_per_day"]["median"], "so few steps give no rate")
        self.assertEqual(first["peak_memory"]["device_MiB"], 321)
        # the race that the sanitizer told of is the one thing that is wrong
        self.assertEqual([c["name"] for c in figures["checks"] if not c["right"]], ["compute-sanitizer, racecheck"])
        self.assertIn("something is WRONG", done.stdout)
        self.assertEqual(done.returncode, 1)

    def test_without_a_gpu_it_ends_with_one_line(self):
        done, figures = check(ALDER, self.folder / "none", CUDA_VISIBLE_DEVICES="")
        self.assertIsNone(figures)
        self.assertEqual((done.returncode, done.stderr), (1, "gpu_check.sh: there is no GPU to check\n"))


if __name__ == "__main__":
    unittest.main()
