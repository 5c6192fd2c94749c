package cuda

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestMemory(t *testing.T) {
	f, dev := fake(t)
	m := alloc(t, dev, 1000)
	host := make([]int64, 1000)
	for i := range host {
		host[i] = int64(i)
	}
	ok(t, m.Write(bytesOf(host)))
	// The copy is done: what happens to the slice now changes nothing.
	clear(host)
	got := make([]int64, 1000)
	ok(t, m.Read(bytesOf(got)))
	for i, v := range got {
		if v != int64(i) {
			t.Fatalf("element %d is %d", i, v)
		}
	}
	// A part from the beginning.
	ok(t, m.Write(bytesOf([]int64{-1, -2})))
	ok(t, m.Read(bytesOf(got[:3])))
	if !slices.Equal(got[:3], []int64{-1, -2, 2}) {
		t.Errorf("got %v", got[:3])
	}
	for range 2 {
		ok(t, m.Free())
	}
	if n := f.Live(); n != 1 { // the device's stream
		t.Errorf("%d objects are left", n)
	}
}

func TestMemoryErrors(t *testing.T) {
	_, dev := fake(t)
	other := device(t, dev.Driver(), 1)
	m := alloc(t, dev, 4)
	freed := alloc(t, dev, 4)
	ok(t, freed.Free())
	host := make([]byte, 33)
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"write too much":   {m.Write(host), "33 bytes of a memory of 32"},
		"read too much":    {m.Read(host), "33 bytes of a memory of 32"},
		"write freed":      {freed.Write(host[:1]), "freed"},
		"read freed":       {freed.Read(host[:1]), "freed"},
		"other device":     {other.Stream().CopyIn(m, host[:1]), "GPU 0, but the stream is on GPU 1"},
		"copy too much":    {dev.Stream().Copy(m, m, 40), "40 bytes"},
		"copy from freed":  {dev.Stream().Copy(m, freed, 8), "freed"},
		"fill freed":       {dev.Stream().Fill(freed, 1), "freed"},
		"copy of negative": {dev.Stream().Copy(m, m, -1), "-1 bytes"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: error is %v, want one with %q", name, c.err, c.want)
		}
	}
	if _, err := dev.Alloc(-1); err == nil {
		t.Error("a negative size was allocated")
	}
}

// An array without elements is no memory, and no reason for an error.
func TestNoMemory(t *testing.T) {
	_, dev := fake(t)
	m := alloc(t, dev, 0)
	if m.Address() != 0 || m.Size() != 0 {
		t.Errorf("address %#x, size %d", m.Address(), m.Size())
	}
	ok(t, m.Write(nil))
	ok(t, m.Read(nil))
	ok(t, dev.Stream().Fill(m, 1))
	ok(t, dev.Stream().Copy(m, m, 0))
	ok(t, m.Free())
}

func TestOutOfMemory(t *testing.T) {
	_, dev := fake(t)
	half := alloc(t, dev, 1<<26)
	_, err := dev.Alloc(1 << 30)
	var e *Error
	if !errors.As(err, &e) || e.Code != ErrorOutOfMemory || e.Lost {
		t.Fatalf("error is %v", err)
	}
	if got, want := e.Error(), "cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEMORY (2): out of memory; 1.0 GiB asked for, 512.0 MiB free of 1.0 GiB"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	ok(t, half.Free())
	ok(t, alloc(t, dev, 1<<27).Free())
}

// Memory that is queued to be copied is kept until then, though nobody else has
// it: the fake driver reads it when the stream is waited for.
func TestHostMemoryIsKept(t *testing.T) {
	_, dev := fake(t)
	s := stream(t, dev)
	waits := map[string]func() error{
		"stream": func() error { return s.Sync(background) },
		"device": dev.Sync,
	}
	for name, wait := range waits {
		const n = 1 << 16
		m := alloc(t, dev, n)
		collected := make(chan struct{})
		func() {
			host := filled(n, 7)
			runtime.AddCleanup(&host[0], func(c chan struct{}) { close(c) }, collected)
			ok(t, s.CopyIn(m, bytesOf(host)))
		}()
		for range 5 {
			runtime.GC()
			_ = filled(n, 9) // would take the place
		}
		select {
		case <-collected:
			t.Errorf("%s: the copy's source was collected before the copy", name)
		default:
		}
		ok(t, wait())
		got := make([]int64, n)
		ok(t, m.Read(bytesOf(got)))
		if i := slices.IndexFunc(got, func(v int64) bool { return v != 7 }); i >= 0 {
			t.Errorf("%s: element %d is %d", name, i, got[i])
		}
		for deadline := time.Now().Add(time.Minute); ; {
			runtime.GC()
			select {
			case <-collected:
			case <-time.After(10 * time.Millisecond):
				if time.Now().Before(deadline) {
					continue
				}
				t.Errorf("%s: the copy's source is kept for ever", name)
			}
			break
		}
		ok(t, m.Free())
	}
}

