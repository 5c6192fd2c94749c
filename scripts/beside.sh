#!/usr/bin/env bash
# Runs targets of the Makefile at the same time: tests wait for processes now and then, and the last ones leave cores idle.
# The first one's output comes at once, that of each other when those before have ended.
#
# usage: beside.sh TARGET...
set -euo pipefail
cd "$(dirname "$0")/.."

# Each target is a group of processes, so that all it has started can be stopped with it.
set -m
outputs=$(mktemp -d)
running=()
waiting=()

# Who stops this stops all of them, and sees what they have printed.
stop() {
	local group target
	for group in ${running[@]+"${running[@]}"}; do
		kill -TERM -- "-$group" 2>/dev/null || true
	done
	for target in ${waiting[@]+"${waiting[@]}"}; do
		cat "$outputs/$target"
	done
	rm -rf "$outputs"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

for target; do
	if [ "${#running[@]}" = 0 ]; then
		"${MAKE:-make}" --no-print-directory "$target" </dev/null &
	else
		"${MAKE:-make}" --no-print-directory "$target" </dev/null >"$outputs/$target" 2>&1 &
		waiting+=("$target")
	fi
	running+=($!)
done
status=0
while [ "${#running[@]}" != 0 ]; do
	wait "${running[0]}" || status=$?
	running=(${running[@]+"${running[@]:1}"})
	# The first target has printed for itself.
	if [ "${#waiting[@]}" -gt "${#running[@]}" ]; then
		cat "$outputs/${waiting[0]}"
		waiting=(${waiting[@]+"${waiting[@]:1}"})
	fi
done
exit "$status"
