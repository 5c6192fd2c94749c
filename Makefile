# qdgen's commands for developers. The first two are all that a fresh machine with Go,
# git and make needs:
#
#   make demo    runs an example
#   make test    installs what tests need (clang, NVRTC), checks and tests everything
#
# Programs that use qdgen need none of this: they build with Go alone.

# The go command asks git for changes, and git then writes its index anew if files have another time. That changes the time of
# .git. Tests read the directory that it is in, and go keeps their results only while no time in there changes.
export GIT_OPTIONAL_LOCKS := 0

# Where `make setup` puts NVRTC. Programs and tests look there because of this
# variable, not by themselves: a directory near the working directory is no place for
# a program to load libraries from.
export QD_TOOLS := $(CURDIR)/.tools

# Checks are part of the code's meaning: everybody's have to be the same.
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# Directories with modules of their own, whose requirements nobody else is to have.
MODULES := beam interop/qdarrow

# Where goroutines meet: the rest is sequential, and slow under the race detector. Of the tests in the root and in internal/e2e
# those whose files have the tag !race are left out: they launch one kernel after the other.
RACE := . ./cache ./cache/remote ./clang ./cmd/qdgen/listed ./nvrtc $(addprefix ./internal/,build dl e2e gort memo parallel reread runtime/cpu runtime/cuda runtime/gorun runtime/launch runtime/registry) ./frontend/comptime

# The packages with tests for a GPU, and where the binaries of `make gpu` go.
GPU_TESTS := ./internal/runtime/cuda ./internal/corpus ./tile ./par ./par/parslice ./optim ./qdtest ./f32 ./f64 .
GPU_DIR := build/gpu

# Tests share the machine with the compilers that they start, and the steps of a
# target are in order, but for those that beside.sh runs.
.NOTPARALLEL:

.PHONY: help
help:
	@echo "make demo       run an example (device go needs no compiler)"
	@echo "make setup      install what tests need and this machine lacks: clang, NVRTC"
	@echo "make test       all checks and tests"
	@echo "make check      the checks alone: gofmt, vet, staticcheck, generated files"
	@echo "make fuzz       random programs, compared between devices: PROGRAMS=20000 SEED=1 TIME=0"
	@echo "make fuzz-frontend  Go's own compiler tests, changed at random, through the front end: FUZZTIME=10m SEED=1"
	@echo "make golden     write the expected outputs of tests anew"
	@echo "make pages      a page for each example: what its kernels become, from Go to machine code"
	@echo "make bench      benchmarks"
	@echo "make gpu-build  build the tests and benchmarks for a machine with a GPU"
	@echo "make gpu        run them there; it needs no Go"
	@echo "make clean      remove what was built"

# Installs nothing: where there is no compiler the example runs on device go, and
# says so.
.PHONY: demo
demo:
	go run ./examples/mandelbrot

.PHONY: setup
setup:
	@scripts/setup.sh

# The whole of it, the quickest to fail first. The tests come last, without cgo, as
# programs are shipped, and beside them with the race detector, which needs cgo.
.PHONY: test
test: setup check
	@MAKE='$(MAKE)' scripts/beside.sh unit race modules

# A test that lacks a tool is skipped when somebody runs go test, and fails here.
unit race modules: export QD_TEST_REQUIRE := 1

# Checks, tests, generators and the go commands that they start are short-lived, and spend a sixth of their time on
# collecting garbage of which there is little; staticcheck spends a quarter, and needs 0.7 GB without.
check vet staticcheck generated staticcheck-generated-anew unit race modules: export GOGC := 400

# On a machine that is busy with other work a package can take long.
TEST_FLAGS := -vet=off -timeout=2h

# `make vet` looks at all packages and their tests, with more than go test would. Between runs
# go keeps the results of packages of which nothing has changed, and package testcache what
# compilers made of texts, in the user's cache directory.
# Those of package gentest generate files for packages that ./... does not name, and which staticcheck
# cannot read before.
.PHONY: unit
unit:
	CGO_ENABLED=0 scripts/test.sh unit $(TEST_FLAGS) -- ./...
	@MAKEFLAGS= scripts/once.sh staticcheck-generated $(ANEW) staticcheck-generated-anew

.PHONY: modules
modules:
	for m in $(MODULES); do CGO_ENABLED=0 scripts/test.sh $$(basename $$m) -C $$m $(TEST_FLAGS) -- ./... || exit 1; done

