#!/usr/bin/env bash
# Tests and benchmarks for a machine with a GPU and without Go.
#
#   gpu.sh build DIR PACKAGES...   makes their test binaries, bench and qdgen, in DIR
#   gpu.sh run DIR                 runs them and prints a table; fails if one fails
#
# GPU_SECONDS is the time that run may take (510), GPU_LOGS a directory for the tests' output.
# run leaves out the tests that run the CUDA text on the host: they need clang, and the GPU
# says more.
#
# `run` belongs into a copy of this checkout: tests read files beside their package.
# What the machine lacks is skipped by tests, and not measured by benchmarks.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

# `run` takes this many seconds at most, of which these are for the benchmarks, and
# for each test binary that has not had its turn.
total=${GPU_SECONDS:-510}
for_bench=120
for_each=40

on_host='^TestWithoutGPU|OnHost$'

# DIR/tests lists the test binaries and the directory that each runs in:
# internal-runtime-cuda.test<tab>internal/runtime/cuda
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
	# Test kernels are read from where they were compiled from, and have to be the
	# same ones there.
	pwd >"$dir/root"
	git ls-files -z --cached --others --exclude-standard -- '*.go' go.mod '*testdata/*' | sort -zu |
		while IFS= read -r -d '' path; do
			if [ -f "$path" ]; then printf '%s\0' "$path"; fi
		done | xargs -0 sha256sum -- >"$dir/sources"
	du -sh "$dir"
}

# same_sources fails unless the files that the binaries in $1 were built from are the
# same in checkout $2, and names some that are not.
same_sources() {
	local differ
	if differ=$(cd "$2" && LC_ALL=C sha256sum --quiet --check -- "$1/sources" 2>/dev/null); then return; fi
	echo "$2 is not the checkout that the binaries were built from; these files differ or are missing:" >&2
	head -n 5 <<<"$differ" >&2
	return 1
}

# place makes the checkout reachable under the path where the binaries in $1 were
# built: they know their source by it.
place() {
	local built
	built=$(cat "$1/root")
	if ! same_sources "$1" "$root"; then
		echo "build them anew: make gpu-build, where Go is" >&2
		return 1
	fi
	if [ ! -e "$built" ]; then
		if ! mkdir -p "$(dirname "$built")" || ! ln -s "$root" "$built"; then
			echo "the checkout must also be reachable as $built, where the binaries were built" >&2
			return 1
		fi
		link=$built
	elif ! [ "$built" -ef "$root" ] && ! same_sources "$1" "$built"; then
		echo "tests would read their kernels there: move it away, or build in another directory" >&2
		return 1
	fi
}

# cleanup is for the end of the script.
cleanup() {
	if [ -n "${GPU_LOGS:-}" ]; then cp -r "$logs"/. "$GPU_LOGS" || true; fi # the rest is removed all the same
	rm -rf "$logs"
	if [ -n "$link" ]; then rm -f "$link"; fi
}

run() {
	local dir=$root/$1 name path log failed=0 seconds verdict limit left
	if [ ! -e "$dir/tests" ]; then
		echo "there is nothing in $1: run make gpu-build where Go is, and bring the checkout here" >&2
		exit 1
	fi
	SECONDS=0
	link='' # set where one is made
	logs=$(mktemp -d)
	if [ -n "${GPU_LOGS:-}" ]; then mkdir -p "$GPU_LOGS"; fi
	trap cleanup EXIT
	place "$dir" || exit 1
	if command -v nvidia-smi >/dev/null 2>&1; then
		nvidia-smi --query-gpu=name,compute_cap,driver_version,memory.total --format=csv,noheader || true
	fi
	"$dir/qdgen" doctor || true # it says what is missing
	echo

	printf '%-24s %-6s %7s %7s %7s %9s\n' package result passed failed skipped seconds
	left=$(wc -l <"$dir/tests")
	while IFS=$'\t' read -r name path; do
		log=$logs/$name
		left=$((left - 1))
		limit=$((total - SECONDS - for_bench - left * for_each))
		if [ "$limit" -lt "$for_each" ]; then limit=$for_each; fi
		seconds=$SECONDS
		verdict=ok
		# A test that hangs is stopped by the test binary, which says where it hangs;
		# a binary that hangs, as one in a driver's hands, from outside.
		(cd "$path" && timeout --foreground -k 5 "$limit" "$dir/$name" -test.v -test.skip "$on_host" -test.timeout "$((limit - 5))s") \
			>"$log" 2>&1 </dev/null || verdict=FAIL
		seconds=$((SECONDS - seconds))
		printf '%-24s %-6s %7d %7d %7d %9d\n' "$path" "$verdict" \
			"$(grep -c -- '--- PASS' "$log" || true)" \
			"$(grep -c -- '--- FAIL' "$log" || true)" \
			"$(grep -c -- '--- SKIP' "$log" || true)" "$seconds"
		if [ $verdict = FAIL ]; then
			failed=1
			printf '\n== %s\n' "$name" >>"$logs/failures"
			grep -vE '^ *(=== |--- (PASS|SKIP))' "$log" | tail -n 60 >>"$logs/failures" || true
		fi
	done <"$dir/tests"
	if [ -e "$logs/failures" ]; then cat "$logs/failures"; fi

	# The other sections compare with a C++ compiler and need Go.
	echo
	limit=$((total - SECONDS))
	if [ "$limit" -lt "$for_each" ]; then limit=$for_each; fi # 0 would be no limit
	timeout --foreground -k 5 "$limit" "$dir/bench" -run '^(emit|launch|gpu)$' || {
		if [ $? = 124 ]; then echo "the benchmarks were stopped after $limit s" >&2; fi
		failed=1
	}
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
