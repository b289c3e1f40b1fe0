#!/usr/bin/env python3
"""Registers, shared memory, stack and spills of every kernel of cuda/, held to cuda/ptxas.table.

usage: scripts/check_ptxas.py BUILD [--update]

The build has kept what ptxas said beside each object (scripts/cmake/keep_ptxas.sh). A kernel may take at most the table's registers, stack
and spills, and exactly its shared memory; one that the table calls `clean` may have neither stack nor spills, whatever else the table says.
Another nvcc allots registers differently: under one that the table is not of, only `clean` is checked. --update writes the table anew:
`clean` stays where it stands, and kernels get it that have become so.
"""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "cuda" / "ptxas.table"
COLUMNS = ("registers", "shared", "stack", "spills")
CARDS = ("sm_80", "sm_90")  # what the table holds; a build for others too is checked for these
HEAD = """\
# What ptxas allots to each kernel: registers a thread; bytes of shared memory a block; bytes of stack and of spilled registers a thread.
# `clean` kernels may have neither stack nor spills. Written by scripts/check_ptxas.py BUILD --update.
"""


def nvcc_version(build):
    cache = (build / "CMakeCache.txt").read_text()
    for found in build.glob("CMakeFiles/*/CMakeCUDACompiler.cmake"):
        version = re.search(r'CMAKE_CUDA_COMPILER_VERSION "([\d]+\.[\d]+)', found.read_text())
        if version:
            return version[1]
    return "none" if "CMAKE_CUDA_COMPILER" not in cache else "unknown"


def ptx_of(build):
    """Whether kernels were kept as PTX too, for cards to come."""
    return ["PTX"] if re.search(r"code=\[?compute_", (build / "build.ninja").read_text()) else []


def demangled(names):
    """Mangled name -> name without namespaces and parameters."""
    names = sorted(names)
    out = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True).stdout.splitlines()
    return {mangled: kernel_name(plain) for mangled, plain in zip(names, out)}


def kernel_name(plain):
    """`void a::b::kernel<(a::Flavor)1>(View<int>)` -> `kernel<1>`."""
    depth = 0
    end = len(plain)
    for at in range(len(plain) - 1, -1, -1):  # the parameters are the last pair of outermost parentheses
        if plain[at] == ")":
            depth += 1
        elif plain[at] == "(":
            depth -= 1
            if depth == 0:
                end = at
                break
    name = plain[:end]
    name = name.replace("(anonymous namespace)::", "")
    name = re.sub(r"\([\w: ]+\)(?=-?\d)", "", name)  # (alder::cuda::Flavor)1
    name = re.sub(r"\b(?:\w+::)+", "", name)
    return re.sub(r"^void ", "", name).replace(" ", "")


def read_build(build):
    """(file, kernel) -> {arch: (registers, shared, stack, spills)}"""
    kept = []
    for path in sorted(build.glob("cuda/CMakeFiles/alder_cuda_*.dir/**/*.ptxas")):
        source = path.relative_to(path.parents[len(path.parts) - path.parts.index(next(p for p in path.parts if p.endswith(".dir"))) - 2])
        file = str(source).removesuffix(".o.ptxas")
        if (ROOT / "cuda" / file).exists():
            kept.append((file, path.read_text()))
    found = {}
    for file, text in kept:
        entry = None
        for line in text.splitlines():
            if begun := re.search(r"Compiling entry function '(\w+)' for '(sm_\w+)'", line):
                entry = [file, begun[1], begun[2], 0, 0] if begun[2] in CARDS else None
            elif entry and (used := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", line)):
                entry[3] = max(entry[3], int(used[1]))
                entry[4] += int(used[2]) + int(used[3])
            elif entry and (used := re.search(r"Used (\d+) registers", line)):
                shared = re.search(r"(\d+) bytes smem", line)
                found[entry[0], entry[1], entry[2]] = (int(used[1]), int(shared[1]) if shared else 0, entry[3], entry[4])
                entry = None
    names = demangled({mangled for _, mangled, _ in found})
    kernels = {}
    for (file, mangled, arch), figures in found.items():
        kernels.setdefault((file, names[mangled]), {})[arch] = figures
    return kernels


def read_table():
    """nvcc, (file, kernel) -> ({arch: figures}, clean)"""
    if not TABLE.exists():
        return None, {}
    version, rows = None, {}
    for line in TABLE.read_text().splitlines():
        if of := re.match(r"# nvcc ([\d.]+)", line):
            version = of[1]
        words = line.split()
        if not words or line.startswith("#"):
            continue
        figures = {words[i]: tuple(map(int, words[i + 1 : i + 5])) for i, w in enumerate(words) if w.startswith("sm_")}
        rows[words[0], words[1]] = (figures, words[-1] == "clean")
    return version, rows


def is_clean(figures):
    return all(stack == 0 and spills == 0 for _, _, stack, spills in figures.values())


def write_table(kernels, rows, version):
    widths = [max(len(key[i]) for key in kernels) for i in (0, 1)]
    lines = [HEAD + f"# nvcc {version}; columns: file, kernel, then for each card {', '.join(COLUMNS)}"]
    for key in sorted(kernels):
        cells = "  ".join(arch + "".join(f"{figure:>7}" for figure in kernels[key][arch]) for arch in CARDS if arch in kernels[key])
        clean = is_clean(kernels[key]) or (key in rows and rows[key][1])
        lines.append(f"{key[0]:<{widths[0]}}  {key[1]:<{widths[1]}}  {cells}{'  clean' if clean else ''}")
    TABLE.write_text("\n".join(lines) + "\n")


def faults_of(kernels, rows, same_nvcc):
    for key in sorted(set(kernels) | set(rows)):
        where = f"cuda/{key[0]}: {key[1]}"
        if key not in kernels:
            yield f"{where}: in the table, not in the build"
            continue
        if key not in rows:
            yield f"{where}: not in the table"
            continue
        table, clean = rows[key]
        if clean and not is_clean(kernels[key]):
            yield f"{where}: has stack or spills, and the table calls it clean: " + str(kernels[key])
        for arch, figures in sorted(kernels[key].items()) if same_nvcc else ():
            if arch not in table:
                yield f"{where}: not in the table for {arch}"
                continue
            for name, now, most in zip(COLUMNS, figures, table[arch]):
                if now > most or (name == "shared" and now != most):
                    yield f"{where}: {name} {now} on {arch}, in the table {most}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    kernels = read_build(arguments.build)
    if not kernels:
        sys.exit(f"{arguments.build}: no kernel was compiled there")
    version = nvcc_version(arguments.build)
    of, rows = read_table()
    if arguments.update:
        write_table(kernels, rows, version)
        of, rows = read_table()
    faults = list(faults_of(kernels, rows, of == version))
    for fault in faults:
        print(fault)
    if of != version:
        print(f"nvcc {version}; the table is of nvcc {of}, so that only stack and spills of clean kernels were checked")
    cards = [card for card in CARDS if any(card in figures for figures in kernels.values())]
    print(f"nvcc: {len(kernels)} kernels, {' '.join(cards + ptx_of(arguments.build))}")
    sys.exit(bool(faults))


main()
