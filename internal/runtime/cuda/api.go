package cuda

import (
	"unsafe"

	"github.com/qdgen/qd/internal/dl"
)

// A function is one of the driver's.
type function struct {
	name string
	addr uintptr
}

// api is the part of the driver interface that is used here. Names end in _v2
// where the header maps the plain name to a later version of the function.
type api struct {
	init               function
	driverGetVersion   function
	getErrorName       function
	getErrorString     function
	deviceGetCount     function
	deviceGet          function
	deviceGetName      function
	deviceGetAttribute function
	deviceTotalMem     function
	primaryCtxRetain   function
	primaryCtxRelease  function
	ctxSetCurrent      function
	ctxSynchronize     function
	ctxGetLimit        function
	ctxSetLimit        function
	memGetInfo         function
	memAlloc           function
	memFree            function
	memcpyHtoDAsync    function
	memcpyDtoHAsync    function
	memcpyDtoDAsync    function
	memsetD8Async      function
	moduleLoadDataEx   function
	moduleUnload       function
	moduleGetFunction  function
	moduleGetGlobal    function
	funcGetAttribute   function
	funcSetAttribute   function
	launchKernel       function
	streamCreate       function
	streamDestroy      function
	streamSynchronize  function
	eventCreate        function
	eventDestroy       function
	eventRecord        function
	eventSynchronize   function
	eventElapsedTime   function
	graphCreate        function
	graphDestroy       function
	graphAddKernel     function
	graphAddMemcpy     function
	graphAddMemset     function
	graphInstantiate   function
	graphExecDestroy   function
	graphLaunch        function
}

// bind looks all functions up. The error is a *dl.SymbolError: the library is
// older than the oldest driver that is supported, or no driver at all.
func (a *api) bind(lib *dl.Lib) error {
	for _, f := range []struct {
		f    *function
		name string
	}{
		{&a.init, "cuInit"},
		{&a.driverGetVersion, "cuDriverGetVersion"},
		{&a.getErrorName, "cuGetErrorName"},
		{&a.getErrorString, "cuGetErrorString"},
		{&a.deviceGetCount, "cuDeviceGetCount"},
		{&a.deviceGet, "cuDeviceGet"},
		{&a.deviceGetName, "cuDeviceGetName"},
		{&a.deviceGetAttribute, "cuDeviceGetAttribute"},
		{&a.deviceTotalMem, "cuDeviceTotalMem_v2"},
		{&a.primaryCtxRetain, "cuDevicePrimaryCtxRetain"},
		{&a.primaryCtxRelease, "cuDevicePrimaryCtxRelease_v2"},
		{&a.ctxSetCurrent, "cuCtxSetCurrent"},
		{&a.ctxSynchronize, "cuCtxSynchronize"},
		{&a.ctxGetLimit, "cuCtxGetLimit"},
		{&a.ctxSetLimit, "cuCtxSetLimit"},
		{&a.memGetInfo, "cuMemGetInfo_v2"},
		{&a.memAlloc, "cuMemAlloc_v2"},
		{&a.memFree, "cuMemFree_v2"},
		{&a.memcpyHtoDAsync, "cuMemcpyHtoDAsync_v2"},
		{&a.memcpyDtoHAsync, "cuMemcpyDtoHAsync_v2"},
		{&a.memcpyDtoDAsync, "cuMemcpyDtoDAsync_v2"},
		{&a.memsetD8Async, "cuMemsetD8Async"},
		{&a.moduleLoadDataEx, "cuModuleLoadDataEx"},
		{&a.moduleUnload, "cuModuleUnload"},
		{&a.moduleGetFunction, "cuModuleGetFunction"},
		{&a.moduleGetGlobal, "cuModuleGetGlobal_v2"},
		{&a.funcGetAttribute, "cuFuncGetAttribute"},
		{&a.funcSetAttribute, "cuFuncSetAttribute"},
		{&a.launchKernel, "cuLaunchKernel"},
		{&a.streamCreate, "cuStreamCreate"},
		{&a.streamDestroy, "cuStreamDestroy_v2"},
		{&a.streamSynchronize, "cuStreamSynchronize"},
		{&a.eventCreate, "cuEventCreate"},
		{&a.eventDestroy, "cuEventDestroy_v2"},
		{&a.eventRecord, "cuEventRecord"},
		{&a.eventSynchronize, "cuEventSynchronize"},
		{&a.eventElapsedTime, "cuEventElapsedTime"},
		{&a.graphCreate, "cuGraphCreate"},
		{&a.graphDestroy, "cuGraphDestroy"},
		{&a.graphAddKernel, "cuGraphAddKernelNode"},
		{&a.graphAddMemcpy, "cuGraphAddMemcpyNode"},
		{&a.graphAddMemset, "cuGraphAddMemsetNode"},
		{&a.graphInstantiate, "cuGraphInstantiate_v2"}, // the one that the oldest drivers have too
		{&a.graphExecDestroy, "cuGraphExecDestroy"},
		{&a.graphLaunch, "cuGraphLaunch"},
	} {
		addr, err := lib.Symbol(f.name)
		if err != nil {
			return err
		}
		*f.f = function{f.name, addr}
	}
	return nil
}

// result is the code that a call returns: a C int, so only the lower half of the
// register means something.
func result(r uintptr) Code { return Code(int32(uint32(r))) }

// call calls a function that needs no context.
//
//go:uintptrescapes
func (a *api) call(f *function, args ...uintptr) error {
	if code := result(dl.Call(f.addr, args...)); code != 0 {
		return a.error(f, code)
	}
	return nil
}

// error makes an error of a code that a function returned.
func (a *api) error(f *function, code Code) *Error {
	e := &Error{Call: f.name, Code: code, Lost: code.sticky()}
	e.Name = a.text(&a.getErrorName, code)
	e.Text = a.text(&a.getErrorString, code)
	if e.Name == "" {
		e.Name, e.Text = "CUDA_ERROR", "an error without a description in this driver"
	}
	return e
}

// text asks the driver for a code's name or text; "" when it knows none.
func (a *api) text(f *function, code Code) string {
	var s *byte
	if dl.Call(f.addr, uintptr(code), uintptr(unsafe.Pointer(&s))); s == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(s), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(s, n))
}

// Values of the driver's enumerations.
const (
	attributeMultiprocessors = 16 // CUdevice_attribute
	attributeMajor           = 75
	attributeMinor           = 76
	attributeBlockMemory     = 97

	attributeMaxThreads  = 0 // CUfunction_attribute
	attributeSharedBytes = 1
	attributeLocalBytes  = 3
	attributeRegisters   = 4
	attributeAskedMemory = 8

	jitInfoLog      = 3 // CUjit_option
	jitInfoLogSize  = 4
	jitErrorLog     = 5
	jitErrorLogSize = 6

	limitStackSize = 0 // CUlimit

	paramEnd        = 0 // in the extra array of a launch
	paramBuffer     = 1
	paramBufferSize = 2

	streamNonBlocking = 1

	memoryDevice = 2 // CUmemorytype
)
