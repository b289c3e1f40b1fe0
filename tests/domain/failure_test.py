#!/usr/bin/env python3
"""A rank that fails is heard by every other one, whatever that is waiting for."""
import os
import re
import subprocess
import sys
import time

MPIRUN, PROGRAM = sys.argv[1:3]
KINDS = ["barrier", "sum", "largest", "broadcast", "exchange", "receive", "receive-any", "part"]


def main():
    failed = 0
    for kind in KINDS:
        ranks = 4
        begun = time.time()
        run = subprocess.run([MPIRUN, "-n", str(ranks), PROGRAM, kind], capture_output=True, text=True, timeout=60)
        heard = sorted(re.findall(r"^rank (\d+) hears: rank 1: the disk is full$", run.stdout, re.M))
        good = heard == ["0", "2", "3"] and run.returncode == 1 and time.time() - begun < 10
        print(f"{kind}: heard by {', '.join(heard)}, status {run.returncode}, {time.time() - begun:.1f} s{'' if good else '   WRONG'}")
        failed += not good
    sys.exit(1 if failed else 0)


main()
