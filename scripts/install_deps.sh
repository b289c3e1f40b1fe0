#!/usr/bin/env bash
# Installs what alder needs on Debian 12, from Debian alone; what is there already is left alone.
# usage: scripts/install_deps.sh [build | test | bench]
#   build   what compiling and running needs (the default)
#   test    that, and what scripts/test.sh needs
#   bench   that, and the peer that scripts/bench_vs_gromacs.sh and scripts/make_references.py run
set -euo pipefail

build=(build-essential cmake ninja-build pkg-config git ca-certificates ccache libopenmpi-dev openmpi-bin libhdf5-dev
       libfmt-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libssl-dev python3)
test=(libgtest-dev libgmock-dev libfftw3-dev clang-format-14 clang-tidy-14 libomp-14-dev python3-numpy python3-h5py
      python3-mdanalysis hdf5-tools gromacs-data busybox-static slurm-wlm munge
      chromium-headless-shell fonts-dejavu-core)
bench=(gromacs)

wanted=("${build[@]}")
case "${1:-build}" in
    build) ;;
    test) wanted+=("${test[@]}") ;;
    bench) wanted+=("${test[@]}" "${bench[@]}") ;;
    *) echo "usage: scripts/install_deps.sh [build | test | bench]" >&2; exit 2 ;;
esac

missing=()
for package in "${wanted[@]}"; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

command -v apt-get >/dev/null || { echo "no apt-get here; install by other means: ${missing[*]}" >&2; exit 1; }
root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "run as root, or install sudo; missing: ${missing[*]}" >&2; exit 1; }
    root=(sudo)
fi
echo "installing: ${missing[*]}"
log=$(mktemp)
export DEBIAN_FRONTEND=noninteractive
if ! { "${root[@]}" apt-get update -qq && "${root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "installation failed; the whole log: $log" >&2
    exit 1
fi
rm -f "$log"
