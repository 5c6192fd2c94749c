package cache

import (
	"errors"
	"testing"
)

// BenchmarkGet is a warm start's share of the cache: an artifact of the size of a
// usual module, verified and its use recorded.
func BenchmarkGet(b *testing.B) {
	c := open(b, b.TempDir())
	build(b, c, "k", 20_000)
	k := key("k")
	for b.Loop() {
		if _, err := c.Get(k); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLookupIndex(b *testing.B) {
	c := open(b, b.TempDir())
	first := key("first")
	r := Record{Second: key("second"), Meta: []byte(`{"symbol":"saxpy","params":["float32","[]float32","[]float32"]}`)}
	for _, name := range []string{"saxpy.go", "helpers.go", "types.go"} {
		r.Deps = append(r.Deps, Dep{Name: name, Sum: key(name)})
	}
	if err := c.StoreIndex(first, r); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, ok := c.LookupIndex(first); !ok {
			b.Fatal("a miss")
		}
	}
}

func BenchmarkMiss(b *testing.B) {
	c := open(b, b.TempDir())
	k := key("k")
	for b.Loop() {
		if _, err := c.Get(k); !errors.Is(err, ErrMiss) {
			b.Fatal(err)
		}
	}
}

// BenchmarkBuild is what storing costs beside the compiler.
func BenchmarkBuild(b *testing.B) {
	c := open(b, b.TempDir())
	a := artifact("k", 20_000)
	n := 0
	for b.Loop() {
		n++
		k := NewKey("bench", []byte{byte(n), byte(n >> 8), byte(n >> 16)})
		if _, _, err := c.Build(k, func() (*Artifact, error) { return a, nil }); err != nil {
			b.Fatal(err)
		}
	}
}
