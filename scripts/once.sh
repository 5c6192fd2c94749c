#!/usr/bin/env bash
# Runs a check, unless it has passed before with the same files, the same tools and the same settings.
# build/passed/NAME has what they were then.
#
# usage: once.sh NAME COMMAND...
set -euo pipefail
cd "$(dirname "$0")/.."
name=$1
shift

# state prints all that decides how the check ends: the checksum, the length and the name of every file that is in
# git or could be added, the command and the versions and settings of Go.
state() {
	printf '%s\n' "$*"
	go version
	go env CGO_ENABLED GOARCH GOEXPERIMENT GOFLAGS GOOS GOWORK
	# A file that git knows and somebody has deleted has no checksum.
	git ls-files --cached --others --exclude-standard -z | sort -zu | xargs -0 cksum 2>/dev/null || true
}

passed=build/passed/$name
now=$(state "$@")
if [ -e "$passed" ] && [ "$now" = "$(cat "$passed")" ]; then
	echo "$name: nothing has changed since it passed"
	exit
fi
rm -f "$passed"
"$@"
mkdir -p build/passed
# Somebody may have edited a file in the meantime.
if [ "$now" = "$(state "$@")" ]; then
	printf '%s\n' "$now" >"$passed"
fi