// Copies and launches of one stream happen in their order.
func TestStreamOrder(t *testing.T) {
	_, dev := fake(t)
	k := kernel(t, load(t, dev, "kernels.cpp", nil), "add")
	s := stream(t, dev)
	const n = 100
	a, b := alloc(t, dev, n), alloc(t, dev, n)
	got := make([]int64, n)
	ok(t, s.Fill(b, 0xff))
	ok(t, s.CopyIn(a, bytesOf(filled(n, 10))))
	ok(t, launch(t, k, s, addArgs(a, 5), n).Run())
	ok(t, s.Copy(b, a, 8*(n-1)))
	ok(t, launch(t, k, s, addArgs(b, 1), n).Run())
	ok(t, s.CopyOut(bytesOf(got), b))
	if got[0] != 0 {
		t.Error("the fake driver did not wait")
	}
	ok(t, s.Sync(background))
	if want := append(filled(n-1, 16), 0); !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if s.Device() != dev {
		t.Error("the stream is on another device")
	}
}

// Goroutines on changing threads, with streams on two devices: every call must
// find its own context.
func TestManyGoroutines(t *testing.T) {
	f, dev := fake(t)
	devices := []*Device{dev, device(t, dev.Driver(), 1)}
	image := hostImage(t, "kernels.cpp")
	live := f.Live()
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for round := range 10 {
				if err := useDevice(devices[(g+round)%2], image, int64(g)); err != nil {
					t.Error(err)
					return
				}
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
	if n := f.Live(); n != live {
		t.Errorf("%d objects before, %d after", live, n)
	}
}

// useDevice uses a bit of everything.
func useDevice(dev *Device, image []byte, start int64) (err error) {
	const n = 500
	mod, err := dev.Load(image, nil)
	if err != nil {
		return err
	}
	k, err := mod.Kernel("add")
	if err != nil {
		return err
	}
	s, err := dev.NewStream()
	if err != nil {
		return err
	}
	m, err := dev.Alloc(8 * n)
	if err != nil {
		return err
	}
	l, err := k.Launch(s, addArgs(m, 1), n, 0)
	if err != nil {
		return err
	}
	got := make([]int64, n)
	err = errors.Join(
		s.CopyIn(m, bytesOf(filled(n, start))),
		l.Run(), l.Run(), l.Run(),
		s.CopyOut(bytesOf(got), m),
		s.Sync(background),
		s.Close(), s.Close(),
		m.Free(),
	)
	if err == nil && !slices.Equal(got, filled(n, start+3)) {
		err = errors.New("wrong result")
	}
	return err
}

func TestDeviceSync(t *testing.T) {
	_, dev := fake(t)
	k := kernel(t, load(t, dev, "kernels.cpp", nil), "add")
	streams := []*Stream{dev.Stream(), stream(t, dev), stream(t, dev)}
	got := make([]int64, len(streams))
	for i, s := range streams {
		m := alloc(t, dev, 1)
		ok(t, s.CopyIn(m, bytesOf([]int64{int64(i)})))
		ok(t, launch(t, k, s, addArgs(m, 100), 1).Run())
		ok(t, s.CopyOut(bytesOf(got[i:i+1]), m))
	}
	ok(t, dev.Sync())
	if !slices.Equal(got, []int64{100, 101, 102}) {
		t.Errorf("got %v", got)
	}
}

func TestSyncContext(t *testing.T) {
	_, dev := fake(t)
	s := stream(t, dev)
	ctx, cancel := context.WithCancel(background)
	ok(t, s.Sync(ctx))
	cancel()
	if err := s.Sync(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

func TestClosedStream(t *testing.T) {
	_, dev := fake(t)
	s := stream(t, dev)
	m := alloc(t, dev, 1)
	l := launch(t, kernel(t, load(t, dev, "kernels.cpp", nil), "add"), s, addArgs(m, 1), 1)
	event, err := dev.NewEvent()
	ok(t, err)
	ok(t, s.Close())
	for name, err := range map[string]error{
		"launch": l.Run(),
		"copy":   s.CopyIn(m, make([]byte, 8)),
		"record": event.Record(s),
		"sync":   s.Sync(background),
	} {
		if err == nil || !strings.Contains(err.Error(), "closed") {
			t.Errorf("%s: error is %v", name, err)
		}
	}
}

func TestEvents(t *testing.T) {
	f, dev := fake(t)
	live := f.Live()
	s := stream(t, dev)
	start, err := dev.NewEvent()
	ok(t, err)
	end, err := dev.NewEvent()
	ok(t, err)
	began := time.Now()
	ok(t, start.Record(s))
	ok(t, start.Sync())
	time.Sleep(5 * time.Millisecond)
	ok(t, end.Record(s))
	if _, err := end.Since(start); !is(err, 600) {
		t.Errorf("the end is not reached, but: %v", err)
	}
	ok(t, end.Sync())
	took, err := end.Since(start)
	ok(t, err)
	// Of a float32, which may be rounded up.
	if most := time.Since(began) + time.Millisecond; took < 5*time.Millisecond || took > most {
		t.Errorf("took %v of %v", took, most)
	}
	for range 2 {
		ok(t, start.Close())
		ok(t, end.Close())
	}
	ok(t, s.Close())
	if n := f.Live(); n != live {
		t.Errorf("%d objects before, %d after", live, n)
	}
}
