package initial_test

import (
	"errors"
	"math"
	"testing"

	"github.com/qdgen/qd/frontend/check"
	"github.com/qdgen/qd/frontend/initial"
	"github.com/qdgen/qd/frontend/load"
	"github.com/qdgen/qd/internal/single"
)

// Variables that functions of package qd compute have the values that the program gives them: for float32 those of
// package single.
func TestInSingle(t *testing.T) {
	one := func(path, src string) *load.Package {
		return &load.Package{Path: path, Files: []load.File{{Name: "a.go", Src: []byte(src)}}}
	}
	src := load.Map{
		load.QDPath: one(load.QDPath, "package qd\n\ntype Thread struct{}\n\nfunc Exp[T ~float32 | ~float64](x T) T { return missing(x) }\n"),
		"p":         one("p", "package p\n\nimport \"github.com/qdgen/qd\"\n\nfunc k(t qd.Thread, x []int) {}\n"),
		"v": one("v", `package v

import "github.com/qdgen/qd"

type own float32

var Single = qd.Exp(float32(0x1.45e742p+6))

var Own = qd.Exp(own(0x1.45e742p+6))

var Double = qd.Exp(0x1.45e742p+6)
`),
	}
	// An argument for which the nearest number is another one.
	const x = 0x1.45e742p+6
	if single.Exp(x) == float32(math.Exp(float64(float32(x)))) {
		t.Fatal("the argument tells nothing")
	}
	for name, want := range map[string]uint64{
		"Single": uint64(math.Float32bits(single.Exp(x))), "Own": uint64(math.Float32bits(single.Exp(x))), "Double": math.Float64bits(math.Exp(x)),
	} {
		p, err := load.CheckWith(src, load.Also{Inits: []load.Global{{Pkg: "v", Name: name}}}, load.Ref{Pkg: "p", Name: "k"})
		if err != nil {
			t.Fatal(err)
		}
		v := find(p, "v", name)
		if v == nil {
			t.Fatalf("there is no variable %s", name)
		}
		value, err := initial.Value(check.NewSyntax(p, v.Pkg, false, nil), v)
		var lacks *initial.LacksError
		if errors.As(err, &lacks) || err != nil {
			t.Errorf("%s: %v", name, err)
		} else if value.Bits != want {
			t.Errorf("%s is %#x, want %#x", name, value.Bits, want)
		}
	}
}
