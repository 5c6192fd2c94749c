package nvrtc

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/qdgen/qd/internal/dl"
)

// success is the nvrtcResult of a call that went well.
const success = 0

// api is an open NVRTC: the functions of nvrtc.h that are used. The pointer to a
// program is opaque, sizes are size_t, results are nvrtcResult.
type api struct {
	lib *dl.Lib

	errorString    func(result int32) string
	version        func(major, minor *int32) int32
	createProgram  func(prog *uintptr, src, name string, numHeaders int32, headers, includeNames *uintptr) int32
	destroyProgram func(prog *uintptr) int32
	compileProgram func(prog uintptr, numOptions int32, options *uintptr) int32
	logSize        func(prog uintptr, size *uint) int32
	log            func(prog uintptr, log *byte) int32
	ptxSize        func(prog uintptr, size *uint) int32
	ptx            func(prog uintptr, ptx *byte) int32

	// Since CUDA 11.1 and 11.2; nil before.
	cubinSize        func(prog uintptr, size *uint) int32
	cubin            func(prog uintptr, cubin *byte) int32
	numSupportedArch func(n *int32) int32
	supportedArchs   func(archs *int32) int32
}

// openAPI loads the library and binds its functions.
func openAPI(path string) (*api, error) {
	lib, err := dl.Open(path)
	if err != nil {
		return nil, err
	}
	a := &api{lib: lib}
	for _, f := range []struct {
		fptr     any
		name     string
		optional bool
	}{
		{&a.errorString, "nvrtcGetErrorString", false},
		{&a.version, "nvrtcVersion", false},
		{&a.createProgram, "nvrtcCreateProgram", false},
		{&a.destroyProgram, "nvrtcDestroyProgram", false},
		{&a.compileProgram, "nvrtcCompileProgram", false},
		{&a.logSize, "nvrtcGetProgramLogSize", false},
		{&a.log, "nvrtcGetProgramLog", false},
		{&a.ptxSize, "nvrtcGetPTXSize", false},
		{&a.ptx, "nvrtcGetPTX", false},
		{&a.cubinSize, "nvrtcGetCUBINSize", true},
		{&a.cubin, "nvrtcGetCUBIN", true},
		{&a.numSupportedArch, "nvrtcGetNumSupportedArchs", true},
		{&a.supportedArchs, "nvrtcGetSupportedArchs", true},
	} {
		if err := lib.Bind(f.fptr, f.name); err != nil && !f.optional {
			lib.Close() // the error to report is that it is no NVRTC
			return nil, err
		}
	}
	return a, nil
}

// check makes an error of a result.
func (a *api) check(function string, result int32) error {
	if result == success {
		return nil
	}
	return fmt.Errorf("%s: %s", function, a.errorString(result))
}

// archs returns the compute capabilities that code can be made for, 10 times the
// major version plus the minor one, in ascending order; nil where the library is
// too old to say.
func (a *api) archs() ([]int, error) {
	if a.numSupportedArch == nil || a.supportedArchs == nil {
		return nil, nil
	}
	var n int32
	if err := a.check("nvrtcGetNumSupportedArchs", a.numSupportedArch(&n)); err != nil || n <= 0 {
		return nil, err
	}
	list := make([]int32, n)
	if err := a.check("nvrtcGetSupportedArchs", a.supportedArchs(&list[0])); err != nil {
		return nil, err
	}
	archs := make([]int, n)
	for i, v := range list {
		archs[i] = int(v)
	}
	return archs, nil
}

// bytes calls a pair of NVRTC's functions: what gives the size of a text, and what
// copies it.
func (a *api) bytes(name string, prog uintptr, size func(uintptr, *uint) int32, get func(uintptr, *byte) int32) ([]byte, error) {
	var n uint
	if err := a.check(name+"Size", size(prog, &n)); err != nil || n == 0 {
		return nil, err
	}
	b := make([]byte, n)
	if err := a.check(name, get(prog, &b[0])); err != nil {
		return nil, err
	}
	return b, nil
}

// compile runs the compiler over a program with options.
func (a *api) compile(prog uintptr, options []string) int32 {
	// An array of C strings. What the addresses in it point to is pinned: as
	// integers they keep nothing alive.
	var pinner runtime.Pinner
	defer pinner.Unpin()
	list := make([]uintptr, len(options)+1)
	for i, o := range options {
		text := append([]byte(o), 0)
		pinner.Pin(&text[0])
		list[i] = uintptr(unsafe.Pointer(&text[0]))
	}
	return a.compileProgram(prog, int32(len(options)), &list[0])
}
