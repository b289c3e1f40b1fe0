#!/usr/bin/env bash
# Fuzzes the text readers from the inputs kept in tests/fuzz/corpus: any crash, hang, leak or undefined behaviour fails.
# usage: scripts/fuzz.sh [seconds each, 60] [readers: topology mdp gro index]
# New inputs gather in build/fuzz/inputs, findings in build/fuzz/findings.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
shift || true
readers=("$@")
[ ${#readers[@]} -gt 0 ] || readers=(topology mdp gro index)
build=${ALDER_FUZZ_BUILD:-build/fuzz}
mkdir -p "$build"/findings

launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
CC=$(command -v clang-14 || command -v clang) CXX=$(command -v clang++-14 || command -v clang++) \
    cmake -S . -B "$build" -G Ninja -DALDER_FUZZ=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo "${launcher[@]}" >"$build"/configure.log ||
    { cat "$build"/configure.log; exit 1; }
ninja -C "$build" "${readers[@]/#/fuzz_}" >"$build"/build.log || { tail -n 40 "$build"/build.log; exit 1; }

# The words that the readers know, from the tables of docs/deck.md, which the tests hold to the readers.
sed -n 's/^| `\([^`]*\)` .*/"\1"/p' docs/deck.md | tr '#' '1' | sort -u >"$build"/words.dict

export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
failed=0
for reader in "${readers[@]}"; do
    mkdir -p "$build"/inputs/"$reader"
    log=$build/$reader.log
    status=0
    "$build"/tests/fuzz/fuzz_"$reader" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
        -dict="$build"/words.dict -artifact_prefix="$build"/findings/"$reader"- \
        "$build"/inputs/"$reader" tests/fuzz/corpus/"$reader" >"$log" 2>&1 || status=$?
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    slowest=$(sed -n 's/^stat::slowest_unit_time_sec: *//p' "$log")
    edges=$(grep -o 'cov: [0-9]*' "$log" | tail -n 1 | cut -d' ' -f2 || true)
    printf '%-9s %10s executions, %6s edges, slowest %s s: ' "$reader" "${executions:-?}" "${edges:-?}" "${slowest:-?}"
    if [ "$status" -eq 0 ]; then
        echo "nothing found"
    else
        echo "FOUND something:"
        grep -E 'ERROR|runtime error|SUMMARY|Test unit written' "$log" | sed 's/^/    /' || tail -n 5 "$log"
        failed=1
    fi
done
exit $failed
