package explain

import (
	"github.com/qdgen/qd/cmd/qdgen/cost"
	"github.com/qdgen/qd/ssa"
)

// A Model is what is known of some kernels in one version of their source.
type Model struct {
	Label   string    `json:"label"` // of the version: "this directory", "HEAD~1", "tile=64"
	Files   []*File   `json:"files"`
	Kernels []*Kernel `json:"kernels"`
}

// A File is a Go file, or the declarations in it that kernels come from.
type File struct {
	Name  string `json:"name"` // as positions have it
	Parts []Part `json:"parts"`
}

// A Part is some lines of a file, one after the other.
type Part struct {
	From  int      `json:"from"` // the number of the first
	Lines []string `json:"lines"`
	Heads []int    `json:"heads"` // of each line: the line on which the statement begins that it is in, 0 for none
}

// A Kernel is what is known of one specialization of a kernel.
type Kernel struct {
	Name    string `json:"name"`    // with its type arguments, and the steps of a derivative
	Package string `json:"package"` // import path
	Given   string `json:"given"`   // what the command line says of it: "tile=64"
	Pos     Pos    `json:"pos"`     // of its declaration
	Error   string `json:"error,omitempty"`

	Views    []*View   `json:"views"`
	Remarks  []Remark  `json:"remarks"`
	Checks   []Remark  `json:"checks"` // of a checked build
	Values   []Value   `json:"values"`
	Accesses []Access  `json:"accesses"`
	Costs    []*Cost   `json:"costs"`
	Keys     []*Key    `json:"keys,omitempty"`
	Times    []Timing  `json:"times"`
	Way      []WayDocs `json:"way"`
}

// A Pos is a place in a Go file.
type Pos struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Col  int    `json:"col,omitempty"`
}

func posOf(p ssa.Pos) Pos { return Pos{p.File, p.Line, p.Col} }

// A View is one text of a kernel: its module after a stage, or what a compiler makes of it.
type View struct {
	ID      string `json:"id"`    // unique in its kernel: "cpu/optimize", "ptx/sm_90"
	Group   string `json:"group"` // the tab: "cpu", "cpp", "asm", "cuda", "ptx", "sass"
	Title   string `json:"title"`
	Doc     string `json:"doc"` // its purpose, in a line
	Lang    string `json:"lang"`
	Pass    bool   `json:"pass,omitempty"`   // it is a pass of the stage that follows
	Same    bool   `json:"same,omitempty"`   // the stage has changed nothing: it has no lines
	Before  string `json:"before,omitempty"` // the view that it was made from, whose differences are marked
	Up      string `json:"up,omitempty"`     // the view whose lines Lines name
	Missing string `json:"missing,omitempty"`
	Lines   []Line `json:"lines,omitempty"`
}

// A Line is a line of a view.
type Line struct {
	Text string `json:"t"`
	Go   Pos    `json:"g,omitzero"`  // where it comes from
	Via  []Pos  `json:"v,omitempty"` // the calls by which it has come there, where functions are inlined
	Up   int    `json:"u,omitempty"`
}

// A Remark is what somebody says about a place.
type Remark struct {
	By   string         `json:"by"`           // the pass, or the compiler
	On   string         `json:"on,omitempty"` // the targets, "" for all
	Kind ssa.RemarkKind `json:"kind"`         //
	Func string         `json:"func"`         //
	Pos  Pos            `json:"pos,omitzero"` //
	Text string         `json:"text"`         //
}

// A Value is a variable of the Go source, and whether threads agree on it.
type Value struct {
	Name  string `json:"name"`
	Pos   Pos    `json:"pos,omitzero"`
	Func  string `json:"func"`
	Class string `json:"class"` // "uniform", "linear" or "varying"
	Text  string `json:"text"`  // more about it: "1 more in each thread than in the one before"
}

// An Access is a load or a store, or several at once, of a thread and of those beside it.
type Access struct {
	Pos     Pos    `json:"pos,omitzero"`
	Func    string `json:"func"`
	Op      string `json:"op"`   // "load", "store", "atomic"
	What    string `json:"what"` // x[i]
	Pattern string `json:"pattern"`
	Text    string `json:"text"`
	Times   int    `json:"times"` // how often the code has it
	Masked  bool   `json:"masked,omitempty"`
	Lanes   int    `json:"lanes,omitempty"`
}

// A Cost is what a kernel costs on one architecture.
type Cost struct {
	*cost.Kernel
	Occupancy []cost.Occupancy `json:"occupancy"`
}

// A Key is a key of the cache.
type Key struct {
	Target string    `json:"target"`
	Name   string    `json:"name"`
	Of     string    `json:"of,omitempty"` // the launches that ask for it, where others have another one
	Cached string    `json:"cached"`       // what the cache on this machine has under it
	Parts  []KeyPart `json:"parts"`
	First  []KeyPart `json:"first"` // of the key that is made without parsing
}

// A KeyPart is something that a key is made of.
type KeyPart struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// A Timing is the time of a stage or of a compiler.
type Timing struct {
	Group string `json:"group"`
	Stage string `json:"stage"`
	Nanos int64  `json:"nanos"`
}

// WayDocs is why a stage is there.
type WayDocs struct {
	Group string `json:"group"`
	Stage string `json:"stage"`
	Why   string `json:"why"`
}
