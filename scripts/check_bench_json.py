#!/usr/bin/env python3
"""Holds a file of benchmark figures to its schema, alder-bench-2 (docs/bench_schema.md): every key there, none besides, each of its
kind, and the figures consistent with each other.

    scripts/check_bench_json.py FILE...         exit 1 where one does not hold; each fault on a line
"""
import json
import math
import sys

NUMBER, TEXT, FLAG = (int, float), (str,), (bool,)
NONE = type(None)

GPU = {"name": TEXT, "memory_GiB": NUMBER, "compute_capability": TEXT, "uuid": TEXT, "mig_profile": (str, NONE), "driver": (str, NONE),
       "cuda": (str, NONE), "power_limit_W": (*NUMBER, NONE), "clock_MHz": (*NUMBER, NONE)}
TOP = {
    "schema": TEXT, "made_by": TEXT, "made_at": TEXT, "fixture": FLAG, "rehearsal": FLAG, "right": FLAG,
    "build": {"version": TEXT, "revision": TEXT, "compiler": TEXT, "type": TEXT},
    "hardware": {"host": TEXT, "CPU": TEXT, "processors": NUMBER, "GPU": [GPU, NONE]},
    "checks": list, "results": list, "left_out": list,
}
CHECK = {"name": TEXT, "right": FLAG, "value": (*NUMBER, NONE), "limit": (*NUMBER, NONE), "unit": (str, NONE)}
RESULT = {
    "deck": TEXT, "atoms": NUMBER, "dt_ps": NUMBER, "rcoulomb_nm": NUMBER, "rvdw_nm": NUMBER, "place": TEXT, "transform": (str, NONE),
    "ranks": NUMBER, "pme_ranks": NUMBER, "threads": NUMBER, "replicas": NUMBER, "gpus": NUMBER, "steady": (bool, NONE),
    "ns_per_day": {"median": (*NUMBER, NONE), "least": (*NUMBER, NONE), "most": (*NUMBER, NONE), "values": list},
    "windows": list, "drift_kJ_mol_ns_atom": (*NUMBER, NONE), "drift_error": (*NUMBER, NONE),
    "force_error": (*NUMBER, NONE), "power_W": (*NUMBER, NONE), "peak_memory": {"host_MiB": (*NUMBER, NONE), "device_MiB": (*NUMBER, NONE)},
    "table": list, "kernels": (list, NONE),
}
# What a run tells besides (docs/files.md), in md.json.
OF_RUNS = ("version", "ended", "final_state", "title", "command_line", "input_hash", "files", "plan", "performance", "averages_over",
           "averages")
WINDOW = {"steps": NUMBER, "seconds": NUMBER}
KERNEL = {"name": TEXT, "calls": NUMBER, "device_s": NUMBER}


class Faults(list):
    def shape(self, value, want, where):
        """Whether a value is of a kind: a tuple of types, an object by its keys, or a list of such kinds to choose from."""
        if isinstance(want, list):
            if value is not None or NONE not in want:
                self.shape(value, want[0], where)
        elif isinstance(want, dict):
            if not isinstance(value, dict):
                self.append(f"{where}: no object")
                return
            self.extend(f"{where}.{key}: missing" for key in want if key not in value)
            self.extend(f"{where}.{key}: unknown" for key in value if key not in want)
            for key in want:
                if key in value:
                    self.shape(value[key], want[key], f"{where}.{key}")
        else:
            kinds = want if isinstance(want, tuple) else (want,)
            if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
                self.append(f"{where}: {type(value).__name__} instead of {' or '.join(k.__name__ for k in kinds)}")

    def result(self, result, where):
        self.shape(result, RESULT, where)
        for i, window in enumerate(result["windows"]):
            self.shape(window, WINDOW, f"{where}.windows[{i}]")
        for i, row in enumerate(result["table"]):  # rows may hold more than these: a GPU's times beside the host's
            for key, kind in (("part", str), ("calls", int)):
                if not isinstance(row.get(key), kind):
                    self.append(f"{where}.table[{i}].{key}: missing or of a wrong kind")
        for i, kernel in enumerate(result["kernels"] or []):
            self.shape(kernel, KERNEL, f"{where}.kernels[{i}]")
        speed = result["ns_per_day"]
        values = sorted(speed["values"])
        if not values:
            if any(speed[key] is not None for key in ("median", "least", "most")):
                self.append(f"{where}.ns_per_day: figures without values")
            return
        median = (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2
        for key, value in (("least", values[0]), ("median", median), ("most", values[-1])):
            if speed[key] is None or not math.isclose(speed[key], value, rel_tol=1e-4):
                self.append(f"{where}.ns_per_day.{key}: {speed[key]} where the values give {value:.6g}")
        if len(result["windows"]) == len(values):
            for window, value in zip(result["windows"], speed["values"]):
                rate = window["steps"] * result["dt_ps"] * 1e-3 / window["seconds"] * 86400
                if not math.isclose(rate, value, rel_tol=1e-4):
                    self.append(f"{where}: {value} ns/day, where its window gives {rate:.6g}")

    def whole(self, top):
        if isinstance(top, dict) and top.get("made_by") == "mdrun":
            self.extend(f"top.{key}: missing" for key in OF_RUNS if key not in top)
            top = {key: value for key, value in top.items() if key not in OF_RUNS}
        if isinstance(top, dict) and isinstance(top.get("hardware"), dict):  # facts in words may stand beside the schema's
            known = TOP["hardware"]
            top = top | {"hardware": {k: v for k, v in top["hardware"].items() if k in known or not isinstance(v, str)}}
        self.shape(top, TOP, "top")
        if self:
            return
        if top["schema"] != "alder-bench-2":
            self.append(f"schema: {top['schema']}")
        for i, check in enumerate(top["checks"]):
            self.shape(check, CHECK, f"checks[{i}]")
        if top["made_by"] not in ("bench", "mdrun", "gpu_check"):
            self.append(f"made_by: {top['made_by']}")
        if top["made_by"] != "mdrun" and top["right"] != all(check.get("right") for check in top["checks"]):
            self.append("right: not what the checks say")
        for i, result in enumerate(top["results"]):
            self.result(result, f"results[{i}]")
        if not top["rehearsal"] and any(r["place"] == "gpu" for r in top["results"]) and top["hardware"]["GPU"] is None:
            self.append("hardware.GPU: null, with figures of a GPU")
        if not top["rehearsal"] and any(r["place"] == "emulated-gpu" for r in top["results"]):
            self.append("rehearsal: false, with figures of an emulation")


def main():
    bad = 0
    for path in sys.argv[1:] or sys.exit(__doc__):
        faults = Faults()
        try:
            with open(path) as file:
                faults.whole(json.load(file))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as broken:
            faults.append(f"cannot be read: {broken!r}")
        for fault in faults:
            print(f"{path}: {fault}")
        print(f"{path}: {'does not hold' if faults else 'holds'}")
        bad += bool(faults)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
