package randprog

import (
	"fmt"
	"math/rand/v2"
)

// Features are the parts of the language that a generator may use beyond numbers,
// slices and functions.
type Features uint32

// The features.
const (
	Structs     Features = 1 << iota // with fields, literals, comparison; Arrays decides about those in them
	Arrays                           // as values
	Pointers                         // to locals, elements and fields
	Methods                          // of structs and named numbers
	NamedTypes                       // named numbers
	Generics                         // functions and types
	Closures                         // function literals and values
	Fallthrough                      // in switches
	Embedding                        // of structs in structs
	Aggregates                       // structs and arrays as parameters of kernels, and slices of them
	Faults                           // whatever panics: the programs are compared in checked builds
	Order                            // loads beside calls that change them, as Go's compiler orders them
	Static                           // what is known at compile time: unrolled loops, known conditions, qd.Static and qd.Dynamic
	Consts                           // parameters of functions that are compile-time constants
	Globals                          // variables at package level
	Recursion                        // that constants end
	FuncValues                       // functions in arrays and structs, and as results
	Strings                          // as compile-time values
	Unpacked                         // array fields that are stored as scalars
	Gotos                            // forward and backward
	AllFeatures Features = 1<<iota - 1

	// Supported are those that the compiler has.
	Supported = AllFeatures
)

// ownPrefix begins the names of the slices that hold perThread elements for each thread.
const (
	ownPrefix = "own"
	perThread = 8
)

// A generator makes one program.
type generator struct {
	*rand.Rand
	features Features
	prog     *Program
	types    typeTable
	liked    []*Type // numbers and bool, those of this program more often
	structs  []*Type
	arrays   []*Type
	named    []*Type
	suffix   string // of names at package level
	heavy    bool   // with much that is known at compile time
	unique   int
	*scope
}

// A variable is a name in scope.
type variable struct {
	name   string
	typ    *Type
	depth  int  // of the block that declares it
	fixed  bool // may not be assigned
	shared bool // its address was taken, or a function literal writes it
	cost   int  // of a function: of one call

	known   bool // its value is known at compile time
	mutable bool // that value changes, where level is that of the declaration
	level   int
	global  bool // at package level
	reads   bool // it leads into a variable at package level: what it leads to is only read
}

// A scope is the state of one function being made.
type scope struct {
	vars     []*variable
	indices  int // how many indices are around
	depth    int
	budget   int // statements left
	cost     int // of the function so far
	times    int // how often the place being made runs in one call
	targets  []target
	marks    []mark
	labels   int
	results  []Param
	kernel   bool
	pure     bool // may write nothing but its own variables
	literals int  // how many function literals are around
	level    int  // how many statements are around of which only the running kernel knows whether they run
	unrolled int  // how often unrolled loops repeat the place being made
	callees  []*Routine
}

// A target is an enclosing loop or switch.
type target struct {
	label  int
	loop   bool
	strict bool // only what is known at compile time may leave it
	level  int  // of its body
}

// Generate makes the program of a seed. Names at package level end in the suffix.
func Generate(seed uint64, features Features, suffix string) *Program {
	g := &generator{
		Rand: rand.New(rand.NewPCG(seed, 0x7164)), features: features, suffix: suffix,
		types: typeTable{}, prog: &Program{Name: "k" + suffix, Seed: seed, Features: features, Suffix: suffix, Tag: suffix},
	}
	for range 3 + g.IntN(3) {
		g.liked = append(g.liked, scalars[g.IntN(len(scalars))])
	}
	g.liked = append(g.liked, intType, scalars[1+g.IntN(len(scalars)-1)])
	g.prog.Checked = g.has(Faults)
	g.heavy = g.has(Static) && g.chance(2)
	g.declareTypes()
	g.globals()
	for range g.IntN(4) {
		switch {
		case g.has(Recursion) && g.chance(4):
			g.recursion()
		case g.has(FuncValues) && g.chance(6):
			g.maker()
		default:
			g.function()
		}
	}
	g.kernelFunc()
	if g.has(Unpacked) {
		g.unpack()
	}
	return g.prog
}

func (g *generator) has(f Features) bool { return g.features&f == f }

// chance is true once in n times.
func (g *generator) chance(n int) bool { return g.IntN(n) == 0 }

// loose reports whether something is to be left that may panic.
func (g *generator) loose() bool { return g.has(Faults) && g.chance(8) }

// pick is one of some texts.
func (g *generator) pick(s ...string) string { return s[g.IntN(len(s))] }

func (g *generator) global(prefix string) string {
	g.unique++
	return fmt.Sprintf("%s%d%s", prefix, g.unique, g.suffix)
}

// scalar is a type of numbers or bool.
func (g *generator) scalar() *Type {
	if g.chance(6) {
		return scalars[g.IntN(len(scalars))]
	}
	return g.liked[g.IntN(len(g.liked))]
}

// number is a type of numbers.
func (g *generator) number() *Type {
	for {
		if t := g.scalar(); t.isNumber() {
			return t
		}
	}
}

// integer is a type of integers.
func (g *generator) integer() *Type {
	for {
		if t := g.scalar(); t.Form == Int {
			return t
		}
	}
}

