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
echo "building (some minutes the first time; the log is $out/build.log)"
if ! { cmake --preset release -DALDER_TESTS=OFF "${launcher[@]}" && cmake --build --preset release --target alder; } >"$out/build.log" 2>&1; then
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
"$alder" mdrun -f "$deck/nvt.mdp" -c "$deck/conf.gro" -p "$deck/topol.top" -deffnm "$out/md" -nsteps 5000

echo
/usr/bin/python3 - "$out/md.json" <<'PYTHON'
import json, sys
run = json.load(open(sys.argv[1]))
p = run["performance"]
print(f"{p['ns_per_day']:.1f} ns/day over {p['timed_steps']} timed steps ({p['hours_per_ns']:.2f} hours a ns)")
PYTHON
echo "files:"
for file in "md.log       for people" "md.json      for programs" "md.h5md      trajectory and energies (h5py, MDAnalysis, VMD)" \
            "md.gro       last frame" "md.cpt.h5    checkpoint: go on with -cpi"; do
    [ -e "$out/${file%% *}" ] && echo "  $out/$file"
done
echo "more decks: inputs/README.md; your own: alder mdrun -f run.mdp -c conf.gro -p topol.top -deffnm md"
