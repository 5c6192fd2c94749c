// Package corpus reads the shared corpus of kernels: testdata/goldens, testdata/corpus and
// testdata/fixedbugs. All layers of qdgen are tested with it, so that all devices agree.
//
// A case is one txtar file. It begins with a line that says what it is for, and has the sections
//
//	kernel.go      kernels and their device functions, package corpus
//	launch         the arguments of one launch, see [Launch]
//	result         every slice that the launch changes, as the Go function leaves it
//	stdout         the output of the launch, if it prints
//
// A case that people read, as in testdata/goldens, also has some of
//
//	lowered        the kernel's SSA before optimization
//	ssa            its optimized SSA
//	cpp, cu        its C++ and its CUDA, without the prelude
//	checked        its C++ in checked builds
//
// For all other kernels, testdata/digests.txt has digests of their emitted code, one line for each
// kernel and target. The results on every device test what a kernel does. The digests test that its
// code stays the same.
//
// In a file with several kernels the name of the kernel follows the name of a section, as in
// "launch saxpy" and "cpp saxpy". If a kernel is launched more than once, the name of a variant
// follows too, as in "launch saxpy/empty" and "result saxpy/empty".
//
// Only kernel.go, launch and the headers of the code sections are written by hand:
//
//	go generate ./internal/corpus                # kernel.go -> package kernels
//	go test ./internal/corpus -update            # launch -> all other sections, and digests
//	scripts/diff-texts.sh [COMMIT]               # shows what has changed in the code of all kernels
//
// The kernels are ordinary Go. [Generate] copies them to package kernels, so that they can be
// called as Go functions. Their results as compiled Go are the reference for all other devices.
package corpus

//go:generate go run ./gen
