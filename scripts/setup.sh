#!/usr/bin/env bash
# Installs what qdgen's tests need and this machine lacks:
#
#   clang   with the system's package manager
#   NVRTC   into .tools/ of this checkout, from the Python package index
#   nginx   with the system's package manager: a remote cache for tests
#
# and Chromium where apt-get can install it at once. Without it the tests of the pages of qdgen explain are
# skipped.
#
# Prints a line for each and is done at once where nothing is missing. Programs that
# use qdgen need neither to build; to run, each device needs its own.
#
# usage: setup.sh [--all | --cc]
#   --all  NVRTC of CUDA 12 and 11 too, which the tests use where they find them
#   --cc   install nothing, print a C compiler for cgo (the race detector needs one)
set -euo pipefail
cd "$(dirname "$0")/.."

# By CUDA version. The newest is what tests run with; all from 11 on are supported.
nvrtc_package='nvidia-cuda-nvrtc>=13,<14'
older_packages='cu12 cu11'

say() { printf '%-8s %s\n' "$1" "$2"; }

fail() { # what to do by hand, instead of a package manager's last words
	printf 'setup: %s\n' "$1" >&2
	shift
	for line in "$@"; do printf '       %s\n' "$line" >&2; done
	exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# as_root runs a command as root, or fails where that would need a password that
# nobody is there to type.
as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif have sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
		sudo "$@"
	else
		return 1
	fi
}

# install_package installs a package, given its name in apt-get, dnf, apk, pacman and
# brew.
install_package() {
	if have apt-get; then
		as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2 &&
			as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >&2
	elif have dnf; then
		as_root dnf install -y -q "$2" >&2
	elif have apk; then
		as_root apk add --quiet "$3" >&2
	elif have pacman; then
		as_root pacman -S --needed --noconfirm "$4" >&2
	elif have brew; then
		brew install --quiet "$5" >&2
	else
		return 1
	fi
}

# find_clang prints the clang++ that qdgen will find (package clang looks in the
# same places).
find_clang() {
	local name
	for name in clang++ clang $(seq -f 'clang++-%g' 30 -1 11); do
		if have "$name"; then
			command -v "$name"
			return
		fi
	done
	for name in /usr/lib/llvm-*/bin/clang++ /usr/lib/llvm/*/bin/clang++ /opt/homebrew/opt/llvm/bin/clang++ /usr/local/opt/llvm/bin/clang++; do
		if [ -x "$name" ]; then
			printf '%s\n' "$name"
			return
		fi
	done
	return 1
}

setup_clang() {
	local path
	if [ -n "${QD_CXX:-}" ]; then
		say C++ "$QD_CXX (named by QD_CXX)"
	elif path=$(find_clang); then
		say clang "$path"
	else
		say clang "missing: installing it"
		install_package clang clang clang clang llvm || true
		path=$(find_clang) || fail "clang could not be installed" \
			"Debian, Ubuntu:  sudo apt-get install clang" \
			"Fedora:          sudo dnf install clang" \
			"Arch:            sudo pacman -S clang" \
			"macOS:           xcode-select --install" \
			"or name any C++17 compiler in QD_CXX, and run this again"
		say clang "$path (installed)"
	fi
}

# Only a test of the remote cache needs it: without it that test is skipped, but under make test.
setup_nginx() {
	if have nginx || [ -x /usr/sbin/nginx ]; then
		say nginx "$(command -v nginx || echo /usr/sbin/nginx)"
		return
	fi
	say nginx "missing: installing it"
	install_package nginx-core nginx nginx nginx nginx || fail "nginx could not be installed" \
		"Debian, Ubuntu:  sudo apt-get install nginx-core" \
		"others:          install nginx with its module for WebDAV, and run this again"
}

# wheel_library prints the library that a directory of .tools holds.
wheel_library() {
	local path
	for path in "$1"/nvidia/cu*/lib/libnvrtc.so.*; do
		case $path in
		*.alt.so.* | *\**) ;;
		*)
			printf '%s\n' "$path"
			return
			;;
		esac
	done
	return 1
}

# setup_nvrtc PACKAGE DIRECTORY
setup_nvrtc() {
	local path tmp
	if path=$(wheel_library "$2"); then
		say NVRTC "$path"
		return
	fi
	say NVRTC "missing: installing $1 into $2"
	if ! python3 -m pip --version >/dev/null 2>&1; then
		install_package python3-pip python3-pip py3-pip python-pip python3 || true
	fi
	# Put into place only when it is complete.
	mkdir -p .tools
	tmp=$(mktemp -d .tools/tmp.XXXXXX)
	trap 'rm -rf "$tmp"' EXIT
	if ! PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --disable-pip-version-check --no-deps --only-binary=:all: --target "$tmp" "$1" >&2 ||
		! wheel_library "$tmp" >/dev/null; then
		fail "NVRTC could not be installed" \
			"python3 -m pip install --target $2 '$1'   (or any CUDA toolkit from version 11 on;" \
			"where it is not found by itself, name the library in QD_NVRTC), and run this again"
	fi
	chmod 755 "$tmp"
	rm -rf "$2"
	mv "$tmp" "$2"
	trap - EXIT
	say NVRTC "$(wheel_library "$2") (installed)"
}

# print_cc prints a C compiler.
print_cc() {
	local path
	for path in ${CC:-} gcc cc clang; do
		if have "$path"; then
			printf '%s\n' "$path"
			return
		fi
	done
	path=$(find_clang) || fail "there is no C compiler; run make setup"
	printf '%s\n' "$path"
}

# setup_chromium installs a browser for the tests of pages, which need none where that is not done at once.
setup_chromium() {
	local name
	for name in chromium chromium-browser google-chrome google-chrome-stable chrome; do
		if have "$name"; then
			say browser "$(command -v "$name")"
			return
		fi
	done
	if have apt-get && [ "$(id -u)" = 0 ]; then
		say browser "missing: installing chromium"
		if install_package chromium && have chromium; then
			say browser "$(command -v chromium) (installed)"
			return
		fi
	fi
	say browser "there is no Chromium: the tests of the pages of qdgen explain are skipped"
}

case ${1:-} in
--cc)
	print_cc
	exit
	;;
'' | --all) ;;
*) fail "unknown argument $1" "usage: setup.sh [--all | --cc]" ;;
esac

setup_clang
setup_chromium
setup_nginx
case $(uname -s)-$(uname -m) in
Linux-x86_64 | Linux-aarch64)
	if [ -n "${QD_NVRTC:-}" ]; then
		say NVRTC "$QD_NVRTC (named by QD_NVRTC)"
	else
		setup_nvrtc "$nvrtc_package" .tools/nvrtc
	fi
	if [ "${1:-}" = --all ]; then
		for cu in $older_packages; do
			setup_nvrtc "nvidia-cuda-nvrtc-$cu" ".tools/nvrtc-$cu"
		done
	fi
	;;
*) say NVRTC "does not exist for $(uname -sm): its tests are skipped" ;;
esac
