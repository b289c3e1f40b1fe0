#!/usr/bin/env bash
# Everything that must hold before a change lands: installs what is missing, builds with warnings as errors, runs every test, then the
# checks of the source. Works from a fresh clone on Debian 12.
# usage: scripts/test.sh [ctest arguments...]
set -euo pipefail
cd "$(dirname "$0")/.."
say() { printf '\n== %s\n' "$*"; }

say "dependencies"
scripts/install_deps.sh test

say "build"
launcher=()
command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
# kernels for the two cards of cuda/ptxas.table: all that nvcc knows take it three times as long
cmake --preset release -DALDER_TESTS=ON -DCMAKE_COMPILE_WARNING_AS_ERROR=ON "-DALDER_CUDA_ARCHITECTURES=80-real;90-real;90-virtual" "${launcher[@]}" | grep -v '^-- \(Found\|Performing\|Looking\)' || true
cmake --build --preset release -- -k 20 | grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking|Running|cd )' || true
cmake --build --preset release >/dev/null

say "kernels under AddressSanitizer"
cmake --build --preset release --target gpu_tests_asan >build/asan.log || { grep -A 8 error: build/asan.log; exit 1; }
# The runs of 200 steps have no kernels that the others have not, and take two minutes each.
under_asan() {
    local log=build/$(basename "$1").log
    "$1" --gtest_brief=1 --gtest_filter='-*200Steps*' >"$log" 2>&1 || { tail -n 60 "$log"; return 1; }
    printf '%s: %s\n' "$(basename "$1")" "$(grep -E '^\[  PASSED' "$log")"
}
export -f under_asan
# each has one thread
printf '%s\0' build/release/tests/test_gpu_*_asan | xargs -0 -n 1 -P "$(nproc)" bash -c 'under_asan "$1"' _

say "rooms"
python3 scripts/check_rooms.py

say "format"
scripts/check_format.sh

say "clang-tidy"
scripts/check_tidy.sh --all

say "install"
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cmake --install build/release --prefix "$stage/usr" >/dev/null
(cd "$stage" && mv usr moved && ./moved/bin/alder validate >validate.out || { cat validate.out; exit 1; })
tail -n 1 "$stage/validate.out"

say "tests"
OMP_WAIT_POLICY=passive ctest --test-dir build/release --output-on-failure -j "$(nproc)" "$@"

say "kernels"
if command -v nvcc >/dev/null || [ -x "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" ]; then
    # fails too where nvcc is here and the build did not find it
    python3 scripts/check_ptxas.py build/release
else
    echo "nvcc: not present, kernels not compiled"
fi
