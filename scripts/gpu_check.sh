#!/usr/bin/env bash
# What only a GPU can show, on the machine that has one: right energies, the same bits, no drift, and speed. Ends with a table; writes
# gpu_check.json. About five minutes on a large card.
# usage: scripts/gpu_check.sh [ALDER]
#   GPU_CHECK_NB        what -nb gets (gpu); emulated-gpu with alder_emulated rehearses the script
#   GPU_CHECK_SIZES     copies of the water box of 2700 atoms along x, y, z ("2x2x2 3x3x4 7x7x8": 22 thousand, 97 thousand, 1.06 million)
#   GPU_CHECK_STEPS     atoms x steps of each timing, in millions (1500)
#   GPU_CHECK_FOLDER    where it works (a new folder below $TMPDIR)
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
alder=${1:-$here/build/release/bin/alder}
alder=$(realpath "$alder")
nb=${GPU_CHECK_NB:-gpu}
sizes=${GPU_CHECK_SIZES:-2x2x2 3x3x4 7x7x8}
million_atom_steps=${GPU_CHECK_STEPS:-1500}
folder=${GPU_CHECK_FOLDER:-$(mktemp -d)}
inputs=$here/inputs
[ -d "$inputs" ] || inputs=$here/share/alder/inputs
mkdir -p "$folder"
cd "$folder"
failed=0
results=()

