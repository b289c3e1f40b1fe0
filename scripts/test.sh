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
cmake --preset release -DALDER_TESTS=ON -DCMAKE_COMPILE_WARNING_AS_ERROR=ON "${launcher[@]}" | grep -v '^-- \(Found\|Performing\|Looking\)' || true
cmake --build --preset release -- -k 20 | grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking|Running|cd )' || true
cmake --build --preset release >/dev/null

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

if ! command -v nvcc >/dev/null; then
    echo "nvcc: not present, kernels not compiled"
else
    echo "nvcc: present, no kernels yet"
fi
