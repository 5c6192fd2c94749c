#!/usr/bin/env bash
# Shows how the texts of the corpus' kernels (SSA, C++, CUDA) differ between a commit, by default
# the last one, and the files as they are now:
#
#   scripts/diff-texts.sh [COMMIT] [OPTION OF git diff ...]
#
# --stat lists the texts alone.
set -euo pipefail
cd "$(dirname "$0")/.."

commit=HEAD
if [ $# -gt 0 ] && [ "${1#-}" = "$1" ]; then
	commit=$1
	shift
fi
dir=$(mktemp -d)
trap 'git worktree remove --force "$dir/checkout" 2>/dev/null; rm -rf "$dir"' EXIT
git worktree add --quiet --detach "$dir/checkout" "$commit"

# texts writes the texts of a checkout.
texts() {
	(cd "$1" && CGO_ENABLED=0 go test -vet=off -count=1 -run '^TestDigests$' ./internal/corpus -texts "$2" >&2)
}
texts "$dir/checkout" "$dir/before"
texts . "$dir/after"
cd "$dir"
status=0
git --no-pager diff --no-index "$@" before after || status=$?
exit $((status > 1 ? status : 0))
