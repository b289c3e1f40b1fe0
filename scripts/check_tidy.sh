#!/usr/bin/env bash
# clang-tidy over the sources of src/ and cuda/ that differ from a base revision, or over all of them; kernels as the emulation has them.
# usage: scripts/check_tidy.sh [--all | --since REVISION] [BUILD]     (default: since HEAD~1, build/release)
set -euo pipefail
cd "$(dirname "$0")/.."
since=HEAD~1
case "${1:-}" in
    --all) since=; shift ;;
    --since) since=$2; shift 2 ;;
esac
build=${1:-build/release}
sources=('src/*.cpp' 'cuda/*.cpp' 'cuda/*.cu' 'tests/simt/src/*.cpp')
tidy=$(command -v clang-tidy-14 || command -v clang-tidy)
if [ -n "$since" ] && git rev-parse -q --verify "$since^{commit}" >/dev/null; then
    mapfile -t files < <(git diff --name-only --diff-filter=d "$since" -- "${sources[@]}")
else
    mapfile -t files < <(git ls-files "${sources[@]}")
fi
[ ${#files[@]} -gt 0 ] || { echo "no changed files"; exit 0; }
# Flags that only GCC knows are taken out of a copy of the database.
mkdir -p "$build/tidy"
sed -e 's/ -fschedule-insns//; s/ -fsched-pressure//; s/ -fno-thread-jumps//' "$build/compile_commands.json" >"$build/tidy/compile_commands.json"
# The database names the same sources through the room links of the build folder; clang-tidy wants the plain path, which it holds too.
# A .cu file is known by its wrapper (scripts/cmake/cuda_room.cmake).
wrapped() {
    local file path
    for file in "$@"; do
        path=${file#cuda/}
        case $file in
            *.cu) echo "$build/cuda_rooms/${path%%/*}/emulated_$(printf %s "$path" | tr -c 'A-Za-z0-9' _).cpp" ;;
            *) echo "$file" ;;
        esac
    done
}
wrapped "${files[@]}" | xargs -P "$(nproc)" -n 1 timeout 300 "$tidy" -p "$build/tidy" --quiet \
    --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-ignored-optimization-argument 2>&1 |
    grep -vE '^[0-9]+ warnings? generated|^Suppressed|^Use -header-filter' >"$build/tidy.log" || true
if grep -qE '(error|warning):' "$build/tidy.log"; then
    head -n 60 "$build/tidy.log"
    exit 1
fi
echo "${#files[@]} files, nothing found"
