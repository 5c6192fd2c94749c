package comptime

import (
	"reflect"
	"runtime"
	"testing"
	"time"
	"unsafe"
)

//go:noinline
func adder(c float32) func(float32) float32 { return func(x float32) float32 { return x + c } }

// closed is a closure that is known with what it captures.
func closed(t *testing.T, c float32) func(float32) float32 {
	t.Helper()
	f := adder(c)
	v, err := Of(reflect.ValueOf(c))
	if err != nil {
		t.Fatal(err)
	}
	Close(reflect.ValueOf(&f).Elem(), map[string]Value{"c": v}, nil, nil)
	return f
}

// TestClassesAreForgotten makes closures of many values that come and go: what is known of them goes with them, and those
// that stay keep their IDs, which no others get.
func TestClassesAreForgotten(t *testing.T) {
	classes := func() int {
		closures.RLock()
		defer closures.RUnlock()
		return len(closures.classes)
	}
	before := classes()
	stays := closed(t, -1)
	id := FuncID(unsafe.Pointer(&stays))
	seen := map[uintptr]bool{id: true}
	const n = 5000
	for i := range n {
		f := closed(t, float32(i))
		if g := closed(t, float32(i)); FuncID(unsafe.Pointer(&f)) != FuncID(unsafe.Pointer(&g)) {
			t.Fatalf("two closures of %d differ", i)
		}
		if id := FuncID(unsafe.Pointer(&f)); seen[id] {
			t.Fatalf("the ID of %d is that of another closure", i)
		} else {
			seen[id] = true
		}
	}
	for range 1000 {
		if classes() <= before+n/10 {
			break
		}
		runtime.GC()
		time.Sleep(time.Millisecond) // for the goroutine that runs cleanups
	}
	if got := classes(); got > before+n/10 {
		t.Errorf("%d of %d classes are left", got-before, n)
	}
	if again := closed(t, -1); FuncID(unsafe.Pointer(&again)) != id || FuncID(unsafe.Pointer(&stays)) != id {
		t.Error("a closure that stays has another ID")
	}
	runtime.KeepAlive(stays)
}
