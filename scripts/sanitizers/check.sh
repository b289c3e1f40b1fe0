#!/usr/bin/env bash
# Runs under sanitizers that no other script has: four ranks under Valgrind. For AddressSanitizer there is the preset asan.
# usage: scripts/sanitizers/check.sh [ranks]
#   ALDER    the program that ranks run (build/release/bin/alder)
#   FOLDER   where runs are put (a new folder of the system's)
# Findings in other people's libraries are named in scripts/sanitizers/valgrind_mpi.supp; there are none in alder.
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
alder=${ALDER:-$here/build/release/bin/alder}
folder=${FOLDER:-$(mktemp -d)}
failed=0
say() { printf '%-44s %s\n' "$1" "$2"; }

# deck <name> <input> <more .mdp lines>: nine steps that build two lists, couple, and write frames, energies and a checkpoint
deck() {
    mkdir -p "$folder/$1"
    cp "$here/inputs/$2/conf.gro" "$here/inputs/$2/topol.top" "$folder/$1"
    grep -vE '^(nst|pcoupl)' "$here/inputs/$2/nvt.mdp" >"$folder/$1/run.mdp"
    printf '%s\n' "nsteps = 9" "nstlist = 4" "nstxout = 4" "nstvout = 4" "nstenergy = 2" "nstcalcenergy = 2" "$3" >>"$folder/$1/run.mdp"
}

# under_valgrind <name> <alder's options...>
under_valgrind() {
    local name=$1
    shift
    if (cd "$folder/$name" && RANKS=4 ALDER=valgrind "$here/scripts/mpirun_alder.sh" -q --error-exitcode=9 \
        "--suppressions=$here/scripts/sanitizers/valgrind_mpi.supp" --log-file=valgrind.%p \
        "$alder" mdrun -f run.mdp -c conf.gro -p topol.top -deffnm md -nb cpu -nt 1 "$@" >md.out 2>&1); then
        say "four ranks, Valgrind: $name" "nothing found"
    else
        say "four ranks, Valgrind: $name" "see $folder/$name"
        cat "$folder/$name"/valgrind.* | head -n 40
        failed=1
    fi
}

ranks() {
    local npt
    npt=$(printf '%s\n' "pcoupl = C-rescale" "tau-p = 2" "ref-p = 1" "compressibility = 4.5e-5" "nstpcouple = 2")
    deck water water "$npt"
    deck peptide peptide "$npt"
    deck sites tip4p ""
    # Valgrind knows no AVX-512
    under_valgrind water -simd avx2
    under_valgrind peptide -simd sse4.1 -npme 1
    under_valgrind sites -simd avx2 -dd 4 1 1
}

for what in "${@:-ranks}"; do
    case $what in
        ranks) "$what" ;;
        *) echo "no check is called $what" >&2; exit 2 ;;
    esac
done
exit $failed
