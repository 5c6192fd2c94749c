#!/usr/bin/env bash
# Makes the page of each example with qdgen explain, in build/pages. Each line below is an example with the
# arguments that its kernels need: the constants are those of the example's own launches. The processor time
# that a page took is printed.
#
# usage: pages.sh [example...]
set -euo pipefail
cd "$(dirname "$0")/.."

export QD_TOOLS=${QD_TOOLS-$PWD/.tools}
out=build/pages
mkdir -p "$out"
go build -o build/qdgen ./cmd/qdgen

made=0
failed=0
page() { # example, arguments
	local name=$1
	shift
	if [ ${#wanted[@]} -gt 0 ] && [[ " ${wanted[*]} " != *" $name "* ]]; then return; fi
	if [ "$name" = seeds ]; then
		# Samples of other systems: those that need no values are on the page, the others make the exit status 1.
		rm -f "$out/$name.html"
		build/qdgen explain --times ./examples/seeds/... -o "$out/$name.html" >"$out/$name.log" 2>&1 || test -s "$out/$name.html"
	elif ! build/qdgen explain --times "./examples/$name/..." "$@" -o "$out/$name.html"; then
		printf 'pages.sh: no page of %s\n' "$name" >&2
		failed=1
		return
	fi
	printf '%s (%d KiB)\n' "$out/$name.html" "$(($(wc -c <"$out/$name.html") / 1024))"
	made=$((made + 1))
}

wanted=("$@")
page attention --const 'c=Config{32, 32}' --const depth=64 --const causal=true
page blur
page film --gradient
page fluid
page heat
page mandelbrot
page matmul --const 'c=Config{64, 64, 64, 4}' --const act=LeakyReLU
page mpm --const chunk=64
page raymarch --const 'r=Renderer{Samples: 2, Steps: 200, Shadow: 60, Ambient: 5, Bounces: 3, Sun: f32.Vec3{-0.72, 0.60, 0.40}}'
page saxpy
page seeds
page splat --gradient
page wind --gradient
if [ "$made" = 0 ]; then
	echo "pages.sh: no example is named ${wanted[*]}" >&2
	exit 1
fi
exit "$failed"
