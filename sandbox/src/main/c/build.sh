#!/bin/sh
# Compiles the cage's helper: build.sh SOURCES OUTPUT. Static, so that it needs nothing of the host. Its digest lies
# beside it, because computing it takes a fresh JVM longer than many a run.
set -eu
sources=$1
output=$2
if command -v musl-gcc >/dev/null 2>&1; then
    compiler=musl-gcc
elif command -v cc >/dev/null 2>&1; then
    compiler=cc
else
    echo "cagewright: no C compiler found: install gcc (and musl-tools for a smaller helper)" >&2
    exit 1
fi
case $(uname -m) in
    x86_64 | amd64) arch=x86_64 ;;
    aarch64 | arm64) arch=aarch64 ;;
    *) echo "cagewright: no cage helper for $(uname -m): x86_64 and aarch64 are supported" >&2; exit 1 ;;
esac
helper=$output/native/linux-$arch/cagewright-init
mkdir -p "${helper%/*}"
"$compiler" -std=c17 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -O2 -static -s \
    -fstack-protector-strong -fno-pie -no-pie -ffile-prefix-map="$sources"=. \
    -o "$helper" \
    "$sources/spawn.c" "$sources/blank.c" "$sources/wire.c" "$sources/request.c" "$sources/identity.c" "$sources/sources.c" \
    "$sources/tree.c" "$sources/cover.c" "$sources/overlay.c" "$sources/network.c" "$sources/netlink.c" "$sources/privileges.c" \
    "$sources/landlock.c" "$sources/seccomp.c" "$sources/init.c" "$sources/act.c" "$sources/probe.c"
sum=$(sha256sum <"$helper")
printf '%s\n' "${sum%% *}" >"$helper.sha256"