// valueType is a type of values that hold no addresses.
func (g *generator) valueType() *Type {
	switch {
	case g.has(Structs) && len(g.structs) > 0 && g.chance(6):
		return g.structs[g.IntN(len(g.structs))]
	case g.has(Arrays) && len(g.arrays) > 0 && g.chance(6):
		return g.arrays[g.IntN(len(g.arrays))]
	}
	return g.scalar()
}

// declareTypes makes the program's own types.
func (g *generator) declareTypes() {
	if g.has(NamedTypes) && g.chance(2) {
		base := g.scalar()
		t := g.types.intern("N"+g.suffix, Type{Form: base.Form, Name: "N" + g.suffix, Bits: base.Bits, Signed: base.Signed, Base: base})
		g.prog.Types = append(g.prog.Types, t)
		g.named = append(g.named, t)
		g.liked = append(g.liked, t)
	}
	for range g.IntN(4) {
		if g.has(Arrays) && g.chance(2) {
			elem := g.scalar()
			if (len(g.structs)+len(g.arrays)) > 0 && g.chance(3) {
				elem = g.valueType()
			}
			if size(elem) <= 24 {
				g.arrays = append(g.arrays, g.types.array(elem, []int{1, 2, 3, 4, 4, 5, 8}[g.IntN(7)]))
			}
		} else if g.has(Structs) {
			g.structType()
		}
	}
	if g.has(Generics|Structs|Arrays) && g.chance(3) {
		name := g.global("G")
		origin := g.types.intern(name, Type{Form: Struct, Name: name, Fields: []Field{
			{Name: "a", Type: typeParam}, {Name: "n", Type: g.integer()}, {Name: "b", Type: g.types.array(typeParam, 1+g.IntN(3))}}})
		origin.Origin = origin
		g.prog.Types = append(g.prog.Types, origin)
		for range 1 + g.IntN(2) {
			g.structs = append(g.structs, g.types.instance(origin, g.number()))
		}
	}
}

func (g *generator) structType() {
	name := g.global("S")
	t := Type{Form: Struct, Name: name}
	for i := range 1 + g.IntN(4) {
		f := Field{Name: fmt.Sprintf("%c%s", 'a'+i, g.pick("", "x", "")), Type: g.valueType()}
		if g.has(Unpacked|Arrays) && g.chance(4) {
			f.Type = g.types.array(g.scalar(), 1+g.IntN(5))
		}
		if f.Type.Form == Struct && g.has(Embedding) && g.chance(2) {
			f.Name, f.Embedded = f.Type.Name, true
			for _, old := range t.Fields {
				if old.Name == f.Name {
					f.Name, f.Embedded = fmt.Sprintf("%c", 'a'+i), false
				}
			}
		}
		t.Fields = append(t.Fields, f)
	}
	if size(&t) > 40 {
		return
	}
	s := g.types.intern(name, t)
	g.prog.Types = append(g.prog.Types, s)
	g.structs = append(g.structs, s)
}

// size counts the scalars in a value.
func size(t *Type) int {
	switch t.Form {
	case Struct:
		n := 0
		for _, f := range t.Fields {
			n += size(f.Type)
		}
		return n
	case Array:
		return t.Len * size(t.Elem)
	}
	return 1
}

// newName is the name of a new variable: now and then that of one in an outer
// block, which it hides.
func (g *generator) newName() string {
	if g.chance(8) {
		v := g.vars
		if len(v) > 0 {
			old := v[g.IntN(len(v))]
			if old.name[0] == 'v' && old.depth < g.depth && !g.declaredHere(old.name) {
				return old.name
			}
		}
	}
	g.unique++
	return fmt.Sprintf("v%d", g.unique)
}

func (g *generator) declaredHere(name string) bool {
	for _, v := range g.vars {
		if v.name == name && v.depth == g.depth {
			return true
		}
	}
	return false
}

// declare brings a variable into scope.
func (g *generator) declare(name string, t *Type) *variable {
	v := &variable{name: name, typ: t, depth: g.depth}
	g.vars = append(g.vars, v)
	return v
}

// visible are the variables that are not hidden and that ok accepts; those of
// functions around a function literal are among them. Those that only read are not.
func (g *generator) visible(ok func(*variable) bool) []*variable {
	return g.allVisible(func(v *variable) bool { return !v.reads && ok(v) })
}

// allVisible is visible, with those that only read.
func (g *generator) allVisible(ok func(*variable) bool) []*variable {
	var out []*variable
	hidden := map[string]bool{}
	for i := len(g.vars) - 1; i >= 0; i-- {
		v := g.vars[i]
		if !hidden[v.name] && ok(v) {
			out = append(out, v)
		}
		hidden[v.name] = true
	}
	return out
}

// one is one of some variables, late ones more often; nil of none.
func (g *generator) one(vars []*variable) *variable {
	if len(vars) == 0 {
		return nil
	}
	return vars[min(g.IntN(len(vars)), g.IntN(len(vars)))]
}

func use(v *variable) *Node { return &Node{Op: Var, Text: v.name, Type: v.typ} }
