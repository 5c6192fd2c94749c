#!/usr/bin/env bash
# Tests and benchmarks for a machine with a GPU and without Go.
#
#   gpu.sh build DIR PACKAGES...   makes their test binaries, bench and qdgen, in DIR
#   gpu.sh run DIR                 runs them and prints a table; fails if one fails
#
# `run` belongs into a copy of this checkout: tests read files beside their package.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

# DIR/tests lists the test binaries and the directory that each runs in:
# internal-cuda.test<tab>internal/cuda
build() {
	local dir=$1 package path name
	shift
	rm -rf "$dir"
	mkdir -p "$dir"
	go build -ldflags="-s -w" -o "$dir/qdgen" ./cmd/qdgen
	go build -ldflags="-s -w" -o "$dir/bench" ./bench
	for package in "$@"; do
		path=${package#./}
		name=${path//\//-}.test
		[ "$path" = . ] && name=root.test
		go test -c -ldflags="-s -w" -o "$dir/$name" "$package"
		# A package without tests gives no binary.
		if [ -e "$dir/$name" ]; then printf '%s\t%s\n' "$name" "$path" >>"$dir/tests"; fi
	done
	# Test kernels are read from where they were compiled from.
	pwd >"$dir/root"
	du -sh "$dir"
}

run() {
	local dir=$root/$1 name path log failed=0 seconds verdict
	if [ ! -e "$dir/tests" ]; then
		echo "there is nothing in $1: run make gpu-build where Go is, and bring the checkout here" >&2
		exit 1
	fi
	local built
	built=$(cat "$dir/root")
	if [ ! -e "$built" ]; then
		# The binaries know their source under the path that it had there.
		mkdir -p "$(dirname "$built")" && ln -s "$root" "$built" || {
			echo "the checkout must also be reachable as $built, where the binaries were built" >&2
			exit 1
		}
	fi
	if command -v nvidia-smi >/dev/null 2>&1; then
		nvidia-smi --query-gpu=name,compute_cap,driver_version,memory.total --format=csv,noheader
	fi
	"$dir/qdgen" doctor || true # it says what is missing; the tests fail for it
	echo

	logs=$(mktemp -d) # not local: the trap runs when the script ends
	trap 'rm -rf "$logs"' EXIT
	printf '%-24s %-6s %7s %7s %7s %9s\n' package result passed failed skipped seconds
	while IFS=$'\t' read -r name path; do
		log=$logs/$name
		SECONDS=0
		verdict=ok
		(cd "$path" && "$dir/$name" -test.v -test.timeout 8m) >"$log" 2>&1 </dev/null || verdict=FAIL
		seconds=$SECONDS
		printf '%-24s %-6s %7d %7d %7d %9d\n' "$path" "$verdict" \
			"$(grep -c -- '--- PASS' "$log" || true)" \
			"$(grep -c -- '--- FAIL' "$log" || true)" \
			"$(grep -c -- '--- SKIP' "$log" || true)" "$seconds"
		if [ $verdict = FAIL ]; then failed=1; fi
	done <"$dir/tests"

	for log in "$logs"/*; do
		if grep -qE -- '^(--- FAIL|FAIL|panic:)' "$log"; then
			printf '\n== %s\n' "${log##*/}"
			grep -vE '^ *(=== |--- (PASS|SKIP))' "$log" | tail -n 60
		fi
	done
	echo
	"$dir/bench" || failed=1
	return $failed
}

case ${1:-} in
build) shift && build "$@" ;;
run) shift && run "$@" ;;
*)
	echo "usage: gpu.sh build DIR PACKAGES... | gpu.sh run DIR" >&2
	exit 2
	;;
esac
