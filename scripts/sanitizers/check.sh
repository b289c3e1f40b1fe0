#!/usr/bin/env bash
# Runs that must be clean: four ranks under Valgrind, and threads under ThreadSanitizer. For AddressSanitizer there is the preset asan.
# usage: scripts/sanitizers/check.sh [ranks] [threads]      (default: both)
#   ALDER    the program that ranks run under Valgrind (build/release/bin/alder)
#   BUILD    where threads are built with clang and its OpenMP runtime, which alone tells ThreadSanitizer of its barriers (build/tsan)
#   FOLDER   where runs are put (a new folder of the system's)
# What is found in other people's libraries is named in valgrind_mpi.supp; alder has no entry there.
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$here/build/tsan}
alder=${ALDER:-$here/build/release/bin/alder}
folder=$(realpath -m "${FOLDER:-$(mktemp -d)}")
failed=0
npt=$(printf '%s\n' "pcoupl = C-rescale" "tau-p = 2" "ref-p = 1" "compressibility = 4.5e-5" "nstpcouple = 2")
say() { printf '%-52s %s\n' "$1" "$2"; }

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
    deck water water "$npt"
    deck peptide peptide "$npt"
    deck sites tip4p ""
    # Valgrind knows no AVX-512
    under_valgrind water -simd avx2
    under_valgrind peptide -simd sse4.1 -npme 1
    under_valgrind sites -simd avx2 -dd 4 1 1
}

# under_thread_sanitizer <name> <program> [arguments...]: two threads, which sleep while they wait, as they may share a processor
under_thread_sanitizer() {
    local name=$1
    shift
    if TSAN_OPTIONS=ignore_noninstrumented_modules=1 OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive "$@" >"$folder/$name.out" 2>&1; then
        say "two threads, ThreadSanitizer: $name" "nothing found"
    else
        say "two threads, ThreadSanitizer: $name" "see $folder/$name.out"
        grep -A 20 'WARNING: ThreadSanitizer' "$folder/$name.out" | head -n 40 || true
        failed=1
    fi
}

# A race that is there must be found, or nothing that is said below means anything.
find_a_race() {
    printf '%s\n' "int main()" "{" "    int n = 0;" "#pragma omp parallel for num_threads(2)" "    for (int i = 0; i < 1000; ++i) ++n;" \
        "    return n == 0;" "}" >"$folder/race.cpp"
    "$clang" -fsanitize=thread -fopenmp -O1 -g "$folder/race.cpp" -o "$folder/race"
    if TSAN_OPTIONS=ignore_noninstrumented_modules=1 OMP_WAIT_POLICY=passive "$folder/race" >"$folder/race.out" 2>&1; then
        say "two threads, ThreadSanitizer: a race" "not found: the sanitizer does not work here"
        failed=1
    fi
}

threads() {
    clang=$(command -v clang++-14 || command -v clang++) || { echo "threads: needs clang++ and its libomp" >&2; exit 2; }
    find_a_race
    cmake -S "$here" --preset tsan -B "$build" -DCMAKE_CXX_COMPILER="$clang" -DALDER_NVCC=OFF >"$folder/build.out"
    local programs=(bonded constraints couple pairs pme ranks)
    cmake --build "$build" --target alder "${programs[@]/#/test_}" >>"$folder/build.out" || { tail -n 40 "$folder/build.out"; exit 1; }
    local program
    for program in "${programs[@]}"; do
        # runs of 500 steps have nothing in them that those of 60 have not
        under_thread_sanitizer "$program" "$build/tests/test_$program" --gtest_brief=1 --gtest_filter='-*water1:*peptide2:*water_dodecahedron*:*water4:*water5'
    done
    deck threads peptide "$npt"
    cd "$folder/threads"
    under_thread_sanitizer mdrun "$build/bin/alder" mdrun -f run.mdp -c conf.gro -p topol.top -deffnm md -nb cpu -nt 2
    RANKS=2 ALDER=$build/bin/alder under_thread_sanitizer "mdrun on two ranks" "$here/scripts/mpirun_alder.sh" \
        mdrun -f run.mdp -c conf.gro -p topol.top -deffnm ranks -nb cpu -nt 2
}

mkdir -p "$folder"
[ $# -gt 0 ] || set -- ranks threads
for what in "$@"; do
    case $what in
        ranks | threads) "$what" ;;
        *) echo "no check is called $what" >&2; exit 2 ;;
    esac
done
exit $failed