.PHONY: race
race:
	CGO_ENABLED=1 CC="$$(scripts/setup.sh --cc)" scripts/test.sh race $(TEST_FLAGS) -race -- $(RACE)

.PHONY: check
check: format vet staticcheck generated

# Without cgo, so that what they build is what the tests build.
vet staticcheck generated staticcheck-generated-anew: export CGO_ENABLED := 0

# These three take a minute even where they find nothing new: they are left out where they have passed with the
# same files. What is called anew runs in any case. The recipe does not name MAKE and clears the flags, so that
# neither make -n nor make -i counts as a pass.
ANEW := $(MAKE) --no-print-directory
.PHONY: vet staticcheck generated
vet staticcheck generated:
	@MAKEFLAGS= scripts/once.sh $@ $(ANEW) $@-anew

.PHONY: format
format:
	@files=$$(git ls-files --cached --others --exclude-standard '*.go' | \
		awk '!/\/testdata\// || /internal\/gentest\//' | sort -u | \
		while read -r f; do if [ -e "$$f" ]; then echo "$$f"; fi; done | xargs gofmt -l); \
	if [ -n "$$files" ]; then echo "not formatted; run gofmt -w on:" >&2; echo "$$files" >&2; exit 1; fi

# What is for other systems only has a test in internal/e2e.
.PHONY: vet-anew
vet-anew:
	go vet ./...
	for m in $(MODULES); do go vet -C $$m ./... || exit 1; done

.PHONY: staticcheck-anew
staticcheck-anew:
	go run $(STATICCHECK) ./...
	for m in $(MODULES); do (cd $$m && go run $(STATICCHECK) ./...) || exit 1; done

# Of files that git does not know: what they are follows from those that it knows.
.PHONY: staticcheck-generated-anew
staticcheck-generated-anew:
	go run $(STATICCHECK) $(addprefix ./internal/gentest/testdata/,bigtypes/... matrices peers/...)

.PHONY: generated-anew
generated-anew:
	scripts/check-generated.sh

# Random programs run as Go, as C++ and as CUDA text behind the host shim. Those that
# fail are made smaller and written as cases of the corpus, to be looked at and kept:
# `go generate ./internal/corpus && make golden` completes them. TIME=30m ends a run early; the seed of
# each run is another unless it is given.
PROGRAMS ?= 20000
SEED ?= $(shell date +%s)000000
TIME ?= 0

.PHONY: fuzz
fuzz: setup
	go test -v -timeout 0 -run '^TestRandomPrograms$$' ./internal/randprog \
		-programs $(PROGRAMS) -seed $(SEED) -for $(TIME) -save $(CURDIR)/testdata/fixedbugs

# The tests of the Go compiler in GOROOT/test, and what random changes make of them, as kernels:
# the front end has diagnostics or a module that is valid and means the same after the passes.
FUZZTIME ?= 10m

.PHONY: fuzz-frontend
fuzz-frontend:
	CGO_ENABLED=0 go test -vet=off -timeout 0 -run '^TestGoFilesChanged$$' ./frontend -gofiles $(FUZZTIME) -seed $(SEED)
	CGO_ENABLED=0 go test -vet=off -run '^$$' -fuzz '^FuzzGoFiles$$' -fuzztime $(FUZZTIME) ./frontend

# Only the packages that have expected outputs know -update. One of them needs what qdgen generates.
.PHONY: golden
golden:
	go generate ./internal/gentest/testdata/bigtypes/... ./internal/gentest/testdata/peers
	go test $$(git grep -l --untracked 'flag.Bool("update"' -- '*_test.go' | xargs -n 1 dirname | sort -u | sed 's,^,./,') -update

# What the kernels of each example become, one page each: build/pages/NAME.html.
.PHONY: pages
pages:
	@scripts/pages.sh

.PHONY: bench
bench:
	go run ./bench
	go test -run '^$$' -bench . ./internal/dl ./clang ./nvrtc

# For a machine with a GPU and without Go: test binaries, the benchmarks and the
# command, which run in a copy of this checkout.
.PHONY: gpu-build
gpu-build:
	CGO_ENABLED=0 scripts/gpu.sh build $(GPU_DIR) $(GPU_TESTS)

.PHONY: gpu
gpu:
	@if command -v go >/dev/null; then $(MAKE) --no-print-directory gpu-build; fi
	@scripts/gpu.sh run $(GPU_DIR)

# The tools stay: they are no product of this checkout. To be rid of them too,
# remove .tools.
.PHONY: clean
clean:
	rm -rf build
