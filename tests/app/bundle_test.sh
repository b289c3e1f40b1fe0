#!/usr/bin/env bash
# A bundle of the build at hand: complete, found incomplete when it is not, and running where there is nothing: no library, no glibc, not
# even /proc; with the same bits by the system's glibc and by its own. The NVIDIA driver is found the way that systems tell where it lies.
# usage: bundle_test.sh BUILD    (77: what it needs is not here)
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
build=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for tool in objdump strip xz dpkg orterun; do command -v "$tool" >/dev/null || { echo "no $tool"; exit 77; }; done
# grep -q in a pipe ends what writes into it
has() { grep -qF -- "$2" <<<"$1"; } # text, part
fail() {
    echo "WRONG: $*"
    exit 1
}

BUNDLE_XZ=0 "$here/scripts/bundle.sh" "$build" "$work/made" >"$work/out" || { cat "$work/out"; fail "no bundle"; }
cat "$work/out"
grep -q 'MiB packed' "$work/out" || fail "no size told"
mkdir "$work/unpacked"
tar -C "$work/unpacked" -xf "$work"/made/*.tar.xz
rm -rf "$work/made"
mv "$work"/unpacked/* "$work/bundle with a space"
bundle="$work/bundle with a space"

check() { "$here/scripts/bundle.sh" check "$bundle" 2>&1 || true; }
mv "$bundle/lib/libhdf5_serial.so.103" "$work/"
has "$(check)" 'alder asks for libhdf5_serial.so.103, which is not in the bundle' || fail "a missing library is not seen"
mv "$work/libhdf5_serial.so.103" "$bundle/lib/"
cp "$bundle/lib/libevent_core-2.1.so.7" "$work/"
sed -i 's/GLIBC_2\.36/GLIBC_2.99/g' "$bundle/lib/libevent_core-2.1.so.7"
has "$(check)" 'libevent_core-2.1.so.7 asks for GLIBC_2.99: newer' || fail "a library that asks for a newer glibc is not seen"
cp "$work/libevent_core-2.1.so.7" "$bundle/lib/"
has "$(check)" 'none asks for a library from outside' || fail "a sound bundle is not taken"

state() { # loader
    local where=$work/run-$1
    mkdir "$where"
    cp "$bundle"/share/alder/inputs/three-atoms/* "$where"
    (cd "$where" && env -i ALDER_LOADER="$1" PATH=/usr/bin:/bin "$bundle/bin/alder" mdrun -f nvt.mdp -c conf.gro -p topol.top \
        -nsteps 100 -nb cpu) >/dev/null 2>&1
    grep -oE 'SHA-256 [0-9a-f]+' "$where/md.log"
}
ln -s "$bundle/bin/alder" "$work/alder"
has "$("$work/alder" info)" "data         $bundle/share/alder" || fail "started through a link, it does not find its data"
[ "$(state system)" = "$(state own)" ] || fail "the two loaders lead to different bits"

# Below: a root of its own, with busybox for a shell and nothing else.
busybox=$(command -v busybox || true)
if [ "$(id -u)" != 0 ] || [ -z "$busybox" ] || ldd "$busybox" >/dev/null 2>&1; then
    echo "not root, or no static busybox: not tried in an empty root"
    exit 0
fi
root=$work/root
mkdir -p "$root"/{bin,tmp,etc,dev,opt/driver,lib64}
cp "$busybox" "$root/bin/busybox"
for name in sh readlink dirname sed; do ln -s busybox "$root/bin/$name"; done
mv "$bundle" "$root/opt/alder"
inside() { env -i PATH=/bin "$(PATH=$PATH:/usr/sbin command -v chroot)" "$root" "$@"; }
inside /opt/alder/bin/alder validate >"$work/out" 2>&1 || { cat "$work/out"; fail "validation in an empty root"; }
tail -n 1 "$work/out"
has "$(inside /opt/alder/bin/alder info)" 'data         /opt/alder/share/alder' || fail "alder info in an empty root"

# A driver of another system's libraries, known to its cache alone; it asks for parts of glibc that must come from where libc does.
cat >"$work/driver.c" <<'SOURCE'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
static void *nothing(void *p) { return p; }
__attribute__((constructor)) static void tell(void)
{
    pthread_t thread;
    void *answer = 0;
    pthread_create(&thread, 0, nothing, &thread);
    pthread_join(thread, &answer);
    fprintf(stderr, "driver: %s\n", answer == &thread && dlsym(RTLD_DEFAULT, "malloc") ? "loaded" : "broken");
}
SOURCE
if grep -q libcuda "$root/opt/alder/libexec/alder" && command -v gcc >/dev/null; then
    gcc -shared -fPIC -o "$root/opt/driver/libcuda.so.1" "$work/driver.c" -Wl,-soname,libcuda.so.1 -Wl,--no-as-needed \
        -l:libpthread.so.0 -l:libdl.so.2 -l:librt.so.1
    echo /opt/driver >"$root/etc/ld.so.conf"
    /sbin/ldconfig -r "$root"
    has "$(inside /opt/alder/bin/alder info 2>&1)" 'driver: loaded' || fail "the driver that ld.so.cache tells of is not found"
    echo "driver found through ld.so.cache"
fi
