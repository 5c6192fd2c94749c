package errors

import (
	"github.com/qdgen/qd"
	"github.com/qdgen/qd/f32"
)

type degrees float64

type level int

func (l level) String() string { return "level" }

//qd:kernel
func printing(t qd.Thread, x []float32, format string) { // want "parameter format has type string: strings are not supported"
	i := t.ID()
	qd.Printf(format, i)
	qd.Printf("%d\n", x[i])                     // want "qd.Printf format %d has an argument of type float32"
	qd.Printf("%g\n", i)                        // want "qd.Printf format %g has an argument of type int"
	qd.Printf("%s\n", i)                        // want "qd.Printf format %s has an argument of type int"
	qd.Printf("%t\n", "true")                   // want "qd.Printf format %t has an argument of type string"
	qd.Printf("%d %d\n", i)                     // want "qd.Printf format %d reads arg #2, but call has 1 arg"
	qd.Printf("%d\n", i, i+1)                   // want "qd.Printf call needs 1 arg but has 2 args"
	qd.Printf("%!\n")                           // want "qd.Printf format %! has unknown verb !"
	qd.Printf("100%")                           // want "qd.Printf format ends in %"
	qd.Printf("%[1]d\n", i)                     // want "argument indexes in a qd.Printf format are not supported"
	qd.Printf("%*d\n", x[i], i)                 // want "qd.Printf format %\\* has a width of type float32"
	qd.Printf("%-*s|\n", i, "a")                // want "qd.Printf format %-\\*s has a constant string as argument"
	qd.Printf("%v\n", x)                        // want "qd.Printf prints numbers, bools, constant strings, and arrays and structs of numbers and bools, not a \\[\\]float32"
	qd.Printf("%v\n", t)                        // want "qd.Printf prints numbers, bools, constant strings, and arrays and structs of numbers and bools, not a qd.Thread"
	qd.Printf("%v\n", level(i))                 // want "qd.Printf does not call method String of level"
	qd.Printf("%T\n", degrees(1))               // want "qd.Printf format %T has an argument of the declared type degrees"
	qd.Printf("%v\n", nil)                      // want "qd.Printf prints numbers, bools and constant strings, not nil"
	qd.Printf("%v %v\n", []any{1, 2}...)        // want "qd.Printf with ... is not supported in a kernel"
	qd.Printf("%d\n", f32.Vec2{1, 2})           // want "qd.Printf format %d has an argument of type f32.Vec2"
	qd.Printf("%v\n", [80]int{})                // want "qd.Printf prints at most 64 numbers of one argument, not a \\[80\\]int"
	qd.Printf("%v\n", [9][9]int{})              // want "qd.Printf prints at most 64 numbers of one argument, not a \\[9\\]\\[9\\]int"
	qd.Printf("%x\n", [3]uint8{1})              // want "qd.Printf format %x has an argument of type \\[3\\]uint8"
	qd.Printf("%#v\n", [3]int{1})               // want "qd.Printf format %#v has an argument of type \\[3\\]int"
	qd.Printf("%*d\n", 3, [3]int{1})            // want "qd.Printf format %\\*d has an argument of type \\[3\\]int"
	qd.Printf("%v\n", [2]level{})               // want "qd.Printf does not call method String of level"
	qd.Printf("%v\n", qd.ToFloat16(x[i]))       // want "qd.Printf does not call method String of qd.Float16"
	qd.Printf("%v\n", [2]qd.BFloat16{})         // want "qd.Printf does not call method String of qd.BFloat16"
	qd.Printf("%v\n", struct{ x []float32 }{x}) // want "and structs of numbers and bools, not a \\[\\]float32"
}
