#!/usr/bin/env bash
# Puts the image that deploy/Dockerfile stands on into a storage of its own: the official one where its registry can be
# reached, else a stand-in of Debian (debootstrap) and this machine's Python. Usage: tools/image_base.sh FOLDER, as root.
set -euo pipefail
folder="$(mkdir -p "$1" && cd "$1" && pwd)"
version="$(sed -n 's/^ARG PYTHON=//p' "$(dirname "$0")/../deploy/Dockerfile")"
name="docker.io/library/python:$version-slim"
export BUILDAH_ISOLATION=chroot
buildah=(buildah --root "$folder/root" --runroot "$folder/run" --storage-driver vfs)

missing=()
for tool in buildah podman runc debootstrap; do command -v "$tool" >/dev/null || missing+=("$tool"); done
[ ${#missing[@]} = 0 ] || { apt-get update -q && apt-get install -y -q --no-install-recommends "${missing[@]}"; }
"${buildah[@]}" images --quiet "$name" >/dev/null 2>&1 && exit 0
timeout 120 "${buildah[@]}" pull --quiet "$name" 2>/dev/null && exit 0

prefix=""
for python in "python$version" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$version".*/bin/python; do
  prefix="$("$python" -c 'import sys; print(sys.base_prefix)' 2>/dev/null)" && break
done
[ -n "$prefix" ] || { echo "no python$version on this machine" >&2; exit 1; }
libraries=ca-certificates,libssl3,libffi8,libsqlite3-0,liblzma5,libbz2-1.0,libreadline8,zlib1g,libuuid1,netbase,tzdata
suite="$(. /etc/os-release && echo "$VERSION_CODENAME")"
tree="$(mktemp -d)"
trap 'rm -rf "$tree"' EXIT
debootstrap --variant=minbase --include="$libraries" "$suite" "$tree" http://deb.debian.org/debian >/dev/null
cp -a "$prefix/." "$tree/usr/local/"
rm -rf "$tree/usr/local/lib/python$version/"{test,site-packages} "$tree/usr/local/include"
cp /etc/ssl/certs/ca-certificates.crt "$tree/etc/ssl/certs/" # a proxy's own, where there is one
container="$("${buildah[@]}" from scratch)"
"${buildah[@]}" copy --quiet "$container" "$tree" / >/dev/null
"${buildah[@]}" run "$container" -- sh -c "ldconfig && python$version -m ensurepip --default-pip && ln -sf python$version /usr/local/bin/python"
"${buildah[@]}" config --env PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin --cmd python3 "$container"
"${buildah[@]}" commit --quiet "$container" "$name" >/dev/null
"${buildah[@]}" rm "$container" >/dev/null
