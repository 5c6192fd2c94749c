#!/usr/bin/env bash
# Runs targets of the Makefile at the same time: tests wait for processes now and then, and the last ones leave cores idle.
# The first one's output comes at once, that of each other when those before have ended.
#
# usage: beside.sh TARGET...
set -euo pipefail
cd "$(dirname "$0")/.."
first=$1
shift

outputs=$(mktemp -d)
running=()
# Who stops this stops all of them.
trap 'kill "${running[@]}" 2>/dev/null || true; rm -rf "$outputs"' EXIT

for target; do
	"${MAKE:-make}" --no-print-directory "$target" >"$outputs/$target" 2>&1 &
	running+=($!)
done
status=0
"${MAKE:-make}" --no-print-directory "$first" || status=$?
for target; do
	wait "${running[0]}" || status=$?
	running=("${running[@]:1}")
	cat "$outputs/$target"
done
exit "$status"
