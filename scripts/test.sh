#!/usr/bin/env bash
# Runs go test, and keeps the test programs below the user's cache directory. Without that go links all of them in each
# run, and with it only those of which something has changed.
#
# usage: test.sh NAME [-C DIRECTORY] FLAGS... -- PACKAGES...
#   NAME       of the run, whose programs are its own
#   DIRECTORY  of the module, if that is not the one around it
set -euo pipefail
cd "$(dirname "$0")/.."
name=$1
shift
if [ "$1" = -C ]; then
	cd "$2"
	shift 2
fi
flags=()
while [ "$1" != -- ]; do
	flags+=("$1")
	shift
done
shift

# The programs are not in the checkout: go would take one that a test opens for a file that the result depends on. Package
# testmodule removes what nobody has used for days.
user=${XDG_CACHE_HOME:-${HOME:-}/.cache}
kept=$user/qdgen-tests/programs/$name-$(pwd | cksum | cut -d ' ' -f 1)
# Another run may have the same programs. To do without them is right, and only slower.
if [ "$user" = /.cache ] || ! mkdir -p "$kept" 2>/dev/null || ! exec 9>"$kept.lock" || ! flock -n 9 2>/dev/null; then
	exec go test "${flags[@]}" "$@"
fi

# Of a program that is half written, as its writer was killed, go sees only the beginning, and takes it for whole.
if ! rm "$kept/whole" 2>/dev/null; then
	rm -rf "$kept"
	mkdir "$kept"
fi
# They look as if they were linked now: qdgen compares the time of a program with those of its source.
find "$kept" -type f -exec touch {} +

# Of packages with one last name only the first has its program kept. Some packages have no tests.
first=() others=() names=' '
while read -r package tests; do
	last=${package##*/}
	if [ -n "$tests" ] && [ "${names/ $last /}" = "$names" ]; then
		first+=("$package")
		names+="$last "
	else
		others+=("$package")
	fi
done < <(go list -f '{{.ImportPath}}{{if or .TestGoFiles .XTestGoFiles}} tests{{end}}' "$@")

status=0
if [ ${#others[@]} != 0 ]; then
	go test "${flags[@]}" "${others[@]}" 9>&- || status=$?
fi
if [ ${#first[@]} != 0 ]; then
	# Without -o these are the linker's flags too.
	go test "${flags[@]}" -ldflags='-s -w' -o "$kept/" "${first[@]}" 9>&- || status=$?
fi
touch "$kept/whole"
exit "$status"
