package cuda

import (
	"strings"
	"testing"
	"unsafe"
)

// TestStack wants a larger stack where there is recursion, once for a context, and none elsewhere.
func TestStack(t *testing.T) {
	f, dev := fake(t)
	limit := func() (n uintptr) {
		t.Helper()
		ok(t, dev.call(&dev.drv.ctxGetLimit, uintptr(unsafe.Pointer(&n)), limitStackSize))
		return n
	}
	kernel := func(source string) error {
		t.Helper()
		m, err := dev.Load(hostImage(t, source), nil)
		ok(t, err)
		_, err = m.Kernel("add")
		return err
	}
	before := limit()
	ok(t, kernel("kernels.cpp"))
	if got := limit(); got != before || f.Calls("cuCtxSetLimit") != 0 {
		t.Errorf("a module without recursion gives a stack of %d bytes, %d before", got, before)
	}
	f.Configure(t, "cuCtxSetLimit=2@1")
	if err := kernel("recursion.cpp"); err == nil || !strings.Contains(err.Error(), "recursion in the kernel needs a stack of 32768 bytes") {
		t.Errorf("%v", err)
	}
	ok(t, kernel("recursion.cpp"))
	ok(t, kernel("recursion.cpp"))
	if got, calls := limit(), f.Calls("cuCtxSetLimit"); got != 32768 || calls != 2 {
		t.Errorf("a stack of %d bytes after %d calls", got, calls)
	}
	// Another user of the context has asked for more.
	ok(t, dev.call(&dev.drv.ctxSetLimit, limitStackSize, 65536))
	ok(t, kernel("recursion.cpp"))
	if got := limit(); got != 65536 {
		t.Errorf("the stack is %d bytes", got)
	}
}
