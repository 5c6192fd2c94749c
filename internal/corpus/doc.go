// Package corpus reads the shared corpus of kernels, testdata/goldens, testdata/corpus
// and testdata/fixedbugs: what every layer of qdgen is tested with, so that all
// devices agree.
//
// A case is one txtar file. It begins with a line that says what it is for, and
// has the sections
//
//	kernel.go      kernels and their device functions, package corpus
//	launch         what one kernel is launched with, see [Launch]
//	result         every slice after the launch, as the Go function itself leaves it
//	stdout         what the launch prints, if it prints
//
// and, where somebody is meant to read them, as in testdata/goldens, some of
//
//	lowered        the kernel's SSA before it is optimized
//	ssa            its optimized SSA
//	cpp, cu        its C++ and its CUDA
//	checked        its C++ in checked builds
//
// Of the texts of all other kernels testdata/digests.txt has digests: what a kernel
// does is held by its results on every device, and that its text stays the same by a
// line for each kernel and target.
//
// In a file of several kernels the name of the kernel follows, as in "launch
// saxpy" and "cpp saxpy"; where a kernel is launched more than once, a variant too,
// as in "launch saxpy/empty" and "result saxpy/empty".
//
// Only kernel.go, launch and the lines that begin the sections of texts are written by
// hand:
//
//	go generate ./internal/corpus                # kernel.go -> package kernels
//	go test ./internal/corpus -update            # launch -> all other sections, and digests
//	scripts/diff-texts.sh [COMMIT]               # what has changed in the texts of all kernels
//
// The kernels are ordinary Go: [Generate] copies them to package kernels, so that
// the functions are there to be called. What the Go compiler makes of them is the
// oracle of all other devices.
package corpus

//go:generate go run ./gen
