#!/bin/sh
# Writes the secrets that compose.yaml hands to its services, with a new password for Redis. Safe to run again:
# what is there stays. Usage: sh deploy/secrets.sh [NCBI_API_KEY [EMAIL]]
set -eu
umask 022 # the folder is closed to others; the users of the containers have to read what is in it
folder="$(dirname "$0")/secrets"
mkdir -p -m 700 "$folder"
cd "$folder"
[ -e NCBI_API_KEY ] || printf '%s' "${1:-}" >NCBI_API_KEY
[ -e BIOFACT_EMAIL ] || printf '%s' "${2:-}" >BIOFACT_EMAIL
[ -e redis.conf ] && [ -e BIOFACT_REDIS_URL ] && exit 0
password="$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')"
printf 'redis://:%s@redis:6379/0' "$password" >BIOFACT_REDIS_URL
cat >redis.conf <<END
requirepass $password
maxmemory 256mb
maxmemory-policy volatile-lru
save ""
appendonly no
END
