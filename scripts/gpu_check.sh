#!/usr/bin/env bash
# What only a GPU can show, on the machine that has one: the back end's tests, right energies, the same bits, no drift, and speed. Ends with
# a table; writes gpu_check.json (docs/bench_schema.md). Needs bash and the usual small tools, and about five minutes on a large card.
# usage: scripts/gpu_check.sh [ALDER]       the program of the bundle or build that this script lies in, where none is named
#   GPU_CHECK_FOLDER    where it works (a new folder below $TMPDIR)
#   GPU_CHECK_BUDGET    seconds (270) after which no timing begins; what is left out is named
#   GPU_CHECK_SIZES     copies of the water box of 2700 atoms along x, y, z ("2x2x2 3x3x4 7x7x8": 22 thousand, 97 thousand, 1.06 million)
#   GPU_CHECK_PEPTIDE   the same of the peptide's box of 2926 atoms (2x2x2)
#   GPU_CHECK_WINDOW    seconds that a timing window is to last (1.5); GPU_CHECK_WINDOWS of them (3) in each timing
#   GPU_CHECK_STEPS     instead: steps of a window, half of which are timed
#   GPU_CHECK_BITS      steps of the runs whose bits are compared (1000); GPU_CHECK_NVE: of the run at constant energy (40000)
#   GPU_CHECK_NB        what -nb gets (gpu). `cpu`, or `emulated-gpu` with alder_emulated, rehearse the script: such figures are no GPU's
#   GPU_CHECK_TESTS     the program with the back end's tests (alder_gpu_tests beside ALDER); `none` leaves them out
set -euo pipefail
here=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
alder=${1:-}
for candidate in "$here"/bin/alder "$here"/build/{cuda-all,cuda,release}/bin/alder; do
    if [ -z "$alder" ] && [ -x "$candidate" ]; then alder=$candidate; fi
done
[ -n "$alder" ] || { echo "gpu_check.sh: no alder in $here; name the program" >&2; exit 2; }
alder=$(cd "$(dirname "$alder")" && pwd)/$(basename "$alder")
nb=${GPU_CHECK_NB:-gpu}
budget=${GPU_CHECK_BUDGET:-270}
sizes=${GPU_CHECK_SIZES-2x2x2 3x3x4 7x7x8}
peptide_size=${GPU_CHECK_PEPTIDE:-2x2x2}
window_seconds=${GPU_CHECK_WINDOW:-1.5}
windows=${GPU_CHECK_WINDOWS:-3}
tests=${GPU_CHECK_TESTS:-}
data=$here
[ -d "$data/inputs" ] || data=$here/share/alder
folder=${GPU_CHECK_FOLDER:-$(mktemp -d)}
mkdir -p "$folder"
cd "$folder"
export LC_ALL=C # awk's decimal point
failed=0
checks=()   # JSON objects
results=()  # JSON objects
left_out=() # names of timings that the budget had no room for
table=()    # lines of the table at the end

