package packages

import (
	"log"
	"math/rand"
	"strings"

	"example.com/nowhere/go-fast"
	qdgen "github.com/qdgen/qd"
)

var replacer = strings.NewReplacer("a", "b") // want "the type of package variable replacer is unknown: it comes from package strings, whose source is not available; help: declare the variable with its type"

// typed is used by the kernel but has its type whatever it is initialized with.
var typed float32 = float32(strings.Count("a", "b"))

// other is not used.
var other = strings.NewReplacer("a", "b")

type state struct {
	b strings.Builder // want "package strings is not available in kernels"
	x float32
}

//qd:kernel
func kernel(t qdgen.Thread, x []float32) {
	log.Println(x[0])              // want "package log is not available in kernels; help: print with qd.Printf"
	x[0] = rand.Float32()          // want "package math/rand is not available in kernels"
	n := strings.Count("abc", "b") // want "package strings is not available in kernels"
	_ = n
	x[1] = fast.Sqrt(x[0]) // want "package example.com/nowhere/go-fast is not available in kernels; help: its source is not found"
	_ = replacer
	x[2] = typed
	var s state
	x[3] = s.x
	qdgen.Launch(kernel) // want "qdgen.Launch is not available in kernels; help: kernels can use these parts of package qd"
}
