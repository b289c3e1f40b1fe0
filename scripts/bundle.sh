#!/usr/bin/env bash
# One folder with alder and every library that it loads, and the same as a .tar.xz: runs wherever it is unpacked, on any x86-64 Linux,
# without MPI, HDF5 or CUDA installed; a GPU needs the NVIDIA driver. docs/decisions/0009 says how, and why so.
# usage: scripts/bundle.sh [BUILD [OUT]]     BUILD: a build folder (build/cuda-all, configured and built where absent); OUT: build/bundle
#        scripts/bundle.sh check FOLDER      what the files of a bundle ask of the system, held against what it has
#        scripts/bundle.sh try FOLDER ROOT   runs it inside the root file system ROOT (chroot, so as root)
# BUNDLE_XZ (6): how hard xz tries.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
source_libs=/usr/lib/x86_64-linux-gnu
most_bytes=$((60 * 1024 * 1024))

# glibc in parts: all of them or none must come from here, since they know each other's insides.
glibc=(ld-linux-x86-64.so.2 libc.so.6 libm.so.6 libmvec.so.1 libdl.so.2 libpthread.so.0 librt.so.1 libresolv.so.2 libutil.so.1)
# Of Open MPI what ranks of one node and what srun starts need, over shared memory and TCP. InfiniBand and its like must fit the cluster's
# own libraries: there alder is built from source.
mpi_plugins='allocator_* bml_r2 btl_self btl_tcp btl_vader coll_basic coll_inter coll_libnbc coll_self coll_sm coll_sync coll_tuned
    compress_gzip crs_none errmgr_* ess_* filem_raw grpcomm_direct iof_* mpool_hugepage odls_default oob_tcp osc_rdma osc_sm
    plm_isolated plm_slurm pmix_ext3x pmix_isolated pml_ob1 pstat_linux ras_slurm rcache_grdma reachable_weighted regx_*
    rmaps_round_robin rmaps_ppr rmaps_seq rml_oob routed_* rtc_hwloc schizo_ompi schizo_orte schizo_slurm shmem_* state_* topo_basic'

fail() {
    echo "bundle.sh: $*" >&2
    exit 1
}
elf_files() {
    local f
    find "$1" -type f | sort | while read -r f; do
        if [ "$(head -c 4 "$f" | tr -d '\0')" = $'\x7fELF' ]; then echo "$f"; fi
    done
}
# Of each ELF file a line: the newest glibc whose symbols it asks for (what its loader checks), the libraries it asks for, its path.
requirements() {
    local f
    elf_files "$1" | while read -r f; do
        objdump -p "$f" | awk -v f="$f" '
            $1 == "NEEDED" { names = names (names == "" ? "" : ",") $2 }
            /required from/ { asks = 1 }
            asks && $4 ~ /^GLIBC_2\./ { split($4, v, /[_.]/); if (v[3] + 0 > minor) minor = v[3] + 0 }
            END { print "2." minor + 0 "\t" (names == "" ? "-" : names) "\t" f }'
    done
}
most_asked() { requirements "$1" | grep -v '/lib/glibc/' | cut -f 1 | sort -Vu | tail -n 1; }