say() { printf '\n== %s\n' "$*"; }
# Figures of a report that alder wrote, one key a line; an empty word where there is none.
field() { sed -nE "s/^ *\"$2\": *\"?([^\"]*[^\",])\"?,?$/\1/p" "$1" | head -n 1; }
block() { sed -nE "/^ {$3}\"$2\": [[{]/,/^ {$3}[]}]/p" "$1" | sed -E '1s/^[^:]*: *//; $s/,$//'; } # object or array, its indent
text() { printf '"%s"' "$(printf '%s' "$1" | tr -d '\000-\037' | sed 's/[\\"]/\\&/g')"; }
text_or_null() { if [ -n "$1" ]; then text "$1"; else printf null; fi; }
number() { if [[ $1 =~ ^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$ ]]; then printf '%s' "$1"; else printf null; fi; }
joined() { # JSON objects or strings, separated
    local first=1 item
    for item in "$@"; do
        [ $first = 1 ] || printf ',\n'
        first=0
        printf '  %s' "$item"
    done
}
verdict() { # what; right or wrong; value, limit and unit where it has them
    printf '  %-72s %s\n' "$1" "$2"
    [ "$2" = right ] || failed=1
    checks+=("{\"name\": $(text "$1"), \"right\": $([ "$2" = right ] && echo true || echo false), \"value\": $(number "${3:-}"), \
\"limit\": $(number "${4:-}"), \"unit\": $(text_or_null "${5:-}")}")
}
same() { if [ -n "$1" ] && [ "$1" = "$2" ]; then echo right; else echo wrong; fi; }
set_keys() { # file, "key = value"...: replaces keys of an .mdp
    local file=$1 pair
    shift
    for pair in "$@"; do
        sed -i -E "/^ *${pair%% *}[ =]/d" "$file"
        printf '%s\n' "$pair" >>"$file"
    done
}
deck() { # name of a shipped deck, folder, its .mdp
    mkdir -p "$2"
    cp "$data/inputs/$1"/* "$2"/
    cp "$2/$3" "$2/run.mdp"
}
run() { # folder, name, more flags
    local where=$1 name=$2
    shift 2
    (cd "$where" && exec "$alder" mdrun -f run.mdp -c conf.gro -p topol.top -deffnm "$name" -nb "$nb" "$@" >"$name.out" 2>&1) || {
        tail -n 5 "$where/$name.out"
        return 1
    }
}

say "machine"
"$alder" info | tee info.txt
gpu_line=$(grep -E '^  GPU [0-9]' info.txt | head -n 1 || true)
if [ "$nb" = gpu ] && [ -z "$gpu_line" ]; then
    echo "gpu_check.sh: there is no GPU to check" >&2
    exit 1
fi
smi() { # a field of the GPU that alder takes; of the first one, where a slice does not tell whose it is
    local uuid
    command -v nvidia-smi >/dev/null || return 0
    uuid=$(sed -nE 's/.*(GPU-[-0-9a-f]+).*/\1/p' <<<"$gpu_line")
    nvidia-smi ${uuid:+--id=$uuid} --query-gpu="$1" --format=csv,noheader,nounits 2>/dev/null |
        head -n 1 | grep -vE 'N/A|Not Supported|No devices' || true
}
hardware() {
    local name=null
    if [ "$nb" = gpu ]; then
        name="{\"name\": $(text "$(sed -E 's/^  GPU [0-9]+ +//; s/ \(MIG .*|, [0-9.]+ GiB.*//' <<<"$gpu_line")"),
    \"memory_GiB\": $(number "$(sed -nE 's/.*, ([0-9.]+) GiB.*/\1/p' <<<"$gpu_line")"),
    \"compute_capability\": $(text_or_null "$(sed -nE 's/.*compute capability ([0-9.]+).*/\1/p' <<<"$gpu_line")"),
    \"uuid\": $(text_or_null "$(sed -nE 's/.*((GPU|MIG)-[-0-9a-f]+).*/\1/p' <<<"$gpu_line")"),
    \"mig_profile\": $(text_or_null "$(sed -nE 's/.*\(MIG ([^)]*)\).*/\1/p' <<<"$gpu_line")"),
    \"driver\": $(text_or_null "$(smi driver_version)"), \"cuda\": $(text_or_null "$(sed -nE 's/^  CUDA +//p' info.txt)"),
    \"power_limit_W\": $(number "$(smi power.limit)"), \"clock_MHz\": $(number "$(smi clocks.max.sm)")}"
    fi
    printf '{"host": %s, "CPU": %s, "processors": %s, "GPU": %s}' "$(text "$(uname -n)")" \
        "$(text "$(sed -nE 's/^  processor +(.*), [0-9]+ allowed.*/\1/p' info.txt)")" \
        "$(number "$(sed -nE 's/^  processor .*, ([0-9]+) allowed.*/\1/p' info.txt)")" "$name"
}

if [ -z "$tests" ]; then
    for candidate in "$(dirname "$alder")/alder_gpu_tests" "$(dirname "$alder")/../tests/alder_gpu_tests"; do
        if [ -z "$tests" ] && [ -x "$candidate" ]; then tests=$candidate; fi
    done
fi
if [ -n "$tests" ] && [ "$tests" != none ] && [ "$nb" != cpu ]; then
    say "the back end's tests"
    ALDER_DATA=$data "$tests" --gtest_filter='*gpu:Gpu.*' --gtest_brief=1 >tests.out 2>&1 || true
    passed=$(sed -nE 's/^\[  PASSED  \] ([0-9]+) tests?.*/\1/p' tests.out)
    failures=$(grep -cE '^\[  FAILED  \] .*[^:]$' tests.out || true)
    [ "$failures" = 0 ] && [ "${passed:-0}" -gt 0 ] || tail -n 20 tests.out
    verdict "${passed:-0} tests passed, $failures failed" "$([ "$failures" = 0 ] && [ "${passed:-0}" -gt 0 ] && echo right || echo wrong)"
