// Package field has a kernel that belongs to a package of its own.
package field

import (
	"embed"

	"example.com/stranger/numeric"
	"github.com/qdgen/qd"
)

// Source is this package.
//
//go:embed [^._]*.go
var Source embed.FS

// Step takes one step of a diffusion in one dimension.
//
//qd:kernel
func Step(t qd.Thread, rate float32, in, out []float32) {
	i := t.ID()
	left, right := numeric.Neighbours(i, t.Dim(0))
	out[i] = in[i] + rate*(in[left]+in[right]-2*in[i])
}
