#!/usr/bin/env bash
# Fails when a generated file is not what its generator makes now. It compares the
# checkout before and after generating, not with the last commit, so that work which
# is not committed yet does not matter. What it generates stays: it is the remedy.
set -euo pipefail
cd "$(dirname "$0")/.."

# sums prints checksum and name of every file that is in git or could be added.
sums() {
	# A file that git knows and somebody has deleted has no checksum.
	git ls-files --cached --others --exclude-standard -z | sort -zu | xargs -0 cksum 2>/dev/null || true
}

before=$(sums)
go generate ./...
(cd beam && go generate ./...)
after=$(sums)
if [ "$before" != "$after" ]; then
	echo "generated files were out of date; they are current now:" >&2
	diff <(echo "$before") <(echo "$after") | awk '/^[<>]/ { print "  " $4 }' | sort -u >&2
	exit 1
fi
