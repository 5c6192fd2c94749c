package memo

import "testing"

// What is asked for again and again stays, of what is needed once a limited part, and none of what is too heavy.
func TestRecent(t *testing.T) {
	r := Recent[int, string]{Most: 10}
	if v, ok := r.Load(0); v != "" || ok {
		t.Errorf("an empty one has %q, %t", v, ok)
	}
	r.Store(0, "often", 2)
	for i := 1; i <= 20; i++ {
		r.Store(i, "once", 3)
		if v, ok := r.Load(0); v != "often" || !ok {
			t.Fatalf("after %d others: %q, %t", i, v, ok)
		}
		sum := 0
		for _, v := range r.young {
			sum += v.weight
		}
		if young, old := r.Weights(); young != sum || young == 0 || young > r.Most || old > r.Most {
			t.Fatalf("after %d others the tables weigh %d and %d, the young one has %d", i, young, old, sum)
		}
	}
	if _, old := r.Weights(); old == 0 {
		t.Error("the old table is empty")
	}
	if _, ok := r.Load(1); ok {
		t.Error("what was needed once stays")
	}
	r.Store(0, "another", 5)
	if v, _ := r.Load(0); v != "another" {
		t.Errorf("the value that took the place of another one is %q", v)
	}
	r.Store(99, "heavy", 11)
	if _, ok := r.Load(99); ok {
		t.Error("what is too heavy is kept")
	}
}
