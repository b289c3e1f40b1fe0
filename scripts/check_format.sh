#!/usr/bin/env bash
# clang-format over the tree. usage: scripts/check_format.sh [--fix]
# Version 14 (Debian 12's) is what the tree is formatted by: others break lines elsewhere.
set -euo pipefail
cd "$(dirname "$0")/.."
format=$(command -v clang-format-14 || command -v clang-format)
mapfile -t files < <(git ls-files '*.hpp' '*.cpp' '*.cu' '*.cuh')
if [ "${1:-}" = --fix ]; then
    "$format" -i "${files[@]}"
elif ! "$format" --dry-run -Werror "${files[@]}" 2>/tmp/alder-format.$$; then
    grep -c 'error:' /tmp/alder-format.$$ | sed 's/$/ places are not as clang-format writes them:/'
    sed -n 's/\(.*\): error:.*/  \1/p' /tmp/alder-format.$$ | head -n 20
    rm -f /tmp/alder-format.$$
    echo "scripts/check_format.sh --fix mends them"
    exit 1
else
    rm -f /tmp/alder-format.$$
    echo "${#files[@]} files, formatted"
fi
