#!/usr/bin/env bash
# alder against Debian's GROMACS on one deck, in turn, on the same threads; prints each pair's ns/day and the median ratio.
# usage: scripts/bench_vs_gromacs.sh DECK [-t THREADS] [-simd LEVEL] [-pairs N] [-nsteps N] [-mdp FILE] [-alder PROGRAM] [-json FILE]
# See scripts/bench/against_gromacs.py for what is checked before anything is timed.
exec python3 "$(dirname "$0")/bench/against_gromacs.py" "$@"
