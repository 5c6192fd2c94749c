package initial_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/initial"
	"github.com/qdgen/qd/frontend/load"
)

// Where an int of the program has 32 bits, package variables have been computed with these.
func TestIntSize(t *testing.T) {
	const vars = `package e

import "math/bits"

var Int = power(3, 40)
var Uint = uint(power(3, 40))
var Shifted = func() uint { x := uint(5); for range 4 { x <<= 10 }; return x >> 3 }()
var Reversed = bits.Reverse(twice(5))
var Zeros = bits.TrailingZeros(twice(0))
var Wide = func() int64 { x := int64(3); for range 5 { x *= x }; return x }()
var Size = twice(bits.UintSize)
var Half = twice(half32)
var Ones = twice(ones >> 60)
var Same = twice(number << 3)
var Leading = bits.LeadingZeros(twice(1))
var Local = func() uint { const n = 32 << (^uintptr(0) >> 63); return twice(n) }()

const (
	number = 1 << iota
	half32 = bits.UintSize / 2
	ones   = ^uint(0)
)

var Most = func() int { return half(1<<63 - 1) }()

func power(x, n int) int { r := 1; for range n { r *= x }; return r }
func twice(x uint) uint { return 2 * x }
func half(x int) int { return x / 2 }
`
	one := func(path, src string) *load.Package {
		return &load.Package{Path: path, Files: []load.File{{Name: "a.go", Src: []byte(src)}}}
	}
	src := load.Chain(load.Map{
		load.QDPath: one(load.QDPath, "package qd\n\ntype Thread struct{}\n"),
		"p":         one("p", "package p\n\nimport (\n\t\"e\"\n\n\t\"github.com/qdgen/qd\"\n)\n\nfunc k(t qd.Thread, x []int) { _, _, _, _, _, _, _, _, _, _, _, _, _ = e.Leading, e.Size, e.Half, e.Ones, e.Same, e.Local, e.Int, e.Uint, e.Shifted, e.Reversed, e.Zeros, e.Wide, e.Most }\n"),
		"e":         one("e", vars),
	}, load.Standard{})
	const depends = "it uses a constant that depends on how many bits an int has"
	const third32, third64 = 689956897, -6289078614652622815 // 3^40 in so many bits
	for _, tt := range []struct {
		bits int
		want map[string]string
	}{
		{32, map[string]string{"Int": fmt.Sprint(third32), "Uint": "689956897", "Shifted": "0", "Reversed": "1342177280", "Zeros": "32", "Wide": "1853020188851841", "Most": "it uses a constant for an int of 64 bits", "Size": depends, "Half": depends, "Ones": depends, "Local": depends, "Leading": depends, "Same": "16"}},
		{64, map[string]string{"Int": fmt.Sprint(int64(third64)), "Uint": "12157665459056928801", "Shifted": "687194767360", "Reversed": "5764607523034234880", "Zeros": "64", "Wide": "1853020188851841", "Most": "4611686018427387903", "Size": "128", "Half": "64", "Ones": "30", "Local": "128", "Leading": "62", "Same": "16"}},
	} {
		defer initial.SetIntSize(tt.bits)()
		for name, want := range tt.want {
			p, err := load.CheckWith(src, load.Also{Inits: []load.Global{{Pkg: "e", Name: name}}}, load.Ref{Pkg: "p", Name: "k"})
			if err != nil {
				t.Fatal(err)
			}
			v := find(p, "e", name)
			value, err := initial.Value(check.NewSyntax(p, v.Pkg, false, nil), v)
			got := value.String()
			if err != nil {
				got = err.Error()
			}
			if !strings.HasSuffix(got, want) {
				t.Errorf("with ints of %d bits, %s is %s, want %s", tt.bits, name, got, want)
			}
		}
	}
}