say() { printf '\n== %s\n' "$*"; }
verdict() { # what, right or wrong
    printf '  %-60s %s\n' "$1" "$2"
    [ "$2" = right ] || failed=1
}
field() { sed -nE "s/.*\"$2\": *\"?([-+0-9.eE a-zA-Z]+)\"?.*/\1/p" "$1" | head -n 1; }
set_keys() { # file, key = value...: replaces keys of an .mdp
    local file=$1
    shift
    for pair in "$@"; do
        sed -i -E "/^ *${pair%% *}[ =]/d" "$file"
        printf '%s\n' "$pair" >>"$file"
    done
}
deck() { # name of a shipped deck, folder
    mkdir -p "$2"
    cp "$inputs/$1"/* "$2"/
}
run() { # folder, name, more flags
    local where=$1 name=$2
    shift 2
    (cd "$where" && "$alder" mdrun -f run.mdp -c conf.gro -p topol.top -deffnm "$name" -nb "$nb" "$@" >"$name.out" 2>&1) || {
        tail -n 5 "$where/$name.out"
        return 1
    }
}

say "machine"
"$alder" info | grep -E 'alder|GPU|CUDA'
command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu=name,driver_version,clocks.sm,power.limit --format=csv,noheader || true

say "energies, term by term, against references and against the CPU"
if "$alder" validate -nb "$nb" >validate.out 2>&1; then verdict "$(tail -n 1 validate.out)" right; else
    tail -n 12 validate.out
    verdict "alder validate" wrong
fi
for name in argon nacl water tip4p peptide; do
    deck "$name" "energy-$name"
    (
        cd "energy-$name"
        "$alder" energy -f nvt.mdp -c conf.gro -p topol.top -nb cpu --json cpu.json >/dev/null
        "$alder" energy -f nvt.mdp -c conf.gro -p topol.top -nb "$nb" --json gpu.json >/dev/null
    )
    cpu=$(field "energy-$name/cpu.json" Potential)
    gpu=$(field "energy-$name/gpu.json" Potential)
    verdict "$name: potential $gpu, CPU $cpu kJ/mol" \
        "$(awk -v a="$gpu" -v b="$cpu" 'BEGIN { d = a - b; if (d < 0) d = -d; if (b < 0) b = -b; print d <= 2e-5 * b ? "right" : "wrong" }')"
done

say "the same bits: run to run, and after a restart"
deck peptide bits
cp bits/nvt.mdp bits/run.mdp
steps=${GPU_CHECK_BITS_STEPS:-1000}
run bits whole -nsteps "$steps" && run bits again -nsteps "$steps" && run bits part -nsteps $((steps / 2)) && run bits part -nsteps "$steps" -cpi
whole=$(field bits/whole.json sha256)
verdict "run to run, $steps steps of the peptide" "$([ "$whole" = "$(field bits/again.json sha256)" ] && echo right || echo wrong)"
verdict "stopped half-way and gone on" "$([ "$whole" = "$(field bits/part.json sha256)" ] && echo right || echo wrong)"

say "conservation of energy"
deck water drift
cp drift/nve.mdp drift/run.mdp
steps=${GPU_CHECK_DRIFT_STEPS:-20000}
set_keys drift/run.mdp "nsteps = $steps" "nstenergy = 100" "nstlog = $((steps / 2))"
run drift nve
drift=$(awk '/Conserved/ && NF > 3 { value = $(NF - 3) } END { print value }' drift/nve.out)
grep -E 'Conserved|Temperature' drift/nve.out || true
results+=("{\"check\": \"nve\", \"steps\": $steps, \"conserved_mean\": \"$drift\"}")

if command -v compute-sanitizer >/dev/null && [ "$nb" = gpu ]; then
    say "compute-sanitizer"
    deck three-atoms sanitizer
    for tool in memcheck racecheck synccheck; do
        if (cd sanitizer && compute-sanitizer --tool "$tool" --error-exitcode 9 "$alder" mdrun -f nvt.mdp -c conf.gro -p topol.top \
            -nsteps 40 -nb gpu -deffnm "$tool" >"$tool.out" 2>&1); then verdict "$tool" right; else
            tail -n 5 "sanitizer/$tool.out"
            verdict "$tool" wrong
        fi
    done
fi

# Copies of the water box side by side: every box vector of conf.gro is rectangular.
tile() { # from.gro, nx, ny, nz
    awk -v nx="$2" -v ny="$3" -v nz="$4" '
        NR == 1 { print; next }
        NR == 2 { n = $1; print n * nx * ny * nz; next }
        NR <= n + 2 { line[NR - 2] = $0; next }
        { bx = $1; by = $2; bz = $3 }
        END {
            for (a = 0; a < nx; ++a) for (b = 0; b < ny; ++b) for (c = 0; c < nz; ++c)
                for (i = 1; i <= n; ++i) {
                    s = line[i]; id = ++count
                    printf "%5d%s%5d%8.3f%8.3f%8.3f%s\n", int((id - 1) / 3 + 1) % 100000, substr(s, 6, 10), id % 100000,
                        substr(s, 21, 8) + a * bx, substr(s, 29, 8) + b * by, substr(s, 37, 8) + c * bz, substr(s, 45)
                }
            printf "%10.5f%10.5f%10.5f\n", nx * bx, ny * by, nz * bz
        }' "$1"
}

say "speed"
rate() { # label, folder, atoms, dt (ps)
    local label=$1 where=$2 atoms=$3 dt=$4
    local steps
    steps=$(awk -v m="$million_atom_steps" -v n="$atoms" 'BEGIN { s = int(m * 1e6 / n / 100) * 100; print s < 400 ? 400 : s }')
    set_keys "$where/run.mdp" "dt = $dt" "nsteps = $steps" "nstenergy = 1000" "nstcalcenergy = 100" "nstxout = 0" "nstvout = 0" "nstlog = 0"
    run "$where" speed -resethway || return 0
    local speed
    speed=$(field "$where/speed.json" ns_per_day)
    printf '  %-34s %9d atoms  %s fs  %10s ns/day\n' "$label" "$atoms" "$(awk -v d="$dt" 'BEGIN { print 1000 * d }')" "$speed"
    results+=("{\"deck\": \"$label\", \"atoms\": $atoms, \"dt\": $dt, \"steps\": $steps, \"ns_per_day\": ${speed:-null}}")
}
for dt in 0.002 0.004; do
    deck peptide "peptide-$dt"
    cp "peptide-$dt/nvt.mdp" "peptide-$dt/run.mdp"
    [ "$dt" = 0.004 ] && set_keys "peptide-$dt/run.mdp" "mass-repartition-factor = 3"
    rate "peptide in water" "peptide-$dt" "$(sed -n 2p "peptide-$dt/conf.gro")" "$dt"
done
for size in $sizes; do
    IFS=x read -r nx ny nz <<<"$size"
    for dt in 0.002 0.004; do
        where=water-$size-$dt
        deck water "$where"
        cp "$where/nvt.mdp" "$where/run.mdp"
        tile "$inputs/water/conf.gro" "$nx" "$ny" "$nz" >"$where/conf.gro"
        molecules=$((900 * nx * ny * nz))
        sed -i -E "\$ s/^SOL +[0-9]+.*/SOL  $molecules/" "$where/topol.top"
        rate "SPC/E water" "$where" $((3 * molecules)) "$dt"
    done
done

{
    printf '{"schema": "alder-gpu-check-1", "alder": "%s", "right": %s, "results": [\n' "$("$alder" --version)" \
        "$([ $failed = 0 ] && echo true || echo false)"
    (IFS=$',\n' && printf '  %s' "${results[0]}" && printf ',\n  %s' "${results[@]:1}")
    printf '\n]}\n'
} >gpu_check.json
say "$([ $failed = 0 ] && echo 'all right' || echo 'something is WRONG'); figures in $folder/gpu_check.json"
exit $failed