fi

say "energies, term by term, against other programs and the literature"
if "$alder" validate -nb "$nb" >validate.out 2>&1; then verdict "alder validate: $(tail -n 1 validate.out)" right; else
    tail -n 12 validate.out
    verdict "alder validate: $(tail -n 1 validate.out)" wrong
fi
for name in chain ions-pme5-triclinic water-pme site-pme lj-pme; do
    where=$data/validation/decks/$name
    if "$alder" energy -f "$where/run.mdp" -c "$where/conf.gro" -p "$where/topol.top" -nb "$nb" --compare "$where/reference.json" \
        >energy.out 2>&1; then verdict "$name: every term" right; else
        tail -n 12 energy.out
        verdict "$name: every term" wrong
    fi
done
say "energies against the CPU"
for name in argon nacl water tip4p peptide; do
    deck "$name" "energy-$name" nvt.mdp
    for place in cpu "$nb"; do
        (cd "energy-$name" && "$alder" energy -f run.mdp -c conf.gro -p topol.top -nb "$place" --json "$place.json" >"$place.out" 2>&1) ||
            tail -n 3 "energy-$name/$place.out"
    done
    off=$(awk -v a="$(field "energy-$name/$nb.json" Potential)" -v b="$(field "energy-$name/cpu.json" Potential)" '
        BEGIN { d = a - b; if (d < 0) d = -d; if (b < 0) b = -b; if (a == "" || b == 0) print "none"; else printf "%.2e\n", d / b }')
    verdict "$name: potential, relative difference $off" \
        "$(awk -v d="$off" 'BEGIN { print d != "none" && d + 0 <= 2e-5 ? "right" : "wrong" }')" "$off" 2e-5 relative
done

say "the same bits: run to run, and after a restart"
deck peptide bits nvt.mdp
steps=${GPU_CHECK_BITS:-1000}
run bits whole -nsteps "$steps" || true
run bits again -nsteps "$steps" || true
{ run bits part -nsteps $((steps / 2)) && run bits part -nsteps "$steps" -cpi; } || true
state() { [ ! -f "bits/$1.json" ] || field "bits/$1.json" sha256; }
verdict "run to run, $steps steps of the peptide" "$(same "$(state whole)" "$(state again)")"
verdict "stopped half-way and gone on" "$(same "$(state whole)" "$(state part)")"

# What runs, each going on from the last, say of the conserved energy: the slope of a line through their means, an atom. Each line is a
# time (ns, the middle of a run) and a mean (kJ/mol).
drift_of() { # atoms
    awk -v n="$1" '{ ++m; t += $1; e += $2; tt += $1 * $1; te += $1 * $2 }
        END { d = m * tt - t * t; if (m > 1 && d > 0) printf "%.3e\n", (m * te - t * e) / d / n }'
}
conserved() { grep -A 1 '^    "Conserved En."' "$1" | sed -nE 's/^ *"mean": ([-+0-9.eE]+),?$/\1/p'; }

say "energy at constant energy"
deck water drift nve.mdp
steps=${GPU_CHECK_NVE:-40000}
set_keys drift/run.mdp "nstenergy = 100" "nstcalcenergy = 100" "nstxout = 0" "nstvout = 0" "nstlog = 0"
: >drift/means
for part in 1 2 3 4; do
    run drift nve -nsteps $((part * steps / 4)) -cpi || break
    echo "$(awk -v p="$part" -v s="$steps" 'BEGIN { print (p - 0.5) * s / 4 * 2e-6 }') $(conserved drift/nve.json)" >>drift/means
done
drift=$(drift_of 2700 <drift/means)
# The scatter of the means lets 40000 steps tell slopes of 0.002 from none.
if [ "$steps" -ge 20000 ]; then
    verdict "drift of $steps steps of water: ${drift:-unknown} kJ/mol/ns an atom" \
        "$(awk -v d="$drift" 'BEGIN { if (d < 0) d = -d; print d != "" && d <= 0.02 ? "right" : "wrong" }')" "$drift" 0.02 "kJ/mol/ns/atom"
else
    echo "  ${drift:-unknown} kJ/mol/ns an atom; $steps steps are too few to judge it"
fi

if command -v compute-sanitizer >/dev/null && [ "$nb" = gpu ]; then
    say "compute-sanitizer"
    deck three-atoms sanitizer nvt.mdp
    for tool in memcheck racecheck synccheck; do
        if (cd sanitizer && timeout 60 compute-sanitizer --target-processes all --tool "$tool" --error-exitcode 9 \
            "$alder" mdrun -f run.mdp -c conf.gro -p topol.top -nsteps 40 -nb gpu -deffnm "$tool" >"$tool.out" 2>&1); then
            verdict "compute-sanitizer, $tool" right
        else
            tail -n 5 "sanitizer/$tool.out"
            verdict "compute-sanitizer, $tool" wrong
        fi
    done
fi

# Copies of a rectangular box side by side; molecules stay whole.
tile() { # from.gro, nx, ny, nz
    awk -v nx="$2" -v ny="$3" -v nz="$4" '
        NR == 1 { print; next }
        NR == 2 { n = $1; print n * nx * ny * nz; next }
        NR <= n + 2 { line[NR - 2] = $0; next }
        { bx = $1; by = $2; bz = $3 }
        END {
            for (a = 0; a < nx; ++a) for (b = 0; b < ny; ++b) for (c = 0; c < nz; ++c)
                for (i = 1; i <= n; ++i) {
                    s = line[i]
                    printf "%s%5d%8.3f%8.3f%8.3f%s\n", substr(s, 1, 15), ++count % 100000,
                        substr(s, 21, 8) + a * bx, substr(s, 29, 8) + b * by, substr(s, 37, 8) + c * bz, substr(s, 45)
                }
            printf "%10.5f%10.5f%10.5f\n", nx * bx, ny * by, nz * bz
        }' "$1"
}
tiled_deck() { # name of a shipped deck, folder, copies as 2x2x2
    local nx ny nz
    deck "$1" "$2" nvt.mdp
    IFS=x read -r nx ny nz <<<"$3"
    tile "$data/inputs/$1/conf.gro" "$nx" "$ny" "$nz" >"$2/conf.gro"
    awk -v copies=$((nx * ny * nz)) '
        inside && NF { list = list $0 "\n"; next }
        { print }
        /\[ *molecules *\]/ { inside = 1 }
        END { while (copies-- > 0) printf "%s", list }' "$data/inputs/$1/topol.top" >"$2/topol.top"
}
# The highest that the memory of a run goes: of the host (MiB) and of the GPU (MiB, where nvidia-smi tells), looked at while it runs.
watched_run() { # folder, name, more flags
    local pid status=0 host=0 device=0 now
    run "$@" &
    pid=$!
    while kill -0 "$pid" 2>/dev/null; do
        for task in "$pid" $(cat "/proc/$pid/task/$pid/children" 2>/dev/null); do
            now=$(sed -nE 's/^VmHWM:[^0-9]*([0-9]+) kB/\1/p' "/proc/$task/status" 2>/dev/null || true)
            [ "${now:-0}" -le "$host" ] || host=$now
            if [ "$nb" = gpu ] && command -v nvidia-smi >/dev/null; then
                now=$(nvidia-smi --query-compute-apps=pid,used_memory --format=csv,noheader,nounits 2>/dev/null |
                    awk -F', *' -v p="$task" '$1 == p && $2 ~ /^[0-9]+$/ { print $2 }' | head -n 1)
                [ "${now:-0}" -le "$device" ] || device=$now
            fi
        done
        sleep 0.2
    done
    wait "$pid" || status=$?
    host_peak=$([ "$host" = 0 ] || awk -v k="$host" 'BEGIN { printf "%.0f", k / 1024 }')
    device_peak=$([ "$device" = 0 ] || echo "$device")
    return $status
}
# Kernels by the time they took, where nsys is at hand: an array of name, calls and seconds.
kernels_of() { # folder, steps
    { command -v nsys >/dev/null && [ "$nb" = gpu ]; } || {
        printf null
        return
    }
    (
        cd "$1"
        nsys profile -t cuda -s none -o kernels --force-overwrite true "$alder" mdrun -f run.mdp -c conf.gro -p topol.top -deffnm kernels \
            -nb "$nb" -nsteps "$2" >kernels.out 2>&1
        nsys stats --report cuda_gpu_kern_sum --format csv kernels.nsys-rep 2>/dev/null | awk -F, '
            /^[0-9.]+,[0-9]+,[0-9]+,/ {
                name = $9
                for (i = 10; i <= NF; ++i) name = name "," $i
                gsub(/["\\]/, "", name)
                sub(/\(.*/, "", name)
                printf "%s{\"name\": \"%s\", \"calls\": %d, \"device_s\": %.9f}", (n++ ? ", " : "["), name, $3, $2 * 1e-9
            }
            END { print n ? "]" : "null" }'
    ) || printf null
}

say "speed"
transforms=(none)
if [ "$nb" != cpu ]; then
    transforms=(own)
    # the one that a run takes by itself goes first
    if (cd energy-nacl && ALDER_GPU_FFT=cufft "$alder" energy -f run.mdp -c conf.gro -p topol.top -nb "$nb" >/dev/null 2>&1); then
        transforms=(cufft own)
    fi
fi
time_deck() { # label, folder, dt (ps), transform
    local label=$1 where=$2 dt=$3 transform=$4 name=speed-$3-$4
    if [ $SECONDS -gt "$budget" ]; then
        left_out+=("$(text "$label, $dt ps, $transform")")
        return
    fi
    set_keys "$where/run.mdp" "dt = $dt" "nstenergy = 100" "nstcalcenergy = 100" "nstxout = 0" "nstvout = 0" "nstlog = 0"
    if [ "$dt" = 0.004 ]; then set_keys "$where/run.mdp" "mass-repartition-factor = 3"; fi
    if [ "$transform" != none ]; then export ALDER_GPU_FFT=$transform; fi
    if time_windows "$where" "$name" "$dt"; then write_result "$@"; else verdict "$label, $dt ps, $transform: runs" wrong; fi
    unset ALDER_GPU_FFT
}
# Sets steps, host_peak and device_peak; leaves rates, spans and means in the folder.
time_windows() { # folder, name, dt
    local where=$1 name=$2 dt=$3 total=${GPU_CHECK_STEPS:-400} k
    # Warms up, says how many steps a window takes, and how much memory a run.
    watched_run "$where" "$name" -nsteps "$total" -resethway || return 1
    steps=$(awk -v r="$(field "$where/$name.json" ns_per_day)" -v dt="$dt" -v s="$window_seconds" '
        BEGIN { n = int(2 * s * r * 1000 / dt / 86400 / 100) * 100; print n < 400 ? 400 : n }')
    steps=${GPU_CHECK_STEPS:-$steps}
    : >"$where/means"
    : >"$where/rates"
    : >"$where/spans"
    for ((k = 1; k <= windows; ++k)); do
        [ $k = 1 ] || [ $SECONDS -le $((budget + 20)) ] || break
        run "$where" "$name" -cpi -nsteps $((total + steps)) -resethway || return 1
        awk -v a="$total" -v s="$steps" -v dt="$dt" -v e="$(conserved "$where/$name.json")" 'BEGIN { print (a + s / 2) * dt * 1e-3, e }' \
            >>"$where/means"
        total=$((total + steps))
        field "$where/$name.json" ns_per_day | grep -v null >>"$where/rates" || true
        echo "{\"steps\": $(field "$where/$name.json" timed_steps), \"seconds\": $(field "$where/$name.json" timed_s)}" >>"$where/spans"
    done
}
write_result() { # label, folder, dt (ps), transform
    local label=$1 where=$2 dt=$3 transform=$4 report=$2/speed-$3-$4.json atoms drift kernels=null least='' median='' most=''
    atoms=$(sed -n 2p "$where/conf.gro" | tr -d ' ')
    read -r least median most < <(sort -g "$where/rates" | awk '{ v[NR] = $1 }
        END { if (NR) print v[1], NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2, v[NR] }') || true
    drift=$(drift_of "$atoms" <"$where/means")
    if [ "$dt" = 0.002 ] && [ "$transform" = "${transforms[0]}" ]; then
        kernels=$(kernels_of "$where" "$((steps < 2000 ? steps : 2000))")
    fi
    results+=("{\"deck\": $(text "$label"), \"atoms\": $atoms, \"dt_ps\": $dt, \"rcoulomb_nm\": 0.9, \"rvdw_nm\": 0.9,
    \"place\": \"$nb\", \"transform\": $(text_or_null "${transform#none}"),
    \"ranks\": $(number "$(field "$report" ranks)"), \"pme_ranks\": 0, \"threads\": $(number "$(field "$report" threads)"),
    \"replicas\": 1, \"gpus\": $([ "$nb" = cpu ] && echo 0 || echo 1), \"steady\": null,
    \"ns_per_day\": {\"median\": $(number "$median"), \"least\": $(number "$least"), \"most\": $(number "$most"),
        \"values\": [$(paste -sd, "$where/rates")]},
    \"windows\": [$(paste -sd, "$where/spans")],
    \"drift_kJ_mol_ns_atom\": $(number "$drift"), \"drift_error\": null, \"force_error\": null,
    \"peak_memory\": {\"host_MiB\": $(number "$host_peak"), \"device_MiB\": $(number "$device_peak")},
    \"power_W\": $(number "$(field "$report" power_W)"),
    \"table\": $(block "$report" table 4),
    \"kernels\": $kernels}")
    table+=("$(awk -v label="$label" -v n="$atoms" -v dt="$dt" -v t="$transform" -v m="${median:-0}" -v a="${least:-0}" -v b="${most:-0}" \
        -v d="${drift:-?}" 'BEGIN {
            printf "%-24s %8d  %d fs  %-5s", label, n, 1000 * dt, t
            if (m > 0) printf " %10.5g  +-%4.1f %%  %9.4g ms  %10s", m, 50 * (b - a) / m, 86400 * dt / m, d
            else printf " %10s  (too few steps to tell)", "-" }')")
    echo "  ${table[-1]}"
}
tiled_deck peptide peptide "$peptide_size"
for size in $sizes; do tiled_deck water "water-$size" "$size"; done
for transform in "${transforms[@]}"; do
    for dt in 0.002 0.004; do
        time_deck "peptides in water" peptide "$dt" "$transform"
        for size in $sizes; do time_deck "SPC/E water" "water-$size" "$dt" "$transform"; done
    done
done

{
    printf '{"schema": "alder-bench-2", "made_by": "gpu_check", "made_at": "%s", "fixture": false, "rehearsal": %s, "right": %s,\n' \
        "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$([ "$nb" = gpu ] && echo false || echo true)" "$([ $failed = 0 ] && echo true || echo false)"
    printf '"build": {"version": %s, "revision": %s, "compiler": %s, "type": %s},\n' \
        "$(text "$(sed -nE '1s/^alder ([^ ]+).*/\1/p' info.txt)")" "$(text "$(sed -nE '1s/.*\((.*)\)/\1/p' info.txt)")" \
        "$(text "$(sed -nE 's/^  build +(.*), [^,]*$/\1/p' info.txt)")" "$(text "$(sed -nE 's/^  build .*, ([^,]*)$/\1/p' info.txt)")"
    printf '"hardware": %s,\n"checks": [\n%s\n],\n"results": [\n%s\n],\n"left_out": [%s]}\n' "$(hardware)" \
        "$(joined ${checks[@]+"${checks[@]}"})" "$(joined ${results[@]+"${results[@]}"})" "$(joined ${left_out[@]+"${left_out[@]}"})"
} >gpu_check.json

if [ "$nb" = gpu ]; then say "$(sed -E 's/^  GPU [0-9]+ +//; s/, (GPU|MIG)-.*//' <<<"$gpu_line")"; else
    say "a REHEARSAL on $nb: no figure is a GPU's"
fi
printf '%-24s %8s  %4s  %-5s %10s  %-8s  %12s  %s\n' deck atoms dt FFT ns/day spread "a step" "drift (kJ/mol/ns/atom)"
[ ${#table[@]} = 0 ] || printf '%s\n' "${table[@]}"
[ ${#left_out[@]} = 0 ] || echo "left out, for time: ${left_out[*]}"
say "$([ $failed = 0 ] && echo "all ${#checks[@]} checks right" || echo 'something is WRONG'); $SECONDS s; figures in $folder/gpu_check.json"
exit $failed
