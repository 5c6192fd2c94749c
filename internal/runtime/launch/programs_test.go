package launch

import (
	"context"
	"runtime"
	"sync"
	"testing"

	"github.com/qdgen/qd/internal/runtime/kernel"
)

// Goroutines that ask for the programs of many kernels at once, more than are found without a lock, get the same for
// each kernel, and those of that kernel.
func TestProgramsAtOnce(t *testing.T) {
	var p programs
	kernels := make([]*kernel.Func, 5*len(p.recent))
	for i := range kernels {
		kernels[i] = new(kernel.Func)
	}
	got := make([][]*specializations, 4)
	var wg sync.WaitGroup
	for g := range got {
		wg.Go(func() {
			for i := range 3 * len(kernels) {
				got[g] = append(got[g], p.of(kernels[(i*(2*g+1))%len(kernels)]))
			}
		})
	}
	wg.Wait()
	for g := range got {
		for i, s := range got[g] {
			k := kernels[(i*(2*g+1))%len(kernels)]
			if s.of != k {
				t.Fatalf("goroutine %d got those of another kernel", g)
			}
			if all, ok := p.all.Load(k); !ok || all != s {
				t.Fatalf("goroutine %d got some that others do not get", g)
			}
		}
	}
}

// A device with a context has the programs of the device, and takes little memory: a program may make one for each
// launch.
func TestDeviceWithContextIsSmall(t *testing.T) {
	d, err := Open("go")
	if err != nil {
		t.Fatal(err)
	}
	d = d.Checked()
	const many = 1000
	var kept [many]*Device
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range kept {
		kept[i] = d.WithContext(context.Background())
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / many; each > 256 {
		t.Errorf("a device with a context takes %d bytes", each)
	}
	k := new(kernel.Func)
	if kept[0].programs.of(k) != kept[many-1].Fused().programs.of(k) {
		t.Error("a device with a context has programs of its own")
	}
}
