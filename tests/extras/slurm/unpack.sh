#!/usr/bin/env bash
# SLURM from Debian's packages, unpacked into a folder and not installed: unpack.sh DIR
set -euo pipefail
mkdir -p "$1/root"
cd "$1"
missing() { apt-get --simulate install --no-install-recommends slurmctld slurmd slurm-client 2>/dev/null | sed -n 's/^Inst \([^ ]*\) .*/\1/p'; }
[ -n "$(missing)" ] || apt-get update --quiet --quiet
# shellcheck disable=SC2046  # names of packages
apt-get download --quiet --quiet $(missing)
for package in *.deb; do dpkg --extract "$package" root; done
rm ./*.deb
