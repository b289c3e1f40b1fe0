#!/usr/bin/env bash
# From a bare Debian 12 machine to a water simulation with its results: installs, builds, runs about half a minute on the CPU.
# usage: scripts/quickstart.sh [FOLDER]      results go to FOLDER (default: quickstart/ in the present folder)
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
out=$(mkdir -p "${1:-quickstart}" && cd "${1:-quickstart}" && pwd)
cd "$top"

scripts/install_deps.sh build
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
# Kernels for every card take long to compile: where there is none to run them, those of two are enough.
cards=()
nvidia-smi -L >/dev/null 2>&1 || cards=("-DALDER_CUDA_ARCHITECTURES=80-real;90-real;90-virtual")
echo "building (some minutes the first time; the log is $out/build.log)"
if ! { cmake --preset release -DALDER_TESTS=OFF "${cards[@]}" "${launcher[@]}" && cmake --build --preset release --target alder; } >"$out/build.log" 2>&1; then
    tail -n 30 "$out/build.log" >&2
    echo "the build failed; the whole log: $out/build.log" >&2
    exit 1
fi
alder=$top/build/release/bin/alder
deck=$top/inputs/water

echo
echo "energies of the start, term by term (alder energy):"
"$alder" energy -f "$deck/nvt.mdp" -c "$deck/conf.gro" -p "$deck/topol.top"

echo
echo "900 water molecules at 300 K (alder mdrun):"
rm -f "$out"/md.*
"$alder" mdrun -f "$deck/nvt.mdp" -c "$deck/conf.gro" -p "$deck/topol.top" -deffnm "$out/md" -nsteps 25000

echo
echo "results: $out/md.*   (md.log for people, md.json for programs, md.h5md for h5py, MDAnalysis and VMD; docs/files.md)"
echo "more decks: inputs/README.md; your own: alder mdrun -f run.mdp -c conf.gro -p topol.top -deffnm md"
