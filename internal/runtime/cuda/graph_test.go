package cuda

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

// graphOf makes a graph.
func graphOf(t testing.TB, dev *Device, launches ...*Launch) *Graph {
	t.Helper()
	g, err := dev.NewGraph(launches)
	ok(t, err)
	return g
}

// first is the first element of a memory.
func first(t testing.TB, m *Memory) int64 {
	t.Helper()
	got := make([]int64, 1)
	ok(t, m.Read(bytesOf(got)))
	return got[0]
}

// What the driver reads lies where its header has it.
func TestGraphLayout(t *testing.T) {
	for _, c := range []struct {
		what      string
		got, want uintptr
	}{
		{"CUDA_KERNEL_NODE_PARAMS", unsafe.Sizeof(kernelNode{}), 56},
		{"kernelParams", unsafe.Offsetof(kernelNode{}.params), 40},
		{"CUDA_MEMCPY3D", unsafe.Sizeof(copyNode{}), 200},
		{"srcHost", unsafe.Offsetof(copyEnd{}.host), 40},
		{"srcHeight", unsafe.Offsetof(copyEnd{}.height), 80},
		{"dstXInBytes", unsafe.Offsetof(copyNode{}.to), 88},
		{"WidthInBytes", unsafe.Offsetof(copyNode{}.width), 176},
		{"CUDA_MEMSET_NODE_PARAMS", unsafe.Sizeof(clearNode{}), 40},
		{"width", unsafe.Offsetof(clearNode{}.width), 24},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, not %d", c.what, c.got, c.want)
		}
	}
}

// A graph runs its launches in their order, with the arguments that they had.
func TestGraph(t *testing.T) {
	f, dev := fake(t)
	mod := load(t, dev, "kernels.cpp", nil)
	add, scale := kernel(t, mod, "add"), kernel(t, mod, "scale")
	m := alloc(t, dev, 1)
	ok(t, m.Write(bytesOf(filled(1, 0))))
	a := addArgs(m, 3)
	s := stream(t, dev)
	plus := launch(t, add, dev.Stream(), a, 1)
	live := f.Live()
	g := graphOf(t, dev, plus, launch(t, scale, s, addArgs(m, 10), 1), launch(t, add, s, nil, 0), launch(t, add, s, addArgs(m, 4), 1))
	copy(a, addArgs(m, 1000))
	want := int64(0)
	for i, on := range []*Stream{dev.Stream(), dev.Stream(), s, dev.Stream(), s, s} {
		ok(t, g.Launch(on))
		if want = (want+3)*10 + 4; i%2 == 1 {
			ok(t, on.Sync(background))
			if got := first(t, m); got != want {
				t.Fatalf("after %d runs %d, want %d", i+1, got, want)
			}
		}
	}
	ok(t, g.Close())
	ok(t, g.Close())
	if n := f.Live(); n != live {
		t.Errorf("%d objects are left", n-live)
	}
	if err := g.Launch(s); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("launch of a closed graph: %v", err)
	}
}

// A graph of nothing asks nothing of the driver.
func TestEmptyGraph(t *testing.T) {
	f, dev := fake(t)
	k := kernel(t, load(t, dev, "kernels.cpp", nil), "add")
	live := f.Live()
	for _, g := range []*Graph{graphOf(t, dev), graphOf(t, dev, launch(t, k, dev.Stream(), nil, 0))} {
		f.Configure(t, "cuGraphLaunch=1@1")
		ok(t, g.Launch(dev.Stream()))
		f.Configure(t, "cuGraphLaunch=0")
		if f.Live() != live {
			t.Error("an empty graph has something of the driver's")
		}
		ok(t, g.Close())
	}
}

