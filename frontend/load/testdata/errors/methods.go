package methods

import (
	"strings"

	"github.com/qdgen/qd"
)

type scaler interface{ scale(x float32) float32 }

type double struct{}

func (double) scale(x float32) float32 { return 2*x + "" } // want "mismatched types float32 and untyped string"

// describe is not called; neither is the scale of reader, which only has the name.
func (double) describe() string { return strings.ToUpper(3) }

type reader struct{}

func (reader) scale(s string) string { return strings.ToUpper(s) }

type wrong struct{}

func apply[S scaler](s S, x float32) float32 { return s.scale(x) }

//qd:kernel
func kernel(t qd.Thread, x []float32) {
	x[0] = apply(double{}, x[0])
	x[0] = apply(wrong{}, x[0]) // want "type wrong. does not satisfy scaler"
	_ = qd.Sqrt("x")            // want "type string. does not satisfy|string does not satisfy"
}
