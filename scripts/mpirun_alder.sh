#!/usr/bin/env bash
# alder on several ranks, for scripts that take the path of one program.
# usage: RANKS=4 ALDER=build/bin/alder scripts/mpirun_alder.sh energy -f run.mdp ...
#   RANKS   how many (4)
#   ALDER   the program (build/bin/alder of this checkout)
#   MPIRUN  the launcher (mpirun)
# More ranks than processors are allowed, and running as root is, as in containers; each rank has one thread unless OMP_NUM_THREADS says more.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
exec "${MPIRUN:-mpirun}" --quiet -n "${RANKS:-4}" "${ALDER:-$here/build/bin/alder}" "$@"