// A fault in a graph is that of its launch: the first of a run, and of the first run.
func TestGraphFault(t *testing.T) {
	_, dev := fake(t)
	k, other := kernel(t, load(t, dev, "failing.cpp", nil), "fail"), kernel(t, load(t, dev, "failing.cpp", nil), "fail")
	s, s2 := stream(t, dev), stream(t, dev)
	launches := func(names ...string) []*Launch {
		var all []*Launch
		for i, name := range names {
			thread, kernel := 10, k
			if strings.HasPrefix(name, "bad") {
				thread = i
			}
			if i%2 == 1 {
				kernel = other
			}
			all = append(all, failing(t, kernel, s, name, thread))
		}
		return all
	}
	good := graphOf(t, dev, launches("good", "good")...)
	bad := graphOf(t, dev, launches("good", "bad1", "good", "bad2", "good")...)
	alone := launches("bad alone")[0]

	ok(t, good.Launch(s))
	ok(t, bad.Launch(s))
	ok(t, good.Launch(s))
	wantError(t, "Sync", s.Sync(background), "bad1 failed in thread 1")
	wantError(t, "second Sync", s.Sync(background), "")
	ok(t, good.Launch(s))
	wantError(t, "Sync of what is right", s.Sync(background), "")

	// More runs than there are slots, on two streams, with a launch of the same module between.
	for at := range 3 * graphSlots {
		for i := range 3 * graphSlots {
			g, on := good, s
			if i == at {
				g = bad
			}
			if i%3 == 0 {
				on = s2
			}
			ok(t, g.Launch(on))
		}
		bads, goods := s, s2
		if at%3 == 0 {
			bads, goods = s2, s
		}
		wantError(t, "other stream", goods.Sync(background), "")
		wantError(t, "stream", bads.Sync(background), "bad1 failed in thread 1")
	}
	ok(t, good.Launch(s2))
	ok(t, alone.Run())
	ok(t, bad.Launch(s2))
	wantError(t, "stream of the launch", s.Sync(background), "bad alone failed in thread 0")
	wantError(t, "device", dev.Sync(), "bad1 failed in thread 1")
	wantError(t, "stream of the graph", s2.Sync(background), "bad1 failed in thread 1")

	// On the device's own stream the device tells once.
	ok(t, bad.Launch(dev.Stream()))
	wantError(t, "device", dev.Sync(), "bad1 failed in thread 1")
	wantError(t, "device again", dev.Sync(), "")

	// Closing a graph leaves its faults to the streams.
	ok(t, bad.Launch(s))
	ok(t, bad.Close())
	wantError(t, "stream after Close", s.Sync(background), "bad1 failed in thread 1")
	wantError(t, "stream after it", s.Sync(background), "")
}

// What the kernels of a graph print is printed when its stream is waited for.
func TestGraphPrints(t *testing.T) {
	_, dev := fake(t)
	var out printed
	k := kernel(t, load(t, dev, "printing.cpp", out.handler(t)), "hello")
	s := stream(t, dev)
	hello := func(n, value int) *Launch { return launch(t, k, s, args(n, 1, 1, 1, value), n) }
	g := graphOf(t, dev, hello(2, 10), hello(1, 20))
	for range 2 {
		ok(t, g.Launch(s))
		ok(t, g.Launch(s))
		if got := out.lines(); got != "" {
			t.Errorf("printed %q before it was waited for", got)
		}
		ok(t, s.Sync(background))
		if got := out.lines(); got != "10 11 20 10 11 20" {
			t.Errorf("printed %q", got)
		}
	}
	ok(t, s.Sync(background))
	if got := out.lines(); got != "" {
		t.Errorf("printed %q again", got)
	}
}

