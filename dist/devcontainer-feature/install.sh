#!/bin/sh
# Installs Cagewright into a dev container, from the archive beside this file. The tool that builds the container runs it
# as root, with the options of devcontainer-feature.json as variables. CAGEWRIGHT_ROOT: install below another root.
set -eu
umask 022
here=$(CDPATH= cd -P -- "$(dirname -- "$0")" && pwd)
root=${CAGEWRIGHT_ROOT:-}
archive=${ARCHIVE:-cagewright.tar.gz}
digest=${SHA256:-}
agents=${AGENTS:-}

refuse() {
    echo "cagewright feature: $1" >&2
    exit 1
}

case $archive in /*) ;; *) archive=$here/$archive ;; esac
[ -f "$archive" ] || refuse "there is no archive $archive (expected: what dist/build makes, put beside install.sh)"
if [ -n "$digest" ]; then
    found=$(sha256sum <"$archive")
    [ "${found%% *}" = "$digest" ] || refuse "$archive has the digest ${found%% *} (expected: $digest)"
fi
for name in $agents; do
    case $name in *[!a-z0-9-]*) refuse "agents: \"$name\" is no scaffold's name (expected: a-z, 0-9 and -)" ;; esac
done

target=$root/opt/cagewright
new=$target.new
rm -rf -- "$new"
mkdir -p -- "$new"
tar -xzf "$archive" -C "$new" --strip-components=1 --no-same-owner || refuse "$archive cannot be unpacked"
[ -f "$new/cagewright" ] && [ -d "$new/runtime" ] || refuse "$archive is not what dist/build makes (expected: cagewright and runtime/ in it)"
chmod 755 "$new/cagewright"
rm -rf -- "$target"
mv -- "$new" "$target"
mkdir -p -- "$root/usr/local/bin"
ln -sfn /opt/cagewright/cagewright "$root/usr/local/bin/cagewright"

# The start-up cache is code of the machine it is made on; without it a command takes about twice as long to start.
if [ -z "$root" ] && [ -x /opt/cagewright/libexec/make-cache ]; then
    /opt/cagewright/libexec/make-cache || echo "cagewright feature: no start-up cache; everything works without" >&2
fi

if [ -n "$agents" ]; then
    mkdir -p -- "$root/etc/zsh"
    for kind in bash zsh; do
        line="command -v cagewright >/dev/null 2>&1 && eval \"\$(cagewright shell-init $kind $agents)\" # cagewright feature"
        file=$root/etc/bash.bashrc
        [ "$kind" = bash ] || file=$root/etc/zsh/zshrc
        [ ! -f "$file" ] || sed -i '/# cagewright feature$/d' "$file"
        printf '%s\n' "$line" >>"$file"
    done
fi
echo "cagewright feature: installed; in the container, cagewright doctor says whether a cage can be built there"
