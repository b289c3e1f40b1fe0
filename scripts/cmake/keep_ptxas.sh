#!/bin/sh
# Runs a compilation, and keeps what ptxas says of the kernels beside the object, as OBJECT.ptxas, where scripts/check_ptxas.py reads it.
# usage: keep_ptxas.sh COMMAND... -o OBJECT ...
object=
previous=
for word in "$@"; do
    [ "$previous" = -o ] && object=$word
    previous=$word
done
said=$(mktemp)
trap 'rm -f "$said"' EXIT
"$@" 2>"$said"
status=$?
kept='^ptxas info|^ *[0-9]+ bytes stack frame|^ *[0-9]+ bytes cumulative stack'
[ -n "$object" ] && grep -E "$kept" "$said" >"$object.ptxas"
grep -vE "$kept" "$said" >&2
exit $status