// A graph is made wholly or not at all, and errors of the driver arrive.
func TestGraphErrors(t *testing.T) {
	f, dev := fake(t)
	good := failing(t, kernel(t, load(t, dev, "failing.cpp", nil), "fail"), dev.Stream(), "good", 10)
	live := f.Live()
	for _, call := range []string{"cuMemAlloc_v2=1@1", "cuMemAlloc_v2=1@2", "cuGraphCreate=1@1", "cuGraphAddKernelNode=1@2",
		"cuGraphAddMemcpyNode=1@1", "cuGraphAddMemsetNode=1@2", "cuGraphInstantiate_v2=1@1", "cuGraphDestroy=1@1"} {
		f.Configure(t, call)
		if _, err := dev.NewGraph([]*Launch{good, good}); !is(err, 1) {
			t.Errorf("%s: %v", call, err)
		}
		if f.Live() != live && call != "cuGraphDestroy=1@1" {
			t.Errorf("%s: %d objects are left", call, f.Live()-live)
		}
	}
	g := graphOf(t, dev, good)
	for _, call := range []string{"cuGraphLaunch", "cuMemcpyDtoDAsync_v2"} {
		f.Configure(t, call+"=701@1")
		if err := g.Launch(dev.Stream()); !is(err, 701) {
			t.Errorf("%s: %v", call, err)
		}
	}
	ok(t, g.Launch(dev.Stream()))
	ok(t, dev.Sync())
	other := device(t, dev.Driver(), 1)
	if err := g.Launch(other.Stream()); err == nil || !strings.Contains(err.Error(), "the graph is on GPU 0, but the stream is on GPU 1") {
		t.Errorf("launch on another GPU: %v", err)
	}
	if _, err := other.NewGraph([]*Launch{good}); err == nil || !strings.Contains(err.Error(), "GPU 0") {
		t.Errorf("graph on another GPU: %v", err)
	}
	f.Configure(t, "cuGraphExecDestroy=1@1")
	if err := g.Close(); !is(err, 1) {
		t.Errorf("Close: %v", err)
	}
}

// Goroutines launch graphs of the same modules on streams of their own; a run is whole.
func TestGraphsAtOnce(t *testing.T) {
	f, dev := fake(t)
	f.Configure(t, "eager=1")
	fails, prints := load(t, dev, "failing.cpp", nil), load(t, dev, "printing.cpp", nil)
	m := load(t, dev, "kernels.cpp", nil)
	mem := alloc(t, dev, 1)
	ok(t, mem.Write(bytesOf(filled(1, 0))))
	step := []*Launch{
		launch(t, kernel(t, m, "add"), dev.Stream(), addArgs(mem, 1), 1),
		failing(t, kernel(t, fails, "fail"), dev.Stream(), "bad", 4),
		launch(t, kernel(t, prints, "hello"), dev.Stream(), args(1, 1, 1, 1, 7), 1),
		launch(t, kernel(t, m, "scale"), dev.Stream(), addArgs(mem, 1), 1),
	}
	shared := graphOf(t, dev, step...)
	slices.Reverse(step)
	const goroutines, runs = 8, 20
	var wg sync.WaitGroup
	for i := range goroutines {
		own := graphOf(t, dev, step...)
		s := stream(t, dev)
		wg.Go(func() {
			for range runs {
				if err := shared.Launch(s); err != nil {
					t.Error(err)
				}
				if err := own.Launch(s); err != nil {
					t.Error(err)
				}
				if i%2 == 0 {
					runtime.Gosched()
				}
			}
			wantError(t, fmt.Sprint("stream ", i), s.Close(), "bad failed in thread 4")
			if err := own.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	ok(t, dev.Sync())
	if got := first(t, mem); got != 2*goroutines*runs {
		t.Errorf("%d runs of %d", got, 2*goroutines*runs)
	}
}

func TestGraphLaunchAllocatesNothing(t *testing.T) {
	f, dev := fake(t)
	f.Configure(t, "eager=1")
	m := alloc(t, dev, 1)
	l := launch(t, kernel(t, load(t, dev, "kernels.cpp", nil), "add"), dev.Stream(), addArgs(m, 1), 1)
	g := graphOf(t, dev, l, l, l)
	if n := testing.AllocsPerRun(100, func() { ok(t, g.Launch(dev.Stream())) }); n >= 1 {
		t.Errorf("a launch of a graph allocates %v times", n)
	}
}
