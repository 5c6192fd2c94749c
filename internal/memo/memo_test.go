package memo

import (
	"sync"
	"testing"
)

// Of many that store a value under one key all get the same one.
func TestLoadOrStore(t *testing.T) {
	var m Map[string, *int]
	if v, ok := m.Load("k"); v != nil || ok {
		t.Errorf("an empty map has %v, %t", v, ok)
	}
	var wg sync.WaitGroup
	got := make([]*int, 8)
	stored := make([]bool, len(got))
	for i := range got {
		wg.Go(func() {
			v, loaded := m.LoadOrStore("k", &i)
			got[i], stored[i] = v, !loaded
		})
	}
	wg.Wait()
	first := 0
	for i, v := range got {
		if v != got[0] {
			t.Errorf("goroutine %d got another value than goroutine 0", i)
		}
		if stored[i] {
			first++
			if *v != i {
				t.Errorf("goroutine %d stored its value and got that of %d", i, *v)
			}
		}
	}
	if v, ok := m.Load("k"); first != 1 || v != got[0] || !ok {
		t.Errorf("%d stored a value; loaded %v, %t", first, v, ok)
	}
	if m.Clear(); func() bool { _, ok := m.Load("k"); return ok }() {
		t.Error("there is a value after Clear")
	}
}