add_library() { # a library's file: copies it under the name it is asked for
    cp -L "$1" "$folder/lib/$(basename "$1")"
    copied+=("$(readlink -f "$1")")
}
has() { [ -e "$1/lib/$2" ] || [ -e "$1/lib/glibc/$2" ]; }
add_what_is_asked_for() { # until every library that a file asks for is there
    local version names file name added=yes
    while [ "$added" = yes ]; do
        added=no
        while IFS=$'\t' read -r version names file; do
            for name in ${names//,/ }; do
                [ "$name" = - ] || has "$folder" "$name" && continue
                add_library "$(ldd "$file" | awk -v n="$name" '$1 == n { print $3; exit }')"
                added=yes
            done
        done < <(requirements "$folder")
    done
}
add_licenses() {
    local package file
    mkdir -p "$folder/share/doc/licenses"
    for package in $(
        for file in "${copied[@]}"; do dpkg -S "$file" "/usr${file#/usr}" "${file#/usr}" 2>/dev/null | head -n 1; done | cut -d: -f1 | sort -u
    ); do
        cp -L "/usr/share/doc/$package/copyright" "$folder/share/doc/licenses/$package"
    done
    cp "$here/LICENSE" "$folder/share/doc/licenses/alder"
}

write_launcher() {
    local least program
    least=$(most_asked "$folder")
    cat >"$folder/bin/alder" <<LAUNCHER
#!/bin/sh
# Starts the program of this name in ../libexec with the libraries that came along: by the system's glibc where that is $least or
# newer, else by the one in ../lib/glibc. ALDER_LOADER=system or own insists on one of them.
set -eu
name=\${0##*/}
root=\$(dirname "\$(dirname "\$(readlink -f "\$0")")")
pmix=\$root/lib/x86_64-linux-gnu/pmix2
export ALDER_DATA="\${ALDER_DATA:-\$root/share/alder}"
export OPAL_PREFIX="\$root" PMIX_INSTALL_PREFIX="\$pmix" PMIX_LIBDIR="\$pmix/lib" PMIX_PKGLIBDIR="\$pmix/lib/pmix"
system=/lib64/ld-linux-x86-64.so.2
least=${least#2.}
loader=\${ALDER_LOADER:-}
if [ -z "\$loader" ]; then
    minor=\$("\$system" --version 2>/dev/null | sed -n '1s/.* version 2\.\([0-9]*\).*/\1/p') || minor=
    if [ "\${minor:-0}" -ge "\$least" ]; then loader=system; else loader=own; fi
fi
if [ "\$loader" = system ]; then
    export LD_LIBRARY_PATH="\$root/lib\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
    exec "\$root/libexec/\$name" "\$@"
fi
# The loader reads the system's /etc/ld.so.cache for the NVIDIA driver; the folders last named are for systems whose cache does not tell.
exec "\$root/lib/glibc/ld-linux-x86-64.so.2" --argv0 "\$name" \\
    --library-path "\$root/lib/glibc:\$root/lib\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}:/usr/lib64:/usr/lib/wsl/lib:/run/opengl-driver/lib" \\
    "\$root/libexec/\$name" "\$@"
LAUNCHER
    chmod 755 "$folder/bin/alder"
    for program in "$folder"/libexec/*; do
        [ "$(basename "$program")" = alder ] || ln -s alder "$folder/bin/$(basename "$program")"
    done
}

make_bundle() {
    local build=$1 out=$2 name plugin
    [ -x "$build/bin/alder" ] || fail "no alder in $build/bin"
    name=alder-$("$build/bin/alder" --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)-linux-x86_64
    folder=$out/$name
    rm -rf "$folder" "$folder.tar.xz"
    mkdir -p "$folder"/{bin,libexec,scripts,share/{alder,doc},lib/{glibc,x86_64-linux-gnu/{openmpi/lib/openmpi3,pmix2/lib}}}
    copied=()

    install -s "$build/bin/alder" "$folder/libexec/alder"
    install -s "$(command -v orterun)" "$folder/libexec/mpirun"
    if [ -x "$build/tests/alder_gpu_tests" ]; then install -s "$build/tests/alder_gpu_tests" "$folder/libexec/"; fi
    for name in "${glibc[@]}"; do
        cp -L "$source_libs/$name" "$folder/lib/glibc/$name"
        copied+=("$(readlink -f "$source_libs/$name")")
    done
    (
        cd "$source_libs/openmpi/lib/openmpi3"
        for plugin in $mpi_plugins; do # shell patterns
            # shellcheck disable=SC2086
            cp -L mca_$plugin.so "$folder/lib/x86_64-linux-gnu/openmpi/lib/openmpi3/"
        done
    )
    rm -f "$folder"/lib/x86_64-linux-gnu/openmpi/lib/openmpi3/mca_*ucx*
    cp -rL "$source_libs/pmix2/lib/pmix" "$folder/lib/x86_64-linux-gnu/pmix2/lib/"
    mkdir -p "$folder/share"
    cp -rL /usr/share/openmpi "$folder/share/openmpi"
    add_what_is_asked_for
    copied+=("$source_libs/openmpi/lib/openmpi3/mca_pml_ob1.so")

    cp -r "$here/validation" "$here/inputs" "$folder/share/alder/"
    install "$here/scripts/gpu_check.sh" "$folder/scripts/"
    install -m 644 "$here/README.md" "$here/docs/gpu.md" "$here/docs/bench_schema.md" "$here/docs/files.md" "$folder/share/doc/"
    add_licenses
    write_launcher
    check_bundle "$folder"

    tar -C "$out" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git -C "$here" log -1 --format=%ct 2>/dev/null || echo 0)" \
        -cf - "$(basename "$folder")" | xz -T2 "-${BUNDLE_XZ:-6}" >"$folder.tar.xz"
    local size
    size=$(stat -c %s "$folder.tar.xz")
    echo "$folder.tar.xz: $(awk -v b="$size" 'BEGIN { printf "%.1f", b / 1048576 }') MiB packed, $(du -sm "$folder" | cut -f1) MiB unpacked"
    [ "$size" -le "$most_bytes" ] || fail "more than $((most_bytes / 1048576)) MiB packed"
}

# Every library that a file asks for lies in the bundle, and no file asks for a newer glibc than the bundle's own, which starts it on an
# older system.
check_bundle() {
    local folder=$1 version names file name own most faults=0 count=0
    own=$(objdump -T "$folder/lib/glibc/libc.so.6" | grep -oE 'GLIBC_2\.[0-9]+' | sort -Vu | tail -n 1)
    own=${own#GLIBC_}
    most=0
    while IFS=$'\t' read -r version names file; do
        count=$((count + 1))
        if [ "${version#2.}" -gt "${own#2.}" ]; then
            echo "  ${file#"$folder"/} asks for GLIBC_$version: newer than the bundle's, $own"
            faults=1
        fi
        [[ $file == */lib/glibc/* ]] || [ "${version#2.}" -le "$most" ] || most=${version#2.}
        for name in ${names//,/ }; do
            [ "$name" = - ] || has "$folder" "$name" && continue
            echo "  ${file#"$folder"/} asks for $name, which is not in the bundle"
            faults=1
        done
    done < <(requirements "$folder")
    [ $faults = 0 ] || fail "$folder would not start everywhere"
    echo "$count programs and libraries: none asks for a library from outside, nor for more than glibc 2.$most, which a system has or" \
        "else lib/glibc ($own, Linux $(readelf -n "$folder/lib/glibc/libc.so.6" | sed -n 's/.*OS: Linux, ABI: //p') or newer)"
}

# A root that lacks all that the bundle brings. What is run there sees nothing of this machine but its kernel.
try_bundle() {
    local folder root=$2
    folder=$(realpath "$1")
    [ -x "$root/bin/sh" ] || fail "$root: no root file system"
    for library in libmpi libhdf5 libcudart; do
        [ -z "$(find "$root"/usr "$root"/lib* -name "$library*" -print -quit 2>/dev/null)" ] || fail "$root has $library: not bare"
    done
    rm -rf "$root/opt/alder-bundle"
    mkdir -p "$root/opt" "$root/tmp"
    cp -r "$folder" "$root/opt/alder-bundle"
    cat >"$root/opt/alder-bundle/try.sh" <<'INSIDE'
set -eu
cd /opt/alder-bundle
system=$(/lib64/ld-linux-x86-64.so.2 --version 2>/dev/null | head -n 1) || system=
echo "system: ${system:-no glibc of 2.33 or newer}"
bin/alder info
bin/alder validate | tail -n 1
work=$(mktemp -d)
cp share/alder/inputs/three-atoms/* "$work"
(cd "$work" && /opt/alder-bundle/bin/alder mdrun -f nvt.mdp -c conf.gro -p topol.top -nsteps 200 -nb auto >out 2>&1 || { cat out; exit 1; }
    grep 'State at step' md.log)
bin/mpirun --allow-run-as-root --oversubscribe -n 2 bin/alder --version
INSIDE
    if ! unshare --mount true 2>/dev/null; then
        chroot "$root" /bin/sh /opt/alder-bundle/try.sh
    else # /proc and /sys as a real system has them, for as long as this lasts
        mkdir -p "$root/proc" "$root/sys"
        unshare --mount sh -c 'mount --rbind /proc "$1/proc" && mount --rbind /sys "$1/sys"; exec chroot "$1" /bin/sh /opt/alder-bundle/try.sh' \
            sh "$(realpath "$root")"
    fi
}

case ${1:-} in
    check) check_bundle "$(realpath "${2:?FOLDER}")" ;;
    try) try_bundle "${2:?FOLDER}" "${3:?ROOT}" ;;
    *)
        build=${1:-$here/build/cuda-all}
        out=${2:-$here/build/bundle}
        if [ $# = 0 ]; then
            (cd "$here" && cmake --preset cuda-all >/dev/null && cmake --build --preset cuda-all --target alder alder_gpu_tests)
        fi
        mkdir -p "$out"
        make_bundle "$(realpath "$build")" "$(realpath "$out")"
        ;;
esac
