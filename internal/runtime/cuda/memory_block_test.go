package cuda

import (
	"context"
	"strings"
	"testing"
)

// TestBlockMemory wants a launch to ask for the memory of its blocks where a kernel cannot declare it. The fake driver refuses a
// launch that asks for too much or too little.
func TestBlockMemory(t *testing.T) {
	f, dev := fake(t)
	m, err := dev.Load(hostImage(t, "memory.cpp"), nil)
	ok(t, err)
	for symbol, want := range map[string]int{"large": 60000, "small": 0} {
		k, err := m.Kernel(symbol)
		ok(t, err)
		if got := k.Attributes().SharedBytes; got != want {
			t.Errorf("kernel %s has %d bytes of memory for a block, not %d", symbol, got, want)
		}
		l, err := k.Launch(dev.Stream(), make([]byte, 8), 10, 0)
		ok(t, err)
		ok(t, l.Run())
		ok(t, dev.Stream().Sync(context.Background()))
	}
	if n := f.Calls("cuFuncSetAttribute"); n != 1 {
		t.Errorf("asked %d times for memory", n)
	}
	f.Configure(t, "cuFuncSetAttribute=1@1")
	if _, err := m.Kernel("large"); err == nil {
		t.Error("no error where the driver refuses the memory")
	}
}

func TestBlockMemoryOfSmallGPU(t *testing.T) {
	f, _ := fake(t)
	f.Configure(t, "block_memory=59999")
	drv, err := OpenLibrary(f.Path)
	ok(t, err)
	dev, err := drv.Device(1)
	ok(t, err)
	m, err := dev.Load(hostImage(t, "memory.cpp"), nil)
	ok(t, err)
	if _, err := m.Kernel("large"); err == nil || !strings.Contains(err.Error(), "kernel large need 60000 bytes of memory that their threads share, for tiles and qd.Shared; a block of this GPU has at most 59999") {
		t.Errorf("the error is %v", err)
	}
	_, err = m.Kernel("small")
	ok(t, err)
}
