package errors

import (
	"math"
	"os"

	"github.com/qdgen/qd"
)

var (
	tuned     float32 = 1
	addressed         = [2]int{1, 2}
	opened            = []string{os.Args[0]}
	counted           = count()
	looped            = around()
	argument  int     = len(os.Args)
	moved             = pair{1, 2}
	shared    *float32
	Fallback  = shared
	pipe      chan int
	held          = holder{list: []int{1}}
	grown         = table2[:1]
	table2        = [3]int{1, 2, 3}
	any1      any = 1
	infinity      = math.Inf(1)
	bad       int = 1 / (len(os.Args) - 1)
	words         = map[string]int{"a": 1}
	complexed     = 1i
	stacked       = appended()
)

// Exported can be assigned by any package.
var Exported = 3

type pair struct{ a, b int }

func (p *pair) move() { p.a++ }

type holder struct{ list []int }

func count() int {
	tuned = 2
	p := &addressed[0]
	*p, held.list[0] = 3, 2
	return 1
}

func around() int { return looped2 }

var looped2 = looped + 1

func appended() int { return cap(append([]int{}, 1)) }

//qd:kernel
func globals(t qd.Thread, x []float32, n []int) {
	i := t.ID()
	x[0] = tuned        // want "package variable tuned is assigned at globals.go:42, and only a program with generated code knows its value"
	n[1] = addressed[i] // want "package variable addressed has its address taken at globals.go:43, and only a program with generated code knows its value"
	n[2] = len(opened)  // want "package variable opened cannot be captured by a kernel: it is a slice"
	n[3] = counted      // want "package variable counted has an initial value that only compiled Go can evaluate"
	n[4] = argument     // want "package variable argument has an initial value that only compiled Go can evaluate"
	n[5] = moved.a      // want "package variable moved is assigned at globals.go:77"
	x[6] = *shared      // want "package variable shared cannot be captured by a kernel: it is a pointer"
	n[7] = <-pipe       // want "channels are not supported in a kernel"
	n[8] = held.list[0] // want "package variable held cannot be captured by a kernel: field list: it is a slice"
	n[9] = Exported     // want "package variable Exported is exported, so any package may assign to it, and only a program with generated code knows its value"
	_ = any1
	x[10] = float32(infinity)
	n[11] = bad        // want "package variable bad has an initial value that only compiled Go can evaluate"
	n[12] = words["a"] // want "package variable words cannot be captured by a kernel: it is a map"
	n[13] = stacked    // want "package variable stacked has an initial value that only compiled Go can evaluate"
	_ = complexed
}

//qd:kernel
func writesGlobals(t qd.Thread, n []int) {
	moved.a = 1          // want "package variable moved is assigned in a kernel"
	table2[0]++          // want "package variable table2 is assigned in a kernel"
	p := &table3[t.ID()] // want "the address of package variable table3 is taken in a kernel"
	*p = n[0]
	step.move()           // want "the address of package variable step is taken in a kernel"
	for limit = range 3 { // want "package variable limit is assigned in a kernel"
	}
	first(table4[:]) // want "the address of package variable table4 is taken in a kernel"
}

var (
	table3 = [3]int{1, 2, 3}
	table4 = [3]int{1, 2, 3}
	step   = pair{1, 2}
	limit  int
)

func first(x []int) { x[0] = 1 }

// A tree contains itself in a slice.
type tree struct {
	weight int
	kids   []tree
}

var oak = tree{1, []tree{{2, nil}}}

//qd:kernel
func trees(t qd.Thread, n []int) {
	n[0] = oak.weight
	n[1] = len(oak.kids) // want "package variable oak.kids cannot be captured by a kernel: field kids: types that contain themselves are not supported"
}

//qd:kernel
func staticTrees(t qd.Thread, n []int) {
	n[1] = qd.Static(oak.kids[0].weight)
}

// A gauge reads its table, or not.
type gauge struct{ n int }

func (g *gauge) read(x []int) int  { return x[g.n] }
func (g gauge) clear(x []int)      { x[g.n] = 0 }
func (g gauge) keep(x []int) []int { return x }

type row []int

func (r row) at(i int) int { return r[i] }
func (r row) set(i int)    { r[i] = 1 }
func (r row) rest() row    { return r[1:] }

var (
	readRow    = row{1, 2}
	setRow     = row{1, 2}
	restRow    = row{1, 2}
	valueRow   = row{1, 2}
	readList   = []int{1, 2}
	clearList  = []int{1, 2}
	keepList   = []int{1, 2}
	clearArray = [2]int{1, 2}
)

//qd:kernel
func readsByMethods(t qd.Thread, n []int) {
	g := gauge{1}
	n[0] = readRow.at(n[0]) + g.read(readList)
	setRow.set(1)              // want "package variable setRow cannot be captured by a kernel: it is a slice, and the variable is aliased at globals.go:[0-9]+"
	n[1] = restRow.rest()[0]   // want "package variable restRow cannot be captured by a kernel: it is a slice, and the variable is aliased at globals.go:[0-9]+"
	f := valueRow.at           // want "package variable valueRow cannot be captured by a kernel: it is a slice, and the variable is aliased at globals.go:[0-9]+"
	g.clear(clearList)         // want "package variable clearList cannot be captured by a kernel: it is a slice, and the variable is aliased at globals.go:[0-9]+"
	n[2] = g.keep(keepList)[0] // want "package variable keepList cannot be captured by a kernel: it is a slice, and the variable is aliased at globals.go:[0-9]+"
	g.clear(clearArray[:])     // want "the address of package variable clearArray is taken in a kernel, which may write to it"
	n[3] = f(0)
}
